//! Where balls come from, and where they go.

use super::Balls;
use super::ball::{Ball, per_inertia};
use super::room::Room;
use crate::chance::{self, Chance, Places};
use crate::exits::Exits;
use crate::objects::{Collider, Sdf};
use crate::scene::{self, BallArrangement, BallFill, Scene};
use crate::step::Step;
use glam::{Quat, Vec3};
use std::f32::consts::PI;

/// Room between balls that are laid side by side, over the radius: touching ones would already push.
const APART: f32 = 1e-3;
/// The part of a shape's room that scattered balls take. As they come one after the other, where chance has it, .38 is the most.
const SCATTERED: f32 = 0.3;
/// Places that are tried for each of them.
const TRIES: u32 = 30;
/// Places that are tried for a ball of an emitter before it is left out.
const PLACES: u32 = 16;

/// What a ball is born with.
pub struct Birth {
    /// Where [m].
    pub at: Vec3,
    /// How fast [m/s].
    pub velocity: Vec3,
    /// How it turns [rad/s].
    pub spin: Vec3,
    /// How large [m].
    pub radius: f32,
    /// How heavy [kg], if not by its density.
    pub mass: Option<f32>,
    /// When [s].
    pub time: f32,
}

/// What new balls must leave room for.
pub struct Among<'a> {
    /// The scene, with its meshes.
    pub scene: &'a Scene,
    /// Objects.
    pub colliders: &'a [Collider],
    /// Other balls.
    pub room: &'a mut Room,
}

/// Volume of a ball [m³]; in the plane its area.
pub fn volume(radius: f32, planar: bool) -> f32 {
    PI * radius * radius * if planar { 1.0 } else { 4.0 / 3.0 * radius }
}

impl Balls {
    pub(super) fn add(&mut self, set: usize, birth: Birth, planar: bool) {
        let Birth { at, velocity, spin, radius, mass, time } = birth;
        let mass = mass.unwrap_or(self.sets[set].description.density * volume(radius, planar));
        let (set, id, per_mass) = (set as u32, self.next_id, 1.0 / mass);
        let (turn, per_inertia) = (Quat::IDENTITY, per_inertia(radius, per_mass, planar));
        self.pile.add(Ball { at, radius, velocity, per_mass, spin, per_inertia, set, turn, id, birth: time });
        self.next_id += 1;
        self.sets[set as usize].emitted += 1;
    }

    /// The single balls of a set.
    pub(super) fn place_single(&mut self, n: usize, planar: bool, room: &mut Room) {
        let given = self.sets[n].description.clone();
        for ball in &given.ball {
            let radius = ball.radius.unwrap_or(given.radius);
            let spin = Vec3::from(ball.spin.map(f32::to_radians));
            let (at, velocity) = (Vec3::from(ball.at), Vec3::from(ball.velocity));
            room.take(at, radius);
            self.add(n, Birth { at, velocity, spin, radius, mass: ball.mass, time: 0.0 }, planar);
        }
    }

    /// A fill of a set: what overlaps an object or a ball that is already there is left out. Chance goes by `words`.
    pub(super) fn fill(&mut self, n: usize, fill: &BallFill, words: [u32; 3], time: f32, among: &mut Among) {
        let Among { scene, colliders, room } = among;
        let (given, planar) = (self.sets[n].description.clone(), scene.planar());
        let sdf = Sdf::new(&fill.shape, &scene.meshes, planar).room();
        let places = match fill.arrangement {
            BallArrangement::Packed => packed(&sdf, fill, given.radius, planar),
            BallArrangement::Scattered => scattered(&sdf, fill, &given, planar, words),
        };
        let mut left = fill.count.unwrap_or(u32::MAX);
        for (i, at) in places.into_iter().enumerate() {
            let radius = own_radius(&given, [words[0], words[1], words[2], i as u32]);
            let fits = sdf.distance(fill.placement().to_local(at)) <= -radius
                && room.gap(at, radius) >= 0.0
                && colliders.iter().all(|c| c.distance(at) >= radius);
            if fits && left > 0 {
                left -= 1;
                room.take(at, radius);
                let (velocity, spin) = (fill.velocity.into(), Vec3::ZERO);
                self.add(n, Birth { at, velocity, spin, radius, mass: None, time }, planar);
            }
        }
    }

    /// Adds what emitters let go during the step. Returns its kinetic energy [J], at most.
    pub(super) fn emit(&mut self, n: usize, step: &Step) -> f64 {
        let given = self.sets[n].description.clone();
        let (from, to, mut energy) = (step.time, step.end(), 0.0);
        for (k, emitter) in given.emitter.iter().enumerate() {
            let (open, close) =
                (from.max(emitter.start as f64), emitter.stop.map_or(to, |s| to.min(s as f64)));
            let before = self.sets[n].let_go[k];
            let after = before + emitter.rate as f64 * (close - open).max(0.0);
            self.sets[n].let_go[k] = after;
            let words = [step.scene.seed, n as u32, k as u32];
            for number in chance::due(before, after, words) {
                energy +=
                    self.let_one_go(n, emitter, Chance::new([words[0], words[1], words[2], number]), step);
            }
        }
        energy
    }

