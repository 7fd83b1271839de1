//! Memory that the pictures of a film hand on: fresh memory takes the system longer to give than most of what is done with it.

use super::film::Pixel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Pieces of each kind that are kept: those of two pictures at once.
const MOST: usize = 12;

/// Pieces that are not in use.
#[derive(Clone, Debug, Default)]
pub struct Spare {
    numbers: Arc<Mutex<Vec<Vec<f32>>>>,
    pixels: Arc<Mutex<Vec<Vec<Pixel>>>>,
}

impl Spare {
    /// So many numbers, whatever they are.
    pub fn numbers(&self, count: usize) -> Vec<f32> {
        taken(&self.numbers, count).unwrap_or_else(|| vec![0.0; count])
    }

    /// So many pixels that have seen nothing.
    pub fn pixels(&self, count: usize) -> Vec<Pixel> {
        let Some(mut pixels) = taken(&self.pixels, count) else { return vec![Pixel::default(); count] };
        pixels.fill(Pixel::default());
        pixels
    }

    /// Keeps numbers for others.
    pub fn keep_numbers(&self, numbers: Vec<f32>) {
        keep(&self.numbers, numbers);
    }

    /// Keeps pixels for others.
    pub fn keep_pixels(&self, pixels: Vec<Pixel>) {
        keep(&self.pixels, pixels);
    }
}

/// A piece of the right size, if there is one.
fn taken<T>(pieces: &Mutex<Vec<Vec<T>>>, count: usize) -> Option<Vec<T>> {
    let mut pieces = locked(pieces);
    let i = pieces.iter().position(|piece| piece.len() == count)?;
    Some(pieces.remove(i))
}

fn keep<T>(pieces: &Mutex<Vec<Vec<T>>>, piece: Vec<T>) {
    let mut pieces = locked(pieces);
    if pieces.len() == MOST {
        // The oldest may be of a size that nobody asks for any more.
        pieces.remove(0);
    }
    pieces.push(piece);
}

fn locked<T>(pieces: &Mutex<T>) -> MutexGuard<'_, T> {
    pieces.lock().unwrap_or_else(PoisonError::into_inner)
}
