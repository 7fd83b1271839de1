//! PLY, in text, binary little endian and binary big endian: the elements `vertex` (`x`, `y`, `z` of any type) and
//! `face` (`vertex_indices` or `vertex_index`). Places in a texture are those of points (`s`, `t`, or as others call them) or of the
//! corners of faces (`texcoord`). Other elements and properties are passed over.

use super::fault::{Fault, Place};
use super::gathered::{Gathered, NOWHERE};
use super::ply_header::{self, Element, Encoding, Property, ScalarType};
use super::text::quoted;
use glam::{DVec2, DVec3, Vec2};

pub(super) fn gather(bytes: &[u8]) -> Result<Gathered, Fault> {
    let header = ply_header::parse(bytes)?;
    let mut payload = Payload { bytes, at: header.body, line: header.line, encoding: header.encoding };
    let mut gathered = Gathered::default();
    for element in &header.elements {
        check_announced(element, &payload)?;
        match &*element.name {
            _ if element.count == 0 => (),
            b"vertex" => vertices(element, &mut payload, &mut gathered)?,
            b"face" => faces(element, &mut payload, &mut gathered)?,
            // Records without properties take no bytes, so that any number of them is passed over at once.
            _ if element.properties.is_empty() => (),
            _ => (0..element.count).try_for_each(|_| payload.pass_over(&element.properties))?,
        }
    }
    payload.skip_space();
    gathered.trailing = bytes.len() - payload.at;
    Ok(gathered)
}

/// Whether the rest of the file can hold what the header announces: before memory is taken for it.
fn check_announced(element: &Element, payload: &Payload) -> Result<(), Fault> {
    let (least, left) = (element.least_bytes(payload.encoding), (payload.bytes.len() - payload.at) as u64);
    if least <= left {
        return Ok(());
    }
    let (count, name) = (element.count, quoted(&element.name));
    let reason =
        format!("{count} of {name} announced, which take at least {least} bytes, but {left} are left");
    Err(Fault::cut_short(element.place, reason))
}

fn vertices(element: &Element, payload: &mut Payload, gathered: &mut Gathered) -> Result<(), Fault> {
    let find = |name: &[u8]| element.properties.iter().position(|p| p.name == name && p.list.is_none());
    let axis = |name: &[u8]| {
        find(name).ok_or_else(|| {
            Fault::malformed(element.place, format!("a vertex has no property {}", quoted(name)))
        })
    };
    let axes = [axis(b"x")?, axis(b"y")?, axis(b"z")?];
    let texture = TEXTURE.iter().find_map(|[u, v]| Some([find(u)?, find(v)?]));
    for _ in 0..element.count {
        let place = payload.place();
        let (mut point, mut in_texture) = (DVec3::NAN, DVec2::NAN);
        for (i, property) in element.properties.iter().enumerate() {
            let in_point = axes.iter().position(|&axis| axis == i);
            match (in_point, texture.iter().flatten().position(|&axis| axis == i)) {
                (Some(axis), _) => point[axis] = payload.number(property.scalar)?,
                (_, Some(axis)) => in_texture[axis] = payload.number(property.scalar)?,
                _ => payload.pass_over(std::slice::from_ref(property))?,
            }
        }
        gathered.point(point.as_vec3(), place)?;
        gathered.texture.extend(texture.map(|_| in_texture.as_vec2()));
    }
    Ok(())
}

/// What programs call the two places of a point in its texture.
const TEXTURE: [[&[u8]; 2]; 4] =
    [[b"s", b"t"], [b"u", b"v"], [b"texture_u", b"texture_v"], [b"texture_s", b"texture_t"]];

fn faces(element: &Element, payload: &mut Payload, gathered: &mut Gathered) -> Result<(), Fault> {
    let is_corners = |p: &Property| matches!(&*p.name, b"vertex_indices" | b"vertex_index");
    let list =
        |is: &dyn Fn(&Property) -> bool| element.properties.iter().position(|p| p.list.is_some() && is(p));
    let Some(which) = list(&is_corners) else {
        let reason = "a face has no list property `vertex_indices`";
        return Err(Fault::malformed(element.place, reason));
    };
    let texture = list(&|p| p.name == b"texcoord");
    let (mut corners, mut uv, mut places) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..element.count {
        let place = payload.place();
        corners.clear();
        uv.clear();
        for (i, property) in element.properties.iter().enumerate() {
            match property.list {
                Some(length) if i == which => {
                    for _ in 0..payload.integer(length, "length of a list")? {
                        corners.push(payload.integer(property.scalar, "point")?);
                    }
                }
                Some(length) if Some(i) == texture => {
                    for _ in 0..payload.integer(length, "length of a list")? {
                        uv.push(payload.number(property.scalar)? as f32);
                    }
                }
                _ => payload.pass_over(std::slice::from_ref(property))?,
            }
        }
        gathered.face(&corners, place)?;
        places.clear();
        match texture {
            // Without places of its own, a corner is where its point is.
            None => places.extend(&corners),
            Some(_) if uv.len() == 2 * corners.len() => {
                places.extend((gathered.texture.len() as u32..).take(corners.len()));
                gathered.texture.extend(uv.chunks_exact(2).map(Vec2::from_slice));
            }
            Some(_) => places.resize(corners.len(), NOWHERE),
        }
        gathered.texture_face(&places, corners.len());
    }
    Ok(())
}

