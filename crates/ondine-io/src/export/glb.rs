//! A frame as GLB (glTF 2.0 in one file): surfaces and objects as meshes, particles as points if wanted.
//!
//! Colours are linear, as glTF wants them. Velocities travel as the attribute `_VELOCITY` [m/s], radii and orientations of particles as
//! `_RADIUS` [m] and `_ORIENTATION` (x, y, z, w). Objects carry their
//! pose in their node and have no normals, so that programs show them with flat faces. What is hidden is left out, and
//! what has no points is a node without a mesh, because glTF has no empty arrays. Where a point has several places in a texture it
//! stands there several times.

use super::{ExportFrame, ObjectMesh, color, validate};
use crate::atomic;
use glam::Vec3;
use ondine::{Particles, Pose, Surface};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;

// Numbers that glTF takes from OpenGL.
const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;
const POINTS: u32 = 0;
const TRIANGLES: u32 = 4;

/// How a liquid shines in programs that compute light, and how an object does: 0 is a mirror, 1 is chalk.
const ROUGH: (f32, f32) = (0.1, 0.8);

/// Writes a frame, whole or not at all; with its particles or without.
pub fn write(
    path: &Path,
    frame: &ExportFrame,
    object_meshes: &[ObjectMesh],
    with_points: bool,
) -> io::Result<()> {
    validate::frame(frame, Some(object_meshes))?;
    let mut document = Document::default();
    frame.surfaces.iter().for_each(|surface| document.surface(surface));
    if with_points {
        frame.frame.particles.iter().for_each(|particles| document.particles(particles));
    }
    let objects = frame.frame.objects.iter().zip(object_meshes);
    objects
        .filter(|(pose, _)| pose.enabled && pose.visible)
        .for_each(|(pose, object_mesh)| document.object(pose, object_mesh));
    atomic::write(path, |w| document.fill(w))
}

/// The lists of a glTF document, and the bytes that they speak of.
#[derive(Default)]
struct Document {
    nodes: Vec<Value>,
    meshes: Vec<Value>,
    materials: Vec<Value>,
    accessors: Vec<Value>,
    views: Vec<Value>,
    bytes: Vec<u8>,
}

/// Adds to a list, and tells the number of what was added.
fn add(list: &mut Vec<Value>, value: Value) -> usize {
    list.push(value);
    list.len() - 1
}

impl Document {
    fn surface(&mut self, surface: &Surface) {
        let mut node = json!({ "name": surface.name });
        if !surface.mesh.triangles.is_empty() {
            let light: Vec<_> = surface.color.iter().map(|&c| color::linear(c)).collect();
            let attributes = json!({
                "POSITION": self.positions(&surface.mesh.points),
                "NORMAL": self.vectors(&surface.normal),
                "COLOR_0": self.vectors(&light),
                "_VELOCITY": self.vectors(&surface.velocity),
            });
            let indices = self.indices(&surface.mesh.triangles);
            // The colours of the points multiply that of the material.
            let material = self.material(&surface.name, [1.0; 3], ROUGH.0);
            let primitive = json!({
                "attributes": attributes, "indices": indices, "mode": TRIANGLES, "material": material
            });
            node["mesh"] = self.mesh(&surface.name, primitive).into();
        }
        self.nodes.push(node);
    }

    fn particles(&mut self, particles: &Particles) {
        let mut node = json!({ "name": particles.name });
        if !particles.position.is_empty() {
            let points: Vec<Vec3> = particles.position.iter().map(|&p| p.into()).collect();
            let radii: Vec<_> = (0..points.len()).map(|i| [particles.radius_of(i)]).collect();
            let mut attributes = json!({
                "POSITION": self.positions(&points),
                "_VELOCITY": self.vectors(&particles.velocity),
                "_RADIUS": self.vectors(&radii),
            });
            if !particles.orientation.is_empty() {
                attributes["_ORIENTATION"] = self.vectors(&particles.orientation).into();
            }
            let mut color = particles.color;
            if !particles.colors.is_empty() {
                let light = |&[r, g, b, opacity]: &[f32; 4]| {
                    let [r, g, b] = color::linear([r, g, b]);
                    [r, g, b, opacity]
                };
                attributes["COLOR_0"] =
                    self.vectors(&particles.colors.iter().map(light).collect::<Vec<_>>()).into();
                // The colours of the points multiply that of the material.
                color = [1.0; 3];
            }
            let material = self.material(&particles.name, color, ROUGH.0);
            let primitive = json!({ "attributes": attributes, "mode": POINTS, "material": material });
            node["mesh"] = self.mesh(&particles.name, primitive).into();
        }
        self.nodes.push(node);
    }

