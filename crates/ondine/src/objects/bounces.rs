//! How fast bodies come back from what they meet.
//!
//! The solver finds contacts at the start of a pass, lets bodies go as far as the surface, and then gives back the share e of
//! the approach speed v that they had at the start. What gravity adds on the way h to the surface would be lost. And as each
//! round τ of the solver adds gravity before it moves bodies, its velocities are those of half a round ago. So in contact the
//! speed is V = √((v + aτ/2)² + 2ah), with a the acceleration of one body towards the other, and what is given back is
//! eV + aτ/2.
//!
//! Nor does the solver know what to do where a body meets two others in one pass: it stops all three, then gives back what each
//! two had at the start. So what is known to meet in a pass bounces before it, two by two and over again until nothing is left
//! to meet: each time with its share of the energy, however many hang together. The solver sees them leave.

use crate::contact::impact::{Impact, Party};
use glam::{Vec3, Vec4};
use rapier3d::geometry::{ContactData, SolverContact};
use rapier3d::math::Pose;
use rapier3d::parry::query::TrackedContact;
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

impl Bounce {
    /// Gives a contact the restitution with which it comes back as fast as it should.
    pub fn correct(&self, context: &mut ContactModificationContext) {
        let body = |handle: Option<RigidBodyHandle>| handle.and_then(|h| context.bodies.get(h));
        let (first, second) = (body(context.rigid_body1), body(context.rigid_body2));
        let ModifiableContacts::Rigid(pair) = &mut context.contacts else { return };
        let Some(nearest) = nearest(pair) else { return };
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

/// Where two bodies are nearest to each other.
pub fn nearest<'c>(pair: &'c ModifiableManifold) -> Option<&'c SolverContact> {
    pair.solver_contacts.iter().min_by(|a, b| a.dist.total_cmp(&b.dist))
}

/// Velocity of a body where it touches [m/s].
pub fn velocity(body: Option<&RigidBody>, contact: &SolverContact) -> Vec3 {
    let at = 0.5 * (contact.anchor1 + contact.anchor2);
    body.map_or(Vec3::ZERO, |b| b.velocity_at_point(at))
}

/// Most rounds of bounces in a pass: so many bodies in a row hand on a push.
const ROUNDS: u32 = 32;

/// Two bodies that are near each other.
struct Meeting {
    bodies: [RigidBodyHandle; 2],
    restitution: f32,
    /// Unit vector from the first to the second.
    towards: Vec3,
    /// Where they would touch, and how far they are apart there [m].
    points: Vec<(Vec3, f32)>,
}

impl Bounce {
    /// What meets in the next pass bounces now. Returns who did.
    pub fn ahead(
        &self,
        narrow_phase: &NarrowPhase,
        colliders: &ColliderSet,
        bodies: &mut RigidBodySet,
    ) -> Vec<Impact> {
        let meetings: Vec<Meeting> =
            narrow_phase.contact_pairs().flat_map(|pair| meetings(pair, colliders)).collect();
        let mut impacts = Vec::new();
        for _ in 0..ROUNDS {
            let before = impacts.len();
            impacts.extend(meetings.iter().filter_map(|m| self.bounce(m, bodies)));
            if impacts.len() == before {
                break;
            }
        }
        impacts
    }

