//! Values as USD writes them.

use glam::Vec3;
use ondine::objects::Uv;
use std::io::{self, Write};

/// Numbers in brackets, or whatever `item` writes.
pub fn array<T>(
    w: &mut dyn Write,
    items: impl IntoIterator<Item = T>,
    item: impl Fn(&mut dyn Write, T) -> io::Result<()>,
) -> io::Result<()> {
    w.write_all(b"[")?;
    for (i, this) in items.into_iter().enumerate() {
        if i > 0 {
            w.write_all(b", ")?;
        }
        item(w, this)?;
    }
    w.write_all(b"]")
}

/// The shortest text that gives the same number back, with an exponent where that is shorter.
pub fn number(w: &mut dyn Write, number: f32) -> io::Result<()> {
    let whole = number as i64;
    // Most of what is whole is small; `1` is as good as `1.0`. Zero may have a sign.
    if whole as f32 == number && whole != 0 && whole.abs() < 1 << 24 {
        write!(w, "{whole}")
    } else {
        write!(w, "{number:?}")
    }
}

/// Numbers in parentheses.
pub fn tuple(w: &mut dyn Write, numbers: &[f32]) -> io::Result<()> {
    w.write_all(b"(")?;
    for (i, &this) in numbers.iter().enumerate() {
        if i > 0 {
            w.write_all(b", ")?;
        }
        number(w, this)?;
    }
    w.write_all(b")")
}

pub fn vectors(w: &mut dyn Write, vectors: &[[f32; 3]]) -> io::Result<()> {
    array(w, vectors, |w, v| tuple(w, v))
}

pub fn points(w: &mut dyn Write, points: &[Vec3]) -> io::Result<()> {
    array(w, points, |w, p| tuple(w, &p.to_array()))
}

/// Places in a texture, corner by corner.
pub fn places(w: &mut dyn Write, uv: &Uv) -> io::Result<()> {
    array(w, uv.as_flattened(), |w, place| tuple(w, &place.to_array()))
}

/// How many corners each triangle has: three.
pub fn counts(w: &mut dyn Write, triangles: &[[u32; 3]]) -> io::Result<()> {
    array(w, triangles, |w, _| w.write_all(b"3"))
}

pub fn corners(w: &mut dyn Write, triangles: &[[u32; 3]]) -> io::Result<()> {
    array(w, triangles.as_flattened(), |w, i| write!(w, "{i}"))
}

/// The box around points, each with a radius. Around nothing it is the origin.
pub fn extent(w: &mut dyn Write, points: impl Iterator<Item = Vec3>, radius: f32) -> io::Result<()> {
    let bounds = points.fold(None, |bounds: Option<(Vec3, Vec3)>, p| match bounds {
        None => Some((p, p)),
        Some((low, high)) => Some((low.min(p), high.max(p))),
    });
    let (low, high) = bounds.map_or((Vec3::ZERO, Vec3::ZERO), |(low, high)| (low - radius, high + radius));
    self::points(w, &[low, high])
}

/// Text in quotes.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            c if c.is_control() => quoted.push(' '),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> String {
        let mut bytes = Vec::new();
        fill(&mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn values_look_as_usd_writes_them() {
        assert_eq!(
            text(|w| vectors(w, &[[1.0, -0.5, 1e-7], [0.0, 1e20, -3.0]])),
            "[(1, -0.5, 1e-7), (0.0, 1e20, -3)]"
        );
        assert_eq!(text(|w| vectors(w, &[])), "[]");
        assert_eq!(text(|w| corners(w, &[[0, 1, 2], [2, 1, 3]])), "[0, 1, 2, 2, 1, 3]");
        assert_eq!(text(|w| counts(w, &[[0, 1, 2]; 2])), "[3, 3]");
        assert_eq!(
            text(|w| extent(w, [Vec3::X, Vec3::Y].into_iter(), 0.5)),
            "[(-0.5, -0.5, -0.5), (1.5, 1.5, 0.5)]"
        );
        assert_eq!(quoted("a \"b\"\\\n"), r#""a \"b\"\\\n""#);
    }

    proptest! {
        #[test]
        fn numbers_come_back(bits in any::<u32>()) {
            let wanted = f32::from_bits(bits);
            prop_assume!(wanted.is_finite());
            let back: f32 = text(|w| number(w, wanted)).parse().unwrap();
            prop_assert_eq!(back.to_bits(), bits);
        }
    }
}
