//! glTF 2.0: all meshes of the default scene, each moved as its nodes say, joined to one.
//!
//! Without a default scene the first one counts, without scenes all nodes, without nodes all meshes. Lists, strips
//! and fans of triangles are read, points and lines passed over, and so are skins and morph targets: the mesh comes in
//! the pose in which it is stored. Of textures, TEXCOORD_0 is read. Positions may be quantised (KHR_mesh_quantization), not compressed.

use super::accessor::{self, Accessor};
use super::buffers::Buffers;
use super::fault::{Fault, Place, Problem};
use super::format::without_mark;
use super::gathered::Gathered;
use super::{MOST_POINTS, MOST_TRIANGLES};
use glam::{DMat4, DQuat, DVec2, DVec3, Vec2};
use gltf_json::mesh::{Mode, Primitive, Semantic};
use gltf_json::validation::Checked;
use gltf_json::{Node, Root};
use std::path::Path;

/// Required extensions that do not change where points are, or that are read.
const HARMLESS: [&str; 6] = [
    "KHR_animation_pointer",
    "KHR_lights_punctual",
    "KHR_materials_",
    "KHR_mesh_quantization",
    "KHR_texture_",
    "EXT_texture_",
];

/// Longest part of another's error message that is shown [characters].
const SHOWN: usize = 160;

pub(super) fn unsupported(what: String, remedy: &'static str) -> Fault {
    Fault::of_file(Problem::Unsupported { what, remedy })
}

/// Reads a document, with the bytes of its binary chunk if it came with one.
pub(super) fn gather(json: &[u8], chunk: Option<&[u8]>, folder: Option<&Path>) -> Result<Gathered, Fault> {
    let root = document(json)?;
    let instances = instances(&root)?;
    let mut buffers = Buffers::new(&root, chunk, folder);
    load(&root, &instances, &mut buffers)?;
    let mut parts: Vec<Option<Vec<Part>>> = root.meshes.iter().map(|_| None).collect();
    for &(mesh, _) in &instances {
        if parts[mesh].is_none() {
            parts[mesh] = Some(parts_of(&root, &buffers, mesh)?);
        }
    }
    let parts = |mesh: usize| parts[mesh].iter().flatten();
    within_limits(instances.iter().flat_map(|&(mesh, _)| parts(mesh)))?;
    let mut gathered = Gathered::default();
    for &(mesh, transform) in &instances {
        parts(mesh).try_for_each(|part| part.gather(transform, &mut gathered))?;
    }
    Ok(gathered)
}

fn document(json: &[u8]) -> Result<Root, Fault> {
    let root: Root = serde_json::from_slice(without_mark(json)).map_err(|e| {
        let told: String = e.to_string().chars().take(SHOWN).collect();
        Fault::malformed(Place::Whole, format!("this is not a glTF document ({told})"))
    })?;
    if !root.asset.version.starts_with("2.") {
        let version: String = root.asset.version.chars().take(SHOWN).collect();
        return Err(unsupported(format!("glTF version `{version}`"), "export the mesh as glTF 2.0"));
    }
    let harmless = |name: &String| HARMLESS.iter().any(|h| name.starts_with(h));
    if let Some(name) = root.extensions_required.iter().find(|name| !harmless(name)) {
        let name: String = name.chars().take(SHOWN).collect();
        let remedy = "export the mesh without compression and extensions";
        return Err(unsupported(format!("the glTF extension `{name}`"), remedy));
    }
    Ok(root)
}

/// Each mesh that is seen, and how its node moves it.
fn instances(root: &Root) -> Result<Vec<(usize, DMat4)>, Fault> {
    if root.nodes.is_empty() {
        return Ok((0..root.meshes.len()).map(|mesh| (mesh, DMat4::IDENTITY)).collect());
    }
    let mut instances = Vec::new();
    // Every node has one parent at most: else a small file could hold a mesh in any number, or be a circle.
    let mut seen = vec![false; root.nodes.len()];
    let mut open: Vec<(usize, DMat4)> = tops(root)?.into_iter().map(|node| (node, DMat4::IDENTITY)).collect();
    while let Some((index, above)) = open.pop() {
        let missing = |what, i| Fault::malformed(Place::Whole, format!("{what} {i} does not exist"));
        let node = root.nodes.get(index).ok_or_else(|| missing("node", index))?;
        if std::mem::replace(&mut seen[index], true) {
            return Err(Fault::malformed(
                Place::Whole,
                format!("node {index} has two parents, or is its own"),
            ));
        }
        let transform = above * transform(node);
        if let Some(mesh) = node.mesh.map(|mesh| mesh.value()) {
            root.meshes.get(mesh).ok_or_else(|| missing("mesh", mesh))?;
            instances.push((mesh, transform));
        }
        // The last comes off first: in this order the meshes are joined as the file lists them.
        open.extend(node.children.iter().flatten().rev().map(|child| (child.value(), transform)));
    }
    Ok(instances)
}

