//! Numbers of a glTF accessor: rows of one, two or three, strided and sparse. Every number of the document is checked
//! against the buffers before it is believed.

use super::buffers::Buffers;
use super::fault::Problem;
use gltf_json::accessor::{Accessor as Description, ComponentType, Type};
use gltf_json::validation::Checked;
use gltf_json::{Root, accessor::sparse::Sparse};
use std::collections::HashMap;

/// An accessor whose bytes are all there.
pub(super) struct Accessor<'a, const N: usize> {
    pub count: usize,
    /// None stands for zeros.
    base: Option<Block<'a, N>>,
    /// Rows that replace those of the base: which, and by what.
    sparse: Option<(Block<'a, 1>, Block<'a, N>)>,
    normalized: bool,
}

/// The views that an accessor draws from.
pub(super) fn views(root: &Root, index: usize) -> Result<impl Iterator<Item = usize>, Problem> {
    let accessor = described(root, index)?;
    let sparse = accessor.sparse.iter().flat_map(|s| [s.indices.buffer_view, s.values.buffer_view]);
    Ok(accessor.buffer_view.into_iter().chain(sparse).map(|view| view.value()))
}

fn described(root: &Root, index: usize) -> Result<&Description, Problem> {
    root.accessors.get(index).ok_or_else(|| Problem::Malformed(format!("accessor {index} does not exist")))
}

impl<'a, const N: usize> Accessor<'a, N> {
    /// An accessor whose buffers are loaded.
    pub fn new(root: &Root, buffers: &'a Buffers, index: usize) -> Result<Self, Problem> {
        let accessor = described(root, index)?;
        let malformed = |why: &str| Problem::Malformed(format!("accessor {index} {why}"));
        let Checked::Valid(kind) = accessor.component_type else {
            return Err(malformed("has an unknown component type"));
        };
        let (wanted, name) = match N {
            3 => (Type::Vec3, "VEC3"),
            2 => (Type::Vec2, "VEC2"),
            _ => (Type::Scalar, "SCALAR"),
        };
        if accessor.type_ != Checked::Valid(wanted) {
            return Err(malformed(&format!("should be of type {name}")));
        }
        let count = usize::try_from(accessor.count.0).map_err(|_| malformed("has an absurd count"))?;
        let offset = accessor.byte_offset.unwrap_or_default().0;
        let block = |view| Block::new(root, buffers, view, offset, count, kind.0);
        let base = accessor.buffer_view.map(|view| block(view.value())).transpose()?;
        let sparse = accessor.sparse.as_ref().map(|s| replaced(root, buffers, s, kind.0)).transpose()?;
        if sparse.as_ref().is_some_and(|(which, _)| which.count > count) {
            return Err(malformed("replaces more rows than it has"));
        }
        if base.is_none() && (sparse.is_none() || count as u64 > buffers.total()) {
            return Err(malformed("has no buffer view, or is compressed"));
        }
        Ok(Accessor { count, base, sparse, normalized: accessor.normalized })
    }

    /// The rows in order.
    pub fn rows(&self) -> impl Iterator<Item = [f64; N]> {
        let replacement: HashMap<usize, usize> = self
            .sparse
            .iter()
            .flat_map(|(which, _)| (0..which.count).map(|k| (which.row(k, false)[0] as usize, k)))
            .collect();
        (0..self.count).map(move |i| match (&self.sparse, replacement.get(&i), &self.base) {
            (Some((_, values)), Some(&k), _) => values.row(k, self.normalized),
            (_, _, Some(base)) => base.row(i, self.normalized),
            _ => [0.0; N],
        })
    }
}

fn replaced<'a, const N: usize>(
    root: &Root,
    buffers: &'a Buffers,
    sparse: &Sparse,
    kind: ComponentType,
) -> Result<(Block<'a, 1>, Block<'a, N>), Problem> {
    let malformed = |why: &str| Problem::Malformed(format!("a sparse accessor {why}"));
    let Checked::Valid(index_kind) = sparse.indices.component_type else {
        return Err(malformed("has an unknown component type"));
    };
    let count = usize::try_from(sparse.count.0).map_err(|_| malformed("has an absurd count"))?;
    let (indices, values) = (&sparse.indices, &sparse.values);
    let which =
        Block::new(root, buffers, indices.buffer_view.value(), indices.byte_offset.0, count, index_kind.0)?;
    let by = Block::new(root, buffers, values.buffer_view.value(), values.byte_offset.0, count, kind)?;
    Ok((which, by))
}

/// Rows of numbers at equal distances in a buffer.
struct Block<'a, const N: usize> {
    bytes: &'a [u8],
    stride: usize,
    count: usize,
    kind: ComponentType,
}

impl<'a, const N: usize> Block<'a, N> {
    fn new(
        root: &Root,
        buffers: &'a Buffers,
        view: usize,
        offset: u64,
        count: usize,
        kind: ComponentType,
    ) -> Result<Self, Problem> {
        let bytes = buffers.view(view)?;
        let row = N * kind.size();
        let stride = root.buffer_views[view].byte_stride.map_or(0, |s| s.0);
        // Zero is against the rules, but common, and means what leaving it away means.
        let stride = if stride == 0 { row } else { stride };
        if stride < row {
            let reason = format!("buffer view {view} has a stride of {stride} bytes for rows of {row}");
            return Err(Problem::Malformed(reason));
        }
        let needed = count.checked_sub(1).map_or(Some(0), |n| n.checked_mul(stride)?.checked_add(row));
        let found = usize::try_from(offset)
            .ok()
            .zip(needed)
            .and_then(|(from, needed)| bytes.get(from..from.checked_add(needed)?));
        let bytes = found.ok_or_else(|| {
            let length = bytes.len();
            Problem::CutShort(format!(
                "{count} rows from byte {offset} do not fit buffer view {view} of {length} bytes"
            ))
        })?;
        Ok(Block { bytes, stride, count, kind })
    }

    fn row(&self, i: usize, normalized: bool) -> [f64; N] {
        let (start, size) = (i * self.stride, self.kind.size());
        std::array::from_fn(|k| {
            let at = start + k * size;
            component(&self.bytes[at..at + size], self.kind, normalized)
        })
    }
}

/// A component from its bytes. Normalised integers stand for numbers up to one (glTF 2.0, section 3.6.2.2).
fn component(bytes: &[u8], kind: ComponentType, normalized: bool) -> f64 {
    let mut wide = [0; 4];
    wide[..bytes.len()].copy_from_slice(bytes);
    let [a, b, ..] = wide;
    let (value, one) = match kind {
        ComponentType::I8 => (f64::from(a as i8), 127.0),
        ComponentType::U8 => (f64::from(a), 255.0),
        ComponentType::I16 => (f64::from(i16::from_le_bytes([a, b])), 32767.0),
        ComponentType::U16 => (f64::from(u16::from_le_bytes([a, b])), 65535.0),
        ComponentType::U32 => (f64::from(u32::from_le_bytes(wide)), f64::from(u32::MAX)),
        ComponentType::F32 => return f64::from(f32::from_le_bytes(wide)),
    };
    if normalized { (value / one).max(-1.0) } else { value }
}
