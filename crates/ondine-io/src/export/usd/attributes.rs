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
    plain("float3[] extent", |f, i, w| {
        let particles = &f.frame.particles[i];
        extent(w, particles.position.iter().map(|&p| p.into()), particles.radius)
    }),
    plain("point3f[] points", |f, i, w| vectors(w, &f.frame.particles[i].position)),
    plain("vector3f[] velocities", |f, i, w| vectors(w, &f.frame.particles[i].velocity)),
    plain("int64[] ids", |f, i, w| array(w, &f.frame.particles[i].id, |w, id| write!(w, "{id}"))),
    // One for each point, though all are the same: USD finds no bounds otherwise.
    Attribute {
        declared: "float[] widths",
        interpolation: Some("vertex"),
        write: |f, i, w| {
            let particles = &f.frame.particles[i];
            array(w, &particles.position, |w, _| number(w, 2.0 * particles.radius))
        },
    },
    Attribute {
        declared: "color3f[] primvars:displayColor",
        interpolation: Some("constant"),
        write: |f, i, w| vectors(w, &[color::linear(f.frame.particles[i].color)]),
    },
];

/// Of a system of particles that are shown as balls: instances of one.
pub const BALLS: &[Attribute] = &[
    plain("float3[] extent", |f, i, w| {
        let particles = &f.frame.particles[i];
        extent(w, particles.position.iter().map(|&p| p.into()), particles.radius)
    }),
    plain("int[] protoIndices", |f, i, w| array(w, &f.frame.particles[i].position, |w, _| w.write_all(b"0"))),
    plain("point3f[] positions", |f, i, w| vectors(w, &f.frame.particles[i].position)),
    plain("vector3f[] velocities", |f, i, w| vectors(w, &f.frame.particles[i].velocity)),
    plain("int64[] ids", |f, i, w| array(w, &f.frame.particles[i].id, |w, id| write!(w, "{id}"))),
];

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
