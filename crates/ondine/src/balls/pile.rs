//! Balls that touch each other: their state, and one step of it.

use super::ball::Ball;
use super::contact::{Contact, ContactCoefficients, Other, Part, Plane, Search, THICK};
use super::memory::Memory;
use super::mover::Mover;
use super::partner::Partner;
use super::solver::{Leaning, Pair, Soft, Visit, per_masses, substeps};
use crate::contact::impact::{Impact, least_speed};
use crate::neighbours::Grid;
use crate::objects::Collider;
use crate::parallel::{self, Shared};
use crate::particles::Axes;
use crate::step::Step;
use glam::Vec3;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// Times that impacts are handed on in a substep.
const PASSES: u32 = 8;

/// The balls of all sets together, in the order of cells.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Pile {
    /// The balls.
    pub balls: Vec<Ball>,
    /// The impulses of the last step, to begin the next with.
    memory: Memory,
    #[serde(skip)]
    work: Work,
    /// Impacts of the frame so far.
    #[serde(skip)]
    pub impacts: Vec<Impact>,
}

/// What a step works with. Never part of the state.
#[derive(Clone, Debug, Default)]
struct Work {
    grid: Grid,
    position: Axes,
    sorted: Vec<Ball>,
    /// The balls as they move during the step, in the same order.
    movers: Vec<Mover>,
    /// Accelerations of some balls besides gravity, by place [m/s²].
    lifts: Vec<(usize, Vec3)>,
    /// Contacts of each block, in as many parts as slabs go through it: of its balls with balls and with what nothing moves.
    parts: Vec<Part>,
    /// The parts of each slab; of slabs of even numbers, then of odd ones.
    slabs: [Vec<Vec<u32>>; 2],
    /// Whether anything bounces.
    bounces: bool,
    /// Contacts with free objects, which may touch anything: one after the other.
    serial: Vec<Contact<Plane>>,
}

impl Pile {
    #[cfg(test)]
    /// Some balls that have not touched anything yet.
    pub fn of(balls: Vec<Ball>) -> Self {
        Self { balls, ..Self::default() }
    }

    /// Puts one in.
    pub fn add(&mut self, ball: Ball) {
        self.balls.push(ball);
    }

    /// Takes out those that go.
    pub fn remove(&mut self, goes: impl Fn(&Ball) -> bool) -> Vec<Ball> {
        let (gone, kept): (Vec<u32>, Vec<u32>) =
            (0..self.balls.len() as u32).partition(|&i| goes(&self.balls[i as usize]));
        let out = gone.iter().map(|&i| self.balls[i as usize]).collect();
        if !gone.is_empty() {
            self.balls = kept.iter().map(|&i| self.balls[i as usize]).collect();
            self.memory.reorder(&kept);
        }
        out
    }

