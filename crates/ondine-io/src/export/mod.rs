//! Frames for other programs.
//!
//! | module | what it writes | of what |
//! |---|---|---|
//! | [`mesh_ply`] | binary PLY, and reads its own back | one surface |
//! | [`obj`] | OBJ | one surface, or one object |
//! | [`glb`] | glTF 2.0 in one file | one frame |
//! | [`usd`] | USD as text, in one file or as value clips | an animation |
//! | [`vtk`] | VTP files and their PVD collection | one surface or system, and an animation |
//! | [`npz`] | arrays for numpy | one frame |
//!
//! All are in metres and seconds with y up. Every file is written whole or not at all, and the same frame gives the
//! same bytes. What no file could hold (arrays that differ in length, numbers that are not finite) is an error of the
//! kind `InvalidInput` before anything is written. Names of files are the caller's affair.

mod color;
pub mod glb;
mod ground;
pub mod mesh_ply;
mod names;
pub mod npz;
pub mod obj;
#[cfg(test)]
pub(crate) mod tests;
pub mod usd;
mod validate;
pub mod vtk;
mod zip;

use ondine::objects::{Faces, Meshes, TriangleMesh, Uv, faces_of};
use ondine::scene::Shape;
use ondine::{Frame, Scene, Surface};

/// What is exported of an instant.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportFrame {
    /// Particles and poses.
    pub frame: Frame,
    /// The surfaces of liquids. In an animation every frame has the same ones, in the same order; a liquid that is
    /// not there now has an empty mesh.
    pub surfaces: Vec<Surface>,
}

/// What does not change of an object while its pose does. They stand in the order of [`Frame::objects`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ObjectMesh {
    /// Its mesh before it is placed [m]; a wide square for a half-space, and empty for what else has no end.
    pub mesh: TriangleMesh,
    /// Where it is in a texture, for a mesh that came with that.
    pub uv: Uv,
    /// Colour from the scene.
    pub color: [f32; 3],
    /// Thickness of its thinnest part [m], where the mesh may have holes there.
    pub too_thin: Option<f32>,
}

/// The meshes of the objects of a scene: shapes as they are, meshes as they were given, blends fine enough for their thinnest part where that
/// can be. Containers and moulds are seen from the room in them: there their outside is. Half-spaces end
/// far away.
pub fn object_meshes(scene: &Scene, meshes: &Meshes) -> Vec<ObjectMesh> {
    let object_mesh = |shape: &Shape, color| {
        let Faces { mut mesh, mut uv, too_thin } = faces_of(shape, meshes);
        if matches!(shape, Shape::Container { .. } | Shape::RoundContainer { .. } | Shape::Mould { .. }) {
            mesh.triangles.iter_mut().for_each(|t| t.swap(1, 2));
            uv.iter_mut().for_each(|t| t.swap(1, 2));
        }
        ObjectMesh { mesh, uv, color, too_thin }
    };
    let mut object_meshes =
        scene.all_objects().map(|object| object_mesh(&object.shape, object.color)).collect::<Vec<_>>();
    ground::lay(scene, &mut object_meshes);
    object_meshes
}
