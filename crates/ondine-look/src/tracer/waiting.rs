//! What a ray has still to look at on its way down a tree of boxes.

use super::boxes::Inside;
use crate::lanes::LANES;

/// How many wait at hand: up to seven for each level that a ray has gone down. More of them are rare, and wait elsewhere;
/// room for all would take longer to clear than most rays take.
const AT_HAND: usize = 40;

/// What waits, with the distance to its box; what is looked at next comes last.
pub struct Waiting {
    at_hand: [(f32, Inside); AT_HAND],
    count: usize,
    rest: Vec<(f32, Inside)>,
}

impl Waiting {
    /// Nothing.
    #[inline(always)]
    pub fn new() -> Self {
        Self { at_hand: [(0.0, Inside::default()); AT_HAND], count: 0, rest: Vec::new() }
    }

    /// Takes what is in the boxes that were met, bits of which there is at least one, and gives back one to be gone into at
    /// once: the nearest, while the others wait, the farthest longest, if they are to be sorted.
    #[inline(always)]
    pub fn take<const SORTED: bool>(
        &mut self,
        (nears, mut met): ([f32; LANES], u32),
        inside: &[Inside; LANES],
    ) -> Inside {
        if self.count + LANES > AT_HAND {
            self.rest.extend_from_slice(&self.at_hand[..self.count]);
            self.count = 0;
        }
        let mut lowest = || {
            let lane = met.trailing_zeros() as usize % LANES;
            let more = met != 0;
            met &= met.wrapping_sub(1);
            more.then(|| (nears[lane], inside[lane]))
        };
        let mut next = lowest().unwrap_or_default();
        let start = self.count;
        while self.count < AT_HAND
            && let Some(mut other) = lowest()
        {
            if SORTED && other.0 < next.0 {
                std::mem::swap(&mut other, &mut next);
            }
            let mut place = self.count;
            while SORTED && place > start && self.at_hand[place - 1].0 < other.0 {
                self.at_hand[place] = self.at_hand[place - 1];
                place -= 1;
            }
            self.at_hand[place] = other;
            self.count += 1;
        }
        next.1
    }

    /// The next of those that wait that is nearer than a distance.
    #[inline(always)]
    pub fn next(&mut self, most: f32) -> Option<Inside> {
        loop {
            let (near, inside) = match self.count.checked_sub(1) {
                Some(last) => {
                    self.count = last;
                    self.at_hand[last]
                }
                None => self.rest.pop()?,
            };
            if near < most {
                return Some(inside);
            }
        }
    }
}
