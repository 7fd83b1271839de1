//! GLB, the binary form of glTF: a header, a chunk of JSON, and perhaps a chunk of bytes. Later chunks are passed over.

use super::fault::{Fault, Place};
use super::gathered::Gathered;
use super::gltf;
use std::path::Path;

pub(super) fn gather(bytes: &[u8], folder: Option<&Path>) -> Result<Gathered, Fault> {
    let word =
        |at: usize| bytes.get(at..).and_then(|rest| rest.first_chunk()).map(|w| u32::from_le_bytes(*w));
    let cut_short = |at| Fault::cut_short(Place::Byte(at), "the file ends inside of the GLB header");
    if !bytes.starts_with(b"glTF") {
        return Err(Fault::malformed(Place::Byte(0), "a GLB file begins with the letters glTF"));
    }
    let version = word(4).ok_or_else(|| cut_short(4))?;
    if version != 2 {
        return Err(gltf::unsupported(format!("version {version} of GLB"), "export the mesh as glTF 2.0"));
    }
    let length = word(8).ok_or_else(|| cut_short(8))? as usize;
    if length > bytes.len() {
        let reason = format!("{length} bytes announced, but {} found", bytes.len());
        return Err(Fault::cut_short(Place::Byte(8), reason));
    }
    let (json, at) = chunk(&bytes[..length], 12, b"JSON")?;
    let binary = if at < length { Some(chunk(&bytes[..length], at, b"BIN\0")?.0) } else { None };
    // Filled up with spaces to a multiple of four; some programs take zeros.
    let filling = json.iter().rev().take_while(|&&b| b == 0).count();
    let mut gathered = gltf::gather(&json[..json.len() - filling], binary, folder)?;
    gathered.trailing = bytes.len() - length;
    Ok(gathered)
}

/// The content of a chunk of a kind, and where the next one begins.
fn chunk<'a>(bytes: &'a [u8], at: usize, kind: &[u8; 4]) -> Result<(&'a [u8], usize), Fault> {
    let place = Place::Byte(at);
    let name = String::from_utf8_lossy(kind);
    let name = name.trim_end_matches('\0');
    let header = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>());
    let &[a, b, c, d, ref found @ ..] =
        header.ok_or_else(|| Fault::cut_short(place, format!("no {name} chunk")))?;
    if found != kind {
        return Err(Fault::malformed(place, format!("a {name} chunk should begin here")));
    }
    let length = u32::from_le_bytes([a, b, c, d]) as usize;
    let start = at + 8;
    let end = start.saturating_add(length);
    let content = bytes.get(start..end).ok_or_else(|| {
        let left = bytes.len() - start;
        Fault::cut_short(place, format!("the {name} chunk announces {length} bytes and has {left}"))
    })?;
    // Chunks begin at multiples of four.
    Ok((content, end.next_multiple_of(4)))
}
