//! The images that particles see in walls (`mirrors.rs`), listed for passes over pairs.
//!
//! A cluster lists for every choice of walls that its particles see together the neighbours whose images in them are within h
//! of any of its eight.

use super::mirrors::{MOST, Mirror, Seen};
use super::pressure::{lanes_of, splat};
use crate::clusters::{Cluster, EIGHT, Slots};
use crate::lanes::{Lanes, widest};
use glam::Vec3;
use std::ops::Range;

/// A distance from which no image is seen [m].
const FAR: f32 = 1e12;

/// The image of a neighbour in a choice of walls.
#[derive(Clone, Copy, Debug, Default)]
pub struct Image {
    /// The neighbour's slot.
    pub slot: u32,
    /// Its w, the product of those of all walls.
    pub weight: f32,
    /// For each wall, 2 d_j [m].
    pub twice: [f32; MOST],
}

/// One wall as the particles of a cluster see it, one a lane; far off and weightless for those that do not.
#[derive(Clone, Copy, Debug, Default)]
pub struct SeenWall {
    mirror: Mirror,
    /// For a plane, its offset: a point is `normal·p + offset` from it [m].
    offset: f32,
    /// 2 d_i [m].
    twice: [f32; EIGHT],
    /// w_i.
    weight: [f32; EIGHT],
    slope: [[f32; EIGHT]; 3],
    normal: [[f32; EIGHT]; 3],
}

impl SeenWall {
    fn new(mirror: Mirror, at: Vec3) -> Self {
        let offset = mirror.distance - mirror.normal.dot(at);
        Self { mirror, offset, twice: [FAR; EIGHT], ..Self::default() }
    }

    fn add(&mut self, lane: usize, mirror: &Mirror) {
        self.twice[lane] = 2.0 * mirror.distance;
        self.weight[lane] = mirror.weight;
        for c in 0..3 {
            (self.normal[c][lane], self.slope[c][lane]) = (mirror.normal[c], mirror.slope[c]);
        }
    }

    /// 2 d_j and w_j of a neighbour.
    #[inline(always)]
    fn of(&self, slot: u32, at: &[[f32; 4]], seen: &Seen) -> (f32, f32) {
        if self.mirror.is_plane {
            let ([x, y, z, _], n) = (at[slot as usize], self.mirror.normal);
            // A neighbour in the wall is on it.
            return (2.0 * (n.x * x + n.y * y + n.z * z + self.offset).max(0.0), 1.0);
        }
        seen.same(slot as usize, self.mirror.wall).map_or((FAR, 0.0), |m| (2.0 * m.distance, m.weight))
    }

    /// Those of some neighbours whose images may be within h of anybody: of a plane, an image is no nearer than both are from the wall
    /// together.
    fn may_show(&self, near: Slots, at: &[[f32; 4]], seen: &Seen, h: f32, shown: &mut Vec<u32>) {
        let Mirror { is_plane, normal: n, wall, .. } = self.mirror;
        if !is_plane {
            return shown.extend(near.each().filter(|&slot| seen.same(slot as usize, wall).is_some()));
        }
        // A little more, for roundings.
        let limit = 1.0005 * h - 0.5 * self.twice.into_iter().fold(FAR, f32::min);
        shown.resize(near.each().len(), 0);
        let mut len = 0;
        for (slot, [x, y, z, _]) in near.with(at) {
            shown[len] = slot;
            // Not a branch: which they are can hardly be foretold, and a wrong guess costs more than the work.
            len += usize::from(n.x * x + n.y * y + n.z * z + self.offset < limit);
        }
        shown.truncate(len);
    }

    /// The number of the collider that it belongs to, if that is free.
    pub fn free_solid(&self) -> Option<u32> {
        self.mirror.is_free.then_some(self.mirror.collider() as u32)
    }

    /// 2 d_i [m].
    #[inline(always)]
    pub fn twice<V: Lanes>(&self) -> V {
        V::from_array(self.twice)
    }

    /// w_i.
    #[inline(always)]
    fn weight<V: Lanes>(&self) -> V {
        V::from_array(self.weight)
    }

    /// How w_i changes with the particle's place, over w_i [1/m].
    #[inline(always)]
    pub fn slope<V: Lanes>(&self) -> [V; 3] {
        self.slope.map(V::from_array)
    }

    /// Its normal and the slope of w where a neighbour is.
    #[inline(always)]
    pub fn as_seen_by(&self, slot: u32, seen: &Seen) -> (Vec3, Vec3) {
        let own = &self.mirror;
        let other = if own.is_plane { None } else { seen.same(slot as usize, own.wall) };
        other.map_or((own.normal, Vec3::ZERO), |m| (m.normal, m.slope))
    }

    /// Normals.
    #[inline(always)]
    pub fn normal<V: Lanes>(&self) -> [V; 3] {
        self.normal.map(V::from_array)
    }
}

/// A choice of walls, and what is seen in them.
#[derive(Clone, Copy, Debug)]
pub struct Choice<'a> {
    /// The walls, up to [`MOST`].
    pub walls: &'a [SeenWall],
    /// The images.
    pub images: &'a [Image],
}

impl Choice<'_> {
    /// The product of w_i of all walls.
    #[inline(always)]
    pub fn weight<V: Lanes>(&self) -> V {
        let mut weight = V::splat(1.0);
        for wall in self.walls {
            weight = weight.mul(wall.weight());
        }
        weight
    }

    /// r'² of an image, r² of its neighbour being given.
    #[inline(always)]
    pub fn square<V: Lanes>(&self, image: &Image, square: V) -> V {
        let mut square = square;
        for (wall, twice) in self.walls.iter().zip(image.twice) {
            square = square.add(wall.twice::<V>().mul(V::splat(twice)));
        }
        square
    }
}

