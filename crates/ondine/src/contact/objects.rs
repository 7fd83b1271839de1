//! Particles meet objects.
//!
//! Source: thesis 000 §6.2, Algorithm 7 lines 12 to 15, equations 6.1 to 6.3. The velocity of a particle that touches an
//! object loses its normal part, and the share μ of its tangential part: v' = v − v_n − μ v_t (the printed equation
//! 6.3 has the sign of the last term wrong; its prose, "removes a part", rules). A particle still inside is put out.
//!
//! Where it differs: the path of the step is swept, so that no speed carries a particle through a wall; μ is the share
//! lost in the thesis's step of 1/30 s, and shorter steps take their part of it, so that friction does not depend on
//! their number; a particle rubs a wall while it is within a quarter of its spacing of touching.
//! Limits: objects do not move.

use crate::objects::Solid;
use crate::parallel::{self, Shared};
use crate::particles::Particles;
use glam::Vec3;

/// How close to touching a particle rubs, in radii.
const RUB: f32 = 0.5;
/// Rounds of pushing out: corners need one a face.
const ROUNDS: usize = 4;
/// Steps of walking along a path before the end is taken as it is.
const SWEEP_STEPS: usize = 64;
/// The thesis's step [s], for which μ is given.
const THESIS_STEP: f32 = 1.0 / 30.0;

/// Ends each particle's step outside all objects. `radius` is the particles' own.
pub fn resolve(particles: &mut Particles, solids: &[Solid], radius: f32, planar: bool, dt: f32) {
    if solids.is_empty() {
        return;
    }
    let Particles { position, previous, .. } = particles;
    let previous = &*previous;
    let [x, y, z] = [&mut position.x, &mut position.y, &mut position.z];
    let (y, z) = (Shared::new(y), Shared::new(z));
    parallel::parts(x, |first, x| {
        // SAFETY: each part takes the same stretch of y and z as it has of x.
        let (y, z) = unsafe { (y.slice(first, x.len()), z.slice(first, x.len())) };
        for i in 0..x.len() {
            let start = previous.get(first + i);
            let mut end = Vec3::new(x[i], y[i], z[i]);
            let path = (end - start).length_squared();
            // Far from everything, and too slow to have passed through: nothing to do.
            if path <= radius * radius && solids.iter().all(|s| s.distance(end) >= (1.0 + RUB) * radius) {
                continue;
            }
            let straight = end;
            for solid in solids {
                end = meet(solid, start, end, radius, dt);
            }
            // What one object turned aside may now go through another.
            if end != straight {
                for solid in solids {
                    end = hit(solid, start, end, radius).unwrap_or(end);
                }
            }
            end = put_out(solids, end, radius);
            (x[i], y[i], z[i]) = (end.x, end.y, if planar { 0.0 } else { end.z });
        }
    });
}

/// Where a particle that goes from `start` to `end` in a step ends because of one object.
pub fn meet(solid: &Solid, start: Vec3, end: Vec3, radius: f32, dt: f32) -> Vec3 {
    let hit = hit(solid, start, end, radius);
    let near = solid.nearest(hit.unwrap_or(end));
    if near.distance >= radius * (1.0 + RUB) {
        return end;
    }
    let v = (end - start) / dt;
    let v_n = v.dot(near.normal) * near.normal;
    let v_t = v - v_n;
    // A hit is found a hair before it touches.
    let touching = hit.is_some() || near.distance < radius;
    let kept = 1.0 - friction(solid.friction, dt);
    let v_n = if touching && v.dot(near.normal) < 0.0 { Vec3::ZERO } else { v_n };
    if v_n == v - v_t && kept == 1.0 {
        return end;
    }
    start + dt * (v_n + kept * v_t)
}

/// Share of the tangential velocity that a step of `dt` takes away.
fn friction(mu: f32, dt: f32) -> f32 {
    match mu {
        0.0 => 0.0,
        1.0 => 1.0,
        mu => 1.0 - (1.0 - mu).powf(dt / THESIS_STEP),
    }
}

/// The first point of a path where the particle touches the object, when the path goes on through.
fn hit(solid: &Solid, start: Vec3, end: Vec3, radius: f32) -> Option<Vec3> {
    let path = end - start;
    let length = path.length();
    // A path shorter than the radius cannot reach the far side unseen: its end is still in touch.
    if solid.is_outside_in() || length <= radius {
        return None;
    }
    let mut done = 0.0;
    for _ in 0..SWEEP_STEPS {
        let point = start + path * (done / length);
        let gap = solid.distance(point) - radius;
        if gap < 0.01 * radius {
            // Leaving a surface is no hit.
            return (path.dot(solid.nearest(point).normal) < 0.0).then_some(point);
        }
        done += gap;
        if done >= length {
            return None;
        }
    }
    None
}

/// Line 15: moves a particle that is still inside to the surface.
pub fn put_out(solids: &[Solid], mut point: Vec3, radius: f32) -> Vec3 {
    for _ in 0..ROUNDS {
        let mut moved = false;
        for solid in solids {
            let near = solid.nearest(point);
            if near.distance < radius {
                point += (radius - near.distance) * near.normal;
                moved = true;
            }
        }
        if !moved {
            break;
        }
    }
    point
}

