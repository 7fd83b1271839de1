//! STL: triangles with corners of their own, in text or binary.
//!
//! Facet normals are passed over: the order of the corners says the same, and files in which the two disagree have
//! their normals wrong more often. In text, loops of more than three corners become fans, any number of solids may
//! follow one another, and letters may be large.

use super::fault::{Fault, Place};
use super::gathered::Gathered;
use super::text::{Lines, number, quoted, words};
use super::{MOST_TRIANGLES, Problem};
use glam::Vec3;

/// Bytes before the triangles of a binary file: a title, and their number.
const HEADER: usize = 84;
const TITLE: usize = 80;
/// Bytes of a triangle: a normal and three corners, and two for the colour.
const TRIANGLE: usize = 50;
const NORMAL: usize = 12;

/// Whether the content begins like an STL file.
pub(super) fn begins(bytes: &[u8]) -> bool {
    is_text(bytes) || announced(bytes).is_some_and(|count| bytes.len() == length(count))
}

pub(super) fn gather(bytes: &[u8]) -> Result<Gathered, Fault> {
    // Some programs begin the title of binary files with "solid": those have the length that they announce.
    let is_binary = announced(bytes).is_some_and(|count| bytes.len() == length(count));
    if is_text(bytes) && !is_binary { from_text(bytes) } else { from_binary(bytes) }
}

fn is_text(bytes: &[u8]) -> bool {
    let start = bytes.trim_ascii_start();
    start.get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid"))
}

/// The number of triangles that a binary file announces.
fn announced(bytes: &[u8]) -> Option<u32> {
    let count = bytes.get(TITLE..)?.first_chunk()?;
    Some(u32::from_le_bytes(*count))
}

fn length(count: u32) -> usize {
    HEADER.saturating_add(TRIANGLE.saturating_mul(count as usize))
}

fn from_binary(bytes: &[u8]) -> Result<Gathered, Fault> {
    let Some(count) = announced(bytes) else {
        let found = format!("{} bytes are neither a text nor a binary STL file", bytes.len());
        return Err(Fault::cut_short(Place::Whole, found));
    };
    if bytes.len() < length(count) {
        let (needed, found) = (length(count), bytes.len());
        let reason = format!("{count} triangles announced, which take {needed} bytes, but {found} found");
        return Err(Fault::cut_short(Place::Byte(TITLE), reason));
    }
    if count as usize > MOST_TRIANGLES {
        return Err(Fault { place: Place::Byte(TITLE), problem: Problem::TooManyTriangles });
    }
    let mut gathered = Gathered { trailing: bytes.len() - length(count), ..Gathered::default() };
    gathered.points.reserve_exact(3 * count as usize);
    gathered.triangles.reserve_exact(count as usize);
    for (i, triangle) in bytes[HEADER..length(count)].as_chunks::<TRIANGLE>().0.iter().enumerate() {
        binary_triangle(triangle, HEADER + i * TRIANGLE, &mut gathered)?;
    }
    Ok(gathered)
}

fn binary_triangle(triangle: &[u8; TRIANGLE], at: usize, gathered: &mut Gathered) -> Result<(), Fault> {
    let first = gathered.points.len() as u32;
    let (corners, _) = triangle[NORMAL..].as_chunks::<12>();
    for (k, corner) in corners.iter().enumerate() {
        let (floats, _) = corner.as_chunks::<4>();
        let point = Vec3::from_array([floats[0], floats[1], floats[2]].map(f32::from_le_bytes));
        gathered.point(point, Place::Byte(at + NORMAL + 12 * k))?;
    }
    gathered.face(&[first, first + 1, first + 2], Place::Byte(at))
}

fn from_text(bytes: &[u8]) -> Result<Gathered, Fault> {
    let mut text = Text { gathered: Gathered::default(), loop_start: None, open: None };
    for (line, content) in Lines::new(bytes) {
        text.line(content, Place::Line(line))?;
    }
    match text.open {
        Some(place) => Err(Fault::cut_short(place, "the solid that begins here has no endsolid")),
        None => Ok(text.gathered),
    }
}

/// What has been read of a text file.
struct Text {
    gathered: Gathered,
    /// The first point of the loop that is being read.
    loop_start: Option<usize>,
    /// Where the solid began that is being read.
    open: Option<Place>,
}

impl Text {
    fn line(&mut self, line: &[u8], place: Place) -> Result<(), Fault> {
        let mut words = words(line);
        let Some(keyword) = words.next() else { return Ok(()) };
        match &*keyword.to_ascii_lowercase() {
            b"solid" => self.open = Some(place),
            b"endsolid" => self.open = None,
            b"facet" | b"endfacet" | b"color" => (),
            b"outer" => self.loop_start = Some(self.gathered.points.len()),
            b"vertex" => self.vertex(words, place)?,
            b"endloop" => self.end_loop(place)?,
            _ => {
                return Err(Fault::malformed(
                    place,
                    format!("{} is no word of an STL file", quoted(keyword)),
                ));
            }
        }
        Ok(())
    }

    fn vertex<'a>(&mut self, mut words: impl Iterator<Item = &'a [u8]>, place: Place) -> Result<(), Fault> {
        if self.loop_start.is_none() {
            return Err(Fault::malformed(place, "a vertex stands outside of an outer loop"));
        }
        let mut coordinate = || {
            let word = words
                .next()
                .ok_or_else(|| Fault::malformed(place, "a vertex has fewer than three coordinates"))?;
            number::<f32>(word)
                .ok_or_else(|| Fault::malformed(place, format!("{} is not a number", quoted(word))))
        };
        let point = Vec3::new(coordinate()?, coordinate()?, coordinate()?);
        self.gathered.point(point, place)
    }

    fn end_loop(&mut self, place: Place) -> Result<(), Fault> {
        let start = self.loop_start.take();
        let start = start.ok_or_else(|| Fault::malformed(place, "an endloop has no outer loop"))?;
        let corners: Vec<u32> = (start as u32..self.gathered.points.len() as u32).collect();
        self.gathered.face(&corners, place)
    }
}