/// The nodes at the top of the scene, the last first.
fn tops(root: &Root) -> Result<Vec<usize>, Fault> {
    let scene = root.scene.map_or(0, |scene| scene.value());
    if let Some(scene) = root.scenes.get(scene) {
        return Ok(scene.nodes.iter().rev().map(|node| node.value()).collect());
    }
    if root.scene.is_some() {
        return Err(Fault::malformed(Place::Whole, format!("scene {scene} does not exist")));
    }
    let mut is_top = vec![true; root.nodes.len()];
    for child in root.nodes.iter().flat_map(|node| node.children.iter().flatten()) {
        if let Some(top) = is_top.get_mut(child.value()) {
            *top = false;
        }
    }
    Ok((0..root.nodes.len()).rev().filter(|&i| is_top[i]).collect())
}

fn transform(node: &Node) -> DMat4 {
    if let Some(matrix) = node.matrix {
        return DMat4::from_cols_array(&matrix.map(f64::from));
    }
    let translation = node.translation.map_or(DVec3::ZERO, |t| DVec3::from_array(t.map(f64::from)));
    let rotation = node.rotation.map_or(DQuat::IDENTITY, |r| DQuat::from_array(r.0.map(f64::from)));
    let scale = node.scale.map_or(DVec3::ONE, |s| DVec3::from_array(s.map(f64::from)));
    // Stored in single precision, its length is not quite one. A quaternion of length zero turns nothing.
    let rotation = if rotation.length_squared() > 0.0 { rotation.normalize() } else { DQuat::IDENTITY };
    DMat4::from_translation(translation) * DMat4::from_quat(rotation) * DMat4::from_scale(scale)
}

/// The primitives of a mesh that are made of triangles, each with its mode and its positions.
fn surfaces(
    root: &Root,
    mesh: usize,
) -> impl Iterator<Item = Result<(Place, &Primitive, Mode, usize), Fault>> {
    root.meshes[mesh].primitives.iter().enumerate().filter_map(move |(primitive, p)| {
        let place = Place::Primitive { mesh, primitive };
        let Checked::Valid(mode) = p.mode else {
            return Some(Err(Fault::malformed(place, "the mode is none of glTF's")));
        };
        let positions = p.attributes.get(&Checked::Valid(Semantic::Positions))?;
        let is_surface = matches!(mode, Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan);
        is_surface.then_some(Ok((place, p, mode, positions.value())))
    })
}

/// The places of its points in the first texture.
fn texture_of(primitive: &Primitive) -> Option<usize> {
    primitive.attributes.get(&Checked::Valid(Semantic::TexCoords(0))).map(|accessor| accessor.value())
}

/// Loads the buffers that the meshes need, and no others: those may hold pictures.
fn load(root: &Root, instances: &[(usize, DMat4)], buffers: &mut Buffers) -> Result<(), Fault> {
    let mut done = vec![false; root.meshes.len()];
    for &(mesh, _) in instances {
        if std::mem::replace(&mut done[mesh], true) {
            continue;
        }
        for surface in surfaces(root, mesh) {
            let (place, primitive, _, positions) = surface?;
            let at = |problem| Fault { place, problem };
            let all = [Some(positions), primitive.indices.map(|i| i.value()), texture_of(primitive)];
            for accessor in all.into_iter().flatten() {
                accessor::views(root, accessor)
                    .map_err(at)?
                    .try_for_each(|view| buffers.load(view))
                    .map_err(at)?;
            }
        }
    }
    Ok(())
}

