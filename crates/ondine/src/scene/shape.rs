//! The shapes that objects, fills and drains are made of.

use super::Placement;
use super::description::description;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use std::cell::Cell;

description! {
    /// The closed set of shapes. Each is centred on its own origin unless it says otherwise.
    pub enum Shape {
        /// Everything behind a plane through `at`: a floor, a wall.
        HalfSpace = "half_space" {
            /// Direction away from the collider; need not be of length 1. [0, 1, 0] is a floor.
            #[schemars(extend("examples" = [[0, 1, 0]]))]
            normal: [f32; 3] [-1e6..=1e6],
        },
        /// A collider block.
        Box = "box" {
            /// Length of its sides [m].
            size: [f32; 3] [1e-6..=1e6],
        },
        /// The inside of a box: collider everywhere else.
        Container = "container" {
            /// Length of the inner sides [m].
            size: [f32; 3] [1e-6..=1e6],
            /// Whether liquid may come in and out through the top (+y). Default false.
            #[serde(default)]
            open: bool,
        },
        /// The inside of an upright cylinder: collider everywhere else.
        RoundContainer = "round_container" {
            /// Inner radius [m].
            radius: f32 [1e-6..=1e6],
            /// Inner height [m].
            height: f32 [1e-6..=1e6],
            /// Whether liquid may come in and out through the top (+y). Default false.
            #[serde(default)]
            open: bool,
        },
        /// A ball.
        Sphere = "sphere" {
            /// Radius [m].
            radius: f32 [1e-6..=1e6],
        },
        /// A rod along y with round ends.
        Capsule = "capsule" {
            /// Radius [m].
            radius: f32 [1e-6..=1e6],
            /// Length between the centres of its ends [m].
            height: f32 [0..=1e6],
        },
        /// A rod along y with flat ends.
        Cylinder = "cylinder" {
            /// Radius [m].
            radius: f32 [1e-6..=1e6],
            /// Length [m].
            height: f32 [1e-6..=1e6],
        },
        /// A cone along y, its tip at the top, its origin halfway up.
        Cone = "cone" {
            /// Radius of its base [m].
            radius: f32 [1e-6..=1e6],
            /// Height [m].
            height: f32 [1e-6..=1e6],
        },
        /// A ring around y.
        Torus = "torus" {
            /// From the ring's centre to the middle of its tube [m].
            radius: f32 [1e-6..=1e6],
            /// Radius of the tube [m].
            tube: f32 [1e-6..=1e6],
        },
        /// Triangles from a file: OBJ, PLY, STL, glTF or GLB.
        Mesh = "mesh" (file: MeshFile),
        /// All of several shapes.
        Union = "union" (blend: Blend),
        /// The first of several shapes without the others.
        Difference = "difference" (blend: Blend),
        /// What several shapes have in common.
        Intersection = "intersection" (blend: Blend),
        /// Everything but a shape: fill the same shape with liquid, let it set, and take the mould away.
        Mould = "mould" {
            /// The shape that is cast.
            #[serde(deserialize_with = "nested")]
            of: Box<Shape>,
        },
        /// A ready-made figure, blended from the shapes above.
        Model = "model" {
            /// Which.
            of: Model,
            /// Height [m]; the origin is halfway up.
            height: f32 [1e-6..=1e6],
        },
    }
}

impl Shape {
    /// The shapes that it is made of, and how paths go on from it to each: `union.of.0.shape`.
    pub fn inner(&self) -> Vec<(String, &Shape)> {
        match self {
            Shape::Union(blend) => blend.inner("union"),
            Shape::Difference(blend) => blend.inner("difference"),
            Shape::Intersection(blend) => blend.inner("intersection"),
            Shape::Mould { of } => vec![("mould.of".into(), of)],
            _ => Vec::new(),
        }
    }

    /// The same, to be changed.
    pub fn inner_mut(&mut self) -> Vec<&mut Shape> {
        match self {
            Shape::Union(blend) | Shape::Difference(blend) | Shape::Intersection(blend) => {
                blend.of.iter_mut().map(|part| &mut part.shape).collect()
            }
            Shape::Mould { of } => vec![of],
            _ => Vec::new(),
        }
    }
}

impl Blend {
    fn inner(&self, kind: &str) -> Vec<(String, &Shape)> {
        self.of.iter().enumerate().map(|(i, part)| (format!("{kind}.of.{i}.shape"), &part.shape)).collect()
    }
}

thread_local! {
    /// How deep in shapes a reader is.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Deepest that shapes are read in one another: far more than a scene may have, far less than a stack bears.
const DEEPEST_READ: u32 = 200;

/// Reads what stands in a shape: a file that nests without an end must not be followed there.
fn nested<'de, D: Deserializer<'de>, T: Deserialize<'de>>(d: D) -> Result<T, D::Error> {
    let depth = DEPTH.get();
    if depth >= DEEPEST_READ {
        return Err(D::Error::custom("shapes are too deep in one another"));
    }
    DEPTH.set(depth + 1);
    let read = T::deserialize(d);
    DEPTH.set(depth);
    read
}

description! {
    /// Several shapes made one.
    pub struct Blend {
        /// The shapes, each in its place.
        pub of: Vec<Part>,
        /// Width over which they melt into one another [m]. Default 0: sharp edges.
        #[serde(default)]
        pub smooth: f32 [0..=1e6],
    }
}

description! {
    /// A shape in its place in another.
    pub struct Part {
        /// The shape.
        #[serde(deserialize_with = "nested")]
        pub shape: Shape,
        /// Its origin in the whole [m]. Default the whole's origin.
        #[serde(default)]
        pub at: [f32; 3] [-1e6..=1e6],
        /// Rotation about x, then y, then z [°]. Default none.
        #[serde(default)]
        pub rotate: [f32; 3] [-1e6..=1e6],
        /// Size, in multiples of its own. Default 1.
        #[serde(default = "one")]
        pub scale: f32 [1e-6..=1e6],
    }
}

impl Part {
    /// A shape in a place, upright and in its own size.
    pub fn new(shape: Shape, at: [f32; 3]) -> Self {
        Self { shape, at, rotate: [0.0; 3], scale: 1.0 }
    }

    /// Where the shape stands.
    pub fn placement(&self) -> Placement {
        Placement::new(self.at, self.rotate)
    }
}

fn one() -> f32 {
    1.0
}

description! {
    /// Triangles from a file.
    pub struct MeshFile {
        /// The file, from the folder of the scene.
        #[schemars(extend("examples" = ["stool.obj"]))]
        pub file: String,
        /// Metres for one unit of the file [m]. Default 1.
        #[serde(default = "one")]
        pub scale: f32 [1e-6..=1e6],
        /// Thickness that the surface is given [m]. Default: none where the mesh is closed, two cells where it has holes.
        #[serde(default)]
        pub thickness: Option<f32> [1e-6..=1e6],
        /// Detail of its distance field [m]. Default: its longest side over 96.
        #[serde(default)]
        pub cell: Option<f32> [1e-6..=1e6],
    }
}

description! {
    /// A ready-made figure.
    pub enum Model {
        /// A sitting rabbit with its ears up, looking along +x.
        Rabbit,
        /// A standing person with arms spread, looking along +z.
        Figure,
        /// A round stool on three legs with a ring between them.
        Stool,
        /// A cup, hollow and open at the top, its handle towards +x.
        Cup,
        /// A teapot with a closed lid, hollow, its spout open and pointing along +x.
        Teapot,
    }
}
