//! Surfaces and particles as VTP (VTK PolyData), and the PVD file that makes an animation of them, for ParaView and
//! its kin. Numbers are raw bytes at the end of the file, little endian, each array after its length in 64 bits.

use super::{ObjectMesh, color, validate};
use crate::atomic;
use glam::Vec3;
use ondine::{Particles, Pose, Surface};
use std::io::{self, Write};
use std::path::Path;

/// One file of an animation.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// When it is shown [s].
    pub time: f64,
    /// Where it is, seen from the collection's folder, with `/` between folders.
    pub file: String,
    /// Which of the things that are shown at one time it is, from 0.
    pub part: u32,
}

/// Writes a surface with its velocity, normal and colour, whole or not at all.
pub fn write_surface(path: &Path, surface: &Surface) -> io::Result<()> {
    validate::surface(surface)?;
    let points: Vec<_> = surface.mesh.points.iter().map(Vec3::to_array).collect();
    let triangles = &surface.mesh.triangles;
    let attributes = vec![
        Array::vectors("velocity", &surface.velocity),
        Array::vectors("normal", &surface.normal),
        Array::colors(surface.color.iter().copied()),
    ];
    let cells = Cells { tag: "Polys", corners: triangles.as_flattened().to_vec(), size: 3 };
    write(path, "Vectors=\"velocity\" Normals=\"normal\" Scalars=\"color\"", attributes, &points, cells)
}

/// Writes particles with their velocity, density, radius, id and colour, the orientation (x, y, z, w) of those that turn, and the opacity of
/// those of effects, whole or not at all.
pub fn write_particles(path: &Path, particles: &Particles) -> io::Result<()> {
    validate::particles(particles)?;
    let count = particles.position.len();
    let last =
        u32::try_from(count).map_err(|_| validate::invalid("more than four thousand million particles"))?;
    let mut attributes = vec![
        Array::vectors("velocity", &particles.velocity),
        Array::new("density", "Float32", 1, particles.density.iter().flat_map(|d| d.to_le_bytes())),
        Array::new("radius", "Float32", 1, (0..count).flat_map(|i| particles.radius_of(i).to_le_bytes())),
        Array::new("id", "UInt32", 1, particles.id.iter().flat_map(|i| i.to_le_bytes())),
        Array::colors((0..count).map(|i| particles.color_of(i)).map(|[r, g, b, _]| [r, g, b])),
    ];
    if !particles.colors.is_empty() {
        let opacities = particles.colors.iter().flat_map(|[.., opacity]| opacity.to_le_bytes());
        attributes.push(Array::new("opacity", "Float32", 1, opacities));
    }
    if !particles.orientation.is_empty() {
        let turns = particles.orientation.as_flattened().iter().flat_map(|x| x.to_le_bytes());
        attributes.push(Array::new("orientation", "Float32", 4, turns));
    }
    let cells = Cells { tag: "Verts", corners: (0..last).collect(), size: 1 };
    write(path, "Vectors=\"velocity\" Scalars=\"density\"", attributes, &particles.position, cells)
}

/// Writes an object where it is, with the velocity of each of its points, whole or not at all.
pub fn write_object(path: &Path, pose: &Pose, object_mesh: &ObjectMesh) -> io::Result<()> {
    validate::pose(pose)?;
    let at = pose.placement.at;
    let (speed, spin) = (Vec3::from(pose.velocity), Vec3::from(pose.spin));
    let points: Vec<Vec3> = object_mesh.mesh.points.iter().map(|p| pose.placement.to_world(*p)).collect();
    let velocity: Vec<_> = points.iter().map(|p| (speed + spin.cross(*p - at)).to_array()).collect();
    let attributes = vec![
        Array::vectors("velocity", &velocity),
        Array::colors(std::iter::repeat_n(object_mesh.color, points.len())),
    ];
    let cells = Cells { tag: "Polys", corners: object_mesh.mesh.triangles.as_flattened().to_vec(), size: 3 };
    let points: Vec<_> = points.iter().map(Vec3::to_array).collect();
    write(path, "Vectors=\"velocity\" Scalars=\"color\"", attributes, &points, cells)
}