/// A primitive whose numbers are all there.
struct Part<'a> {
    place: Place,
    mode: Mode,
    positions: Accessor<'a, 3>,
    /// Without them the positions are corners one after another.
    corners: Option<Accessor<'a, 1>>,
    /// As many as there are positions.
    texture: Option<Accessor<'a, 2>>,
}

fn parts_of<'a>(root: &Root, buffers: &'a Buffers, mesh: usize) -> Result<Vec<Part<'a>>, Fault> {
    let mut parts = Vec::new();
    for surface in surfaces(root, mesh) {
        let (place, primitive, mode, positions) = surface?;
        let at = |problem| Fault { place, problem };
        let positions = Accessor::new(root, buffers, positions).map_err(at)?;
        let corners =
            primitive.indices.map(|i| Accessor::new(root, buffers, i.value())).transpose().map_err(at)?;
        let texture =
            texture_of(primitive).map(|t| Accessor::new(root, buffers, t)).transpose().map_err(at)?;
        let texture = texture.filter(|texture| texture.count == positions.count);
        let part = Part { place, mode, positions, corners, texture };
        if mode == Mode::Triangles && !part.corner_count().is_multiple_of(3) {
            let reason = format!("{} corners do not make up triangles", part.corner_count());
            return Err(Fault::malformed(place, reason));
        }
        // Parts without triangles count for nothing against the limits, so that they must not take time either.
        if part.triangles() > 0 {
            parts.push(part);
        }
    }
    Ok(parts)
}

/// Whether the parts are not too many all together: before memory is taken for them.
fn within_limits<'a>(parts: impl Iterator<Item = &'a Part<'a>>) -> Result<(), Fault> {
    let (mut points, mut triangles) = (0, 0);
    for part in parts {
        points += part.positions.count;
        triangles += part.triangles();
        let place = part.place;
        if triangles > MOST_TRIANGLES {
            return Err(Fault { place, problem: Problem::TooManyTriangles });
        }
        if points > MOST_POINTS {
            return Err(Fault { place, problem: Problem::TooManyPoints });
        }
    }
    Ok(())
}

impl Part<'_> {
    fn corner_count(&self) -> usize {
        self.corners.as_ref().map_or(self.positions.count, |c| c.count)
    }

    fn triangles(&self) -> usize {
        match self.mode {
            Mode::Triangles => self.corner_count() / 3,
            _ => self.corner_count().saturating_sub(2),
        }
    }

    fn gather(&self, transform: DMat4, gathered: &mut Gathered) -> Result<(), Fault> {
        let first = gathered.points.len() as u32;
        for row in self.positions.rows() {
            gathered.point(transform.transform_point3(DVec3::from_array(row)).as_vec3(), self.place)?;
        }
        if let Some(texture) = &self.texture {
            gathered.texture.resize(first as usize, Vec2::NAN);
            // glTF counts from the upper left corner.
            gathered.texture.extend(texture.rows().map(|[u, v]| DVec2::new(u, 1.0 - v).as_vec2()));
        }
        let corners = self.corners(first)?;
        // A mirrored mesh has its corners the other way round.
        let mirrored = transform.determinant() < 0.0;
        for i in 0..self.triangles() {
            let [a, b, c] = match self.mode {
                Mode::Triangles => [3 * i, 3 * i + 1, 3 * i + 2],
                Mode::TriangleFan => [0, i + 1, i + 2],
                _ => [i, i + 1 + i % 2, i + 2 - i % 2],
            }
            .map(|k| corners[k]);
            let corners = if mirrored { [a, c, b] } else { [a, b, c] };
            gathered.face(&corners, self.place)?;
            if self.texture.is_some() {
                gathered.texture_face(&corners, 3);
            }
        }
        Ok(())
    }

    /// The corners one after another, as points of the whole mesh.
    fn corners(&self, first: u32) -> Result<Vec<u32>, Fault> {
        let points = self.positions.count;
        let Some(corners) = &self.corners else { return Ok((first..first + points as u32).collect()) };
        let whole = |[corner]: [f64; 1]| match corner as usize {
            i if i < points && i as f64 == corner => Ok(first + i as u32),
            i => Err(Fault { place: self.place, problem: Problem::NoSuchPoint { number: i as i64, points } }),
        };
        corners.rows().map(whole).collect()
    }
}
