//! What is repaired in every mesh, whatever file it came from, and what the user is told.

use super::facing;
use super::fault::{Fault, Problem};
use super::gathered::Gathered;
use super::{Brought, Format};
use glam::{DVec3, Vec3};
use ondine::objects::{TriangleMesh, Uv};
use std::collections::HashMap;
use std::fmt;

/// Marks a point that is not there any more.
const GONE: u32 = u32::MAX;

/// Something that was repaired while a mesh was read. It displays as a sentence for the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repair {
    /// The file is in another format than its name says.
    Renamed {
        /// The format of the name.
        said: Format,
        /// The format of the content.
        found: Format,
    },
    /// Bytes after the end of the mesh were passed over.
    Trailing(usize),
    /// Points with exactly equal coordinates were joined. STL files always need it.
    Welded(usize),
    /// Triangles faced the other way than their neighbours and were turned over.
    Turned(usize),
    /// The whole closed surface faced inwards and was turned inside out.
    InsideOut,
    /// Triangles with repeated points or without area were dropped.
    Flat(usize),
    /// Points that no triangle uses were dropped.
    Unused(usize),
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let s = |n: &usize| if *n == 1 { "" } else { "s" };
        match self {
            Repair::Renamed { said, found } => {
                write!(f, "The name says {said}, but the content is {found} and was read as such.")
            }
            Repair::Trailing(n) => write!(f, "{n} byte{} after the end of the mesh passed over.", s(n)),
            Repair::Welded(n) => write!(f, "{n} point{} joined with others in exactly the same place.", s(n)),
            Repair::Turned(n) => {
                write!(f, "{n} triangle{} turned over to face the same way as the neighbours.", s(n))
            }
            Repair::InsideOut => write!(f, "The whole surface faced inwards and was turned inside out."),
            Repair::Flat(n) => write!(f, "{n} triangle{} without area dropped.", s(n)),
            Repair::Unused(n) => write!(f, "{n} point{} that no triangle uses dropped.", s(n)),
        }
    }
}

/// The mesh of what a reader found: checked, welded, facing one way, without flat triangles and unused points.
pub(super) fn repaired(gathered: Gathered) -> Result<Brought, Fault> {
    let gathered = gathered.checked()?;
    if gathered.triangles.is_empty() {
        let found = gathered.points.len();
        return Err(Fault::of_file(Problem::NoTriangles(format!("{found} points and no faces"))));
    }
    let (trailing, all, found) = (gathered.trailing, gathered.points.len(), gathered.triangles.len());
    let mut uv = gathered.uv();
    let (mut mesh, welded) = welded(gathered);
    retain(&mut mesh, &mut uv, |_, [a, b, c]| a != b && b != c && c != a);
    // Before triangles without area go: they still tell which of the others are neighbours.
    let facing = facing::made_alike(&mut mesh, &mut uv);
    retain(&mut mesh, &mut uv, has_area);
    if mesh.triangles.is_empty() {
        return Err(Fault::of_file(Problem::NoTriangles(format!("none of its {found} has any area"))));
    }
    let flat = found - mesh.triangles.len();
    drop_unused(&mut mesh);
    let unused = all - welded - mesh.points.len();
    let counted = [
        (trailing, Repair::Trailing(trailing)),
        (welded, Repair::Welded(welded)),
        (facing.turned, Repair::Turned(facing.turned)),
        (usize::from(facing.inside_out), Repair::InsideOut),
        (flat, Repair::Flat(flat)),
        (unused, Repair::Unused(unused)),
    ];
    let repairs = counted.into_iter().filter(|&(count, _)| count > 0).map(|(_, repair)| repair).collect();
    Ok(Brought { mesh, uv, repairs })
}

/// Keeps only some of the triangles, with the places of their corners.
fn retain(mesh: &mut TriangleMesh, uv: &mut Uv, keeps: impl Fn(&[Vec3], [u32; 3]) -> bool) {
    let mut triangles = mesh.triangles.iter();
    uv.retain(|_| triangles.next().is_some_and(|&t| keeps(&mesh.points, t)));
    mesh.triangles.retain(|&t| keeps(&mesh.points, t));
}

/// Joins points in use that have exactly equal coordinates: the first stays. Points not in use stay as they are.
fn welded(gathered: Gathered) -> (TriangleMesh, usize) {
    let used = gathered.used();
    let Gathered { mut points, mut triangles, .. } = gathered;
    // The standard map is seeded at random, so that no file can be made to fill one bucket. Its order is not used.
    let mut seen = HashMap::new();
    let mut kept: Vec<u32> = (0..points.len() as u32).collect();
    let mut welded = 0;
    for (i, point) in points.iter_mut().enumerate().filter(|&(i, _)| used[i]) {
        // Minus zero is zero.
        *point += Vec3::ZERO;
        kept[i] = *seen.entry(point.to_array().map(f32::to_bits)).or_insert(i as u32);
        welded += usize::from(kept[i] != i as u32);
    }
    triangles.as_flattened_mut().iter_mut().for_each(|point| *point = kept[*point as usize]);
    (TriangleMesh { points, triangles }, welded)
}

/// In double precision, in which neither tiny nor huge coordinates lose their area.
fn has_area(points: &[Vec3], triangle: [u32; 3]) -> bool {
    let [a, b, c] = triangle.map(|i| points[i as usize].as_dvec3());
    (b - a).cross(c - a) != DVec3::ZERO
}

/// Drops points that no triangle uses, and keeps the order of the others.
fn drop_unused(mesh: &mut TriangleMesh) {
    let mut place = vec![GONE; mesh.points.len()];
    mesh.triangles.as_flattened().iter().for_each(|&point| place[point as usize] = 0);
    let mut next = 0;
    for (i, place) in place.iter_mut().enumerate().filter(|(_, place)| **place != GONE) {
        *place = next;
        mesh.points[next as usize] = mesh.points[i];
        next += 1;
    }
    mesh.points.truncate(next as usize);
    mesh.triangles.as_flattened_mut().iter_mut().for_each(|point| *point = place[*point as usize]);
}
