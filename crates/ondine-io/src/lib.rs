//! Every file that Ondine reads or writes: scene text in and out, meshes in, frames out, checkpoints.
//!
//! | module | what it holds |
//! |---|---|
//! | [`scene_text`] | scenes as TOML, every fault with its place, and the JSON Schema for editors |
//! | [`mesh_in`] | triangle meshes from OBJ, PLY, STL, glTF and GLB files, repaired where that is safe |
//! | [`meshes`] | the meshes that a scene names, with their distance fields; their cache, and copies beside a bake |
//! | [`ply`] | particles, for other programs and to be read back |
//! | [`poses`] | the poses of a frame, to be read back |
//! | [`export`] | frames for other programs: PLY, OBJ, GLB, USD, VTK, NPZ |
//! | [`checkpoint`] | a whole world, to go on from bit for bit |
//! | [`whole`] | files that are written whole or not at all |
//!
//! Nothing here panics on any input: a damaged file or a wrong scene is a typed error that says where and what to do.

#![forbid(unsafe_code)]

pub mod checkpoint;
pub mod export;
pub mod mesh_in;
pub mod meshes;
pub mod ply;
mod ply_lines;
pub mod poses;
pub mod scene_text;
pub mod whole;
