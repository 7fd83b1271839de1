//! A world that has come to rest is simulated no further until something changes.
//!
//! Not in the source texts. A pool long after its splash would else cost as much as the splash. What rests keeps its place to the bit, so
//! that what is at rest must be told from what only moves slowly: honey that spreads goes on for minutes at speeds that a pool
//! of water has left, where particles still find better places. It is told by its centre: what flows loses height, what is at rest
//! does not. So a liquid is at rest when for a while it has been slow and its centre has stayed where it was, and a world when that
//! holds for all that is in it. Any event, track, emitter, drain or moving object wakes it, at the start of its frame.
//!
//! Limits: one thing that moves keeps all awake; without gravity, in the source's own method and where liquid has a lifetime nothing
//! comes to rest.

use crate::objects::Bodies;
use crate::scene::{Drain, Scene};
use crate::system::{Mark, System};
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// For how long everything must have been slow, and stayed where it was [s].
const TIME: f32 = 1.0;
/// Way that points of a free object may take in that time, over the finest spacing: what floats drifts with the last breath of a liquid.
const BODY_STAYS: f64 = 0.02;

/// For how long a world has been at rest, or nearly.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rest {
    /// Frames for which everything has been slow and stayed at its mark.
    frames: u32,
    /// Where everything was at the first of them: centres of liquids, then points of free objects [m].
    marks: Vec<DVec3>,
}

impl Rest {
    /// Whether all has been at rest for long enough.
    pub fn is_reached(&self, scene: &Scene) -> bool {
        self.frames as f32 >= TIME * scene.fps
    }

    /// Looks at the world after a frame. Returns whether it is at rest from now on.
    pub fn look(
        &mut self,
        scene: &Scene,
        gravity: [f32; 3],
        systems: &[&dyn System],
        bodies: &Bodies,
    ) -> bool {
        let may_rest = scene.sleep && gravity != [0.0; 3];
        let Some(marks) = may_rest.then(|| marks(systems, bodies)).flatten() else {
            *self = Self::default();
            return false;
        };
        match stays(&self.marks, &marks) {
            true => self.frames += 1,
            false => *self = Self { frames: 0, marks: marks.iter().map(|m| m.at).collect() },
        }
        self.is_reached(scene)
    }

    /// Whether its numbers can be right.
    pub fn is_sound(&self) -> bool {
        self.marks.iter().all(|mark| mark.is_finite())
    }
}

/// Whether anything in the scene is made to change between two times [s], the second included: events, tracks, sources, drains, moving
/// objects.
pub fn is_disturbed(
    scene: &Scene,
    events_done: u32,
    systems: &[&dyn System],
    bodies: &Bodies,
    [from, to]: [f64; 2],
) -> bool {
    let (from, to) = (from as f32, to as f32);
    let moves = |path: &str| !path.starts_with("camera.");
    let event = scene.event.get(events_done as usize).is_some_and(|event| event.at <= to);
    let track = scene.track.iter().any(|t| moves(&t.path) && t.value(from) != t.value(to));
    let within = |time: f32| time >= from && time <= to;
    let opens = |d: &Drain| within(d.start) || d.stop.is_some_and(within);
    event
        || track
        || systems.iter().any(|system| system.is_fed(from, to))
        || scene.drain.iter().any(opens)
        || bodies.are_led(scene, to)
}

/// What must stay where it is, if there is anything and none of it moves: points of systems, then of free objects.
fn marks(systems: &[&dyn System], bodies: &Bodies) -> Option<Vec<Mark>> {
    let mut all = Vec::new();
    for system in systems {
        all.extend(system.marks()?);
    }
    let spacings = systems.iter().flat_map(|system| system.clings()).map(|cling| cling.spacing);
    let stray = BODY_STAYS * spacings.fold(f32::INFINITY, f32::min) as f64;
    let is_something = !all.is_empty();
    all.extend(bodies.free_points().map(|p| Mark { at: p.as_dvec3(), stray }));
    is_something.then_some(all)
}

/// Whether all points are near where they were marked.
fn stays(marked: &[DVec3], now: &[Mark]) -> bool {
    marked.len() == now.len()
        && marked.iter().zip(now).all(|(then, mark)| then.distance(mark.at) <= mark.stray)
}
