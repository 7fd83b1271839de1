//! Lines, words and numbers of text that need not be UTF-8: names and comments come in any encoding.

use std::str::FromStr;

/// How much of a word an error message shows [characters].
const SHOWN: usize = 40;

/// The lines of a text with their numbers, from 1. A line ends with LF, CR LF or CR.
pub(super) struct Lines<'a> {
    rest: &'a [u8],
    number: usize,
}

impl<'a> Lines<'a> {
    pub fn new(text: &'a [u8]) -> Self {
        Lines { rest: text, number: 0 }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = (usize, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        self.number += 1;
        let end = self.rest.iter().position(|&b| b == b'\n' || b == b'\r').unwrap_or(self.rest.len());
        let (line, rest) = self.rest.split_at(end);
        let ending = if rest.starts_with(b"\r\n") { 2 } else { rest.len().min(1) };
        self.rest = &rest[ending..];
        Some((self.number, line))
    }
}

pub(super) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

pub(super) fn number<T: FromStr>(word: &[u8]) -> Option<T> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// A word as an error message shows it.
pub(super) fn quoted(word: &[u8]) -> String {
    // Four bytes a character at most: a long word need not be decoded whole.
    let text = String::from_utf8_lossy(&word[..word.len().min(4 * SHOWN)]);
    let shown: String = text.chars().take(SHOWN).map(|c| if c.is_control() { '·' } else { c }).collect();
    let more = if word.len() > shown.len() { "…" } else { "" };
    format!("`{shown}{more}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_every_way() {
        let lines: Vec<_> = Lines::new(b"a\nb\r\nc\rd\n\ne").collect();
        let expected: [(usize, &[u8]); 6] = [(1, b"a"), (2, b"b"), (3, b"c"), (4, b"d"), (5, b""), (6, b"e")];
        assert_eq!(lines, expected);
    }

    #[test]
    fn long_and_strange_words_are_shown_short() {
        assert_eq!(quoted(b"x"), "`x`");
        assert_eq!(quoted(b"a\x07b"), "`a·b`");
        assert!(quoted(&[b'y'; 10_000]).chars().count() < 50);
        assert!(quoted(&[0xff; 10_000]).chars().count() < 50);
    }
}