/// Particles whose centre is inside an object.
pub fn leaks(particles: &Particles, solids: &[Solid]) -> u64 {
    let inside = |p: Vec3| solids.iter().any(|s| s.distance(p) < 0.0);
    particles.position.iter().filter(|&p| inside(p)).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Placement, Shape};

    const RADIUS: f32 = 0.1;

    fn solid(shape: Shape, friction: f32) -> Solid {
        let mut solid = Solid::new(shape, Placement::new([0.0; 3], [0.0; 3]), false);
        solid.friction = friction;
        solid
    }

    fn floor(friction: f32) -> Solid {
        solid(Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, friction)
    }

    /// Velocity after a step of a particle that touches the floor.
    fn after_contact(v: Vec3, friction: f32, dt: f32) -> Vec3 {
        let start = Vec3::new(0.0, RADIUS, 0.0);
        (meet(&floor(friction), start, start + dt * v, RADIUS, dt) - start) / dt
    }

    /// Thesis 000 §6.2 with the sign of equation 6.3 put right: v' = v − v_n − μ v_t, in the thesis's step of 1/30 s.
    #[test]
    fn contact_takes_the_normal_velocity_and_the_share_mu_of_the_sliding_one() {
        for mu in [0.0, 0.1, 0.3, 0.5, 0.9, 1.0] {
            let v = after_contact(Vec3::new(2.0, -3.0, 1.0), mu, 1.0 / 30.0);
            let wanted = (1.0 - mu) * Vec3::new(2.0, 0.0, 1.0);
            assert!((v - wanted).length() < 2e-6, "μ = {mu}: {v} for {wanted}");
            assert!(v.length() <= 5f32.sqrt() + 1e-6, "sliding never grows");
        }
    }

    /// μ is what a thirtieth of a second takes: ten short steps take as much as a long one.
    #[test]
    fn friction_does_not_depend_on_the_number_of_steps() {
        for mu in [0.2f32, 0.7] {
            let mut v = Vec3::X;
            for _ in 0..10 {
                v = after_contact(v, mu, 1.0 / 300.0);
            }
            assert!((v.x - (1.0 - mu)).abs() < 1e-5, "{v}");
        }
    }

    /// A particle that leaves a wall is not held back: "the impulse cancels the velocity of penetration".
    #[test]
    fn contact_does_not_hold_what_leaves() {
        let v = after_contact(Vec3::new(0.5, 2.0, 0.0), 0.0, 1.0 / 30.0);
        assert!((v - Vec3::new(0.5, 2.0, 0.0)).length() < 1e-6, "{v}");
    }

    /// Thesis 000 §3.3: two identical constraints applied in sequence act once, in parallel twice. A particle 0.5 m deep
    /// in two floors that are one comes up to the surface, not 0.5 m above it.
    #[test]
    fn two_identical_floors_push_once() {
        let deep = Vec3::new(0.0, RADIUS - 0.5, 0.0);
        let out = put_out(&[floor(0.0), floor(0.0)], deep, RADIUS);
        assert!((out.y - RADIUS).abs() < 1e-7, "{out}");
    }

    /// A particle that one object turns aside is not led through another: a wall, then the floor that turns it towards the
    /// wall, in either order.
    #[test]
    fn no_object_leads_a_particle_through_another() {
        let wall = Solid::new(
            Shape::Box { size: [0.01, 1.0, 1.0] },
            Placement::new([0.5, 0.5, 0.0], [0.0; 3]),
            false,
        );
        for solids in [[wall.clone(), floor(0.0)], [floor(0.0), wall]] {
            let mut particles = Particles::of([(Vec3::new(0.0, 0.3, 0.0), Vec3::ZERO)]);
            particles.position.set(0, Vec3::new(1.0, -0.7, 0.0));
            resolve(&mut particles, &solids, RADIUS, false, 1.0 / 30.0);
            let end = particles.position.get(0);
            assert!(end.x < 0.5 - RADIUS, "{end}");
            assert!(end.y > 0.99 * RADIUS, "{end}");
        }
    }

    /// Paths are swept: no speed carries a particle through an object, however thin.
    #[test]
    fn no_speed_carries_a_particle_through() {
        let shapes = [
            Shape::Box { size: [2.0, 0.01, 2.0] },
            Shape::Sphere { radius: 0.02 },
            Shape::Capsule { radius: 0.02, height: 0.3 },
            Shape::Cylinder { radius: 0.5, height: 0.02 },
        ];
        for shape in shapes {
            let solid = solid(shape, 0.0);
            for speed in [1.0, 30.0, 1000.0] {
                let start = Vec3::new(0.001, 0.9, 0.002);
                let end = start - speed * Vec3::Y;
                let stopped =
                    put_out(std::slice::from_ref(&solid), meet(&solid, start, end, RADIUS, 1.0), RADIUS);
                assert!(stopped.y > 0.0, "{shape:?} at {speed} m/s: {stopped}");
                assert!(solid.distance(stopped) > 0.99 * RADIUS, "{shape:?} at {speed} m/s: {stopped}");
            }
        }
    }
}
