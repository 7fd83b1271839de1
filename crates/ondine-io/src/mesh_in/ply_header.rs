//! The header of a PLY file: what its body holds, and in what layout.

use super::fault::{Fault, Place, Problem};
use super::text::{number, quoted, words};

/// How the numbers of the body are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Text,
    LittleEndian,
    BigEndian,
}

/// The type of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScalarType {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl ScalarType {
    fn of(word: &[u8], place: Place) -> Result<ScalarType, Fault> {
        Ok(match word {
            b"char" | b"int8" => ScalarType::I8,
            b"uchar" | b"uint8" => ScalarType::U8,
            b"short" | b"int16" => ScalarType::I16,
            b"ushort" | b"uint16" => ScalarType::U16,
            b"int" | b"int32" => ScalarType::I32,
            b"uint" | b"uint32" => ScalarType::U32,
            b"float" | b"float32" => ScalarType::F32,
            b"double" | b"float64" => ScalarType::F64,
            _ => return Err(Fault::malformed(place, format!("{} is no type of a property", quoted(word)))),
        })
    }

    /// Bytes in a binary file.
    pub fn size(self) -> usize {
        match self {
            ScalarType::I8 | ScalarType::U8 => 1,
            ScalarType::I16 | ScalarType::U16 => 2,
            ScalarType::I32 | ScalarType::U32 | ScalarType::F32 => 4,
            ScalarType::F64 => 8,
        }
    }
}

/// One property of an element: a number, or a number of numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Property {
    pub name: Vec<u8>,
    /// The type of the list's length, for a list.
    pub list: Option<ScalarType>,
    pub scalar: ScalarType,
}

/// A kind of record, and how many there are.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Element {
    pub name: Vec<u8>,
    pub count: u64,
    pub properties: Vec<Property>,
    /// Where the header announces it.
    pub place: Place,
}

impl Element {
    /// Fewest bytes that all its records can take.
    pub fn least_bytes(&self, encoding: Encoding) -> u64 {
        let least = |p: &Property| match encoding {
            Encoding::Text => 2,
            Encoding::LittleEndian | Encoding::BigEndian => p.list.unwrap_or(p.scalar).size() as u64,
        };
        let record: u64 = self.properties.iter().map(least).sum();
        let all = self.count.saturating_mul(record);
        // The last number of a text needs no space after it.
        if encoding == Encoding::Text { all.saturating_sub(1) } else { all }
    }
}

/// The header, and where the body begins.
pub(super) struct Header {
    pub encoding: Encoding,
    pub elements: Vec<Element>,
    /// First byte of the body.
    pub body: usize,
    /// Line of the first word of a text body.
    pub line: usize,
}

/// Whether the content begins like a PLY file.
pub(super) fn begins(bytes: &[u8]) -> bool {
    bytes.strip_prefix(b"ply").is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_whitespace))
}

pub(super) fn parse(bytes: &[u8]) -> Result<Header, Fault> {
    if !begins(bytes) {
        return Err(Fault::malformed(Place::Line(1), "a PLY file begins with a line `ply`"));
    }
    let (mut encoding, mut elements) = (None, Vec::new());
    let mut lines = HeaderLines::new(bytes);
    lines.next();
    while let Some((number, line)) = lines.next() {
        let (place, words) = (Place::Line(number), words(line).collect::<Vec<_>>());
        match words[..] {
            [] | [b"comment" | b"obj_info", ..] => (),
            [b"format", name, ..] => encoding = Some(encoding_of(name, place)?),
            [b"element", name, count] => elements.push(element(name, count, place)?),
            [b"property", ref rest @ ..] => {
                let element = elements.last_mut();
                let element: &mut Element =
                    element.ok_or_else(|| Fault::malformed(place, "a property comes before any element"))?;
                element.properties.push(property(rest, place)?);
            }
            [b"end_header"] => {
                let encoding =
                    encoding.ok_or_else(|| Fault::malformed(place, "the header names no format"))?;
                return Ok(Header { encoding, elements, body: lines.at, line: number + 1 });
            }
            _ => return Err(Fault::malformed(place, format!("{} is no line of a PLY header", quoted(line)))),
        }
    }
    Err(Fault::cut_short(Place::Whole, "the header has no end_header"))
}

fn encoding_of(name: &[u8], place: Place) -> Result<Encoding, Fault> {
    match name {
        b"ascii" => Ok(Encoding::Text),
        b"binary_little_endian" => Ok(Encoding::LittleEndian),
        b"binary_big_endian" => Ok(Encoding::BigEndian),
        _ => {
            let what = format!("the PLY format {}", quoted(name));
            let remedy = "export it as ascii, binary_little_endian or binary_big_endian";
            Err(Fault { place, problem: Problem::Unsupported { what, remedy } })
        }
    }
}

fn element(name: &[u8], count: &[u8], place: Place) -> Result<Element, Fault> {
    let count = number(count)
        .ok_or_else(|| Fault::malformed(place, format!("{} is no number of records", quoted(count))))?;
    Ok(Element { name: name.into(), count, properties: Vec::new(), place })
}

fn property(words: &[&[u8]], place: Place) -> Result<Property, Fault> {
    match *words {
        [b"list", length, scalar, name] => {
            let list = Some(ScalarType::of(length, place)?);
            Ok(Property { name: name.into(), list, scalar: ScalarType::of(scalar, place)? })
        }
        [scalar, name] => {
            Ok(Property { name: name.into(), list: None, scalar: ScalarType::of(scalar, place)? })
        }
        _ => Err(Fault::malformed(place, "a property needs a type and a name")),
    }
}

/// The header's lines. All end as the first does: what follows `end_header` may be a number that begins like a line
/// end.
struct HeaderLines<'a> {
    bytes: &'a [u8],
    ending: &'static [u8],
    at: usize,
    number: usize,
}

impl<'a> HeaderLines<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        let first = bytes.iter().position(|b| matches!(b, b'\r' | b'\n')).map_or(&b""[..], |i| &bytes[i..]);
        let ending: &[u8] = match first {
            [b'\r', b'\n', ..] => b"\r\n",
            [b'\r', ..] => b"\r",
            _ => b"\n",
        };
        HeaderLines { bytes, ending, at: 0, number: 0 }
    }
}

impl<'a> Iterator for HeaderLines<'a> {
    type Item = (usize, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = &self.bytes[self.at..];
        // A last line without an end is cut short; only an `end_header` of an empty body may stand there.
        let found = rest.windows(self.ending.len()).position(|w| w == self.ending);
        let (end, past) = found.map_or((rest.len(), rest.len()), |i| (i, i + self.ending.len()));
        if rest.is_empty() {
            return None;
        }
        self.at += past;
        self.number += 1;
        Some((self.number, &rest[..end]))
    }
}
