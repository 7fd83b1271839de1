//! The meshes that a scene's shapes name, with their distance fields.

use super::{DistanceField, TriangleMesh};
use crate::scene::{Fault, MeshFile};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A mesh in metres, and its field.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// The triangles [m].
    pub triangles: Arc<TriangleMesh>,
    /// Their distance field.
    pub field: Arc<DistanceField>,
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
        for (name, _) in
            self.0.iter().filter(|(_, mesh)| !mesh.triangles.is_sound() || !mesh.field.is_sound())
        {
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

type Stored = BTreeMap<String, (TriangleMesh, DistanceField)>;

impl Serialize for Meshes {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        if s.is_human_readable() {
            return s.serialize_none();
        }
        let stored: BTreeMap<&str, (&TriangleMesh, &DistanceField)> =
            self.0.iter().map(|(k, m)| (k.as_str(), (&*m.triangles, &*m.field))).collect();
        stored.serialize(s)
    }
}

impl<'de> Deserialize<'de> for Meshes {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        if d.is_human_readable() {
            return Option::<()>::deserialize(d).map(|_| Self::default());
        }
        let mesh = |(triangles, field)| Mesh { triangles: Arc::new(triangles), field: Arc::new(field) };
        Ok(Self(Stored::deserialize(d)?.into_iter().map(|(k, m)| (k, mesh(m))).collect()))
    }
}
