//! The impulses of the last step's contacts, by who touched whom: the next step begins with them.

use super::ball::Ball;
use super::contact::{Contact, Other, Part, Plane};
use crate::objects::Collider;
use glam::Vec3;
use serde::{Deserialize, Serialize};

/// What is kept of contacts, ball after ball.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Where what is kept for each ball begins, and the end.
    starts: Vec<u32>,
    kept: Vec<Kept>,
}

/// What is kept of one contact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Kept {
    /// The id of the other ball, or what of an object is touched, above all ids.
    other: u64,
    along: f32,
    across: Vec3,
    rolling: Vec3,
}

impl Memory {
    /// Keeps the impulses of contacts that press. A pair is kept with the ball of the lower id.
    pub fn keep(
        &mut self,
        balls: &[Ball],
        colliders: &[Collider],
        parts: &[Part],
        serial: &[Contact<Plane>],
    ) {
        self.starts.clear();
        self.starts.resize(balls.len() + 1, 0);
        let mut count = |own: u32| self.starts[own as usize + 1] += 1;
        for Part { pairs, walls } in parts {
            pairs.iter().filter(|c| c.along > 0.0).for_each(|c| count(c.other.owner(c.ball, balls).0));
            walls.iter().filter(|c| c.along > 0.0).for_each(|c| count(c.ball));
        }
        serial.iter().filter(|c| c.along > 0.0).for_each(|c| count(c.ball));
        for i in 0..balls.len() {
            self.starts[i + 1] += self.starts[i];
        }
        let nothing = Kept { other: 0, along: 0.0, across: Vec3::ZERO, rolling: Vec3::ZERO };
        self.kept.clear();
        self.kept.resize(self.starts[balls.len()] as usize, nothing);
        let mut writing = Writing { next: self.starts.clone(), kept: &mut self.kept, balls, colliders };
        for Part { pairs, walls } in parts {
            pairs.iter().for_each(|c| writing.put(c));
            walls.iter().for_each(|c| writing.put(c));
        }
        serial.iter().for_each(|c| writing.put(c));
    }

    /// Ball `order[i]` is at place i from now on.
    pub fn reorder(&mut self, order: &[u32]) {
        let row = |i: usize| match (self.starts.get(i), self.starts.get(i + 1)) {
            (Some(&a), Some(&b)) => &self.kept[a as usize..b as usize],
            _ => &[],
        };
        let (mut starts, mut kept) =
            (Vec::with_capacity(order.len() + 1), Vec::with_capacity(self.kept.len()));
        for &i in order {
            starts.push(kept.len() as u32);
            kept.extend_from_slice(row(i as usize));
        }
        starts.push(kept.len() as u32);
        (self.starts, self.kept) = (starts, kept);
    }

    /// Gives a contact what is remembered of it; or how fast the two close, if nothing is.
    pub fn recall<O: Other>(&self, c: &mut Contact<O>, balls: &[Ball], colliders: &[Collider]) {
        let (own, sign) = c.other.owner(c.ball, balls);
        let other = c.other.name(c.ball, balls, colliders);
        let row = &self.kept[self.starts[own as usize] as usize..self.starts[own as usize + 1] as usize];
        if let Some(kept) = row.iter().find(|kept| kept.other == other) {
            (c.along, c.across, c.rolling) = (kept.along, sign * kept.across, sign * kept.rolling);
        } else {
            c.closing = c.closes(balls);
        }
    }

    /// Whether it can be of so many balls.
    pub fn is_sound(&self, balls: usize) -> bool {
        let ends = self.starts.len() == balls + 1 && self.starts.last() == Some(&(self.kept.len() as u32));
        let rises = self.starts.windows(2).all(|pair| pair[0] <= pair[1]);
        let finite = |k: &Kept| k.along.is_finite() && k.across.is_finite() && k.rolling.is_finite();
        (ends && rises || self.starts.is_empty() && self.kept.is_empty()) && self.kept.iter().all(finite)
    }
}

/// The memory as it is written.
struct Writing<'a> {
    /// Where the next contact of each ball goes.
    next: Vec<u32>,
    kept: &'a mut [Kept],
    balls: &'a [Ball],
    colliders: &'a [Collider],
}

impl Writing<'_> {
    fn put<O: Other>(&mut self, c: &Contact<O>) {
        if c.along <= 0.0 {
            return;
        }
        let (own, sign) = c.other.owner(c.ball, self.balls);
        let other = c.other.name(c.ball, self.balls, self.colliders);
        let place = &mut self.next[own as usize];
        self.kept[*place as usize] =
            Kept { other, along: c.along, across: sign * c.across, rolling: sign * c.rolling };
        *place += 1;
    }
}
