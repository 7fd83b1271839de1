//! The bytes behind a glTF document: in the binary chunk, in the document itself, or in files beside it.
//!
//! A file is only taken from the document's own folder or below it: a mesh from a stranger must not be able to read
//! elsewhere. Only buffers that are asked for are loaded, and no more than [`LONGEST_FILE`] of them in all.

use super::fault::Problem;
use super::{LONGEST_FILE, text};
use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use gltf_json::Root;
use std::borrow::Cow;
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path};

/// Some programs leave the padding away.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The buffers of a document, as far as they are loaded.
pub(super) struct Buffers<'a> {
    root: &'a Root,
    chunk: Option<&'a [u8]>,
    folder: Option<&'a Path>,
    loaded: Vec<Option<Cow<'a, [u8]>>>,
    total: u64,
}

impl<'a> Buffers<'a> {
    pub fn new(root: &'a Root, chunk: Option<&'a [u8]>, folder: Option<&'a Path>) -> Self {
        Buffers { root, chunk, folder, loaded: vec![None; root.buffers.len()], total: 0 }
    }

    /// Bytes loaded so far, in all.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The bytes of a view whose buffer is loaded.
    pub fn view(&self, view: usize) -> Result<&[u8], Problem> {
        let view_of = self.root.buffer_views.get(view).ok_or_else(|| no_view(view))?;
        let buffer = self.loaded.get(view_of.buffer.value()).and_then(Option::as_deref).unwrap_or_default();
        let start = view_of.byte_offset.unwrap_or_default().0;
        let end = start.saturating_add(view_of.byte_length.0);
        let (from, to) = (usize::try_from(start), usize::try_from(end));
        let found = from.ok().zip(to.ok()).and_then(|(from, to)| buffer.get(from..to));
        found.ok_or_else(|| {
            let length = buffer.len();
            Problem::CutShort(format!("buffer view {view} reaches to byte {end} of a buffer of {length}"))
        })
    }

    /// Loads the buffer behind a view.
    pub fn load(&mut self, view: usize) -> Result<(), Problem> {
        let view_of = self.root.buffer_views.get(view).ok_or_else(|| no_view(view))?;
        let index = view_of.buffer.value();
        let Some(buffer) = self.root.buffers.get(index) else {
            return Err(Problem::Malformed(format!(
                "buffer view {view} names buffer {index}, which does not exist"
            )));
        };
        if self.loaded[index].is_some() {
            return Ok(());
        }
        let bytes = match &buffer.uri {
            None => Cow::Borrowed(self.chunk.ok_or_else(|| Problem::Buffer {
                name: index.to_string(),
                reason: "it should be in a binary chunk, and there is none".into(),
            })?),
            Some(uri) => Cow::Owned(self.bytes_at(uri).map_err(|reason| Problem::Buffer {
                name: text::quoted(uri.as_bytes()).trim_matches('`').into(),
                reason,
            })?),
        };
        let (announced, found) = (buffer.byte_length.0, bytes.len());
        if (found as u64) < announced {
            let reason = format!("buffer {index} announces {announced} bytes and has {found}");
            return Err(Problem::CutShort(reason));
        }
        self.total += found as u64;
        self.loaded[index] = Some(bytes);
        Ok(())
    }

    fn bytes_at(&self, uri: &str) -> Result<Vec<u8>, String> {
        match uri.strip_prefix("data:") {
            Some(data) => {
                let (_, encoded) = data.split_once(";base64,").ok_or("its data are not in base64")?;
                BASE64.decode(encoded.trim_ascii()).map_err(|e| format!("its base64 is damaged ({e})"))
            }
            None => {
                let folder =
                    self.folder.ok_or("it is a file of its own, and no folder is known to look for it")?;
                let left = LONGEST_FILE.saturating_sub(self.total);
                file_within(folder, uri, left)
            }
        }
    }
}

fn no_view(view: usize) -> Problem {
    Problem::Malformed(format!("buffer view {view} does not exist"))
}

/// A file named relative to a folder, which must lie in it, also where links lead elsewhere.
fn file_within(folder: &Path, uri: &str, most: u64) -> Result<Vec<u8>, String> {
    let name =
        percent_encoding::percent_decode_str(uri).decode_utf8().map_err(|_| "its name is not UTF-8")?;
    let outside = "it lies outside of the file's folder, where nothing is read";
    let relative = Path::new(&*name);
    let is_plain = |c: Component| matches!(c, Component::Normal(_) | Component::CurDir);
    if name.contains(['\\', ':', '\0']) || !relative.components().all(is_plain) {
        return Err(outside.into());
    }
    let told = |e: std::io::Error| e.to_string();
    let path = folder.join(relative).canonicalize().map_err(told)?;
    if !path.starts_with(folder.canonicalize().map_err(told)?) {
        return Err(outside.into());
    }
    if !path.is_file() {
        return Err("it is not a file".into());
    }
    let mut bytes = Vec::new();
    File::open(path).and_then(|f| f.take(most.saturating_add(1)).read_to_end(&mut bytes)).map_err(told)?;
    if bytes.len() as u64 > most { Err("it is too long".into()) } else { Ok(bytes) }
}
