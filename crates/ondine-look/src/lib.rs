//! How a frame looks: the surfaces of liquids, pictures made without a graphics card, and films of them.
//!
//! | what | place |
//! |---|---|
//! | a closed mesh around the particles of a liquid | [`Surfaces`], in `surface` |
//! | pictures of a scene, in the quality that is asked for | [`Renderer`], in `renderer` |
//! | where they are taken from | `camera` |
//! | how previews are drawn | `preview` |
//! | how better pictures are traced | `tracer` |
//! | effects over both of them | `sprites` |
//! | MP4 and GIF | [`Mp4`] and [`Gif`], in `film` |
//!
//! Pictures depend on nothing but their arguments: the same frame gives the same bytes.

#![forbid(unsafe_code)]

mod camera;
mod coils;
mod color;
mod film;
mod ground;
mod picture;
mod preview;
mod quality;
mod renderer;
mod sprites;
mod surface;
mod tracer;

pub use film::{FilmError, Gif, Mp4};
pub use picture::Picture;
pub use quality::{ParseQualityError, Quality};
pub use renderer::{Renderer, with_camera_and_sun};
pub use surface::{SurfaceOptions, Surfaces, surface, surface_mesh};
pub use tracer::{Coloring, Progressive};
