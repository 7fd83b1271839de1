//! Springs and dampers between objects, in the rigid solver.
//!
//! Source: text 004, "Système masse-ressorts": F = −k (L − L₀) along the spring, and a damper that pulls with k_d (v_j − v_i).
//!
//! | symbol | meaning |
//! |---|---|
//! | k, c | stiffness [N/m], damping [N·s/m] |
//! | x, v | how much too long it is [m], how fast it gets longer [m/s] |
//! | τ | time of a round of the solver [s] |
//! | ω | √(k w), w the compliance of both ends together [1/kg] |
//! | ε | how implicit it is, from 0 to 1 |
//!
//! A round gives the impulse λ = −τ (k (x + ετ v′) + c v′), v′ being the velocity after it, together with all contacts and joints: what is
//! pressed to a wall by a spring feels all of it. With ε = 0 that is the semi-implicit Euler method: a swing keeps its energy, but from
//! ωτ = 2 on it would burst. With ε = 1 it is the implicit one: it bears any stiffness, and takes energy as a damper of kτ would. So ε is
//! (ωτ / STIFF)², and 1 from there on: soft springs swing for long, and the stiffest are still.
//!
//! The solver knows the implicit spring alone, λ = −τ (k (x + τ v′) + c′ v′). It becomes the other with c′ = c − (1 − ε) k τ.
//!
//! Limits: what swings faster than some hundred times a second loses its swing.

use super::bounces::compliance;
use super::rigid::Rigid;
use crate::scene::Spring;
use glam::Vec3;
use rapier3d::prelude::*;
use serde::{Deserialize, Serialize};

/// Phase of a swing that passes in a round, ωτ, from which a spring is fully implicit.
const STIFF: f32 = 0.02;
/// Least that a spring is implicit: the solver finds c′ + kτ, which is small then, as the difference of two numbers that are not.
const LEAST: f32 = 0.01;
/// Phase for which rounds are made so short, as long as a step has no more passes than it may.
const PHASE: f32 = 0.5 * STIFF;

/// A spring as the solver has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tie {
    handle: ImpulseJointHandle,
    /// Its length at the start [m].
    natural: f32,
}

/// How a spring is at an instant.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stretch {
    /// Length [m].
    pub length: f32,
    /// How much longer it is than at rest [m].
    pub excess: f32,
    /// How fast it gets longer [m/s].
    pub rate: f32,
    /// Compliance of both ends together, along it [1/kg].
    compliance: f32,
}

impl Stretch {
    /// The energy that a spring holds so [J].
    pub fn energy(&self, spring: &Spring) -> f64 {
        0.5 * spring.stiffness as f64 * (self.excess as f64) * (self.excess as f64)
    }

    /// The force with which it pulls its ends together so [N].
    pub fn tension(&self, spring: &Spring) -> f64 {
        spring.stiffness as f64 * self.excess as f64 + spring.damping as f64 * self.rate as f64
    }

    /// The phase of a swing on it in a second [rad/s].
    fn frequency(&self, spring: &Spring) -> f32 {
        (spring.stiffness * self.compliance).sqrt()
    }
}

impl Rigid {
    /// Ties two bodies at points of theirs.
    pub(super) fn tie(&mut self, ends: [(RigidBodyHandle, Vec3); 2]) {
        let [(first, a), (second, b)] = ends;
        let joint = SpringJointBuilder::new(0.0, 1.0, 0.0).local_anchor1(a).local_anchor2(b).build();
        let handle = self.joints.insert(first, second, joint, true);
        let place = |body: RigidBodyHandle, p: Vec3| {
            self.bodies.get(body).map_or(p, |body| body.position().transform_point(p))
        };
        let natural = place(first, a).distance(place(second, b));
        self.ties.push(Tie { handle, natural });
    }

    /// How a spring is now, if it pulls: both ends must be there.
    pub fn stretch(&self, number: usize, spring: &Spring) -> Option<Stretch> {
        let tie = self.ties.get(number).filter(|_| spring.enabled)?;
        let joint = self.joints.get(tie.handle)?;
        let both = self.bodies.get(joint.body1()).zip(self.bodies.get(joint.body2()));
        let (first, second) = both.filter(|(a, b)| a.is_enabled() && b.is_enabled())?;
        let a = first.position().transform_point(joint.data.local_anchor1());
        let b = second.position().transform_point(joint.data.local_anchor2());
        let (length, along) = ((b - a).length(), (b - a).normalize_or(Vec3::Y));
        Some(Stretch {
            length,
            excess: length - spring.rest_length.unwrap_or(tie.natural),
            rate: (second.velocity_at_point(b) - first.velocity_at_point(a)).dot(along),
            compliance: compliance(first, a, along) + compliance(second, b, along),
        })
    }

    /// In how many passes a step of `dt` [s] has to be cut for all springs to swing as they should.
    pub(super) fn spring_passes(&self, springs: &[Spring], dt: f32) -> f32 {
        let stretched = springs.iter().enumerate().filter_map(|(n, s)| Some((self.stretch(n, s)?, s)));
        let fastest = stretched.map(|(stretch, s)| stretch.frequency(s)).fold(0.0, f32::max);
        (fastest * self.round(dt) / PHASE).ceil()
    }

    /// Gives all springs their values in passes of `dt` [s].
    pub(super) fn tune_springs(&mut self, springs: &[Spring], dt: f32) {
        let tau = self.round(dt);
        for (n, spring) in springs.iter().enumerate() {
            let stretch = self.stretch(n, spring);
            let phase = tau * stretch.map_or(0.0, |stretch| stretch.frequency(spring)) / STIFF;
            let implicit = (phase * phase).clamp(LEAST, 1.0);
            let Some(tie) = self.ties.get(n) else { continue };
            let Some(joint) = self.joints.get_mut(tie.handle, false) else { continue };
            let rest = spring.rest_length.unwrap_or(tie.natural);
            let damping = spring.damping - (1.0 - implicit) * tau * spring.stiffness;
            joint.data.set_motor_position(JointAxis::LinX, rest, spring.stiffness, damping);
            // Without stiffness and damping the solver would hold its ends at their distance.
            joint.data.set_enabled(spring.enabled && spring.stiffness.max(spring.damping) > 0.0);
        }
    }
}