/// All that the clusters of a block see in walls.
#[derive(Clone, Debug, Default)]
pub struct Images {
    /// For each cluster, where its choices end.
    ends: Vec<u32>,
    /// For each choice, its walls and its images.
    choices: Vec<(Range<u32>, Range<u32>)>,
    walls: Vec<SeenWall>,
    /// Room for images, of which the first are used.
    images: Vec<Image>,
    used: usize,
    // Space for listing.
    looks: Vec<SeenWall>,
    near: Vec<u32>,
    chosen: Vec<u64>,
}

impl Images {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.ends.clear();
        self.choices.clear();
        self.walls.clear();
        self.used = 0;
    }

    /// Lists what the next cluster sees.
    pub fn add(&mut self, cluster: &Cluster, at: &[[f32; 4]], seen: &Seen, h: f32) {
        let slots = cluster.first..cluster.first + cluster.len;
        if slots.clone().any(|slot| seen.any(slot)) {
            let (mut looks, mut sights) = (std::mem::take(&mut self.looks), [0u64; EIGHT]);
            looks.clear();
            for (lane, slot) in slots.enumerate() {
                for mirror in seen.of(slot) {
                    let known = looks.iter().position(|w| w.mirror.wall == mirror.wall);
                    let place = known.unwrap_or(looks.len());
                    if known.is_none() {
                        let [x, y, z, _] = at[slot];
                        looks.push(SeenWall::new(*mirror, Vec3::new(x, y, z)));
                    }
                    looks[place].add(lane, mirror);
                    sights[lane] |= 1 << place;
                }
            }
            self.choose(&looks, &sights, cluster, at, seen, h);
            self.looks = looks;
        }
        self.ends.push(self.choices.len() as u32);
    }

    /// Lists the images in every choice of walls that somebody sees all of.
    fn choose(
        &mut self,
        looks: &[SeenWall],
        sights: &[u64; EIGHT],
        cluster: &Cluster,
        at: &[[f32; 4]],
        seen: &Seen,
        h: f32,
    ) {
        let first_choice = self.choices.len();
        let mut chosen = std::mem::take(&mut self.chosen);
        list_choices(sights, &mut chosen);
        for (n, &choice) in chosen.iter().enumerate() {
            let (first_wall, first_image) = (self.walls.len(), self.used);
            self.walls.extend((0..looks.len()).filter(|w| choice >> w & 1 == 1).map(|w| looks[w]));
            // Who is not seen in the first wall is not seen in more.
            let alone = chosen[..n].iter().position(|&c| c == choice & choice.wrapping_neg());
            let Self { walls, images, used, near, .. } = self;
            let walls = &walls[first_wall..];
            near.clear();
            match alone.map(|k| &self.choices[first_choice + k].1) {
                Some(from) => {
                    near.extend(images[from.start as usize..from.end as usize].iter().map(|i| i.slot))
                }
                None => walls[0].may_show(cluster.near, at, seen, h, near),
            }
            // Room for all, and never taken back.
            if images.len() < *used + near.len() {
                images.resize(*used + near.len(), Image::default());
            }
            *used += list(walls, cluster, near, at, seen, h, &mut images[*used..]);
            let range = |from: usize, to: usize| from as u32..to as u32;
            let (first, end) = (first_wall, first_wall + walls.len());
            self.choices.push((range(first, end), range(first_image, self.used)));
        }
        self.chosen = chosen;
    }

    /// The choices of walls in which the block's cluster number `n` sees images.
    #[inline(always)]
    pub fn of(&self, n: usize) -> impl Iterator<Item = Choice<'_>> {
        let from = if n == 0 { 0 } else { self.ends[n - 1] as usize };
        self.choices[from..self.ends[n] as usize].iter().map(|(walls, images)| Choice {
            walls: &self.walls[walls.start as usize..walls.end as usize],
            images: &self.images[images.start as usize..images.end as usize],
        })
    }
}

/// Every choice of walls that somebody sees all of, one bit a wall, in order.
fn list_choices(sights: &[u64; EIGHT], all: &mut Vec<u64>) {
    all.clear();
    for (lane, &sight) in sights.iter().enumerate() {
        let mut choice = if sights[..lane].contains(&sight) { 0 } else { sight };
        while choice > 0 {
            all.push(choice);
            choice = (choice - 1) & sight;
        }
    }
    all.sort_unstable();
    all.dedup();
}

widest! {
    /// Writes the images of some neighbours that are within h of anybody. Returns their number.
    fn list(
        walls: &[SeenWall], cluster: &Cluster, near: &[u32], at: &[[f32; 4]], seen: &Seen, h: f32, images: &mut [Image],
    ) -> usize = list_with
}

#[inline(always)]
fn list_with<V: Lanes>(
    walls: &[SeenWall],
    cluster: &Cluster,
    near: &[u32],
    at: &[[f32; 4]],
    seen: &Seen,
    h: f32,
    images: &mut [Image],
) -> usize {
    let [x, y, z, _] = lanes_of::<V>(at, cluster);
    let (limit, mut len) = (V::splat(h * h), 0);
    for &slot in near {
        let mut image = Image { slot, weight: 1.0, ..Image::default() };
        for (wall, twice) in walls.iter().zip(&mut image.twice) {
            let (distance, weight) = wall.of(slot, at, seen);
            (*twice, image.weight) = (distance, image.weight * weight);
        }
        let [ox, oy, oz, _] = splat::<V>(at[slot as usize]);
        let (dx, dy, dz) = (x.sub(ox), y.sub(oy), z.sub(oz));
        let square = dx.mul(dx).add(dy.mul(dy)).add(dz.mul(dz));
        images[len] = image;
        len += usize::from((Choice { walls, images: &[] }).square(&image, square).less(limit) != 0);
    }
    len
}
