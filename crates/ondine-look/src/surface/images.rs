//! Liquid goes on behind walls, as in mirrors.
//!
//! At a wall the sum of eq 7.1 misses the particles that are not there: φ falls off towards the wall, the more the fewer
//! particles stand about a place, and the surface ends on the wall in teeth, one for each particle. With the images of the
//! particles in the wall there is no such end: the surface goes on through the wall as smooth as it is elsewhere, and what
//! is behind the wall is laid flat against it afterwards (`walls`).

use glam::Vec3;
use ondine::Particles;
use ondine::objects::Collider;
use rayon::prelude::*;

/// How far from a wall particles are mirrored in it, in spacings: two layers.
const NEAR: f32 = 1.6;
/// Fraction of its distance by which an image must lie in the object: where it is thinner, it has another side there.
const DEEP: f32 = 0.7;
/// Particles that one thread takes at a time.
const PART: usize = 512;

/// The images of particles in the walls about them: whose, and where.
pub fn images(particles: &Particles, colliders: &[Collider]) -> Vec<(u32, Vec3)> {
    let reach = NEAR * 2.0 * particles.radius;
    let parts = particles.position.par_chunks(PART).enumerate();
    let found: Vec<Vec<(u32, Vec3)>> = parts
        .map(|(part, positions)| {
            let mut found = Vec::new();
            for (k, position) in positions.iter().enumerate() {
                let (i, position) = ((part * PART + k) as u32, Vec3::from(*position));
                colliders.iter().for_each(|collider| mirror(i, position, collider, reach, &mut found));
            }
            found
        })
        .collect();
    found.concat()
}

/// Adds the images of a particle in the walls of one object.
fn mirror(i: u32, position: Vec3, collider: &Collider, reach: f32, found: &mut Vec<(u32, Vec3)>) {
    if !collider.nearest_within(position, reach).is_some_and(|near| near.distance > 0.0) {
        return;
    }
    collider.walls(position, reach, |wall| {
        let distance = wall.near.distance;
        let image = position - 2.0 * distance * wall.near.normal;
        // A wall may have ended before the place that it is mirrored at.
        if distance > 0.0 && collider.nearest(image).distance < -DEEP * distance {
            found.push((i, image));
        }
    });
}

/// The particles with more of them at other places.
pub fn with_more(particles: &Particles, more: &[(u32, Vec3)]) -> Particles {
    let mut all = Particles { density: Vec::new(), id: Vec::new(), ..particles.clone() };
    all.position.extend(more.iter().map(|(_, at)| <[f32; 3]>::from(*at)));
    if all.velocity.len() == particles.position.len() {
        all.velocity.extend(more.iter().map(|(i, _)| particles.velocity[*i as usize]));
    }
    all
}
