//! The finished picture.

use crate::color::{decode_srgb, encode_srgb};
use glam::Vec3;
use rayon::prelude::*;
use std::io::{self, BufRead, Seek, Write};

/// The largest width or height of a picture [pixels]: what a PNG reader can be trusted with, and a bound on memory.
const LARGEST: u32 = 8192;

/// Red, green and blue bytes, row by row from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Width, in pixels.
    pub width: u32,
    /// Height, in pixels.
    pub height: u32,
    /// Three bytes a pixel, encoded as sRGB.
    pub pixels: Vec<u8>,
}

/// A size that a picture may have, nearest to the one asked for [pixels].
pub fn clamped((width, height): (u32, u32)) -> (u32, u32) {
    (width.clamp(1, LARGEST), height.clamp(1, LARGEST))
}

impl Picture {
    /// Averages linear light over square blocks of samples, and encodes it.
    pub(crate) fn average(light: &[Vec3], (width, height): (u32, u32), samples: u32) -> Self {
        let mut pixels = vec![0; width as usize * height as usize * 3];
        pixels.par_chunks_exact_mut(width as usize * 3).enumerate().for_each(|(y, line)| {
            for (x, pixel) in line.chunks_exact_mut(3).enumerate() {
                pixel.copy_from_slice(&mean_light(light, width, samples, (x, y)).to_array().map(encode_srgb));
            }
        });
        Self { width, height, pixels }
    }

    /// Writes the bytes of a PNG file, with a note in it unless that is empty.
    pub fn encode_png(&self, out: impl Write, note: &str) -> io::Result<()> {
        let mut encoder = png::Encoder::new(out, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        if !note.is_empty() {
            encoder.add_text_chunk(NOTE.into(), note.into())?;
        }
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.pixels)?;
        writer.finish()?;
        Ok(())
    }

    /// Reads a PNG file as [`Self::encode_png`] writes them.
    pub fn decode_png(file: impl BufRead + Seek) -> io::Result<Self> {
        let mut reader = png::Decoder::new(file).read_info()?;
        let (width, height) = reader.info().size();
        if reader.output_color_type() != (png::ColorType::Rgb, png::BitDepth::Eight)
            || width.max(height) > LARGEST
        {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "not a picture that Ondine made"));
        }
        let mut pixels = vec![0; 3 * width as usize * height as usize];
        reader.next_frame(&mut pixels)?;
        Ok(Self { width, height, pixels })
    }

    /// The note in a PNG file, read without its pixels.
    pub fn note_in(file: impl BufRead + Seek) -> io::Result<Option<String>> {
        let reader = png::Decoder::new(file).read_info()?;
        let texts = &reader.info().uncompressed_latin1_text;
        Ok(texts.iter().find(|text| text.keyword == NOTE).map(|text| text.text.clone()))
    }

    /// The picture made smaller, to a width [pixels]: each new pixel is the mean light of those it covers.
    pub fn narrowed(&self, width: u32) -> Self {
        let width = width.clamp(1, self.width);
        let height =
            ((self.height as u64 * width as u64) as f64 / f64::from(self.width)).round().max(1.0) as u32;
        let row = 3 * self.width as usize;
        let light: [f32; 256] = std::array::from_fn(|byte| decode_srgb(byte as u8));
        let mut pixels = Vec::with_capacity(3 * width as usize * height as usize);
        for y in 0..height {
            let rows = covered(y, height, self.height);
            for x in 0..width {
                let columns = covered(x, width, self.width);
                let count = (rows.len() * columns.len()) as f32;
                for channel in 0..3 {
                    let of_row = |y: usize| columns.clone().map(move |x| y * row + 3 * x + channel);
                    let sum: f32 =
                        rows.clone().flat_map(of_row).map(|i| light[self.pixels[i] as usize]).sum();
                    pixels.push(encode_srgb(sum / count));
                }
            }
        }
        Self { width, height, pixels }
    }
}

/// Mean light over the block of samples of a pixel, in a picture of a width [pixels].
pub fn mean_light(light: &[Vec3], width: u32, samples: u32, (x, y): (usize, usize)) -> Vec3 {
    let (row, block) = ((width * samples) as usize, samples as usize);
    let starts = (y * block..(y + 1) * block).map(|sample_row| sample_row * row + x * block);
    let sum: Vec3 = starts.map(|start| light[start..start + block].iter().sum::<Vec3>()).sum();
    sum / (block * block) as f32
}

/// Keyword of the note in a PNG file.
const NOTE: &str = "Comment";

/// The old pixels that a new one covers, at least one.
fn covered(new: u32, news: u32, olds: u32) -> std::ops::Range<usize> {
    let edge = |i: u32| (u64::from(i) * u64::from(olds) / u64::from(news)) as usize;
    edge(new)..edge(new + 1).max(edge(new) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn averaging_is_of_light_not_of_signal() {
        let light = [Vec3::ZERO, Vec3::ONE, Vec3::ONE, Vec3::ZERO];
        assert_eq!(Picture::average(&light, (1, 1), 2).pixels, [188, 188, 188]);
    }

    #[test]
    fn a_written_picture_reads_back_with_its_note() {
        let picture = Picture { width: 2, height: 1, pixels: vec![1, 2, 3, 250, 251, 252] };
        let written = |note: &str| {
            let mut bytes = Vec::new();
            picture.encode_png(&mut bytes, note).expect("memory takes it");
            io::Cursor::new(bytes)
        };
        assert_eq!(Picture::decode_png(written("draft")).expect("a picture"), picture);
        assert_eq!(Picture::note_in(written("draft")).expect("a header"), Some("draft".into()));
        assert_eq!(Picture::note_in(written("")).expect("a header"), None);
        assert!(Picture::decode_png(io::Cursor::new(b"GIF89a".to_vec())).is_err());
    }

    #[test]
    fn a_narrowed_picture_has_the_mean_light() {
        let pixels = [[0; 3], [255; 3], [255; 3], [0; 3], [9; 3], [9; 3], [9; 3], [9; 3]].concat();
        let picture = Picture { width: 4, height: 2, pixels };
        assert_eq!(picture.narrowed(4), picture);
        let half = picture.narrowed(2);
        assert_eq!((half.width, half.height), (2, 1));
        assert_eq!(half.pixels[0], encode_srgb(0.25 * (1.0 + 2.0 * decode_srgb(9))));
    }
}