/// The numbers after the header.
struct Payload<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Line of the next number, in a text.
    line: usize,
    encoding: Encoding,
}

impl Payload<'_> {
    fn place(&mut self) -> Place {
        self.skip_space();
        match self.encoding {
            Encoding::Text => Place::Line(self.line),
            Encoding::LittleEndian | Encoding::BigEndian => Place::Byte(self.at),
        }
    }

    /// In a text, goes on to the next word.
    fn skip_space(&mut self) {
        if self.encoding != Encoding::Text {
            return;
        }
        while let Some(space) = self.bytes.get(self.at).filter(|b| b.is_ascii_whitespace()) {
            let ends_line = *space == b'\n' || *space == b'\r' && self.bytes.get(self.at + 1) != Some(&b'\n');
            self.line += usize::from(ends_line);
            self.at += 1;
        }
    }

    fn number(&mut self, scalar: ScalarType) -> Result<f64, Fault> {
        match self.encoding {
            Encoding::Text => self.word(),
            Encoding::LittleEndian => self.binary(scalar, false),
            Encoding::BigEndian => self.binary(scalar, true),
        }
    }

    fn word(&mut self) -> Result<f64, Fault> {
        let place = self.place();
        let rest = &self.bytes[self.at..];
        let word = &rest[..rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len())];
        if word.is_empty() {
            return Err(Fault::cut_short(
                place,
                "the file ends before the last record that its header announces",
            ));
        }
        self.at += word.len();
        super::text::number(word)
            .ok_or_else(|| Fault::malformed(place, format!("{} is not a number", quoted(word))))
    }

    fn binary(&mut self, scalar: ScalarType, big: bool) -> Result<f64, Fault> {
        let size = scalar.size();
        let Some(found) = self.bytes.get(self.at..self.at + size) else {
            let reason = "the file ends before the last record that its header announces";
            return Err(Fault::cut_short(Place::Byte(self.at), reason));
        };
        self.at += size;
        let mut low_first = [0; 8];
        low_first[..size].copy_from_slice(found);
        if big {
            low_first[..size].reverse();
        }
        Ok(value(scalar, low_first))
    }

    /// A number that counts something.
    fn integer(&mut self, scalar: ScalarType, what: &str) -> Result<u32, Fault> {
        let place = self.place();
        let found = self.number(scalar)?;
        match found as u32 {
            whole if f64::from(whole) == found => Ok(whole),
            _ => Err(Fault::malformed(place, format!("{found} is no {what}"))),
        }
    }

    fn pass_over(&mut self, properties: &[Property]) -> Result<(), Fault> {
        for property in properties {
            let count = property.list.map_or(Ok(1), |length| self.integer(length, "length of a list"))?;
            (0..count).try_for_each(|_| self.number(property.scalar).map(drop))?;
        }
        Ok(())
    }
}

/// A number from its bytes, the lowest first.
fn value(scalar: ScalarType, bytes: [u8; 8]) -> f64 {
    let [a, b, c, d, ..] = bytes;
    match scalar {
        ScalarType::I8 => f64::from(a as i8),
        ScalarType::U8 => f64::from(a),
        ScalarType::I16 => f64::from(i16::from_le_bytes([a, b])),
        ScalarType::U16 => f64::from(u16::from_le_bytes([a, b])),
        ScalarType::I32 => f64::from(i32::from_le_bytes([a, b, c, d])),
        ScalarType::U32 => f64::from(u32::from_le_bytes([a, b, c, d])),
        ScalarType::F32 => f64::from(f32::from_le_bytes([a, b, c, d])),
        ScalarType::F64 => f64::from_le_bytes(bytes),
    }
}