    fn object(&mut self, pose: &Pose, object_mesh: &ObjectMesh) {
        let placement = pose.placement;
        let mut node = json!({
            "name": pose.name,
            "translation": placement.at.to_array(),
            "rotation": placement.rotation.normalize().to_array(),
        });
        if !object_mesh.mesh.triangles.is_empty() {
            let Parted { points, places, triangles } = Parted::of(object_mesh);
            let mut attributes = json!({ "POSITION": self.positions(&points) });
            if !places.is_empty() {
                attributes["TEXCOORD_0"] = self.vectors(&places).into();
            }
            let indices = self.indices(&triangles);
            let material = self.material(&pose.name, object_mesh.color, ROUGH.1);
            let primitive = json!({
                "attributes": attributes, "indices": indices, "mode": TRIANGLES, "material": material
            });
            node["mesh"] = self.mesh(&pose.name, primitive).into();
        }
        self.nodes.push(node);
    }

    fn mesh(&mut self, name: &str, primitive: Value) -> usize {
        add(&mut self.meshes, json!({ "name": name, "primitives": [primitive] }))
    }

    fn material(&mut self, name: &str, color: [f32; 3], roughness: f32) -> usize {
        let [r, g, b] = color::linear(color);
        let look =
            json!({ "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.0, "roughnessFactor": roughness });
        add(&mut self.materials, json!({ "name": name, "pbrMetallicRoughness": look }))
    }

    /// Positions must tell the box that holds them.
    fn positions(&mut self, points: &[Vec3]) -> usize {
        let low = points.iter().copied().fold(Vec3::MAX, Vec3::min);
        let high = points.iter().copied().fold(Vec3::MIN, Vec3::max);
        let points: Vec<_> = points.iter().map(Vec3::to_array).collect();
        let accessor = self.vectors(&points);
        self.accessors[accessor]["min"] = json!(low.to_array());
        self.accessors[accessor]["max"] = json!(high.to_array());
        accessor
    }

    fn vectors<const N: usize>(&mut self, vectors: &[[f32; N]]) -> usize {
        let shape = if N == 1 { "SCALAR".to_string() } else { format!("VEC{N}") };
        let view = self.view(vectors.as_flattened().iter().map(|x| x.to_le_bytes()), ARRAY_BUFFER);
        let accessor = json!({
            "bufferView": view, "componentType": FLOAT, "count": vectors.len(), "type": shape
        });
        add(&mut self.accessors, accessor)
    }

    fn indices(&mut self, triangles: &[[u32; 3]]) -> usize {
        let corners = triangles.as_flattened();
        let view = self.view(corners.iter().map(|i| i.to_le_bytes()), ELEMENT_ARRAY_BUFFER);
        let accessor = json!({
            "bufferView": view, "componentType": UNSIGNED_INT, "count": corners.len(), "type": "SCALAR"
        });
        add(&mut self.accessors, accessor)
    }

    /// Everything is made of words of four bytes: all views are aligned as they come.
    fn view(&mut self, words: impl Iterator<Item = [u8; 4]>, target: u32) -> usize {
        let offset = self.bytes.len();
        self.bytes.extend(words.flatten());
        let length = self.bytes.len() - offset;
        let view = json!({ "buffer": 0, "byteOffset": offset, "byteLength": length, "target": target });
        add(&mut self.views, view)
    }

    fn fill(self, w: &mut dyn Write) -> io::Result<()> {
        let binary = self.bytes.len();
        let mut json = serde_json::to_vec(&self.root())?;
        json.resize(json.len().next_multiple_of(4), b' ');
        let total = 12 + 8 + json.len() + if binary > 0 { 8 + binary } else { 0 };
        let total = u32::try_from(total)
            .map_err(|_| validate::invalid("a GLB file cannot be longer than 4 GB; export to USD or PLY"))?;
        w.write_all(b"glTF")?;
        w.write_all(&2u32.to_le_bytes())?;
        w.write_all(&total.to_le_bytes())?;
        chunk(w, b"JSON", &json)?;
        if binary > 0 { chunk(w, b"BIN\0", &self.bytes) } else { Ok(()) }
    }

    fn root(&self) -> Value {
        let tops: Vec<usize> = (0..self.nodes.len()).collect();
        let mut root = json!({ "asset": { "version": "2.0", "generator": "Ondine" } });
        if !tops.is_empty() {
            root["scene"] = json!(0);
            root["scenes"] = json!([{ "nodes": tops }]);
        }
        let lists = [
            ("nodes", &self.nodes),
            ("meshes", &self.meshes),
            ("materials", &self.materials),
            ("accessors", &self.accessors),
            ("bufferViews", &self.views),
        ];
        for (name, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
            root[name] = json!(list);
        }
        if !self.bytes.is_empty() {
            root["buffers"] = json!([{ "byteLength": self.bytes.len() }]);
        }
        root
    }
}

/// A mesh whose points have one place in the texture each.
struct Parted {
    points: Vec<Vec3>,
    /// From the upper left corner, as glTF counts; none where the mesh has none.
    places: Vec<[f32; 2]>,
    triangles: Vec<[u32; 3]>,
}

impl Parted {
    fn of(ObjectMesh { mesh, uv, .. }: &ObjectMesh) -> Self {
        if uv.is_empty() {
            return Self {
                points: mesh.points.clone(),
                places: Vec::new(),
                triangles: mesh.triangles.clone(),
            };
        }
        let mut parted = Self { points: Vec::new(), places: Vec::new(), triangles: Vec::new() };
        // Only looked up: points are numbered as they come.
        let mut known = HashMap::new();
        for (triangle, places) in mesh.triangles.iter().zip(uv) {
            parted.triangles.push(std::array::from_fn(|k| {
                let (point, place) = (triangle[k], places[k]);
                *known.entry((point, place.to_array().map(f32::to_bits))).or_insert_with(|| {
                    parted.points.push(mesh.points[point as usize]);
                    parted.places.push([place.x, 1.0 - place.y]);
                    parted.points.len() as u32 - 1
                })
            }));
        }
        parted
    }
}

fn chunk(w: &mut dyn Write, kind: &[u8; 4], bytes: &[u8]) -> io::Result<()> {
    w.write_all(&(bytes.len() as u32).to_le_bytes())?;
    w.write_all(kind)?;
    w.write_all(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::tests::{frame, object_meshes, pyramid, textured, with_balls, with_effect};
    use crate::mesh_in;
    use gltf_json::Root;
    use gltf_json::validation::Validate;
    use ondine::objects::TriangleMesh;

    fn written(frame: &ExportFrame, object_meshes: &[ObjectMesh], with_points: bool) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f.glb");
        write(&path, frame, object_meshes, with_points).unwrap();
        std::fs::read(path).unwrap()
    }

    /// The document, which must be valid, and the binary chunk.
    fn opened(bytes: &[u8]) -> (Value, &[u8]) {
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!((&bytes[..4], word(4), word(8)), (&b"glTF"[..], 2, bytes.len()));
        let (json, rest) = bytes[20..].split_at(word(12));
        let root: Root = serde_json::from_slice(json).unwrap();
        let mut faults = Vec::new();
        root.validate(&root, gltf_json::Path::new, &mut |path, fault| faults.push((path(), fault)));
        // `gltf-json` takes names that begin with an underscore for faults unless asked to keep them.
        faults.retain(|(path, _)| !path.to_string().contains("<invalid semantic name>"));
        assert!(faults.is_empty(), "{faults:?}");
        (serde_json::from_slice(json).unwrap(), rest.get(8..).unwrap_or_default())
    }

    #[test]
    fn effects_have_their_colours() {
        let bytes = written(&with_effect(1), &object_meshes(), true);
        let (document, _) = opened(&bytes);
        let meshes = document["meshes"].as_array().unwrap();
        let sparks = meshes.iter().find(|mesh| mesh["name"] == "sparks").unwrap();
        let accessor = sparks["primitives"][0]["attributes"]["COLOR_0"].as_u64().unwrap() as usize;
        assert_eq!(document["accessors"][accessor]["type"], "VEC4");
    }

    #[test]
    fn a_frame_is_a_valid_document() {
        let bytes = written(&frame(0), &object_meshes(), true);
        assert_eq!(bytes, written(&frame(0), &object_meshes(), true), "the same bytes each time");
        let (root, binary) = opened(&bytes);
        assert_eq!(root["nodes"].as_array().unwrap().len(), 6);
        // A surface, a system and an object; what is empty has no mesh.
        assert_eq!(root["meshes"].as_array().unwrap().len(), 3);
        assert_eq!(root["meshes"][1]["primitives"][0]["mode"], 0);
        assert_eq!(root["buffers"][0]["byteLength"], binary.len());
        let position = &root["accessors"][0];
        assert_eq!((&position["min"], &position["max"]), (&json!([0.0, 0.0, 0.0]), &json!([1.0, 1.0, 0.5])));
        let velocity =
            root["meshes"][0]["primitives"][0]["attributes"]["_VELOCITY"].as_u64().unwrap() as usize;
        let view = root["accessors"][velocity]["bufferView"].as_u64().unwrap() as usize;
        let at = root["bufferViews"][view]["byteOffset"].as_u64().unwrap() as usize;
        assert_eq!(binary[at + 4..at + 8], (-9.81f32).to_le_bytes());
    }

    #[test]
    fn balls_have_their_radii_and_orientations() {
        let bytes = written(&with_balls(0), &object_meshes(), true);
        let (root, _) = opened(&bytes);
        let named = |mesh: &&Value| mesh["name"] == "marbles";
        let meshes: Vec<_> = root["meshes"].as_array().unwrap().iter().filter(named).collect();
        assert_eq!(meshes.len(), 1, "points and no surface");
        let attributes = &meshes[0]["primitives"][0]["attributes"];
        let accessor = |name: &str| &root["accessors"][attributes[name].as_u64().unwrap() as usize];
        assert_eq!(
            (&accessor("_RADIUS")["type"], &accessor("_RADIUS")["count"]),
            (&json!("SCALAR"), &json!(3))
        );
        assert_eq!(accessor("_ORIENTATION")["type"], "VEC4");
    }

    #[test]
    fn colours_are_linear() {
        let (root, _) = opened(&written(&frame(0), &object_meshes(), true)).to_owned();
        let grey = root["materials"][2]["pbrMetallicRoughness"]["baseColorFactor"][0].as_f64().unwrap();
        assert!((grey - 0.60383).abs() < 1e-5, "{grey}");
    }

    #[test]
    fn our_own_reader_finds_the_object_in_its_place() {
        let mut only = frame(0);
        only.surfaces.clear();
        let bytes = written(&only, &object_meshes(), false);
        let brought = mesh_in::parse(&bytes, mesh_in::Format::Glb, None).unwrap();
        // Turned by a right angle about y: z goes where x was.
        let placed = |p: &Vec3| Vec3::new(p.z, p.y, -p.x) + Vec3::new(1.0, 2.0, 3.0);
        let expected: Vec<Vec3> = pyramid("").mesh.points.iter().map(placed).collect();
        brought.mesh.points.iter().zip(expected).for_each(|(p, q)| assert!(p.distance(q) < 1e-6, "{p} {q}"));
        assert_eq!(brought.mesh.triangles, pyramid("").mesh.triangles);
    }

    /// What has two places in its texture is two points there, and one again for our own reader.
    #[test]
    fn places_in_a_texture_come_back() {
        let mut only = frame(0);
        only.surfaces.clear();
        let object_mesh = textured();
        let bytes = written(&only, &[object_mesh.clone(), ObjectMesh::default()], false);
        let (root, _) = opened(&bytes);
        assert_eq!(root["accessors"][1]["type"], "VEC2");
        assert_eq!(root["accessors"][1]["count"], 7, "one place of one point, two of three");
        let brought = mesh_in::parse(&bytes, mesh_in::Format::Glb, None).unwrap();
        let corners = |mesh: &TriangleMesh| mesh.triangles.len();
        assert_eq!((corners(&brought.mesh), brought.uv), (4, object_mesh.uv));
    }

    #[test]
    fn what_is_hidden_or_empty_leaves_a_valid_document() {
        let mut hidden = frame(0);
        hidden.frame.objects[0].enabled = false;
        hidden.frame.objects[1].visible = false;
        hidden.surfaces.clear();
        let bytes = written(&hidden, &object_meshes(), false);
        let (root, binary) = opened(&bytes);
        assert!(binary.is_empty() && root.get("nodes").is_none() && root.get("buffers").is_none());
    }
}
