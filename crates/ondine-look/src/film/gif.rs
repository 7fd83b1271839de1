//! GIF, which pages show without a player. It has 256 colours, chosen from a few pictures of the film; what does not
//! change from one picture to the next is left out.

use super::{FilmError, same_size};
use crate::Picture;
use color_quant::NeuQuant;
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use std::borrow::Cow;
use std::io::Write;

/// Colours besides the one that stands for "as before".
const COLORS: usize = 255;
/// Stands for "as before".
const SAME: u8 = 255;
/// One pixel of so many is looked at to choose the colours; 1 is slowest and 30 is fastest.
const HASTE: i32 = 3;
/// Pixels whose colours differ by no more than this count as unchanged: noise that no eye follows.
const ALIKE: u8 = 6;
/// Shortest time that a picture is shown, in hundredths of a second.
const SHORTEST: f32 = 2.0;
/// Longest side of a GIF worth having: it has no real compression.
const SIDES: (u32, u32) = (1, 2048);

/// A moving picture that grows picture by picture.
pub struct Gif<W: Write> {
    encoder: Encoder<W>,
    palette: NeuQuant,
    size: (u32, u32),
    /// Hundredths of a second that pictures take, and those that are still to be given to one.
    delay: f32,
    owed: f32,
    /// The colours that are shown now.
    shown: Vec<u8>,
    count: u32,
}

impl<W: Write> Gif<W> {
    /// An empty one, of so many pictures a second, that goes on for ever. The colours are chosen from `typical`, some
    /// pictures from all over the film.
    pub fn new(out: W, typical: &[Picture], fps: f32) -> Result<Self, FilmError> {
        let size = typical.first().map_or((0, 0), |first| (first.width, first.height));
        if size.0.min(size.1) < SIDES.0 || size.0.max(size.1) > SIDES.1 {
            return Err(FilmError::BadSize { size, format: FORMAT, limits: SIDES });
        }
        let pixels: Vec<u8> =
            typical.iter().flat_map(|p| p.pixels.as_chunks::<3>().0).flat_map(opaque).collect();
        let palette = NeuQuant::new(HASTE, COLORS, &pixels);
        let mut table = palette.color_map_rgb();
        table.resize(3 * (COLORS + 1), 0);
        let mut encoder = Encoder::new(out, size.0 as u16, size.1 as u16, &table).map_err(failed)?;
        encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
        Ok(Self { encoder, palette, size, delay: 100.0 / fps, owed: 0.0, shown: Vec::new(), count: 0 })
    }

    /// Adds a picture.
    pub fn add(&mut self, picture: &Picture) -> Result<(), FilmError> {
        same_size(self.count, (picture.width, picture.height), self.size)?;
        self.count += 1;
        self.owed += self.delay;
        let first = self.shown.is_empty();
        // Many programs slow down what is shorter than two hundredths of a second: such pictures are left out.
        if !first && self.owed < SHORTEST {
            return Ok(());
        }
        if first {
            self.shown = picture.pixels.clone();
        }
        let pixels = picture.pixels.as_chunks::<3>().0.iter().zip(self.shown.as_chunks_mut::<3>().0);
        let buffer: Vec<u8> = pixels
            .map(|(pixel, shown)| {
                if !first && (0..3).all(|i| pixel[i].abs_diff(shown[i]) <= ALIKE) {
                    return SAME;
                }
                *shown = *pixel;
                self.palette.index_of(&opaque(pixel)) as u8
            })
            .collect();
        // Delays are whole hundredths: what one picture has too little, the next gets.
        let delay = self.owed.round().max(SHORTEST);
        self.owed -= delay;
        let frame = Frame {
            delay: delay as u16,
            dispose: DisposalMethod::Keep,
            transparent: Some(SAME),
            width: self.size.0 as u16,
            height: self.size.1 as u16,
            buffer: Cow::Owned(buffer),
            ..Frame::default()
        };
        self.encoder.write_frame(&frame).map_err(failed)
    }

    /// Writes the end.
    pub fn finish(self) -> Result<(), FilmError> {
        self.encoder.into_inner().map_err(failed).map(|_| ())
    }
}

const FORMAT: &str = "GIF";

fn failed(reason: impl std::fmt::Display) -> FilmError {
    FilmError::Encoder { format: FORMAT, reason: reason.to_string() }
}

fn opaque(pixel: &[u8; 3]) -> [u8; 4] {
    [pixel[0], pixel[1], pixel[2], 255]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(shade: u8) -> Picture {
        let mut pixels = [30, 120, 220].repeat(20 * 10);
        pixels[..30].fill(shade);
        Picture { width: 20, height: 10, pixels }
    }

    fn film() -> Vec<u8> {
        let pictures = [picture(10), picture(200), picture(200)];
        let mut bytes = Vec::new();
        let mut film = Gif::new(&mut bytes, &pictures, 30.0).unwrap();
        pictures.iter().for_each(|p| film.add(p).unwrap());
        film.finish().unwrap();
        bytes
    }

    #[test]
    fn pictures_come_back_with_their_colours_and_time() {
        let bytes = film();
        assert_eq!(bytes, film());
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut reader = options.read_info(&bytes[..]).unwrap();
        let (mut delays, mut corners, mut unchanged) = (Vec::new(), Vec::new(), Vec::new());
        while let Some(frame) = reader.read_next_frame().unwrap() {
            delays.push(frame.delay);
            corners.push(frame.buffer[..4].to_vec());
            unchanged.push(frame.buffer.chunks_exact(4).filter(|p| p[3] == 0).count());
        }
        assert_eq!(delays, [3, 4, 3], "ten hundredths for three pictures at 30 a second");
        assert!(corners[0][0].abs_diff(10) < 8 && corners[1][0].abs_diff(200) < 8, "{corners:?}");
        assert_eq!(unchanged, [0, 190, 200]);
    }

    #[test]
    fn what_makes_no_film_is_refused() {
        assert!(matches!(Gif::new(Vec::new(), &[], 30.0), Err(FilmError::BadSize { .. })));
        let mut film = Gif::new(Vec::new(), &[picture(1)], 30.0).unwrap();
        let other = Picture { width: 2, height: 1, pixels: vec![0; 6] };
        assert!(matches!(film.add(&other), Err(FilmError::OtherSize { .. })));
    }
}
