//! Points and triangles as a reader finds them, within the limits, with the places of what may be wrong.

use super::fault::{Fault, Place, Problem};
use super::{MOST_POINTS, MOST_TRIANGLES};
use glam::Vec3;

/// What a reader found. Faces may name points that come later in the file, or never: [`Gathered::checked`] tells.
#[derive(Default)]
pub(super) struct Gathered {
    pub points: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
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
        self.triangles.extend(others.windows(2).map(|pair| [first, pair[0], pair[1]]));
        Ok(())
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
