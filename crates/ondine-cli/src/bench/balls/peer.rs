//! The same balls by rapier, as a program that embeds it would set them up, as it is built here: on one thread.

use super::Found;
use super::drop::{Drop, FRICTION, RADIUS, RATE};
use crate::bench::stopwatch::timed;
use rapier3d::prelude::*;

/// Thickness of the walls [m].
const WALL: f32 = 0.2;

/// Measures rapier.
pub fn rapier(drop: &Drop) -> Found {
    let (mut bodies, mut colliders) = (RigidBodySet::new(), ColliderSet::new());
    walls(drop).into_iter().for_each(|wall| drop_in(wall, &mut colliders));
    let ball = |[x, y, z]: [f32; 3]| {
        let body =
            bodies.insert(RigidBodyBuilder::dynamic().translation(Vector::new(x, y, z)).can_sleep(false));
        colliders.insert_with_parent(ColliderBuilder::ball(RADIUS).friction(FRICTION), body, &mut bodies);
        body
    };
    let all: Vec<RigidBodyHandle> = drop.places().into_iter().map(ball).collect();
    let settings = IntegrationParameters { dt: (1.0 / RATE) as f32, ..IntegrationParameters::default() };
    let (mut pipeline, mut islands) = (PhysicsPipeline::new(), IslandManager::new());
    let (mut broad, mut narrow) = (DefaultBroadPhase::new(), NarrowPhase::new());
    let (mut joints, mut multibodies) = (ImpulseJointSet::new(), MultibodyJointSet::new());
    let (mut soft, mut ccd) = (SoftBodySet::new(), CCDSolver::new());
    let (steps, mut wall, mut overlap) = ((drop.seconds * RATE).round() as u32, 0.0, 0f64);
    let places = |bodies: &RigidBodySet| -> Vec<[f32; 3]> {
        all.iter().map(|&ball| bodies[ball].translation()).map(|p| [p.x, p.y, p.z]).collect()
    };
    for step in 0..steps {
        let ((), time) = timed(|| {
            pipeline.step(
                Vector::new(0.0, -9.81, 0.0),
                &settings,
                &mut islands,
                &mut broad,
                &mut narrow,
                &mut bodies,
                &mut colliders,
                &mut joints,
                &mut multibodies,
                &mut soft,
                &mut ccd,
                &(),
                &(),
            )
        });
        wall += time;
        if drop.is_looked_at(step, steps) {
            overlap = overlap.max(drop.overlap(&places(&bodies)));
        }
    }
    drop.found("rapier", 1, wall, overlap, &places(&bodies))
}

fn drop_in(wall: ColliderBuilder, colliders: &mut ColliderSet) {
    colliders.insert(wall.friction(FRICTION));
}

/// A floor and four walls.
fn walls(drop: &Drop) -> [ColliderBuilder; 5] {
    let (half, tall, thin) = (drop.half(), drop.tall(), 0.5 * WALL);
    let slab = |size: [f32; 3], at: [f32; 3]| {
        ColliderBuilder::cuboid(size[0], size[1], size[2]).translation(Vector::new(at[0], at[1], at[2]))
    };
    let (wide, out) = (half + WALL, half + thin);
    [
        slab([wide, thin, wide], [0.0, -thin, 0.0]),
        slab([thin, tall, wide], [-out, tall, 0.0]),
        slab([thin, tall, wide], [out, tall, 0.0]),
        slab([wide, tall, thin], [0.0, tall, -out]),
        slab([wide, tall, thin], [0.0, tall, out]),
    ]
}