/// Writes the file that ParaView opens to see all steps, whole or not at all.
pub fn write_collection(path: &Path, steps: &[Step]) -> io::Result<()> {
    if steps.iter().any(|step| !step.time.is_finite()) {
        return Err(validate::invalid("a time is not finite"));
    }
    atomic::write(path, |w| {
        writeln!(w, "<?xml version=\"1.0\"?>")?;
        writeln!(
            w,
            "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>"
        )?;
        for Step { time, file, part } in steps {
            let file = escaped(file);
            writeln!(w, "<DataSet timestep=\"{time}\" group=\"\" part=\"{part}\" file=\"{file}\"/>")?;
        }
        writeln!(w, "</Collection>\n</VTKFile>")
    })
}

/// Text that may stand between quotes.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

/// Numbers with a name and a type.
struct Array {
    name: &'static str,
    kind: &'static str,
    components: u32,
    bytes: Vec<u8>,
}

impl Array {
    fn new(
        name: &'static str,
        kind: &'static str,
        components: u32,
        bytes: impl Iterator<Item = u8>,
    ) -> Array {
        Array { name, kind, components, bytes: bytes.collect() }
    }

    fn vectors(name: &'static str, vectors: &[[f32; 3]]) -> Array {
        Array::new(name, "Float32", 3, vectors.as_flattened().iter().flat_map(|x| x.to_le_bytes()))
    }

    fn colors(colors: impl Iterator<Item = [f32; 3]>) -> Array {
        Array::new("color", "UInt8", 3, colors.flat_map(color::bytes))
    }
}

/// What is drawn of the points: all cells have the same number of corners.
struct Cells {
    tag: &'static str,
    corners: Vec<u32>,
    size: usize,
}

impl Cells {
    fn count(&self) -> usize {
        self.corners.len() / self.size
    }

    /// The corners of all cells, and where each cell ends among them.
    fn arrays(&self) -> [Array; 2] {
        let signed = |i: usize| (i as i64).to_le_bytes();
        let corners = self.corners.iter().flat_map(|&i| signed(i as usize));
        let ends = (1..=self.count()).flat_map(|i| signed(i * self.size));
        [Array::new("connectivity", "Int64", 1, corners), Array::new("offsets", "Int64", 1, ends)]
    }
}

