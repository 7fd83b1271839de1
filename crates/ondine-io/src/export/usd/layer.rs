//! The text of one USD file.

use super::attributes::Attribute;
use super::prims::{Prim, Scope};
use std::io::{self, Write};

/// The prim that holds all others.
pub const ROOT: &str = "Ondine";

/// What a file says before its prims.
pub struct Header<'a> {
    /// Frames a second [1/s].
    pub fps: f64,
    /// First and last frame.
    pub range: (u32, u32),
    /// More lines about the root prim, such as its clips.
    pub about_root: &'a str,
    /// What stands around the prims, as text.
    pub setting: &'a [u8],
}

/// What a file says of each prim.
pub enum Detail {
    /// That it is there, and what never changes of it.
    Whole,
    /// What changes, for other files to hold values of.
    Changing,
}

/// Writes the value of a prim's attribute, after its type and name; or nothing, if it is only declared.
pub type Value<'a> = dyn FnMut(&mut dyn Write, &Prim, &Attribute) -> io::Result<()> + 'a;

/// Writes a whole file.
pub fn write(
    w: &mut dyn Write,
    header: &Header,
    prims: &[Prim],
    detail: Detail,
    value: &mut Value,
) -> io::Result<()> {
    begin(w, header)?;
    let specifier = match detail {
        Detail::Whole => "def",
        Detail::Changing => "over",
    };
    writeln!(w, "\n{specifier} Xform \"{ROOT}\" (\n{})\n{{", header.about_root)?;
    for scope in Scope::ALL {
        writeln!(w, "{specifier} Scope \"{scope:?}\"\n{{")?;
        for prim in prims.iter().filter(|prim| prim.scope == scope) {
            writeln!(w, "{}\n{{", prim.opening(specifier))?;
            if matches!(detail, Detail::Whole) {
                w.write_all(&prim.fixed)?;
            }
            prim.attributes.iter().try_for_each(|attribute| line(w, prim, attribute, value))?;
            writeln!(w, "}}")?;
        }
        writeln!(w, "}}")?;
    }
    w.write_all(header.setting)?;
    writeln!(w, "}}")
}

fn begin(w: &mut dyn Write, header: &Header) -> io::Result<()> {
    let Header { fps, range: (first, last), .. } = header;
    writeln!(w, "#usda 1.0\n(\ndefaultPrim = \"{ROOT}\"\nmetersPerUnit = 1\nupAxis = \"Y\"")?;
    writeln!(w, "timeCodesPerSecond = {fps}\nframesPerSecond = {fps}")?;
    writeln!(w, "startTimeCode = {first}\nendTimeCode = {last}\n)")
}

/// USD has no one line for both samples and how they are interpolated: the attribute is declared, then valued.
fn line(w: &mut dyn Write, prim: &Prim, attribute: &Attribute, value: &mut Value) -> io::Result<()> {
    match attribute.interpolation {
        Some(kind) => writeln!(w, "{} (interpolation = \"{kind}\")", attribute.declared)?,
        None => writeln!(w, "{}", attribute.declared)?,
    }
    value(w, prim, attribute)
}