    /// What is wrong with a state that was read, of so many sets.
    pub fn unfit(&self, sets: usize) -> Option<&'static str> {
        let mut ids: Vec<u32> = self.balls.iter().map(|b| b.id).collect();
        ids.sort_unstable();
        if !self.balls.iter().all(|b| b.is_sound() && (b.set as usize) < sets) {
            Some("not all of its balls can be")
        } else if ids.windows(2).any(|pair| pair[0] == pair[1]) {
            Some("two balls have one id")
        } else {
            (!self.memory.is_sound(self.balls.len())).then_some("its contacts are not those of its balls")
        }
    }

    /// One step among colliders, of which partners are free objects (by the number of the collider); sets have surfaces. `lifts` are
    /// accelerations of some balls besides gravity, by place [m/s²].
    pub fn advance(
        &mut self,
        surfaces: &[ContactCoefficients],
        partners: &mut [Option<Partner>],
        lifts: &[(usize, Vec3)],
        step: &Step,
    ) {
        if self.balls.is_empty() {
            return;
        }
        self.sort(step);
        self.carry_lifts(lifts);
        self.find(surfaces, partners, step);
        let masses = self.balls.iter().map(|b| b.per_mass);
        let (least, most) = masses.fold((f32::MAX, 0f32), |(l, m), x| (l.min(x), m.max(x)));
        let substeps = substeps(most / least);
        self.work.movers.clear();
        self.work.movers.extend(self.balls.iter().map(Mover::of));
        for n in 0..substeps {
            let soft = Soft::new(n, substeps, step);
            self.substep(&soft, partners, step.gravity);
        }
        let (dt, movers) = (step.dt, &self.work.movers);
        parallel::parts(&mut self.balls, |first, part| {
            for (ball, mover) in part.iter_mut().zip(&movers[first..]) {
                mover.leave(ball);
                ball.turn_on(dt);
            }
        });
        self.memory.keep(&self.balls, step.colliders, &self.work.parts, &self.work.serial);
        self.note_impacts(step);
    }

    /// Puts the balls in the order of cells.
    fn sort(&mut self, step: &Step) {
        let Work { grid, position, sorted, .. } = &mut self.work;
        let search = Search::new(&self.balls, &[], step);
        let reach = |b: &Ball| b.radius + search.way_among(b);
        let widest = 2.0 * self.balls.iter().map(reach).fold(0.0, f32::max);
        grid.set(widest, step.planar);
        position.each(|axis, c| {
            axis.clear();
            axis.extend(self.balls.iter().map(|ball| ball.at[c]));
        });
        grid.index(position);
        sorted.clear();
        sorted.extend(grid.order().iter().map(|&i| self.balls[i as usize]));
        std::mem::swap(&mut self.balls, sorted);
        self.memory.reorder(grid.order());
    }

    /// Gives balls that were at some places accelerations where they are now.
    fn carry_lifts(&mut self, lifts: &[(usize, Vec3)]) {
        let Work { grid, lifts: own, .. } = &mut self.work;
        own.clear();
        if lifts.is_empty() {
            return;
        }
        let mut place = vec![0; self.balls.len()];
        grid.order().iter().enumerate().for_each(|(now, &then)| place[then as usize] = now);
        own.extend(lifts.iter().map(|&(then, lift)| (place[then], lift)));
    }

    /// Finds all contacts, what is remembered of them, and the masses that they move.
    fn find(&mut self, surfaces: &[ContactCoefficients], partners: &[Option<Partner>], step: &Step) {
        let Self { balls, memory, work, .. } = self;
        let Work { grid, parts, slabs, bounces, serial, .. } = work;
        let (colliders, planar) = (step.colliders, step.planar);
        let search = Search::new(balls, surfaces, step);
        let axis = longest_axis(grid);
        let each = (grid.shape.side[axis] / THICK) as usize;
        parts.resize_with(each * grid.blocks(), Part::default);
        set_slabs(grid, axis, each, slabs);
        let all = Shared::new(parts);
        parallel::for_each(grid.block_numbers(), balls.len(), |&block| {
            let block = block as usize;
            // SAFETY: every block is worked on once, and has its own parts.
            let parts = unsafe { all.slice(each * block, each) };
            parts.iter_mut().for_each(Part::clear);
            let near = near(&search, grid.particles_of(block), colliders);
            search.contacts(grid, block, axis, &near, parts);
            for Part { pairs, walls } in parts {
                for c in pairs {
                    memory.recall(c, balls, colliders);
                    let (a, b) = (&balls[c.ball as usize], &balls[c.other as usize]);
                    c.weigh(a, per_masses(b, planar), planar);
                }
                for c in walls {
                    memory.recall(c, balls, colliders);
                    let partner = partners.get(c.other.collider as usize).and_then(Option::as_ref);
                    let others = partner.map(|p| p.per_masses(c.other.foot - p.centre, c.normal));
                    c.weigh(&balls[c.ball as usize], others.unwrap_or_default(), planar);
                }
            }
        });
        let bouncing =
            surfaces.iter().map(|s| s.restitution).chain(step.colliders.iter().map(|c| c.restitution));
        *bounces = bouncing.fold(0.0, f32::max) > 0.0;
        serial.clear();
        if partners.iter().any(Option::is_some) {
            let is_free =
                |c: &Contact<Plane>| matches!(partners.get(c.other.collider as usize), Some(Some(_)));
            for part in parts {
                serial.extend(part.walls.extract_if(.., |c| is_free(c)));
            }
        }
    }

    /// Keeps who has met, in an order that does not depend on where in the grid they are.
    fn note_impacts(&mut self, step: &Step) {
        let Self { balls, work, impacts, .. } = self;
        let (least, first) = (least_speed(step), impacts.len());
        for Part { pairs, walls } in &work.parts {
            impacts.extend(pairs.iter().filter_map(|c| impact(c, least, balls, step)));
            impacts.extend(walls.iter().filter_map(|c| impact(c, least, balls, step)));
        }
        impacts.extend(work.serial.iter().filter_map(|c| impact(c, least, balls, step)));
        impacts[first..].sort_by_key(|impact| impact.parties);
    }

    fn substep(&mut self, soft: &Soft, partners: &mut [Option<Partner>], gravity: Vec3) {
        let kick = soft.h * gravity;
        parallel::parts(&mut self.work.movers, |_, part| {
            for ball in part {
                ball.velocity += kick;
                ball.is_held = false;
            }
        });
        partners.iter_mut().flatten().for_each(|partner| partner.fall(soft.h));
        for &(place, lift) in &self.work.lifts {
            // It does not fall along a parabola.
            self.work.movers[place].velocity += soft.h * lift;
            self.work.movers[place].is_held = true;
        }
        for _ in 0..if self.work.bounces { PASSES } else { 0 } {
            if !self.visit(Visit::Bounce, soft, partners) {
                break;
            }
        }
        self.visit(Visit::Warm, soft, partners);
        self.visit(Visit::Press, soft, partners);
        let fall = 0.5 * soft.h * kick;
        parallel::parts(&mut self.work.movers, |_, part| {
            for ball in part {
                // What nothing holds falls along its parabola.
                ball.at += soft.h * ball.velocity - if ball.is_held { Vec3::ZERO } else { fall };
            }
        });
        partners.iter_mut().flatten().for_each(|partner| partner.go_on(soft.h));
        self.visit(Visit::Relax, soft, partners);
    }

    /// Visits every contact: those of every other slab at once, then the rest of them, then those with free objects. Whether anything bounced.
    fn visit(&mut self, what: Visit, soft: &Soft, partners: &mut [Option<Partner>]) -> bool {
        let (count, Work { parts, slabs, serial, movers, .. }) = (self.balls.len(), &mut self.work);
        let (balls, parts) = (Shared::new(movers), Shared::new(parts));
        let bounced = AtomicBool::new(false);
        // SAFETY: slabs of one colour have no ball and no part in common, and no ball touches itself.
        let ball = |place: u32| unsafe { &mut balls.slice(place as usize, 1)[0] };
        for colour in slabs {
            parallel::for_each(colour, count, |slab| {
                let mut any = false;
                for &part in slab {
                    let Part { pairs, walls } = unsafe { &mut parts.slice(part as usize, 1)[0] };
                    for c in pairs {
                        let (a, b) = (ball(c.ball), ball(c.other));
                        any |= Pair { a, b, soft, c }.visit(what);
                    }
                    for c in walls {
                        let (a, b) = (ball(c.ball), c.other);
                        any |= Pair { a, b, soft, c }.visit(what);
                    }
                }
                if any {
                    bounced.store(true, Ordering::Relaxed);
                }
            });
        }
        let mut any = bounced.into_inner();
        for c in serial {
            if let Some(Some(body)) = partners.get_mut(c.other.collider as usize) {
                let (a, b) = (ball(c.ball), Leaning { body, plane: c.other });
                any |= Pair { a, b, soft, c }.visit(what);
            }
        }
        any
    }
}

