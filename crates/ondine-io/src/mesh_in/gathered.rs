//! Points and triangles as a reader finds them, within the limits, with the places of what may be wrong.

use super::fault::{Fault, Place, Problem};
use super::{MOST_POINTS, MOST_TRIANGLES};
use glam::{Vec2, Vec3};
use ondine::objects::Uv;

/// The number of a place in the texture that is not given.
pub(super) const NOWHERE: u32 = u32::MAX;

/// What a reader found. Faces may name points that come later in the file, or never: [`Gathered::checked`] tells.
#[derive(Default)]
pub(super) struct Gathered {
    pub points: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
    /// Places in a texture, counted from its lower left corner, and by number those of the corners of each triangle: of none, or
    /// of the first ones at least.
    pub texture: Vec<Vec2>,
    pub textured: Vec<[u32; 3]>,
    /// Bytes after the end of the mesh that nothing was made of.
    pub trailing: usize,
    /// What the file calls its first point.
    pub first: u32,
    /// Points that are not finite. Only those in use are a fault, and which are is known at the end.
    pub not_finite: Vec<(u32, Place)>,
    /// The highest point that a face names, and where.
    pub highest: Option<(u32, Place)>,
}

impl Gathered {
    pub fn point(&mut self, point: Vec3, place: Place) -> Result<(), Fault> {
        if self.points.len() >= MOST_POINTS {
            return Err(Fault { place, problem: Problem::TooManyPoints });
        }
        if !point.is_finite() {
            self.not_finite.push((self.points.len() as u32, place));
        }
        self.points.push(point);
        Ok(())
    }

    /// A face, as a fan around its first corner.
    pub fn face(&mut self, corners: &[u32], place: Place) -> Result<(), Fault> {
        let &[first, ref others @ ..] = corners else {
            return Err(Fault::malformed(place, "a face has no corners, and needs three"));
        };
        if others.len() < 2 {
            return Err(Fault::malformed(
                place,
                format!("a face has {} corners, and needs three", corners.len()),
            ));
        }
        if self.triangles.len() + others.len() - 1 > MOST_TRIANGLES {
            return Err(Fault { place, problem: Problem::TooManyTriangles });
        }
        let highest = corners.iter().copied().max().unwrap_or(first);
        if self.highest.is_none_or(|(before, _)| highest > before) {
            self.highest = Some((highest, place));
        }
        self.triangles.extend(fan(corners));
        Ok(())
    }

    /// The places in the texture of the corners of the last face, if it has as many.
    pub fn texture_face(&mut self, places: &[u32], corners: usize) {
        if places.len() == corners && corners > 2 {
            let before = self.triangles.len() - (corners - 2);
            self.textured.resize(before, [NOWHERE; 3]);
            self.textured.extend(fan(places));
        }
    }

    /// Of each triangle's corners the place in the texture; of what has none, or none that can be, its lower left corner. Empty
    /// where no triangle has any.
    pub fn uv(&self) -> Uv {
        let place =
            |&i: &u32| self.texture.get(i as usize).copied().filter(|p| p.is_finite()).unwrap_or_default();
        let mut uv: Vec<_> = self.textured.iter().map(|t| t.each_ref().map(place)).collect();
        let count = if uv.is_empty() || self.texture.is_empty() { 0 } else { self.triangles.len() };
        uv.resize(count, [Vec2::ZERO; 3]);
        uv
    }

    /// Itself, once every face names finite points that exist.
    pub fn checked(self) -> Result<Self, Fault> {
        let points = self.points.len();
        if let Some((highest, place)) = self.highest.filter(|&(highest, _)| highest as usize >= points) {
            let number = i64::from(highest) + i64::from(self.first);
            return Err(Fault { place, problem: Problem::NoSuchPoint { number, points } });
        }
        if !self.not_finite.is_empty() {
            let used = self.used();
            if let Some(&(_, place)) = self.not_finite.iter().find(|&&(point, _)| used[point as usize]) {
                return Err(Fault { place, problem: Problem::NotFinite });
            }
        }
        Ok(self)
    }

    /// Which points a triangle uses. Every triangle must name points that exist.
    pub fn used(&self) -> Vec<bool> {
        let mut used = vec![false; self.points.len()];
        self.triangles.as_flattened().iter().for_each(|&point| used[point as usize] = true);
        used
    }
}

/// A face as triangles around its first corner.
fn fan(corners: &[u32]) -> impl Iterator<Item = [u32; 3]> + '_ {
    let (first, others) = (corners.first().copied().unwrap_or(NOWHERE), corners.get(1..).unwrap_or_default());
    others.windows(2).map(move |pair| [first, pair[0], pair[1]])
}
