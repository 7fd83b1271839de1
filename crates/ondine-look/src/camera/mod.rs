//! Where pictures are taken from, drawn and traced ones alike.
//!
//! | step | file |
//! |---|---|
//! | how far a scene goes | `extent`, `effects` |
//! | its camera, or one that holds all of it | `framing` |
//! | from points to pixels and from pixels to rays | `view` |

mod effects;
mod extent;
mod framing;
mod view;

pub use extent::corners;
pub use framing::Framing;
pub use view::{Projection, ScreenPoint, View, ViewRay};