/// The axis along which most blocks are in a row.
fn longest_axis(grid: &Grid) -> usize {
    let all = (0..grid.blocks()).map(|block| grid.place_of(block));
    let (low, high) = all.fold(([i32::MAX; 3], [i32::MIN; 3]), |(low, high), p| {
        (std::array::from_fn(|c| p[c].min(low[c])), std::array::from_fn(|c| p[c].max(high[c])))
    });
    let long = |c: usize| (high[c] as i64 - low[c] as i64) * grid.shape.side[c] as i64;
    (0..3).rev().max_by_key(|&c| long(c)).filter(|&c| grid.shape.side[c] >= THICK).unwrap_or(0)
}

/// Gathers the parts of blocks, so many of each, by slabs across an axis.
fn set_slabs(grid: &Grid, axis: usize, each: usize, slabs: &mut [Vec<Vec<u32>>; 2]) {
    let number = |block: usize, part: usize| grid.place_of(block)[axis] as i64 * each as i64 + part as i64;
    let mut all: Vec<(i64, u32)> =
        (0..grid.blocks() * each).map(|part| (number(part / each, part % each), part as u32)).collect();
    all.sort_unstable();
    slabs.iter_mut().for_each(Vec::clear);
    for slab in all.chunk_by(|a, b| a.0 == b.0) {
        slabs[slab[0].0.rem_euclid(2) as usize].push(slab.iter().map(|part| part.1).collect());
    }
}

/// What a contact is in the list of impacts, if it is one faster than `least` [m/s].
fn impact<O: Other>(c: &Contact<O>, least: f32, balls: &[Ball], step: &Step) -> Option<Impact> {
    let ball = &balls[c.ball as usize];
    let parties = [ball.party(), c.other.party(balls, step.colliders)];
    let at = ball.at - ball.radius * c.normal;
    (c.met && c.closing > least).then_some(Impact { parties, at, normal: c.normal, speed: c.closing })
}

/// The colliders that balls may touch in the step.
fn near(search: &Search, own: Range<usize>, colliders: &[Collider]) -> Vec<usize> {
    let balls = &search.balls[own];
    let (low, high) =
        balls.iter().fold((Vec3::MAX, Vec3::MIN), |(l, h), ball| (l.min(ball.at), h.max(ball.at)));
    let reach = balls.iter().map(|ball| ball.radius + search.way(ball)).fold(0.0, f32::max);
    let (centre, around) = (0.5 * (low + high), 0.5 * low.distance(high) + reach);
    let far = |collider: &Collider| collider.quick_distance(centre) - moved(collider) > around;
    (0..colliders.len()).filter(|&n| !far(&colliders[n])).collect()
}

/// How far a collider's surface may have come in the step [m].
fn moved(collider: &Collider) -> f32 {
    let turn = collider.before.rotation.inverse() * collider.placement.rotation;
    let turned = 2.0 * Vec3::new(turn.x, turn.y, turn.z).length();
    let size = collider.sdf().bounds().map_or(0.0, |(low, high)| low.abs().max(high.abs()).length());
    collider.before.at.distance(collider.placement.at) + turned * size
}
