//! Every file that Ondine reads or writes: scene text in and out, meshes in, bakes in and out, frames out, checkpoints.
//!
//! | module | what it holds |
//! |---|---|
//! | [`scene_text`] | scenes as TOML, every fault with its place, and the JSON Schema for editors |
//! | [`mesh_in`] | triangle meshes from OBJ, PLY, STL, glTF and GLB files, repaired where that is safe |
//! | [`meshes`] | the meshes that a scene names, with their distance fields; their cache, and copies beside a bake |
//! | [`ply`] | particles, for other programs and to be read back |
//! | [`frame_codec`] | a whole frame as bytes, for pages and sockets |
//! | [`bake`] | the folder of a bake: its scene, ledger, checkpoint and frames, read and written |
//! | [`export`] | frames for other programs: PLY, OBJ, GLB, USD, VTK, NPZ |
//! | [`checkpoint`] | a whole world, to go on from bit for bit |
//! | [`atomic`] | files that are written whole or not at all |
//!
//! Nothing here panics on any input: a damaged file or a wrong scene is a typed error that says where and what to do.

#![forbid(unsafe_code)]

pub mod atomic;
pub mod bake;
pub mod checkpoint;
pub mod export;
pub mod frame_codec;
pub mod mesh_in;
pub mod meshes;
pub mod ply;
mod ply_lines;
pub mod scene_text;
