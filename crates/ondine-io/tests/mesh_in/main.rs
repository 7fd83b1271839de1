//! Mesh files in every format: the same cube from each, what is repaired, what is refused, and any bytes at all.

mod any_bytes;
mod cube;
mod formats;
mod refusals;
mod repairs;

use ondine_io::mesh_in::{Brought, Format, parse};

/// A mesh that must be read.
fn brought(bytes: &[u8], format: Format) -> Brought {
    parse(bytes, format, None).unwrap_or_else(|e| panic!("{e}"))
}

/// What a mesh that must not be read is refused for.
fn refusal(bytes: impl AsRef<[u8]>, format: Format) -> String {
    match parse(bytes.as_ref(), format, None) {
        Err(error) => error.to_string(),
        Ok(brought) => panic!("read as {brought:?}"),
    }
}
