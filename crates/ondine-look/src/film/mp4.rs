//! MP4 with H.264 in it, which every player and browser takes.

use super::{FilmError, same_size};
use crate::Picture;
use muxide::api::{Muxer, MuxerBuilder, VideoCodec};
use openh264::encoder::{
    BitRate, Complexity, Encoder, EncoderConfig, FrameRate, FrameType, IntraFramePeriod, QpRange,
    RateControlMode, VuiConfig,
};
use openh264::formats::{RgbSliceU8, YUVBuffer};
use openh264::{OpenH264API, Timestamp};
use std::io::Write;

/// Bits for a pixel of a picture, on average.
const BITS_A_PIXEL: f32 = 0.3;
/// Step between the shades that are told apart: 0 loses nothing, at 51 little is left.
const FINENESS: u8 = 20;
/// Seconds between pictures that stand for themselves, where a player can jump to.
const JUMP: f32 = 1.0;
/// Shortest and longest side that the encoder takes.
const SIDES: (u32, u32) = (16, 4096);

/// A film that grows picture by picture.
pub struct Mp4<W: Write> {
    encoder: Encoder,
    muxer: Muxer<W>,
    size: (u32, u32),
    fps: f32,
    count: u32,
}

impl<W: Write> Mp4<W> {
    /// An empty film of pictures of a size [pixels], so many a second. Of odd sizes the last row or column is left out:
    /// the format has colours for two pixels by two.
    pub fn new(out: W, size: (u32, u32), fps: f32) -> Result<Self, FilmError> {
        let even = (size.0 & !1, size.1 & !1);
        if even.0.min(even.1) < SIDES.0 || even.0.max(even.1) > SIDES.1 {
            return Err(FilmError::BadSize { size, format: FORMAT, limits: SIDES });
        }
        let config = EncoderConfig::new()
            .max_frame_rate(FrameRate::from_hz(fps))
            // No lower quality than this, however many bytes it takes.
            .rate_control_mode(RateControlMode::Bufferbased)
            .bitrate(BitRate::from_bps((BITS_A_PIXEL * (even.0 * even.1) as f32 * fps) as u32))
            .qp(QpRange::new(FINENESS, FINENESS))
            .complexity(Complexity::High)
            .intra_frame_period(IntraFramePeriod::from_num_frames((JUMP * fps).max(1.0) as u32))
            // Every picture counts.
            .skip_frames(false)
            // How many threads there are would change the bytes.
            .num_threads(1)
            // What the conversion from red, green and blue below really does.
            .vui(VuiConfig::bt601());
        let encoder = Encoder::with_api_config(OpenH264API::from_source(), config).map_err(failed)?;
        let muxer = MuxerBuilder::new(out)
            .video(VideoCodec::H264, even.0, even.1, f64::from(fps))
            .with_fast_start(true);
        Ok(Self { encoder, muxer: muxer.build().map_err(failed)?, size, fps, count: 0 })
    }

    /// Adds a picture.
    pub fn add(&mut self, picture: &Picture) -> Result<(), FilmError> {
        same_size(self.count, (picture.width, picture.height), self.size)?;
        let seconds = f64::from(self.count) / f64::from(self.fps);
        let time = Timestamp::from_millis((1000.0 * seconds).round() as u64);
        let stream = self.encoder.encode_at(&converted(picture), time).map_err(failed)?;
        let stands_alone = matches!(stream.frame_type(), FrameType::IDR | FrameType::I);
        self.muxer.write_video(seconds, &stream.to_vec(), stands_alone).map_err(failed)?;
        self.count += 1;
        Ok(())
    }

    /// Writes the film. One without pictures is refused.
    pub fn finish(self) -> Result<(), FilmError> {
        if self.count == 0 {
            return Err(FilmError::Encoder { format: FORMAT, reason: "there is no picture in it".into() });
        }
        self.muxer.finish().map_err(failed)
    }
}

const FORMAT: &str = "MP4";

fn failed(reason: impl std::fmt::Display) -> FilmError {
    FilmError::Encoder { format: FORMAT, reason: reason.to_string() }
}

