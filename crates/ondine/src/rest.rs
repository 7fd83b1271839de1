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

use crate::liquid::Liquid;
use crate::liquid::load::Load;
use crate::objects::Bodies;
use crate::scene::{self, Drain, Drops, Emitter, Scene};
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// For how long everything must have been slow, and stayed where it was [s].
const TIME: f32 = 1.0;
/// Speeds of a liquid at rest over √(2gD), D its depth: the root of the mean square, and the fastest. A third of what can be seen.
const SLOW: [f64; 2] = [3e-4, 3e-3];
/// Way that its centre may take in that time, over its spacing. Still pools wander by 0.0003 at most; honey that has spread for a minute
/// still sinks by 0.0015 (Huppert).
const STAYS: f64 = 5e-4;
/// The same for points of a free object, over the finest spacing: what floats drifts with the last breath of a liquid.
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

    /// Looks at the world after a frame in which liquids had these loads. Returns whether it is at rest from now on.
    pub fn look(&mut self, scene: &Scene, liquids: &[Liquid], loads: &[Load], bodies: &Bodies) -> bool {
        if !may_rest(scene) || !all_slow(liquids, loads) {
            *self = Self::default();
            return false;
        }
        let points = points(liquids, bodies);
        match stays(&self.marks, &points, scene) {
            true => self.frames += 1,
            false => *self = Self { frames: 0, marks: points },
        }
        self.is_reached(scene)
    }

    /// Whether its numbers can be right.
    pub fn is_sound(&self) -> bool {
        self.marks.iter().all(|mark| mark.is_finite())
    }
}

/// Whether anything in the scene is made to change between two times [s], the second included: events, tracks, emitters, drains, moving
/// objects.
pub fn is_disturbed(scene: &Scene, events_done: u32, bodies: &Bodies, [from, to]: [f64; 2]) -> bool {
    let (from, to) = (from as f32, to as f32);
    let moves = |path: &str| !path.starts_with("camera.");
    let event = scene.event.get(events_done as usize).is_some_and(|event| event.at <= to);
    let track = scene.track.iter().any(|t| moves(&t.path) && t.value(from) != t.value(to));
    let pours = |e: &Emitter| e.velocity != [0.0; 3] && e.start < to && e.stop.is_none_or(|stop| stop > from);
    let drips = |d: &Drops| d.rate > 0.0 && d.start < to && d.stop.is_none_or(|stop| stop > from);
    let within = |time: f32| time >= from && time <= to;
    let opens = |d: &Drain| within(d.start) || d.stop.is_some_and(within);
    event
        || track
        || scene.liquid.iter().flat_map(|l| &l.emitter).any(pours)
        || scene.liquid.iter().flat_map(|l| &l.drops).any(drips)
        || scene.drain.iter().any(opens)
        || bodies.are_led(scene, to)
}

/// Whether anything in this scene comes to rest at all.
fn may_rest(scene: &Scene) -> bool {
    let may = |l: &scene::Liquid| l.thesis.is_none() && l.lifetime.is_none();
    scene.sleep && scene.gravity != [0.0; 3] && !scene.liquid.is_empty() && scene.liquid.iter().all(may)
}

fn all_slow(liquids: &[Liquid], loads: &[Load]) -> bool {
    liquids.iter().zip(loads).all(|(liquid, load)| {
        let (mean_square, fastest) = liquid.squared_speeds();
        let fall = 2.0 * (load.gravity * load.depth) as f64;
        mean_square <= SLOW[0] * SLOW[0] * fall && fastest <= SLOW[1] * SLOW[1] * fall
    })
}

fn points(liquids: &[Liquid], bodies: &Bodies) -> Vec<DVec3> {
    let mut points: Vec<DVec3> = liquids.iter().map(Liquid::centre).collect();
    points.extend(bodies.free_points().map(|p| p.as_dvec3()));
    points
}

/// Whether all points are near their marks.
fn stays(marks: &[DVec3], points: &[DVec3], scene: &Scene) -> bool {
    let finest = scene.liquid.iter().map(|l| l.spacing).fold(f32::INFINITY, f32::min) as f64;
    let limits =
        scene.liquid.iter().map(|l| STAYS * l.spacing as f64).chain(std::iter::repeat(BODY_STAYS * finest));
    marks.len() == points.len()
        && marks.iter().zip(points).zip(limits).all(|((a, b), limit)| a.distance(*b) <= limit)
}
