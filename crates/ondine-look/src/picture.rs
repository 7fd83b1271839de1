//! The finished picture.

use glam::Vec3;
use rayon::prelude::*;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

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

impl Picture {
    /// Averages linear light over square blocks of samples, and encodes it.
    pub(crate) fn average(light: &[Vec3], (width, height): (u32, u32), samples: u32) -> Self {
        let (row, block) = ((width * samples) as usize, samples as usize);
        let mut pixels = vec![0; width as usize * height as usize * 3];
        pixels.par_chunks_exact_mut(width as usize * 3).enumerate().for_each(|(y, line)| {
            for (x, pixel) in line.chunks_exact_mut(3).enumerate() {
                let starts = (y * block..(y + 1) * block).map(|sample_row| sample_row * row + x * block);
                let sum: Vec3 = starts.map(|start| light[start..start + block].iter().sum::<Vec3>()).sum();
                pixel.copy_from_slice(&(sum / (block * block) as f32).to_array().map(encode));
            }
        });
        Self { width, height, pixels }
    }

    /// Writes the picture as a PNG file.
    pub fn write_png(&self, path: &Path) -> io::Result<()> {
        let mut file = BufWriter::new(File::create(path)?);
        self.encode_png(&mut file)?;
        file.flush()
    }

    /// Writes the bytes of a PNG file.
    pub fn encode_png(&self, out: impl Write) -> io::Result<()> {
        let mut encoder = png::Encoder::new(out, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.pixels)?;
        writer.finish()?;
        Ok(())
    }
}

/// Linear light to an sRGB byte (IEC 61966-2-1).
fn encode(light: f32) -> u8 {
    let light = light.clamp(0.0, 1.0);
    let signal = if light <= 0.003_130_8 { 12.92 * light } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
    (255.0 * signal + 0.5) as u8
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
    fn a_written_picture_reads_back() {
        let picture = Picture { width: 2, height: 1, pixels: vec![1, 2, 3, 250, 251, 252] };
        let mut bytes = Vec::new();
        picture.encode_png(&mut bytes).expect("memory takes it");
        let mut reader = png::Decoder::new(io::Cursor::new(bytes)).read_info().expect("a header");
        let mut pixels = [0; 6];
        reader.next_frame(&mut pixels).expect("an image");
        assert_eq!(pixels.as_slice(), picture.pixels);
    }
}
