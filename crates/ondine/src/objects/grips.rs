//! Static and kinetic friction.
//!
//! Source: text 004, "Frottement statique" and "Frottement dynamique": what does not slide is held by any force up to s N, what slides is slowed by
//! k N, N being the normal force. The solver knows one coefficient a contact, so it gets the one that counts in a pass: the static
//! one where bodies do not slide on each other as it begins. That holds for what rolls, too.

use super::bounces::{Bounce, nearest, velocity};
use crate::scene::Object;
use rapier3d::prelude::*;

/// Slowest sliding, in typical lengths of the free objects a second: some tenth of a millimetre a second for what is as large as a hand.
const SLIDES: f32 = 1e-3;

/// Share of its load that a new contact does not bear yet: contacts are soft, and bodies sink in for a while. It holds by so much more then.
const LOADING: f32 = 0.1;
/// For how many passes that is so.
const YOUNG: u32 = 30;

/// What the solver asks before it looks at contacts.
pub struct Hooks {
    /// What comes back faster than the solver would have it, if anything bounces.
    pub bounce: Option<Bounce>,
    /// The typical length of free objects [m].
    pub length_unit: f32,
    /// What a fall of a pass comes to [m/s].
    pub fall: f32,
}

impl PhysicsHooks for Hooks {
    fn modify_solver_contacts(&self, context: &mut ContactModificationContext) {
        if let Some(bounce) = &self.bounce {
            bounce.correct(context);
        }
        self.hold(context);
    }
}

impl Hooks {
    /// Gives a contact that does not slide the coefficient of static friction, the mean of those of both.
    fn hold(&self, context: &mut ContactModificationContext) {
        let body = |handle: Option<RigidBodyHandle>| handle.and_then(|h| context.bodies.get(h));
        let (first, second) = (body(context.rigid_body1), body(context.rigid_body2));
        let both = [context.collider1, context.collider2].map(|h| context.colliders.get(h).map(kept));
        let [Some(own), Some(other)] = both else { return };
        let ModifiableContacts::Rigid(pair) = &mut context.contacts else { return };
        let Some(contact) = nearest(pair) else { return };
        let slip = velocity(first, contact) - velocity(second, contact);
        let slip = slip - slip.dot(*pair.normal) * *pair.normal;
        let young = *pair.user_data < YOUNG;
        let loading = if young { LOADING } else { 0.0 };
        if slip.length() < SLIDES * self.length_unit + loading * self.fall {
            *pair.friction = 0.5 * (own + other) * (1.0 + loading);
            *pair.user_data += young as u32;
        }
    }
}

/// Whether an object holds otherwise than it slides.
pub fn differs(object: &Object) -> bool {
    object.static_friction() != object.grip
}

/// The coefficient of static friction, as a collider keeps it.
pub fn keep(object: &Object) -> u128 {
    object.static_friction().to_bits() as u128
}

/// And as it was kept.
fn kept(collider: &Collider) -> f32 {
    f32::from_bits(collider.user_data as u32)
}
