//! What a ray has still to look at on its way down a hierarchy.

use super::bvh_node::Child;
use super::lanes::LANES;

/// How many are at hand: up to seven for each level that a ray has gone down. More of them are rare, and lie elsewhere;
/// room for all would take longer to clear than most rays take.
const AT_HAND: usize = 40;

/// Children of nodes, each with the distance to its box; the one that is looked at next comes last.
pub struct TraversalStack {
    at_hand: [(f32, Child); AT_HAND],
    count: usize,
    rest: Vec<(f32, Child)>,
}

impl TraversalStack {
    /// Nothing.
    #[inline(always)]
    pub fn new() -> Self {
        Self { at_hand: [(0.0, Child::default()); AT_HAND], count: 0, rest: Vec::new() }
    }

    /// Takes the children whose boxes were hit, bits of which there is at least one, and gives back one to be gone into at
    /// once: the nearest, while the others wait, the farthest longest, if they are to be sorted.
    #[inline(always)]
    pub fn push<const SORTED: bool>(
        &mut self,
        (nears, mut hits): ([f32; LANES], u32),
        children: &[Child; LANES],
    ) -> Child {
        if self.count + LANES > AT_HAND {
            self.rest.extend_from_slice(&self.at_hand[..self.count]);
            self.count = 0;
        }
        let mut lowest = || {
            let lane = hits.trailing_zeros() as usize % LANES;
            let more = hits != 0;
            hits &= hits.wrapping_sub(1);
            more.then(|| (nears[lane], children[lane]))
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

    /// The next child that is nearer than a distance.
    #[inline(always)]
    pub fn pop(&mut self, max_distance: f32) -> Option<Child> {
        loop {
            let (near, child) = match self.count.checked_sub(1) {
                Some(last) => {
                    self.count = last;
                    self.at_hand[last]
                }
                None => self.rest.pop()?,
            };
            if near < max_distance {
                return Some(child);
            }
        }
    }
}
