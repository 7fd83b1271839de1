//! Which objects meet in a pass of the rigid solver, and how fast.

use super::rigid::Rigid;
use crate::contact::impact::{Impact, Party};
use glam::Vec3;
use rapier3d::prelude::*;
use std::collections::BTreeSet;

/// What is known of objects that touch. Never part of the state.
#[derive(Clone, Default)]
pub struct Meetings {
    /// The pairs that touched in the last pass, by the numbers of their bodies.
    touching: BTreeSet<[u32; 2]>,
    /// Impacts of the frame so far.
    impacts: Vec<Impact>,
}

/// How far apart bodies may be that touch, over the typical length of free ones.
const SLOP: f32 = 1e-3;

/// Two bodies that touch or are about to: where, from the first to the second, and how far apart they were as the pass began [m].
struct Touching {
    bodies: [RigidBodyHandle; 2],
    at: Vec3,
    towards: Vec3,
    apart: f32,
}

/// How a body moves: velocity, spin and centre of mass.
type Moves = (Vec3, Vec3, Vec3);

impl Rigid {
    /// Those of the frame so far.
    pub fn impacts(&self) -> &[Impact] {
        &self.meetings.impacts
    }

    /// A new frame begins.
    pub fn forget_impacts(&mut self) {
        self.meetings.impacts.clear();
    }

    /// How all bodies move, by the numbers of their handles.
    pub(super) fn moves(&self) -> Vec<Moves> {
        let mut all = Vec::new();
        for (handle, body) in self.bodies.iter() {
            let number = handle.into_raw_parts().0 as usize;
            all.resize(all.len().max(number + 1), Default::default());
            all[number] = (body.linvel(), body.angvel(), body.center_of_mass());
        }
        all
    }

    /// Keeps who has met in a pass of a time [s] before which all moved so, faster than `least` [m/s]; `ahead` are those that bounced before
    /// the solver saw them touch.
    pub(super) fn note_impacts(&mut self, before: &[Moves], ahead: Vec<Impact>, dt: f32, least: f32) {
        let mut found: Vec<Impact> = ahead.into_iter().filter(|impact| impact.speed > least).collect();
        let mut touching: BTreeSet<[u32; 2]> = found.iter().map(numbers).collect();
        let slop = SLOP * self.parameters.length_unit;
        for Touching { bodies, at, towards, apart } in self.touching() {
            let both = bodies.map(|body| body.into_raw_parts().0);
            let pair = ordered(both);
            let velocity = |number: u32| {
                let (velocity, spin, centre) = before.get(number as usize).copied().unwrap_or_default();
                velocity + spin.cross(at - centre)
            };
            let speed = (velocity(both[0]) - velocity(both[1])).dot(towards);
            // The solver knows of contacts before they are.
            if apart > dt * speed.max(0.0) + slop {
                continue;
            }
            if !self.meetings.touching.contains(&pair) && !touching.contains(&pair) && speed > least {
                let parties = both.map(Party::Object);
                found.push(Impact { parties, at, normal: -towards, speed });
            }
            touching.insert(pair);
        }
        // Several pieces of two objects are one meeting, as fast as the fastest.
        let key = |impact: &Impact| {
            let mut parties = impact.parties;
            parties.sort_unstable();
            parties
        };
        found.sort_by(|a, b| key(a).cmp(&key(b)).then(b.speed.total_cmp(&a.speed)));
        found.dedup_by_key(|impact| key(impact));
        found.retain_mut(|impact| self.name_objects(impact));
        self.meetings.impacts.append(&mut found);
        self.meetings.touching = touching;
    }

    /// Calls the parties by the numbers of the objects instead of those of the solver's bodies. Whether both are objects.
    fn name_objects(&self, impact: &mut Impact) -> bool {
        impact.parties.iter_mut().all(|party| {
            let is_it = |h: &RigidBodyHandle| Party::Object(h.into_raw_parts().0) == *party;
            let number = self.handles.iter().position(is_it);
            number.map(|n| *party = Party::Object(n as u32)).is_some()
        })
    }

    fn touching(&self) -> Vec<Touching> {
        let parent = |handle| self.colliders.get(handle).and_then(|collider| collider.parent());
        let mut all = Vec::new();
        for pair in self.narrow_phase.contact_pairs().filter(|pair| pair.has_any_active_contact()) {
            let Some(bodies) = parent(pair.collider1).zip(parent(pair.collider2)) else { continue };
            let deepest = pair.find_deepest_contact();
            let Some((manifold, contact)) = deepest else { continue };
            let Some(collider) = self.colliders.get(pair.collider1) else { continue };
            let local = manifold
                .subshape_pos1()
                .map_or(contact.local_p1, |pose| pose.transform_point(contact.local_p1));
            let at = collider.position().transform_point(local);
            all.push(Touching {
                bodies: [bodies.0, bodies.1],
                at,
                towards: manifold.data.normal,
                apart: contact.dist,
            });
        }
        all
    }
}

/// The numbers of the bodies that met.
fn numbers(impact: &Impact) -> [u32; 2] {
    ordered(impact.parties.map(|party| match party {
        Party::Object(number) => number,
        Party::Particle { id, .. } => id,
    }))
}

fn ordered([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}
