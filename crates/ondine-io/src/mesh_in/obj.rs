//! Wavefront OBJ: `v`, `vt` and `f` lines, joined over all objects and groups.
//!
//! Points may carry a weight or a colour, corners a normal, lines may go on after a backslash, and
//! numbers of points may count back from the last one (-1). All of that is read or passed over, as is every line of
//! another kind: curves, materials, smoothing groups, and what other programs invented.

use super::MOST_POINTS;
use super::fault::{Fault, Place};
use super::format::without_mark;
use super::gathered::{Gathered, NOWHERE};
use super::text::{Lines, number, quoted, words};
use glam::{Vec2, Vec3};
use std::borrow::Cow;

pub(super) fn gather(bytes: &[u8]) -> Result<Gathered, Fault> {
    let mut gathered = Gathered { first: 1, ..Gathered::default() };
    let mut lines = Lines::new(without_mark(bytes));
    let (mut corners, mut places) = (Vec::new(), Vec::new());
    let mut known = false;
    while let Some((line, statement)) = statement(&mut lines) {
        let place = Place::Line(line);
        let mut words = words(&statement);
        match words.next() {
            Some(b"vt") if gathered.texture.len() < MOST_POINTS => {
                gathered.texture.push(place_in_texture(words));
                continue;
            }
            Some(b"v") => gathered.point(point(words, place)?, place)?,
            // `fo` is what the first versions of the format called a face.
            Some(b"f" | b"fo") => {
                corners.clear();
                places.clear();
                for word in words {
                    corners.push(corner(word, gathered.points.len(), place)?);
                    places.extend(texture_of(word, gathered.texture.len()));
                }
                gathered.face(&corners, place)?;
                gathered.texture_face(&places, corners.len());
            }
            _ => continue,
        }
        known = true;
    }
    match known {
        true => Ok(gathered),
        false => Err(Fault::malformed(Place::Whole, "no line of this OBJ file is a point (v) or a face (f)")),
    }
}

/// The next line without its comment, together with those that it goes on in, and the number of the first.
fn statement<'a>(lines: &mut Lines<'a>) -> Option<(usize, Cow<'a, [u8]>)> {
    let (first, line) = lines.next()?;
    let line = before_comment(line);
    if !line.ends_with(b"\\") {
        return Some((first, Cow::Borrowed(line)));
    }
    let mut joined = line.to_vec();
    while joined.pop_if(|last| *last == b'\\').is_some() {
        joined.push(b' ');
        joined.extend(lines.next().map_or(&b""[..], |(_, line)| before_comment(line)));
    }
    Some((first, Cow::Owned(joined)))
}

fn before_comment(line: &[u8]) -> &[u8] {
    let end = line.iter().position(|&b| b == b'#').unwrap_or(line.len());
    line[..end].trim_ascii_end()
}

fn point<'a>(mut words: impl Iterator<Item = &'a [u8]>, place: Place) -> Result<Vec3, Fault> {
    let mut coordinate = || {
        let word = words
            .next()
            .ok_or_else(|| Fault::malformed(place, "a point has fewer than three coordinates"))?;
        number::<f32>(word)
            .ok_or_else(|| Fault::malformed(place, format!("{} is not a number", quoted(word))))
    };
    Ok(Vec3::new(coordinate()?, coordinate()?, coordinate()?))
}

/// The point of a corner, counted from 0. A number ahead of the points so far may still come true.
fn corner(word: &[u8], points: usize, place: Place) -> Result<u32, Fault> {
    let point = word.split(|&b| b == b'/').next().unwrap_or(word);
    let wrong = |why| Fault::malformed(place, format!("the corner {} {why}", quoted(word)));
    let point: i64 = number(point).ok_or_else(|| wrong("does not begin with the number of a point"))?;
    let from_zero = match point {
        0 => return Err(wrong("names point 0, and points are counted from 1")),
        1.. => point - 1,
        _ => point.saturating_add(points as i64),
    };
    u32::try_from(from_zero).map_err(|_| match point {
        1.. => wrong("names a point far beyond the last"),
        _ => wrong("counts back beyond the first point"),
    })
}

/// What is wrong with a texture is no fault of the surface: such places are nowhere.
fn place_in_texture<'a>(mut words: impl Iterator<Item = &'a [u8]>) -> Vec2 {
    let mut next = |otherwise| words.next().map_or(otherwise, |word| number(word).unwrap_or(f32::NAN));
    Vec2::new(next(f32::NAN), next(0.0))
}

/// The place in the texture of a corner, counted from 0, if it names one.
fn texture_of(word: &[u8], places: usize) -> Option<u32> {
    let place: i64 = number(word.split(|&b| b == b'/').nth(1)?)?;
    let from_zero = if place < 0 { place.saturating_add(places as i64) } else { place - 1 };
    Some(u32::try_from(from_zero).unwrap_or(NOWHERE))
}
