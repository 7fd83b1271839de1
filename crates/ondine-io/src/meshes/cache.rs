//! Distance fields kept between runs: a field costs seconds, reading it back a hundredth of that.
//!
//! A file is named by the hash of all that the field comes from, and holds
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `ONDINEDF` |
//! | 4 | [`VERSION`], little endian |
//! | 16 | the hash of its name, little endian |
//! | 8 | XXH3 of the payload, little endian |
//! | the rest | payload: the field in postcard, compressed by zstd |
//!
//! Whatever is not so is no field of ours, and is built and written again.

use crate::atomic;
use ondine::objects::{DistanceField, FieldOptions, TriangleMesh};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// Of the way that fields are built and stored: raise it whenever the same mesh gives another field.
const VERSION: u32 = 1;
const MAGIC: [u8; 8] = *b"ONDINEDF";
const HEADER: usize = 36;
const COMPRESSION: i32 = 3;

/// The place of a field in the cache.
#[derive(Debug)]
pub(super) struct Kept {
    key: u128,
    path: PathBuf,
}

impl Kept {
    /// The place of the field of a mesh in metres.
    pub fn of(mesh: &TriangleMesh, options: FieldOptions, folder: &Path) -> Self {
        let mut hash = Xxh3::new();
        hash.update(&VERSION.to_le_bytes());
        for option in [options.cell, options.thickness] {
            // No length is NaN: it stands for none.
            hash.update(&option.unwrap_or(f32::NAN).to_bits().to_le_bytes());
        }
        hash_mesh(mesh, &mut hash);
        let key = hash.digest128();
        Self { key, path: folder.join(format!("{key:032x}.field")) }
    }

    /// The field, if it lies here whole.
    pub fn load(&self) -> Option<DistanceField> {
        let bytes = std::fs::read(&self.path).ok()?;
        let (header, payload) = bytes.split_at_checked(HEADER)?;
        if header != self.header(payload) {
            return None;
        }
        let plain = zstd::decode_all(payload).ok()?;
        postcard::from_bytes(&plain).ok().filter(DistanceField::is_sound)
    }

    /// Keeps a field. A cache that cannot be written, on a full disk or another's, only costs time.
    pub fn save(&self, field: &DistanceField) {
        let Ok(plain) = postcard::to_stdvec(field) else { return };
        let Ok(payload) = zstd::encode_all(&plain[..], COMPRESSION) else { return };
        let made = self.path.parent().map(std::fs::create_dir_all);
        if let Some(Ok(())) = made {
            let _ = atomic::write(&self.path, |out| {
                out.write_all(&self.header(&payload))?;
                out.write_all(&payload)
            });
        }
    }

    fn header(&self, payload: &[u8]) -> Vec<u8> {
        let (version, key, sum) =
            (VERSION.to_le_bytes(), self.key.to_le_bytes(), xxh3_64(payload).to_le_bytes());
        [&MAGIC[..], &version, &key, &sum].concat()
    }
}

/// Adds a mesh to a hash: its counts, then every bit of it.
pub(super) fn hash_mesh(mesh: &TriangleMesh, hash: &mut Xxh3) {
    hash.update(&(mesh.points.len() as u64).to_le_bytes());
    for x in mesh.points.iter().flat_map(|p| p.to_array()) {
        hash.update(&x.to_bits().to_le_bytes());
    }
    for i in mesh.triangles.iter().flatten() {
        hash.update(&i.to_le_bytes());
    }
}