/// Arrays stand in the file in the order of this text, and in the same order at its end.
fn write(
    path: &Path,
    active: &str,
    attributes: Vec<Array>,
    points: &[[f32; 3]],
    cells: Cells,
) -> io::Result<()> {
    let (count, drawn, tag) = (points.len(), cells.count(), cells.tag);
    let of = |this: &str| if this == tag { drawn } else { 0 };
    let (verts, polys) = (of("Verts"), of("Polys"));
    let sections = [
        (format!("PointData {active}"), attributes),
        ("Points".into(), vec![Array::vectors("points", points)]),
        (tag.into(), cells.arrays().into()),
    ];
    atomic::write(path, |w| {
        writeln!(w, "<?xml version=\"1.0\"?>")?;
        writeln!(
            w,
            "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">"
        )?;
        writeln!(
            w,
            "<PolyData>\n<Piece NumberOfPoints=\"{count}\" NumberOfVerts=\"{verts}\" NumberOfLines=\"0\" \
             NumberOfStrips=\"0\" NumberOfPolys=\"{polys}\">"
        )?;
        announce(w, &sections)?;
        writeln!(w, "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">")?;
        w.write_all(b"_")?;
        for array in sections.iter().flat_map(|(_, arrays)| arrays) {
            w.write_all(&(array.bytes.len() as u64).to_le_bytes())?;
            w.write_all(&array.bytes)?;
        }
        writeln!(w, "\n</AppendedData>\n</VTKFile>")
    })
}

fn announce(w: &mut dyn Write, sections: &[(String, Vec<Array>)]) -> io::Result<()> {
    let mut offset = 0;
    for (section, arrays) in sections {
        writeln!(w, "<{section}>")?;
        for Array { name, kind, components, bytes } in arrays {
            writeln!(
                w,
                "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" \
                 format=\"appended\" offset=\"{offset}\"/>"
            )?;
            offset += 8 + bytes.len();
        }
        writeln!(w, "</{}>", section.split(' ').next().unwrap_or_default())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::tests::{object_meshes, pose, pyramid, row, with_balls, with_effect};

    fn bytes(write: impl FnOnce(&Path) -> io::Result<()>) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f");
        write(&path).unwrap();
        std::fs::read(path).unwrap()
    }

    /// The bytes of an array, found as a reader finds them.
    fn array<'a>(file: &'a [u8], name: &str) -> &'a [u8] {
        let mark = b"<AppendedData encoding=\"raw\">\n_";
        let data = file.windows(mark.len()).position(|w| w == mark).unwrap() + mark.len();
        let text = std::str::from_utf8(&file[..data]).unwrap();
        let line = text.lines().find(|l| l.contains(&format!("Name=\"{name}\""))).unwrap();
        let offset: usize = line.split('"').rev().nth(1).unwrap().parse().unwrap();
        let (length, rest) = file[data + offset..].split_first_chunk().unwrap();
        &rest[..u64::from_le_bytes(*length) as usize]
    }

    #[test]
    fn a_surface_has_its_arrays_where_it_says() {
        let file = bytes(|path| write_surface(path, &pyramid("p")));
        assert!(String::from_utf8_lossy(&file).contains("NumberOfPoints=\"4\" NumberOfVerts=\"0\""));
        assert_eq!(array(&file, "velocity")[4..8], (-9.81f32).to_le_bytes());
        assert_eq!(array(&file, "color")[..3], [51, 102, 255]);
        assert_eq!(array(&file, "connectivity")[8..16], 2i64.to_le_bytes());
        assert_eq!(array(&file, "offsets")[24..], 12i64.to_le_bytes());
        assert!(file.ends_with(b"\n</AppendedData>\n</VTKFile>\n"));
        assert_eq!(file, bytes(|path| write_surface(path, &pyramid("p"))));
    }

    #[test]
    fn effects_have_their_colours_and_opacities() {
        let frame = with_effect(1);
        let file = bytes(|path| write_particles(path, frame.frame.particles.last().unwrap()));
        assert_eq!(array(&file, "color"), [255, 0, 0, 0, 255, 51]);
        assert_eq!(array(&file, "opacity"), [0.5f32, 0.25].map(f32::to_le_bytes).as_flattened());
    }

    #[test]
    fn particles_are_verts() {
        let file = bytes(|path| write_particles(path, &row("r", 3)));
        assert!(String::from_utf8_lossy(&file).contains("NumberOfVerts=\"3\""));
        assert_eq!(array(&file, "id"), [0u32, 7, 14].map(u32::to_le_bytes).as_flattened());
        assert_eq!(array(&file, "offsets"), [1i64, 2, 3].map(i64::to_le_bytes).as_flattened());
        assert_eq!(array(&file, "radius"), [0.125f32; 3].map(f32::to_le_bytes).as_flattened());
        assert!(!String::from_utf8_lossy(&file).contains("orientation"));
        let none = bytes(|path| write_particles(path, &row("r", 0)));
        assert!(array(&none, "points").is_empty());
    }

    #[test]
    fn balls_have_their_radii_and_orientations() {
        let file = bytes(|path| write_particles(path, &with_balls(0).frame.particles[2]));
        assert_eq!(array(&file, "radius"), [0.125f32, 0.25, 0.375].map(f32::to_le_bytes).as_flattened());
        assert_eq!(array(&file, "orientation").len(), 3 * 16);
        assert_eq!(array(&file, "orientation")[12..16], 0.8f32.to_le_bytes());
    }

    #[test]
    fn an_object_stands_in_its_place_and_turns() {
        let mut turning = pose("o");
        turning.spin = [0.0, 2.0, 0.0];
        let file = bytes(|path| write_object(path, &turning, &object_meshes()[0]));
        let triple = |name: &str, i: usize| -> Vec<f32> {
            array(&file, name)[12 * i..12 * i + 12]
                .chunks(4)
                .map(|b| f32::from_le_bytes(b.try_into().unwrap()))
                .collect()
        };
        // The second corner is one metre along x, which the quarter turn makes -z.
        let near = |a: Vec<f32>, b: [f32; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5);
        assert!(near(triple("points", 1), [1.0, 2.0, 2.0]), "{:?}", triple("points", 1));
        assert!(near(triple("velocity", 1), [-2.0, 0.0, 0.0]), "{:?}", triple("velocity", 1));
    }

    #[test]
    fn a_collection_names_its_files() {
        let step = Step { time: 0.5, file: "a&b.vtp".into(), part: 1 };
        let text = String::from_utf8(bytes(|path| write_collection(path, &[step]))).unwrap();
        assert!(text.contains("timestep=\"0.5\" group=\"\" part=\"1\" file=\"a&amp;b.vtp\""), "{text}");
    }
}
