//! What changes from frame to frame of each kind of prim, and how its value is written.

use super::value::{array, corners, counts, extent, number, points, tuple, vectors};
use crate::export::{ExportFrame, color};
use std::io::{self, Write};

/// An attribute that changes.
pub struct Attribute {
    /// Type and name.
    pub declared: &'static str,
    /// How many values there are: one for each point (`vertex`) or one in all (`constant`), where USD asks.
    pub interpolation: Option<&'static str>,
    /// Writes its value in a frame, for the prim of a number among its kind.
    pub write: fn(&ExportFrame, usize, &mut dyn Write) -> io::Result<()>,
}

const fn plain(
    declared: &'static str,
    write: fn(&ExportFrame, usize, &mut dyn Write) -> io::Result<()>,
) -> Attribute {
    Attribute { declared, interpolation: None, write }
}

/// Of a surface.
pub const SURFACE: &[Attribute] = &[
    plain("float3[] extent", |f, i, w| extent(w, f.surfaces[i].mesh.points.iter().copied(), 0.0)),
    plain("int[] faceVertexCounts", |f, i, w| counts(w, &f.surfaces[i].mesh.triangles)),
    plain("int[] faceVertexIndices", |f, i, w| corners(w, &f.surfaces[i].mesh.triangles)),
    plain("point3f[] points", |f, i, w| points(w, &f.surfaces[i].mesh.points)),
    plain("vector3f[] velocities", |f, i, w| vectors(w, &f.surfaces[i].velocity)),
    Attribute {
        declared: "normal3f[] normals",
        interpolation: Some("vertex"),
        write: |f, i, w| vectors(w, &f.surfaces[i].normal),
    },
    Attribute {
        declared: "color3f[] primvars:displayColor",
        interpolation: Some("vertex"),
        write: |f, i, w| array(w, &f.surfaces[i].color, |w, &c| tuple(w, &color::linear(c))),
    },
];

/// Of a system of particles.
pub const PARTICLES: &[Attribute] = &[
    EXTENT,
    POINTS,
    VELOCITIES,
    IDS,
    WIDTHS,
    Attribute {
        declared: "color3f[] primvars:displayColor",
        interpolation: Some("constant"),
        write: |f, i, w| vectors(w, &[color::linear(f.frame.particles[i].color)]),
    },
];

/// Of an effect, whose particles have colours and opacities of their own.
pub const EFFECT: &[Attribute] = &[
    EXTENT,
    POINTS,
    VELOCITIES,
    IDS,
    WIDTHS,
    Attribute {
        declared: "color3f[] primvars:displayColor",
        interpolation: Some("vertex"),
        write: |f, i, w| {
            let particles = &f.frame.particles[i];
            array(w, 0..particles.position.len(), |w, k| {
                let [r, g, b, _] = particles.color_of(k);
                tuple(w, &color::linear([r, g, b]))
            })
        },
    },
    Attribute {
        declared: "float[] primvars:displayOpacity",
        interpolation: Some("vertex"),
        write: |f, i, w| {
            let particles = &f.frame.particles[i];
            array(w, 0..particles.position.len(), |w, k| number(w, particles.color_of(k)[3]))
        },
    },
];

const POINTS: Attribute = plain("point3f[] points", |f, i, w| vectors(w, &f.frame.particles[i].position));
// One for each point, even where all are the same: USD finds no bounds otherwise.
const WIDTHS: Attribute = Attribute {
    declared: "float[] widths",
    interpolation: Some("vertex"),
    write: |f, i, w| {
        let particles = &f.frame.particles[i];
        array(w, 0..particles.position.len(), |w, k| number(w, 2.0 * particles.radius_of(k)))
    },
};

/// Of a system of particles that are shown as balls: instances of one, all alike.
pub const INSTANCES: &[Attribute] = &[EXTENT, INSTANCE_PROTOTYPES, INSTANCE_POSITIONS, VELOCITIES, IDS];

/// The same for particles that may differ in size and turn: instances of a ball of radius 1.
pub const SIZED_INSTANCES: &[Attribute] = &[
    EXTENT,
    INSTANCE_PROTOTYPES,
    INSTANCE_POSITIONS,
    VELOCITIES,
    IDS,
    plain("float3[] scales", |f, i, w| {
        let particles = &f.frame.particles[i];
        array(w, 0..particles.position.len(), |w, k| tuple(w, &[particles.radius_of(k); 3]))
    }),
    plain("quath[] orientations", |f, i, w| {
        let particles = &f.frame.particles[i];
        array(w, 0..particles.position.len(), |w, k| {
            let [x, y, z, real] = particles.orientation.get(k).copied().unwrap_or([0.0, 0.0, 0.0, 1.0]);
            tuple(w, &[real, x, y, z])
        })
    }),
];

const EXTENT: Attribute = plain("float3[] extent", |f, i, w| {
    let particles = &f.frame.particles[i];
    extent(w, particles.position.iter().map(|&p| p.into()), particles.radius)
});
const INSTANCE_PROTOTYPES: Attribute =
    plain("int[] protoIndices", |f, i, w| array(w, &f.frame.particles[i].position, |w, _| w.write_all(b"0")));
const INSTANCE_POSITIONS: Attribute =
    plain("point3f[] positions", |f, i, w| vectors(w, &f.frame.particles[i].position));
const VELOCITIES: Attribute =
    plain("vector3f[] velocities", |f, i, w| vectors(w, &f.frame.particles[i].velocity));
const IDS: Attribute =
    plain("int64[] ids", |f, i, w| array(w, &f.frame.particles[i].id, |w, id| write!(w, "{id}")));

/// Of an object.
pub const OBJECT: &[Attribute] = &[
    plain("double3 xformOp:translate", |f, i, w| tuple(w, &f.frame.objects[i].placement.at.to_array())),
    plain("quatf xformOp:orient", |f, i, w| {
        let q = f.frame.objects[i].placement.rotation;
        tuple(w, &[q.w, q.x, q.y, q.z])
    }),
    plain("token visibility", |f, i, w| {
        let pose = &f.frame.objects[i];
        let seen = pose.enabled && pose.visible;
        write!(w, "\"{}\"", if seen { "inherited" } else { "invisible" })
    }),
];
