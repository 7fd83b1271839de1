//! Contacts: of particles with objects, and of particles of unlike systems with each other.

pub mod broad;
pub mod floater;
pub mod impact;
pub mod impulse;
pub mod leaning;
pub mod objects;
pub mod points;
pub mod prediction;
pub mod sweep;
pub mod unlike;
