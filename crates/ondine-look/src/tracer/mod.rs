//! Ray-traced pictures.
//!
//! | step | file |
//! |---|---|
//! | what all pictures of a scene share: objects, materials, lights, camera | `studio`, `props`, `turned`, `material` |
//! | everything that rays can meet in one frame | `stage`, `mesh`, `balls`, `drops`, `tree`, `boxes`, `waiting` |
//! | rays from the eye, through a lens | `eye`, `ray`, `sampling` |
//! | the light that comes along them | `path`, `optics`, `gloss`, `sky`, `lamps`, `tank` |
//! | samples to pixels, and pixels smoothed | `film`, `filter`, `sheet`, `spare` |
//! | pass by pass to a picture | `quality`, `progressive`, `tone` |
//!
//! # Limits
//! Light that clear things gather is not followed: there are no caustics, and shadows of clear things are pale. Nothing
//! is blurred by motion. Light inside skin is not followed. A liquid in another takes the place of it.

mod balls;
mod boxes;
mod drops;
mod eye;
mod film;
mod filter;
mod gloss;
mod lamps;
mod material;
mod mesh;
mod optics;
mod path;
mod progressive;
mod props;
mod quality;
mod ray;
mod sampling;
mod sheet;
mod sky;
mod spare;
mod stage;
mod studio;
mod tank;
#[cfg(test)]
mod tests;
mod tone;
mod tree;
mod turned;
mod waiting;

pub use drops::Coloring;
pub use progressive::Progressive;
pub use quality::{NotAQuality, Quality};
pub use studio::{Studio, shown};
