//! The meshes that a scene's shapes name, with their distance fields.

use super::{DistanceField, TriangleMesh};
use crate::scene::{Fault, MeshFile};
use glam::Vec2;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Of each triangle's corners the place in a texture, from its lower left corner; empty where none is known.
pub type Uv = Vec<[Vec2; 3]>;

/// A mesh in metres, and its field.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// The triangles [m].
    pub triangles: Arc<TriangleMesh>,
    /// Where they are in a texture.
    pub uv: Arc<Uv>,
    /// Their distance field.
    pub field: Arc<DistanceField>,
}

impl Mesh {
    fn is_sound(&self) -> bool {
        let all = self.uv.is_empty() || self.uv.len() == self.triangles.triangles.len();
        let finite = self.uv.as_flattened().iter().all(|place| place.is_finite());
        all && finite && self.triangles.is_sound() && self.field.is_sound()
    }
}

/// The meshes of a scene, by what the scene says of them. A checkpoint holds them all; a scene's text only names them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Meshes(BTreeMap<String, Mesh>);

impl Meshes {
    /// The mesh that a shape names, if it has been brought in.
    pub fn get(&self, file: &MeshFile) -> Option<&Mesh> {
        self.0.get(&key(file))
    }

    /// Finds meshes that cannot be right, as in a checkpoint that someone changed.
    pub(crate) fn check(&self, found: &mut Vec<Fault>) {
        for (name, _) in self.0.iter().filter(|(_, mesh)| !mesh.is_sound()) {
            let remedy = "read the mesh from its file again";
            found.push(Fault::error("mesh", format!("the mesh {name} is damaged"), remedy));
        }
    }

    /// Brings in the mesh that a shape names.
    pub fn insert(&mut self, file: &MeshFile, mesh: Mesh) {
        self.0.insert(key(file), mesh);
    }
}

/// Whatever changes the field is part of the name.
fn key(MeshFile { file, scale, thickness, cell }: &MeshFile) -> String {
    format!("{file} {scale} {thickness:?} {cell:?}")
}

type Stored = BTreeMap<String, (TriangleMesh, Uv, DistanceField)>;

impl Serialize for Meshes {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        if s.is_human_readable() {
            return s.serialize_none();
        }
        let stored: BTreeMap<&str, (&TriangleMesh, &Uv, &DistanceField)> =
            self.0.iter().map(|(k, m)| (k.as_str(), (&*m.triangles, &*m.uv, &*m.field))).collect();
        stored.serialize(s)
    }
}

impl<'de> Deserialize<'de> for Meshes {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        if d.is_human_readable() {
            return Option::<()>::deserialize(d).map(|_| Self::default());
        }
        let mesh = |(triangles, uv, field)| Mesh {
            triangles: Arc::new(triangles),
            uv: Arc::new(uv),
            field: Arc::new(field),
        };
        Ok(Self(Stored::deserialize(d)?.into_iter().map(|(k, m)| (k, mesh(m))).collect()))
    }
}
