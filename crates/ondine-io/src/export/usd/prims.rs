//! The prims of a stage: what there is, whatever the frame.

use super::attributes::{Attribute, EFFECT, INSTANCES, OBJECT, PARTICLES, SIZED_INSTANCES, SURFACE};
use super::layer::ROOT;
use super::setting::Setting;
use super::value::{self, corners, counts, extent, places, points, quoted, vectors};
use crate::export::names::identifiers;
use crate::export::{ExportFrame, ObjectMesh, color};
use ondine::{Particles, SystemKind};
use std::io::{self, Write};

/// The folder of the stage in which a prim is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    Surfaces,
    Particles,
    Objects,
}

impl Scope {
    pub const ALL: [Scope; 3] = [Scope::Surfaces, Scope::Particles, Scope::Objects];

    /// The names of a frame's things of this kind.
    fn names(self, frame: &ExportFrame) -> Vec<&str> {
        match self {
            Scope::Surfaces => frame.surfaces.iter().map(|s| s.name.as_str()).collect(),
            Scope::Particles => frame.frame.particles.iter().map(|p| p.name.as_str()).collect(),
            Scope::Objects => frame.frame.objects.iter().map(|o| o.name.as_str()).collect(),
        }
    }
}

/// One thing of the stage.
pub struct Prim {
    pub scope: Scope,
    /// Its number among its kind.
    pub number: usize,
    /// Its type in USD.
    pub kind: &'static str,
    /// Its name in the scene, and as USD takes it.
    pub name: String,
    pub identifier: String,
    /// Lines of what never changes.
    pub fixed: Vec<u8>,
    /// What changes.
    pub attributes: &'static [Attribute],
    /// Whether it has a material.
    pub is_bound: bool,
}

/// The prims of an animation that begins with this frame; `balls` is whether particles are instances of balls.
pub fn prims(
    frame: &ExportFrame,
    object_meshes: &[ObjectMesh],
    setting: &Setting,
    balls: bool,
) -> io::Result<Vec<Prim>> {
    let mut prims = Vec::new();
    for scope in Scope::ALL {
        let names = scope.names(frame);
        let identifiers = identifiers(names.iter().copied());
        for (number, (name, identifier)) in names.into_iter().zip(identifiers).enumerate() {
            let (kind, mut fixed) = match scope {
                Scope::Surfaces => ("Mesh", MESH.into()),
                Scope::Particles if balls => ("PointInstancer", ball(frame, number, &identifier)?),
                Scope::Particles => ("Points", Vec::new()),
                Scope::Objects => object(&object_meshes[number])?,
            };
            let attributes = match scope {
                Scope::Surfaces => SURFACE,
                Scope::Particles if balls && may_differ(&frame.frame.particles[number]) => SIZED_INSTANCES,
                Scope::Particles if balls => INSTANCES,
                Scope::Particles if frame.frame.particles[number].kind == SystemKind::Effect => EFFECT,
                Scope::Particles => PARTICLES,
                Scope::Objects => OBJECT,
            };
            let binding = match scope {
                Scope::Objects => setting.of_object(number),
                Scope::Particles if frame.frame.particles[number].kind != SystemKind::Liquid => None,
                _ => setting.of_liquid(name),
            };
            let is_bound = binding.is_some();
            fixed.extend(binding.unwrap_or_default().into_bytes());
            let name = name.into();
            prims.push(Prim { scope, number, kind, name, identifier, fixed, attributes, is_bound });
        }
    }
    Ok(prims)
}

/// Whether a frame has just these prims.
pub fn same(prims: &[Prim], frame: &ExportFrame) -> bool {
    let names =
        Scope::ALL.iter().flat_map(|scope| scope.names(frame).into_iter().map(move |name| (*scope, name)));
    names.eq(prims.iter().map(|prim| (prim.scope, prim.name.as_str())))
}

/// What all our meshes are: triangles, not a cage of something smooth.
const MESH: &str =
    "uniform token orientation = \"rightHanded\"\nuniform token subdivisionScheme = \"none\"\n";

/// Whether particles of a system may differ in size, or turn: those of a liquid do not. The first frame may have none that do.
fn may_differ(particles: &Particles) -> bool {
    particles.kind != SystemKind::Liquid || !particles.radii.is_empty() || !particles.orientation.is_empty()
}

/// The ball that all particles of a system are instances of. Below their instancer it is not seen itself.
fn ball(frame: &ExportFrame, number: usize, identifier: &str) -> io::Result<Vec<u8>> {
    let particles = &frame.frame.particles[number];
    // Sizes that differ are scales of one.
    let radius = if may_differ(particles) { 1.0 } else { particles.radius };
    let mut fixed = Vec::new();
    let w: &mut dyn Write = &mut fixed;
    writeln!(w, "rel prototypes = </{ROOT}/Particles/{identifier}/Ball>\ndef Sphere \"Ball\"\n{{")?;
    assign(w, "double radius", |w| value::number(w, radius))?;
    let corner = [radius; 3];
    assign(w, "float3[] extent", |w| vectors(w, &[corner.map(|r| -r), corner]))?;
    assign(w, "color3f[] primvars:displayColor", |w| vectors(w, &[color::linear(particles.color)]))?;
    writeln!(w, "}}")?;
    Ok(fixed)
}

fn object(object_mesh: &ObjectMesh) -> io::Result<(&'static str, Vec<u8>)> {
    let mut fixed = b"uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"]\n".to_vec();
    let mesh = &object_mesh.mesh;
    if mesh.triangles.is_empty() {
        return Ok(("Xform", fixed));
    }
    let w: &mut dyn Write = &mut fixed;
    w.write_all(MESH.as_bytes())?;
    assign(w, "float3[] extent", |w| extent(w, mesh.points.iter().copied(), 0.0))?;
    assign(w, "int[] faceVertexCounts", |w| counts(w, &mesh.triangles))?;
    assign(w, "int[] faceVertexIndices", |w| corners(w, &mesh.triangles))?;
    assign(w, "point3f[] points", |w| points(w, &mesh.points))?;
    assign(w, "color3f[] primvars:displayColor", |w| vectors(w, &[color::linear(object_mesh.color)]))?;
    if !object_mesh.uv.is_empty() {
        write!(w, "texCoord2f[] primvars:st = ")?;
        places(w, &object_mesh.uv)?;
        writeln!(w, " (interpolation = \"faceVarying\")")?;
    }
    Ok(("Mesh", fixed))
}

fn assign(
    w: &mut dyn Write,
    declared: &str,
    value: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    write!(w, "{declared} = ")?;
    value(w)?;
    writeln!(w)
}

impl Prim {
    /// The line that begins it. Where USD cannot take the scene's name, programs may still show it.
    pub fn opening(&self, specifier: &str) -> String {
        let Prim { kind, identifier, name, .. } = self;
        let shown = (name != identifier).then(|| format!("displayName = {}", quoted(name)));
        let bound = self.is_bound && specifier == "def";
        let bound = bound.then(|| "prepend apiSchemas = [\"MaterialBindingAPI\"]".to_string());
        let about: Vec<String> = bound.into_iter().chain(shown).collect();
        let about = if about.is_empty() { String::new() } else { format!(" ({})", about.join("; ")) };
        format!("{specifier} {kind} \"{identifier}\"{about}")
    }
}
