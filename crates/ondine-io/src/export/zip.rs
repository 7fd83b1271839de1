//! ZIP files whose entries are stored as they are: all that an NPZ file needs, in a few lines and always the same
//! bytes.

use super::validate::invalid;
use std::io::{self, Write};

/// The first of January 1980, where the format's time begins: files of the same content are the same.
const DATE: u16 = 0x0021;
/// Names are UTF-8.
const UTF8: u16 = 1 << 11;
/// What a reader must know: version 2.0.
const VERSION: u16 = 20;

/// Writes entries in order, each with its name.
pub(super) fn write(w: &mut dyn Write, entries: &[(String, Vec<u8>)]) -> io::Result<()> {
    let (mut directory, mut at) = (Vec::new(), 0);
    for (name, bytes) in entries {
        let about = about(name, bytes)?;
        directory.extend(b"PK\x01\x02");
        directory.extend(VERSION.to_le_bytes());
        directory.extend(&about);
        // No comment, first disk, no attributes.
        directory.extend([0; 10]);
        directory.extend(word(at)?);
        directory.extend(name.as_bytes());
        w.write_all(b"PK\x03\x04")?;
        w.write_all(&about)?;
        w.write_all(name.as_bytes())?;
        w.write_all(bytes)?;
        at += 4 + about.len() + name.len() + bytes.len();
    }
    let count = u16::try_from(entries.len()).map_err(|_| invalid("too many arrays for one file"))?;
    w.write_all(&directory)?;
    w.write_all(b"PK\x05\x06\0\0\0\0")?;
    w.write_all([count.to_le_bytes(); 2].as_flattened())?;
    w.write_all(&word(directory.len())?)?;
    w.write_all(&word(at)?)?;
    w.write_all(&[0; 2])
}

/// What stands of an entry both before it and in the directory.
fn about(name: &str, bytes: &[u8]) -> io::Result<Vec<u8>> {
    let name = u16::try_from(name.len()).map_err(|_| invalid("a name is too long"))?;
    let (stored, midnight) = (0u16, 0u16);
    let mut about = [VERSION, UTF8, stored, midnight, DATE].map(u16::to_le_bytes).as_flattened().to_vec();
    about.extend(crc32fast::hash(bytes).to_le_bytes());
    about.extend([word(bytes.len())?; 2].as_flattened());
    about.extend(name.to_le_bytes());
    about.extend([0; 2]);
    Ok(about)
}

fn word(length: usize) -> io::Result<[u8; 4]> {
    let length = u32::try_from(length).ok().filter(|&n| n < u32::MAX);
    let length = length.ok_or_else(|| invalid("more than 4 GB in one file; export to PLY or USD"))?;
    Ok(length.to_le_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_where_the_directory_says() {
        let mut bytes = Vec::new();
        write(&mut bytes, &[("a".into(), vec![1, 2]), ("b/c".into(), b"123456789".to_vec())]).unwrap();
        let end = &bytes[bytes.len() - 22..];
        assert_eq!(end[..12], *b"PK\x05\x06\0\0\0\0\x02\0\x02\0");
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        let directory = word(bytes.len() - 6);
        assert_eq!(directory + word(bytes.len() - 10), bytes.len() - 22);
        let second = &bytes[directory + 46 + 1..];
        assert_eq!((&second[..4], &second[46..49]), (&b"PK\x01\x02"[..], &b"b/c"[..]));
        let at = u32::from_le_bytes(second[42..46].try_into().unwrap()) as usize;
        assert_eq!((&bytes[at..at + 4], &bytes[at + 30..at + 33]), (&b"PK\x03\x04"[..], &b"b/c"[..]));
        assert_eq!(&bytes[at + 33..at + 42], b"123456789");
        assert_eq!(word(at + 14), 0xcbf43926, "the well-known check value of CRC-32");
        assert_eq!([word(at + 18), word(at + 22)], [9, 9]);
    }
}
