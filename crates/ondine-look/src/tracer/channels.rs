//! Channels of a picture as vectors take them: all numbers of a channel side by side.

use super::buffer_pool::BufferPool;
use super::lanes::{Eight, LANES};
use rayon::prelude::*;

/// How the numbers lie: row by row, in each row all numbers of a channel side by side, with padding around the picture for
/// neighbours that are not there.
#[derive(Clone, Copy, Debug)]
pub struct ChannelLayout {
    /// Columns of the picture.
    pub width: usize,
    height: usize,
    /// Pixels around the picture.
    padding: usize,
    /// Pixels from one channel to the next.
    stride: usize,
}

impl ChannelLayout {
    /// For pictures of a size, and neighbours that are so far away.
    pub fn new((width, height): (usize, usize), padding: usize) -> Self {
        Self { width, height, padding, stride: width.next_multiple_of(LANES) + 2 * padding }
    }

    /// A buffer of so many channels, whatever is in it, and 0 around the picture.
    pub fn cleared<const K: usize>(&self, pool: &BufferPool) -> Vec<f32> {
        let row = K * self.stride;
        let mut numbers = pool.take_floats(row * (self.height + 2 * self.padding));
        numbers[..self.padding * row].fill(0.0);
        numbers[(self.padding + self.height) * row..].fill(0.0);
        self.rows::<K>(&mut numbers).for_each(|row| {
            for channel in row.chunks_exact_mut(self.stride) {
                channel[..self.padding].fill(0.0);
                channel[self.padding + self.width..].fill(0.0);
            }
        });
        numbers
    }

    /// The rows of the picture.
    pub fn rows<'a, const K: usize>(
        &self,
        numbers: &'a mut [f32],
    ) -> impl IndexedParallelIterator<Item = &'a mut [f32]> {
        numbers.par_chunks_exact_mut(K * self.stride).skip(self.padding).take(self.height)
    }

    /// The numbers of a pixel into its row.
    #[inline(always)]
    pub fn set<const K: usize>(&self, row: &mut [f32], x: usize, numbers: [f32; K]) {
        for (channel, number) in numbers.into_iter().enumerate() {
            row[channel * self.stride + self.padding + x] = number;
        }
    }

    /// The numbers of a pixel.
    pub fn at<const K: usize>(&self, numbers: &[f32], pixel: usize) -> [f32; K] {
        let (x, y) = (pixel % self.width, pixel / self.width);
        let start = (y + self.padding) * K * self.stride + self.padding + x;
        std::array::from_fn(|channel| numbers[start + channel * self.stride])
    }

    /// One of so many channels of eight pixels: those so many columns to the right and rows below a place.
    #[inline(always)]
    pub fn load<V: Eight, const K: usize>(
        &self,
        numbers: &[f32],
        channel: usize,
        (x, y): (usize, usize),
        (dx, dy): (isize, isize),
    ) -> V {
        let row = (y + self.padding).wrapping_add_signed(dy) * K + channel;
        let start = (row * self.stride + self.padding + x).wrapping_add_signed(dx);
        match numbers.get(start..).and_then(|rest| rest.first_chunk()) {
            Some(chunk) => V::from_array(*chunk),
            None => V::splat(0.0),
        }
    }

    /// All channels of them.
    #[inline(always)]
    pub fn load_all<V: Eight, const K: usize>(
        &self,
        numbers: &[f32],
        place: (usize, usize),
        by: (isize, isize),
    ) -> [V; K] {
        let mut all = [V::splat(0.0); K];
        for (channel, eight) in all.iter_mut().enumerate() {
            *eight = self.load::<V, K>(numbers, channel, place, by);
        }
        all
    }

    /// Eight numbers of a channel into a row. What lies beside the picture stays 0.
    #[inline(always)]
    pub fn store<V: Eight>(&self, row: &mut [f32], channel: usize, x: usize, numbers: V) {
        let start = channel * self.stride + self.padding + x;
        let count = LANES.min(self.width - x);
        match row.get_mut(start..).and_then(|rest| rest.first_chunk_mut()) {
            Some(eight) if count == LANES => *eight = numbers.to_array(),
            _ => row[start..start + count].copy_from_slice(&numbers.to_array()[..count]),
        }
    }
}