    fn let_one_go(&mut self, n: usize, emitter: &scene::BallEmitter, mut chance: Chance, step: &Step) -> f64 {
        let given = &self.sets[n].description;
        let sdf = Sdf::new(&emitter.shape, &step.scene.meshes, step.planar).room();
        let (placement, from, planar) = (emitter.placement(), emitter.from, step.planar);
        let places = Places { sdf: &sdf, placement, from, planar };
        let radius = given.radius * (1.0 - given.spread * chance.next());
        for _ in 0..PLACES {
            let Some((at, _)) = places.one(radius, &mut chance) else { continue };
            let near = |ball: &Ball| ball.at.distance(at) < ball.radius + radius;
            if self.pile.balls.iter().any(near) || step.colliders.iter().any(|c| c.distance(at) < radius) {
                continue;
            }
            let velocity = Vec3::from(emitter.velocity) + emitter.scatter * chance.in_ball(planar);
            let mass = (given.density * volume(radius, planar)) as f64;
            let (spin, time) = (Vec3::ZERO, step.time as f32);
            self.add(n, Birth { at, velocity, spin, radius, mass: None, time }, planar);
            return 0.5 * mass * velocity.as_dvec3().length_squared();
        }
        0.0
    }

    /// Removes what drains, the kill box and age take.
    pub(super) fn drain(&mut self, step: &Step) {
        let exits: Vec<Option<Exits>> =
            self.sets.iter().map(|set| Exits::open(step, set.description.lifetime)).collect();
        if exits.iter().all(Option::is_none) {
            return;
        }
        let goes = |ball: &Ball| {
            exits[ball.set as usize].as_ref().is_some_and(|exits| exits.take(ball.at, ball.birth))
        };
        for gone in self.pile.remove(goes) {
            self.sets[gone.set as usize].removed += 1;
        }
    }
}

/// The radius of ball `words[3]` of a source.
pub fn own_radius(given: &scene::Balls, words: [u32; 4]) -> f32 {
    match given.spread > 0.0 {
        true => given.radius * (1.0 - given.spread * Chance::new(words).next()),
        false => given.radius,
    }
}

/// Places in layers, each ball in a hollow of the layer below: hexagonal close packing, in the plane rows.
fn packed(sdf: &Sdf, fill: &BallFill, radius: f32, planar: bool) -> Vec<Vec3> {
    let Some((low, high)) = sdf.bounds() else { return Vec::new() };
    let (side, r) = (2.0 * radius * (1.0 + APART), radius * (1.0 + APART));
    let (row, layer) = (0.5 * 3f32.sqrt() * side, (2f32 / 3.0).sqrt() * side);
    // Along x, then across the rows, then up; in the plane rows go up.
    let (across, up) = if planar { (1, 2) } else { (2, 1) };
    let room = high - low - 2.0 * r;
    let count = |length: f32, step: f32| if length < -1e-6 { 0 } else { (length / step + 1e-4) as i32 + 1 };
    let (columns, rows) = (count(room.x, side), count(room[across], row));
    let layers = if planar { 1 } else { count(room[up], layer) };
    let mut places = Vec::new();
    for k in 0..layers {
        for j in 0..rows {
            for i in 0..columns {
                let mut p = low + r;
                p.x += side * (i as f32 + 0.5 * ((j + k) % 2) as f32);
                p[across] += row * (j as f32 + (k % 2) as f32 / 3.0);
                p[up] += layer * k as f32;
                if planar {
                    p.z = 0.0;
                }
                places.push(fill.placement().to_world(p));
            }
        }
    }
    places
}

/// Random places, as many as scattered balls could need.
fn scattered(
    sdf: &Sdf,
    fill: &BallFill,
    given: &scene::Balls,
    planar: bool,
    [a, b, c]: [u32; 3],
) -> Vec<Vec3> {
    let Some((low, high)) = sdf.bounds() else { return Vec::new() };
    // On the average, of radii spread evenly.
    let mean = volume(given.radius * (1.0 - 0.5 * given.spread), planar);
    let wanted = (SCATTERED as f64 * sdf.volume(planar) / mean as f64) as u32;
    let wanted = fill.count.map_or(wanted, |count| count.min(wanted));
    let mut room = Room::new(given.radius);
    let mut chance = Chance::new([a, b, c, u32::MAX]);
    let mut places = Vec::new();
    for _ in 0..wanted.saturating_mul(TRIES) {
        if places.len() >= wanted as usize {
            break;
        }
        let p = chance.within(low, high);
        let p = if planar { p.with_z(0.0) } else { p };
        let radius = own_radius(given, [a, b, c, places.len() as u32]);
        if sdf.distance(p) <= -radius && room.gap(p, radius) >= 0.0 {
            room.take(p, radius);
            places.push(fill.placement().to_world(p));
        }
    }
    places
}
