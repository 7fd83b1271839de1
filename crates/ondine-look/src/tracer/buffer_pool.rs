//! A pool of buffers that pictures hand on to the next: fresh memory takes the system longer to give than most of what is done with it.

use super::framebuffer::Pixel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Buffers of each kind that are kept: those of two pictures at once.
const MOST: usize = 12;

/// Buffers that are not in use.
#[derive(Clone, Debug, Default)]
pub struct BufferPool {
    floats: Arc<Mutex<Vec<Vec<f32>>>>,
    pixels: Arc<Mutex<Vec<Vec<Pixel>>>>,
}

impl BufferPool {
    /// So many numbers, whatever they are.
    pub fn take_floats(&self, count: usize) -> Vec<f32> {
        taken(&self.floats, count).unwrap_or_else(|| vec![0.0; count])
    }

    /// So many pixels that have seen nothing.
    pub fn take_pixels(&self, count: usize) -> Vec<Pixel> {
        let Some(mut pixels) = taken(&self.pixels, count) else { return vec![Pixel::default(); count] };
        pixels.fill(Pixel::default());
        pixels
    }

    /// Gives numbers back.
    pub fn give_floats(&self, floats: Vec<f32>) {
        give(&self.floats, floats);
    }

    /// Gives pixels back.
    pub fn give_pixels(&self, pixels: Vec<Pixel>) {
        give(&self.pixels, pixels);
    }
}

/// A buffer of the right size, if there is one.
fn taken<T>(buffers: &Mutex<Vec<Vec<T>>>, count: usize) -> Option<Vec<T>> {
    let mut buffers = locked(buffers);
    let i = buffers.iter().position(|buffer| buffer.len() == count)?;
    Some(buffers.remove(i))
}

fn give<T>(buffers: &Mutex<Vec<Vec<T>>>, buffer: Vec<T>) {
    let mut buffers = locked(buffers);
    if buffers.len() == MOST {
        // The oldest may be of a size that nobody asks for any more.
        buffers.remove(0);
    }
    buffers.push(buffer);
}

fn locked<T>(buffers: &Mutex<T>) -> MutexGuard<'_, T> {
    buffers.lock().unwrap_or_else(PoisonError::into_inner)
}
