//! Pictures one after the other: MP4 for people, GIF for pages. No other program is needed.

mod gif;
mod mp4;

pub use gif::Gif;
pub use mp4::Mp4;

use std::io;

/// Why a film cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum FilmError {
    /// A picture is not as large as the first.
    #[error("picture {number} is {} × {} pixels and the first is {} × {}", found.0, found.1, wanted.0, wanted.1)]
    OtherSize {
        /// Which one, from 0.
        number: u32,
        /// Its width and height.
        found: (u32, u32),
        /// Those of the first.
        wanted: (u32, u32),
    },
    /// Too small or too large for the format.
    #[error("pictures of {} × {} pixels make no {format}: it takes from {} to {}", size.0, size.1, limits.0, limits.1)]
    BadSize {
        /// What they are.
        size: (u32, u32),
        /// What was to be made.
        format: &'static str,
        /// Shortest and longest side.
        limits: (u32, u32),
    },
    /// The encoder will not go on.
    #[error("the {format} encoder failed: {reason}")]
    Encoder {
        /// What was to be made.
        format: &'static str,
        /// What it says.
        reason: String,
    },
    /// It cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Refuses a picture that is not as large as the first.
fn same_size(number: u32, found: (u32, u32), wanted: (u32, u32)) -> Result<(), FilmError> {
    if found == wanted { Ok(()) } else { Err(FilmError::OtherSize { number, found, wanted }) }
}
