//! Contacts: of particles with objects, and of particles of unlike systems with each other.

pub mod broad;
pub mod objects;
pub mod points;
pub mod pushes;
pub mod sweep;
pub mod unlike;
