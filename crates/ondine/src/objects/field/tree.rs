//! A tree of boxes over things in space, to find the nearest of them.

use glam::DVec3;

/// Things in a leaf at most.
const LEAF: usize = 2;

/// The median splits halve what is left: no tree of 2³² things is deeper.
const DEPTH: usize = 40;

/// What a tree holds.
pub trait Item: Copy {
    /// Corners of a box around it.
    fn bounds(&self) -> (DVec3, DVec3);
    /// Its point nearest to `p`.
    fn nearest(&self, p: DVec3) -> DVec3;
}

/// Boxes in boxes.
#[derive(Debug)]
pub struct Tree<T> {
    items: Vec<T>,
    nodes: Vec<Node>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    low: DVec3,
    high: DVec3,
    /// Of a leaf the first item, else the second child; the first child is the next node.
    first: u32,
    /// Items of a leaf, else zero.
    count: u32,
}

/// The nearest point of all items.
#[derive(Clone, Copy, Debug)]
pub struct Hit {
    /// The point.
    pub at: DVec3,
    /// Square of its distance.
    pub square: f64,
    /// The item, by number.
    pub item: u32,
}

impl<T: Item> Tree<T> {
    /// Sorts the items into a tree.
    pub fn new(mut items: Vec<T>) -> Self {
        let mut nodes = Vec::with_capacity(items.len());
        if !items.is_empty() {
            grow(&mut items, 0, &mut nodes);
        }
        Self { items, nodes }
    }

    /// The nearest point to `p`. A good guess for the item saves most of the work: the one of a neighbour.
    pub fn closest(&self, p: DVec3, guess: u32) -> Option<Hit> {
        let first = (guess as usize).min(self.items.len().checked_sub(1)?);
        let mut best = hit(&self.items[first], p, first);
        let mut stack = [(0u32, 0f64); DEPTH];
        let mut top = 1;
        while top > 0 {
            top -= 1;
            let (n, square) = stack[top];
            if square >= best.square {
                continue;
            }
            let node = &self.nodes[n as usize];
            if node.count > 0 {
                for i in node.first..node.first + node.count {
                    let found = hit(&self.items[i as usize], p, i as usize);
                    best = if found.square < best.square { found } else { best };
                }
                continue;
            }
            let pair = [n + 1, node.first].map(|c| (c, self.nodes[c as usize].square_to(p)));
            let nearer = (pair[1].1 < pair[0].1) as usize;
            stack[top] = pair[1 - nearer];
            stack[top + 1] = pair[nearer];
            top += 2;
        }
        Some(best)
    }

    /// Whether `is` holds for any item whose leaf meets a box; it is asked until it does.
    pub fn any_in(&self, low: DVec3, high: DVec3, mut is: impl FnMut(&T) -> bool) -> bool {
        let mut stack = [0u32; DEPTH];
        let mut top = !self.nodes.is_empty() as usize;
        while top > 0 {
            top -= 1;
            let n = stack[top];
            let node = &self.nodes[n as usize];
            if !node.meets(low, high) {
                continue;
            }
            if node.count == 0 {
                (stack[top], stack[top + 1]) = (node.first, n + 1);
                top += 2;
                continue;
            }
            let items = &self.items[node.first as usize..(node.first + node.count) as usize];
            if items.iter().any(&mut is) {
                return true;
            }
        }
        false
    }
}

impl Node {
    fn square_to(&self, p: DVec3) -> f64 {
        (self.low - p).max(p - self.high).max(DVec3::ZERO).length_squared()
    }

    fn meets(&self, low: DVec3, high: DVec3) -> bool {
        self.low.cmple(high).all() && self.high.cmpge(low).all()
    }
}

fn hit<T: Item>(item: &T, p: DVec3, number: usize) -> Hit {
    let at = item.nearest(p);
    Hit { at, square: at.distance_squared(p), item: number as u32 }
}

/// Appends the tree of `items`, which start at number `first` of all.
fn grow<T: Item>(items: &mut [T], first: usize, nodes: &mut Vec<Node>) {
    let around = |(a, b): (DVec3, DVec3), (c, d): (DVec3, DVec3)| (a.min(c), b.max(d));
    let (low, high) = items.iter().map(Item::bounds).reduce(around).unwrap_or_default();
    let here = nodes.len();
    nodes.push(Node { low, high, first: first as u32, count: items.len() as u32 });
    if items.len() <= LEAF {
        return;
    }
    let axis = (high - low).max_position();
    let middle = |t: &T| {
        let (a, b) = t.bounds();
        a[axis] + b[axis]
    };
    let half = items.len() / 2;
    items.select_nth_unstable_by(half, |a, b| middle(a).total_cmp(&middle(b)));
    let (left, right) = items.split_at_mut(half);
    grow(left, first, nodes);
    let second = nodes.len() as u32;
    grow(right, first + half, nodes);
    nodes[here] = Node { low, high, first: second, count: 0 };
}
