//! How far effects go, for the automatic camera: where most of their particles would be if all were average ones.

use super::extent::corners;
use glam::{Quat, Vec3};
use ondine::Scene;
use ondine::objects::Sdf;
use ondine::scene::{ChildEvent, Effect, Shape, Trajectory};

/// Directions in the cone of an emitter, and instants of a life, that are looked at.
const DIRECTIONS: usize = 16;
const INSTANTS: usize = 32;

/// Shares of the spread of speeds that are looked at.
const SPREAD: [f32; 3] = [0.05, 0.4, 0.8];

/// Places of birth that are looked at, at most.
const MOST_BIRTHS: usize = 64;

/// Fraction of all places that is left out at each end of each axis: strays.
const STRAYS: f32 = 0.02;

/// Effects that come of others that come of others, at most.
const MOST_PARENTS: usize = 4;

/// The way of a particle, from birth to death.
type Way = Vec<Vec3>;

/// The box that holds most of what is seen of an effect.
pub fn bounds(scene: &Scene, effect: &Effect) -> Option<(Vec3, Vec3)> {
    let mut places: Vec<Vec3> =
        ways(scene, effect, 0).into_iter().flatten().filter(|p| p.is_finite()).collect();
    let strays = (STRAYS * places.len() as f32) as usize;
    let (mut low, mut high) = (Vec3::ZERO, Vec3::ZERO);
    for axis in 0..3 {
        places.sort_by(|a, b| a[axis].total_cmp(&b[axis]));
        low[axis] = places.get(strays)?[axis];
        high[axis] = places.get(places.len() - 1 - strays)?[axis];
    }
    // Rims are faint, and so are the ends of lives.
    let around = 0.5 * effect.size.iter().map(|[_, size]| *size).fold(0.0, f32::max);
    let waves: Vec3 = effect.path.wave.iter().map(|wave| Vec3::from(wave.amplitude).abs()).sum();
    let room = waves + around + effect.path.walk * effect.life.sqrt();
    Some((low - room, high + room))
}

fn ways(scene: &Scene, effect: &Effect, parents: usize) -> Vec<Way> {
    let births = births(scene, effect, parents);
    let few = births.len().div_ceil(MOST_BIRTHS).max(1);
    let each = births.into_iter().step_by(few);
    each.flat_map(|birth| velocities(effect).map(move |velocity| way(scene, effect, birth, velocity)))
        .collect()
}

/// Where some are born: in the emitter, and where something happens to particles of other effects.
fn births(scene: &Scene, effect: &Effect, parents: usize) -> Vec<Vec3> {
    let emitter = &effect.emitter;
    let mut births = Vec::new();
    if emitter.rate > 0.0 || !emitter.burst.is_empty() {
        let shape =
            emitter.shape.as_ref().and_then(|shape| Sdf::new(shape, &scene.meshes, false).room().bounds());
        let own = emitter.placement();
        births.push(own.at);
        births.extend(shape.into_iter().flat_map(|bounds| corners(bounds, &own)));
        let on = emitter.on.as_ref().and_then(|name| scene.object.iter().find(|o| o.name == *name));
        if let Some(object) = on {
            births.iter_mut().for_each(|birth| *birth = object.placement().to_world(*birth));
        }
    }
    if parents < MOST_PARENTS {
        for parent in &scene.effect {
            for child in parent.child.iter().filter(|child| child.effect == effect.name) {
                let at = |way: Way| match child.on {
                    ChildEvent::Birth => way[..1].to_vec(),
                    ChildEvent::Trail => way,
                    ChildEvent::Death | ChildEvent::Impact => way[way.len() - 1..].to_vec(),
                };
                births.extend(ways(scene, parent, parents + 1).into_iter().flat_map(at));
            }
        }
    }
    births
}

/// Velocities that particles leave with, evenly over the cone: a golden spiral.
fn velocities(effect: &Effect) -> impl Iterator<Item = Vec3> + use<> {
    let emitter = &effect.emitter;
    let speeds = SPREAD.map(|share| emitter.speed * (1.0 - share * emitter.speed_spread));
    let turn =
        Quat::from_rotation_arc(Vec3::Y, Vec3::from(emitter.direction).try_normalize().unwrap_or(Vec3::Y));
    let narrow = 1.0 - emitter.angle.to_radians().cos();
    (0..DIRECTIONS).flat_map(move |i| {
        let cos = 1.0 - narrow * (i as f32 + 0.5) / DIRECTIONS as f32;
        let (s, c) = (std::f32::consts::TAU * 0.381_966 * i as f32).sin_cos();
        let sin = (1.0 - cos * cos).max(0.0).sqrt();
        speeds.map(|speed| turn * Vec3::new(sin * c, cos, sin * s) * speed)
    })
}

/// The way of a particle of a mean life, in still air or even wind, until it meets the floor. What was thrown up and has nothing to land on is
/// followed until it is back.
fn way(scene: &Scene, effect: &Effect, birth: Vec3, mut velocity: Vec3) -> Way {
    let dt = effect.life * (1.0 - 0.5 * effect.life_spread) / INSTANTS as f32;
    let gravity = effect.gravity * Vec3::from(scene.gravity);
    let (wind, drag) = (Vec3::from(effect.wind), effect.drag);
    let thrown = effect.trajectory != Trajectory::Path && velocity.dot(gravity) < 0.0;
    let (mut way, mut at) = (vec![birth], birth);
    for instant in 1..=INSTANTS {
        match effect.trajectory {
            Trajectory::Path => {}
            Trajectory::Forces if effect.carried => {}
            Trajectory::Ballistic => velocity += gravity * dt,
            Trajectory::Forces => {
                let held = drag.linear + drag.quadratic * velocity.distance(wind);
                velocity = (velocity + (gravity + held * wind) * dt) / (1.0 + held * dt);
            }
        }
        at += dt * if effect.carried { velocity + wind } else { velocity };
        let fallen_back = thrown && (at - birth).dot(gravity) > 0.0;
        if !at.is_finite() || fallen_back || is_under_ground(scene, at) {
            break;
        }
        way.push(at + curve(&effect.path.through, instant as f32 / INSTANTS as f32));
    }
    way
}

fn is_under_ground(scene: &Scene, p: Vec3) -> bool {
    scene.object.iter().any(|object| match object.shape {
        Shape::HalfSpace { normal } => {
            (p - Vec3::from(object.at)).dot(object.placement().to_world_direction(normal.into())) < 0.0
        }
        _ => false,
    })
}

/// Where a path through points is at a share of life, straight between them; nowhere without points.
fn curve(through: &[[f32; 3]], share: f32) -> Vec3 {
    let at = |i: usize| if i == 0 { Vec3::ZERO } else { Vec3::from(through[(i - 1).min(through.len() - 1)]) };
    if through.is_empty() {
        return Vec3::ZERO;
    }
    let along = share * through.len() as f32;
    at(along as usize).lerp(at(along as usize + 1), along.fract())
}
