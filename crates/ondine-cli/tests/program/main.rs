//! The program as its users meet it: every test runs the real binary.

mod arguments;
mod bakery;
mod benchmarks;
mod checking;
mod disk;
mod failing;
mod folders;
mod meshes;
mod plotting;
mod resuming;
mod stages;