/// Brightness for every pixel, colour for two by two.
fn converted(picture: &Picture) -> YUVBuffer {
    let (width, height) = ((picture.width & !1) as usize, (picture.height & !1) as usize);
    let rows = picture.pixels.chunks_exact(3 * picture.width as usize).take(height);
    let pixels: Vec<u8> = rows.flat_map(|row| &row[..3 * width]).copied().collect();
    YUVBuffer::from_rgb8_source(RgbSliceU8::new(&pixels, (width, height)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use openh264::decoder::Decoder;
    use openh264::formats::YUVSource;

    /// A picture whose colour tells its number.
    fn plain(number: u32, (width, height): (u32, u32)) -> Picture {
        let pixel = [40 + 20 * number as u8, 90, 200 - 20 * number as u8];
        Picture { width, height, pixels: pixel.repeat((width * height) as usize) }
    }

    fn film(count: u32, size: (u32, u32)) -> Result<Vec<u8>, FilmError> {
        let mut bytes = Vec::new();
        let mut film = Mp4::new(&mut bytes, size, 30.0)?;
        (0..count).try_for_each(|i| film.add(&plain(i, size)))?;
        film.finish()?;
        Ok(bytes)
    }

    /// The boxes of a file, or of a box: their names and contents.
    fn boxes(mut bytes: &[u8]) -> Vec<(&str, &[u8])> {
        let mut found = Vec::new();
        while bytes.len() >= 8 {
            let length = u32::from_be_bytes(bytes[..4].try_into().unwrap()) as usize;
            found.push((std::str::from_utf8(&bytes[4..8]).unwrap(), &bytes[8..length]));
            bytes = &bytes[length..];
        }
        assert!(bytes.is_empty());
        found
    }

    fn find<'a>(bytes: &'a [u8], path: &[&str]) -> &'a [u8] {
        path.iter()
            .fold(bytes, |bytes, name| boxes(bytes).into_iter().find(|(found, _)| found == name).unwrap().1)
    }

    #[test]
    fn a_film_has_all_its_pictures_and_their_time() {
        let bytes = film(7, (64, 48)).unwrap();
        let sizes = find(&bytes, &["moov", "trak", "mdia", "minf", "stbl", "stsz"]);
        assert_eq!(u32::from_be_bytes(sizes[8..12].try_into().unwrap()), 7);
        let head = find(&bytes, &["moov", "trak", "mdia", "mdhd"]);
        let [scale, length] = [12, 16].map(|i| u32::from_be_bytes(head[i..i + 4].try_into().unwrap()));
        assert!((f64::from(length) / f64::from(scale) - 7.0 / 30.0).abs() < 1e-3);
    }

    #[test]
    fn colours_come_back() {
        let size = (64, 48);
        let (mut encoder, mut decoder) = (Mp4::new(Vec::new(), size, 30.0).unwrap(), Decoder::new().unwrap());
        for number in 0..4 {
            let picture = plain(number, size);
            let time = Timestamp::from_millis(33 * u64::from(number));
            let stream = encoder.encoder.encode_at(&converted(&picture), time).unwrap().to_vec();
            let Some(seen) = decoder.decode(&stream).unwrap() else { panic!("a picture for each") };
            let mut rgb = vec![0; 3 * 64 * 48];
            assert_eq!(seen.dimensions(), (64, 48));
            seen.write_rgb8(&mut rgb);
            let middle = 3 * (24 * 64 + 32);
            for (a, b) in rgb[middle..middle + 3].iter().zip(&picture.pixels[..3]) {
                assert!(a.abs_diff(*b) < 8, "{number}: {:?}", &rgb[middle..middle + 3]);
            }
        }
    }

    #[test]
    fn odd_sizes_lose_a_row_and_the_same_pictures_make_the_same_bytes() {
        assert_eq!(film(3, (33, 31)).unwrap(), film(3, (33, 31)).unwrap());
    }

    #[test]
    fn what_makes_no_film_is_refused() {
        assert!(film(0, (64, 48)).unwrap_err().to_string().contains("no picture"));
        assert!(film(1, (8, 800)).unwrap_err().to_string().contains("from 16 to 4096"));
        let mut film = Mp4::new(Vec::new(), (64, 48), 30.0).unwrap();
        film.add(&plain(0, (64, 48))).unwrap();
        let told = film.add(&plain(1, (64, 50))).unwrap_err().to_string();
        assert!(told.contains("picture 1 is 64 × 50"), "{told}");
    }
}
