//! How fast bodies come back from what they meet.
//!
//! The solver finds contacts at the start of a pass, lets bodies go as far as the surface, and then gives back the share e of
//! the approach speed v that they had at the start. What gravity adds on the way h to the surface would be lost. And as each
//! round τ of the solver adds gravity before it moves bodies, its velocities are those of half a round ago. So in contact the
//! speed is V = √((v + aτ/2)² + 2ah), with a the acceleration of one body towards the other, and what is given back is
//! eV + aτ/2.

use glam::Vec3;
use rapier3d::geometry::SolverContact;
use rapier3d::prelude::*;

/// Corrects the restitution of what is about to meet.
pub struct Bounce {
    /// Gravity [m/s²].
    pub gravity: Vec3,
    /// The time of a pass [s].
    pub dt: f32,
    /// Rounds of the solver in it.
    pub rounds: usize,
}

impl PhysicsHooks for Bounce {
    fn modify_solver_contacts(&self, context: &mut ContactModificationContext) {
        let body = |handle: Option<RigidBodyHandle>| handle.and_then(|h| context.bodies.get(h));
        let (first, second) = (body(context.rigid_body1), body(context.rigid_body2));
        let ModifiableContacts::Rigid(pair) = &mut context.contacts else { return };
        let nearest = pair.solver_contacts.iter().min_by(|a, b| a.dist.total_cmp(&b.dist));
        let Some(nearest) = nearest else { return };
        let towards = *pair.normal;
        let speed = (velocity(first, nearest) - velocity(second, nearest)).dot(towards);
        let pull = (self.falls(first) - self.falls(second)).dot(towards);
        // Slower things do not bounce, they come to rest.
        if speed > self.gravity.length() * self.dt {
            let half = 0.5 * pull * self.dt / self.rounds as f32;
            let squared = (speed + half) * (speed + half) + 2.0 * pull * nearest.dist.max(0.0);
            let back = *pair.restitution * squared.max(0.0).sqrt() + half;
            *pair.restitution = (back / speed).max(0.0);
        }
    }
}

impl Bounce {
    fn falls(&self, body: Option<&RigidBody>) -> Vec3 {
        if body.is_some_and(|b| b.is_dynamic()) { self.gravity } else { Vec3::ZERO }
    }
}

/// Velocity of a body where it touches [m/s].
fn velocity(body: Option<&RigidBody>, contact: &SolverContact) -> Vec3 {
    let at = 0.5 * (contact.anchor1 + contact.anchor2);
    body.map_or(Vec3::ZERO, |b| b.velocity_at_point(at))
}
