//! The hash that every frame carries.

/// Hashes words, in order: multiply, rotate, finish with an avalanche.
#[derive(Clone, Debug)]
pub struct StateHash(u64);

const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

impl Default for StateHash {
    fn default() -> Self {
        Self(0x6f6e_6469_6e65_0001)
    }
}

impl StateHash {
    /// Adds a word.
    #[inline]
    pub fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(ODD).rotate_left(29);
    }

    /// The hash of everything added.
    pub fn finish(&self) -> u64 {
        let mut x = self.0;
        x = (x ^ (x >> 32)).wrapping_mul(ODD);
        x = (x ^ (x >> 29)).wrapping_mul(ODD);
        x ^ (x >> 32)
    }
}

/// A number from 0 to 1 that looks like chance and is always the same for the same words.
pub fn chance(words: impl IntoIterator<Item = u32>) -> f32 {
    let mut hash = StateHash::default();
    words.into_iter().for_each(|word| hash.add(word.into()));
    (hash.finish() >> 40) as f32 / (1 << 24) as f32
}
