//! What the engine promises, one file a promise.
#![allow(clippy::disallowed_methods)]

mod adhesion;
mod any_scene;
mod balls;
mod determinism;
mod edits;
mod effects;
mod faults;
mod floating;
mod forces;
mod health;
mod joints;
mod leaks;
mod liquid_conservation;
mod liquid_relaxation;
mod liquid_tension;
mod liquid_viscosity;
mod moulds;
mod moving_objects;
mod objects;
mod particle_order;
mod polygonize;
mod pools;
mod presets;
mod rest;
mod rigid_bodies;
mod scenes;
mod sources;
mod sph;
mod two_way;
