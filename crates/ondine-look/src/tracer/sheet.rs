//! Numbers of the pixels of a picture as vectors take them: all of a kind side by side.

use super::spare::Spare;
use crate::lanes::{Eight, LANES};
use rayon::prelude::*;

/// How the numbers lie: row by row, in each row all numbers of a kind side by side, with room around the picture for
/// neighbours that are not there.
#[derive(Clone, Copy, Debug)]
pub struct Sheet {
    /// Columns of the picture.
    pub width: usize,
    height: usize,
    /// Pixels around the picture.
    room: usize,
    /// Pixels from one kind of number to the next.
    stride: usize,
}

impl Sheet {
    /// For pictures of a size, and neighbours that are so far away.
    pub fn new((width, height): (usize, usize), room: usize) -> Self {
        Self { width, height, room, stride: width.next_multiple_of(LANES) + 2 * room }
    }

    /// Room for so many numbers of each pixel, whatever they are, and 0 around the picture.
    pub fn cleared<const K: usize>(&self, spare: &Spare) -> Vec<f32> {
        let row = K * self.stride;
        let mut numbers = spare.numbers(row * (self.height + 2 * self.room));
        numbers[..self.room * row].fill(0.0);
        numbers[(self.room + self.height) * row..].fill(0.0);
        self.rows::<K>(&mut numbers).for_each(|row| {
            for kind in row.chunks_exact_mut(self.stride) {
                kind[..self.room].fill(0.0);
                kind[self.room + self.width..].fill(0.0);
            }
        });
        numbers
    }

    /// The rows of the picture.
    pub fn rows<'a, const K: usize>(
        &self,
        numbers: &'a mut [f32],
    ) -> impl IndexedParallelIterator<Item = &'a mut [f32]> {
        numbers.par_chunks_exact_mut(K * self.stride).skip(self.room).take(self.height)
    }

    /// The numbers of a pixel into its row.
    #[inline(always)]
    pub fn set<const K: usize>(&self, row: &mut [f32], x: usize, numbers: [f32; K]) {
        for (kind, number) in numbers.into_iter().enumerate() {
            row[kind * self.stride + self.room + x] = number;
        }
    }

    /// The numbers of a pixel.
    pub fn at<const K: usize>(&self, numbers: &[f32], pixel: usize) -> [f32; K] {
        let (x, y) = (pixel % self.width, pixel / self.width);
        let start = (y + self.room) * K * self.stride + self.room + x;
        std::array::from_fn(|kind| numbers[start + kind * self.stride])
    }

    /// One of so many kinds of numbers of eight pixels: those so many columns to the right and rows below a place.
    #[inline(always)]
    pub fn eight<V: Eight, const K: usize>(
        &self,
        numbers: &[f32],
        kind: usize,
        (x, y): (usize, usize),
        (dx, dy): (isize, isize),
    ) -> V {
        let row = (y + self.room).wrapping_add_signed(dy) * K + kind;
        let start = (row * self.stride + self.room + x).wrapping_add_signed(dx);
        match numbers.get(start..).and_then(|rest| rest.first_chunk()) {
            Some(chunk) => V::from_array(*chunk),
            None => V::splat(0.0),
        }
    }

    /// All kinds of them.
    #[inline(always)]
    pub fn eights<V: Eight, const K: usize>(
        &self,
        numbers: &[f32],
        place: (usize, usize),
        by: (isize, isize),
    ) -> [V; K] {
        let mut all = [V::splat(0.0); K];
        for (kind, eight) in all.iter_mut().enumerate() {
            *eight = self.eight::<V, K>(numbers, kind, place, by);
        }
        all
    }

    /// Eight numbers of a kind into a row. What lies beside the picture stays 0.
    #[inline(always)]
    pub fn put<V: Eight>(&self, row: &mut [f32], kind: usize, x: usize, numbers: V) {
        let start = kind * self.stride + self.room + x;
        let count = LANES.min(self.width - x);
        match row.get_mut(start..).and_then(|rest| rest.first_chunk_mut()) {
            Some(eight) if count == LANES => *eight = numbers.to_array(),
            _ => row[start..start + count].copy_from_slice(&numbers.to_array()[..count]),
        }
    }
}
