//! Springs between objects as coils of wire: beads so close that they are one.

use glam::{Quat, Vec3};
use ondine::scene::{End, Spring, Value};
use ondine::{Frame, Particles, Scene, SystemKind};
use std::borrow::Cow;
use std::f32::consts::TAU;

/// Turns of a coil.
const TURNS: f32 = 10.0;
/// Radius of a coil, over the length of its spring at the start.
const WIDE: f32 = 0.045;
/// The same of its wire, over its own.
const WIRE: f32 = 0.2;
/// Part of a spring at each end that is straight.
const STRAIGHT: f32 = 0.08;
/// Distance between beads, over the radius of the wire.
const BEADS: f32 = 0.7;
/// Most beads of a coil.
const MOST: f32 = 4000.0;

/// The springs of a scene, ready to be drawn in any of its frames.
#[derive(Clone, Debug)]
pub struct Coils {
    all: Vec<Coil>,
    planar: bool,
}

#[derive(Clone, Debug)]
struct Coil {
    name: String,
    color: [f32; 3],
    ends: [End; 2],
    /// Radius of the coil [m].
    radius: f32,
    /// Whether it is shown from each of some times on [s], in order.
    shown: Vec<(f32, bool)>,
}

/// What the coil of a spring is called among the systems of a frame: no system has a dot in its name.
pub fn name(spring: &Spring) -> String {
    format!("spring.{}", spring.name)
}

impl Coils {
    /// Those of a scene as it was written.
    pub fn of(scene: &Scene) -> Self {
        let coil = |spring: &Spring| {
            let ends = spring.ends(&scene.object)?;
            let place = |(object, p): End| object.map_or(p, |o| scene.object[o].placement().to_world(p));
            let length = place(ends[0]).distance(place(ends[1]));
            let radius = WIDE * spring.rest_length.map_or(length, |rest| rest.max(0.5 * length));
            Some(Coil { name: name(spring), color: spring.color, ends, radius, shown: shown(spring, scene) })
        };
        Self { all: scene.spring.iter().filter_map(coil).collect(), planar: scene.planar() }
    }

    /// A frame with the coils in it.
    pub fn with<'f>(&self, frame: &'f Frame) -> Cow<'f, Frame> {
        if self.all.is_empty() {
            return Cow::Borrowed(frame);
        }
        let mut whole = frame.clone();
        whole.particles.extend(self.all.iter().filter_map(|coil| coil.beads(frame, self.planar)));
        Cow::Owned(whole)
    }
}

/// When a spring is there and to be seen, as far as events say.
fn shown(spring: &Spring, scene: &Scene) -> Vec<(f32, bool)> {
    let (mut enabled, mut visible) = (spring.enabled, spring.visible);
    let mut all = vec![(f32::NEG_INFINITY, enabled && visible)];
    let mut events: Vec<_> = scene.event.iter().collect();
    events.sort_by(|a, b| a.at.total_cmp(&b.at));
    for event in events {
        for (key, state) in [("enabled", &mut enabled), ("visible", &mut visible)] {
            if let Some(Value::Switch(on)) = event.set.get(&format!("spring.{}.{key}", spring.name)) {
                *state = *on;
            }
        }
        all.push((event.at, enabled && visible));
    }
    all
}

impl Coil {
    /// The beads of its wire in a frame, if it is there.
    fn beads(&self, frame: &Frame, planar: bool) -> Option<Particles> {
        let now = self.shown.iter().rev().find(|(at, _)| *at <= frame.time as f32 + 1e-6);
        if !now.is_some_and(|(_, shown)| *shown) {
            return None;
        }
        let mut ends = [Vec3::ZERO; 2];
        for (end, (object, point)) in ends.iter_mut().zip(self.ends) {
            *end = match object {
                Some(o) => frame.objects.get(o).filter(|pose| pose.enabled)?.placement.to_world(point),
                None => point,
            };
        }
        let wire = WIRE * self.radius;
        let position = helix(ends, self.radius, BEADS * wire, planar);
        let count = position.len();
        Some(Particles {
            kind: SystemKind::Balls,
            name: self.name.clone(),
            radius: wire,
            color: self.color,
            position,
            velocity: vec![[0.0; 3]; count],
            density: vec![0.0; count],
            id: (0..count as u32).collect(),
            ..Particles::default()
        })
    }
}

/// Points along a helix between two others, so far apart [m]; in the plane along a wave.
fn helix([from, to]: [Vec3; 2], radius: f32, apart: f32, planar: bool) -> Vec<[f32; 3]> {
    let (along, length) = ((to - from).normalize_or(Vec3::Y), from.distance(to));
    let way = length + TURNS * TAU * radius;
    let count = (way / apart.max(1e-6)).min(MOST) as usize;
    let turn = Quat::from_rotation_arc(Vec3::Y, along);
    let point = |i: usize| {
        let share = i as f32 / count.max(1) as f32;
        let wound = ((share - STRAIGHT) / (1.0 - 2.0 * STRAIGHT)).clamp(0.0, 1.0);
        // The wire leaves the axis at both ends.
        let out = radius * (20.0 * wound.min(1.0 - wound)).min(1.0);
        let (sin, cos) = (TAU * TURNS * wound).sin_cos();
        let across = Vec3::new(out * sin, share * length, if planar { 0.0 } else { out * cos });
        (from + turn * across).to_array()
    };
    (0..=count).map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coil_goes_from_end_to_end_and_keeps_to_its_axis() {
        let ends = [Vec3::new(1.0, 2.0, 3.0), Vec3::new(1.0, 0.5, 3.5)];
        let points = helix(ends, 0.1, 0.01, false);
        assert!(Vec3::from(points[0]).distance(ends[0]) < 1e-5);
        assert!(Vec3::from(points[points.len() - 1]).distance(ends[1]) < 1e-5);
        let along = (ends[1] - ends[0]).normalize();
        let off = |p: &[f32; 3]| (Vec3::from(*p) - ends[0]).reject_from(along).length();
        assert!(points.iter().all(|p| off(p) < 0.1001));
        assert!(points.windows(2).all(|p| Vec3::from(p[0]).distance(Vec3::from(p[1])) < 0.03));
        assert!(helix(ends, 0.1, 0.01, true).iter().all(|p| p.iter().all(|x| x.is_finite())));
    }
}