    /// Lets two bodies bounce if they would meet in the pass, and tells of it: at the middle of the points at which
    /// they would, so that what lands flat does not turn.
    fn bounce(&self, meeting: &Meeting, bodies: &mut RigidBodySet) -> Option<Impact> {
        let [Some(first), Some(second)] = meeting.bodies.map(|h| bodies.get(h)) else { return None };
        if !first.is_enabled() || !second.is_enabled() {
            return None;
        }
        let speed =
            |at: Vec3| (first.velocity_at_point(at) - second.velocity_at_point(at)).dot(meeting.towards);
        let least = 2.0 * self.gravity.length() * self.dt;
        let meets = |&&(at, apart): &&(Vec3, f32)| speed(at) > least && apart < self.dt * speed(at);
        let (sum, count) = (meeting.points.iter().filter(meets))
            .fold((Vec4::ZERO, 0.0), |(sum, count), (at, apart)| {
                (sum + at.extend(apart.max(0.0)), count + 1.0)
            });
        let middle = sum / f32::max(count, 1.0);
        let (at, apart) = (middle.truncate(), middle.w);
        let speed = speed(at);
        if count == 0.0 || speed <= least {
            return None;
        }
        let pull = (self.falls(Some(first)) - self.falls(Some(second))).dot(meeting.towards);
        let back = self.back(meeting.restitution, speed, pull, apart)?;
        let yields = compliance(first, at, meeting.towards) + compliance(second, at, meeting.towards);
        if yields <= 0.0 {
            return None;
        }
        let impulse = (speed + back) / yields * meeting.towards;
        for (handle, impulse) in meeting.bodies.into_iter().zip([-impulse, impulse]) {
            if let Some(body) = bodies.get_mut(handle) {
                body.apply_impulse_at_point(impulse, at, true);
            }
        }
        let parties = meeting.bodies.map(|body| Party::Object(body.into_raw_parts().0));
        Some(Impact { parties, at, normal: -meeting.towards, speed })
    }
}

impl Bounce {
    /// The speed with which to leave now, a way h before contact, as if contact had been: (eV)² less the 2ah that the way back
    /// from the surface takes. None if it would not come back so far.
    fn back(&self, restitution: f32, speed: f32, pull: f32, apart: f32) -> Option<f32> {
        let half = 0.5 * pull * self.dt / self.rounds as f32;
        let way = 2.0 * pull * apart;
        let squared = restitution * restitution * ((speed + half) * (speed + half) + way) - way;
        (squared > 0.0).then(|| squared.sqrt() + half)
    }
}

/// Where two colliders of bodies that bounce are near each other.
fn meetings(pair: &ContactPair, colliders: &ColliderSet) -> Vec<Meeting> {
    let both = [pair.collider1, pair.collider2].map(|h| colliders.get(h));
    let [Some(first), Some(second)] = both else { return Vec::new() };
    let restitution = first.restitution().max(second.restitution());
    let (Some(own), Some(other)) = (first.parent(), second.parent()) else { return Vec::new() };
    if restitution <= 0.0 {
        return Vec::new();
    }
    let meeting = |manifold: &ContactManifold| {
        let towards = manifold.data.normal;
        let (on_first, on_second) = (manifold.subshape_pos1(), manifold.subshape_pos2());
        let world = |collider: &Collider, within: Option<&Pose>, p: Vec3| {
            collider.position().transform_point(within.map_or(p, |pose| pose.transform_point(p)))
        };
        let point = |contact: &TrackedContact<ContactData>| {
            let p = world(first, on_first, contact.local_p1);
            let q = world(second, on_second, contact.local_p2);
            (0.5 * (p + q), (q - p).dot(towards))
        };
        let points = manifold.points.iter().map(point).collect();
        Meeting { bodies: [own, other], restitution, towards, points }
    };
    pair.manifolds().iter().map(meeting).collect()
}

/// Velocity that a unit impulse along `n` at a point gives a body there, along `n` [1/kg].
pub fn compliance(body: &RigidBody, at: Vec3, n: Vec3) -> f32 {
    if !body.is_dynamic() {
        return 0.0;
    }
    let mass = body.mass_properties();
    let arm = (at - mass.world_com).cross(n);
    let i = &mass.effective_world_inv_inertia;
    let turn = Vec3::new(
        i.m11 * arm.x + i.m12 * arm.y + i.m13 * arm.z,
        i.m12 * arm.x + i.m22 * arm.y + i.m23 * arm.z,
        i.m13 * arm.x + i.m23 * arm.y + i.m33 * arm.z,
    );
    n.dot(mass.effective_inv_mass * n) + arm.dot(turn)
}
