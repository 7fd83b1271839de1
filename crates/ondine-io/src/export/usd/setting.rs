//! What stands around the things of a stage: materials, lights and the camera.
//!
//! Materials are UsdPreviewSurface, which every program reads; it knows no depth at which a clear liquid shows its colour, so
//! clear things are a thin tint. Lights and the camera are those that the program's own pictures are made with.

use super::layer::ROOT;
use super::value::{number, quoted, tuple};
use crate::export::color::linear;
use crate::export::names::identifiers;
use glam::{Mat3, Vec3};
use ondine::Scene;
use ondine::scene::{Camera, Finish, Lamp, LampShape, LiquidFinish};
use std::f32::consts::PI;
use std::io::{self, Write};

/// Width and height of the camera's sensor: 35 mm, at 16 to 9.
const SENSOR: (f32, f32) = (36.0, 20.25);
/// Light of a white wall that faces the sun, and the mean light of the sky, on a clear day.
const SUN: [f32; 3] = [1.2, 1.1, 0.94];
const SKY: [f32; 3] = [0.27, 0.37, 0.53];
/// How much of what is behind it a clear thing hides.
const TINT: f32 = 0.25;

/// Materials, lights and the camera of a scene.
#[derive(Clone, Debug, Default)]
pub struct Setting {
    /// The scene, as far as it can be seen.
    scene: Scene,
    materials: Vec<Material>,
}

/// A material as UsdPreviewSurface has it.
#[derive(Clone, Debug)]
struct Material {
    name: String,
    identifier: String,
    color: [f32; 3],
    glow: f32,
    metallic: bool,
    roughness: f32,
    index: f32,
    opacity: f32,
}

impl Setting {
    /// That of a scene. A camera or a sun that it leaves to the program is left out.
    pub fn of(scene: &Scene) -> Self {
        let liquids = scene.liquid.iter().map(|liquid| {
            let (look, clear) = (liquid.look, liquid.look.finish == LiquidFinish::Clear);
            let metallic = look.finish == LiquidFinish::Metal;
            let roughness = if look.finish == LiquidFinish::Matte { 1.0 } else { look.roughness };
            material(&liquid.name, liquid.color, metallic, roughness, clear, look.index, look.glow)
        });
        let objects = scene.all_objects().map(|object| {
            let (clear, metallic) = (object.finish == Finish::Glass, object.finish == Finish::Metal);
            let roughness = match object.finish {
                Finish::Matte => 1.0,
                Finish::Glass => 0.0,
                _ => object.roughness,
            };
            material(&object.name, object.color, metallic, roughness, clear, 1.5, 0.0)
        });
        let mut materials: Vec<Material> = liquids.chain(objects).collect();
        let named = identifiers(materials.iter().map(|m| m.name.as_str()));
        materials.iter_mut().zip(named).for_each(|(material, name)| material.identifier = name);
        Self { scene: scene.clone(), materials }
    }

    /// The line that gives a liquid its material.
    pub(super) fn of_liquid(&self, name: &str) -> Option<String> {
        let number = self.scene.liquid.iter().position(|liquid| liquid.name == name)?;
        self.binding(number)
    }

    /// The line that gives an object its material.
    pub(super) fn of_object(&self, number: usize) -> Option<String> {
        self.binding(self.scene.liquid.len() + number)
    }

    fn binding(&self, number: usize) -> Option<String> {
        let name = &self.materials.get(number)?.identifier;
        Some(format!("rel material:binding = </{ROOT}/Materials/{name}>\n"))
    }

    /// Writes the prims of everything, with the camera of each frame.
    pub(super) fn write(&self, w: &mut dyn Write, frames: &[u32], fps: f64) -> io::Result<()> {
        scope(w, "Materials", !self.materials.is_empty(), |w| {
            self.materials.iter().try_for_each(|material| material.write(w))
        })?;
        let light = &self.scene.light;
        let lit = light.sun.is_some() || !self.scene.lamp.is_empty();
        scope(w, "Lights", lit, |w| {
            if let Some(sun) = light.sun.filter(|_| light.sun_strength > 0.0) {
                writeln!(w, "def DistantLight \"Sun\"\n{{\nfloat inputs:angle = {}", light.sun_size)?;
                // The wall sends out its light over π.
                emission(w, SUN, light.sun_strength * PI, true)?;
                pose(w, Vec3::ZERO, -Vec3::from(sun), false)?;
                writeln!(w, "}}")?;
            }
            if light.sun.is_some() && light.sky_strength > 0.0 {
                writeln!(w, "def DomeLight \"Sky\"\n{{")?;
                emission(w, SKY, light.sky_strength, false)?;
                writeln!(w, "}}")?;
            }
            self.scene.lamp.iter().enumerate().try_for_each(|(i, lamp)| write_lamp(w, i, lamp))
        })?;
        self.write_camera(w, frames, fps)
    }

    fn write_camera(&self, w: &mut dyn Write, frames: &[u32], fps: f64) -> io::Result<()> {
        let Some(animated) = self.scene.animated_camera() else { return Ok(()) };
        let at = |frame: u32| animated.at((f64::from(frame) / fps) as f32);
        let cameras: Vec<(u32, Camera)> = frames.iter().map(|frame| (*frame, at(*frame))).collect();
        let Some((_, first)) = cameras.first() else { return Ok(()) };
        let still = cameras.iter().all(|(_, camera)| camera == first);
        let shown = if still { &cameras[..1] } else { &cameras };
        let far = distance(first);
        writeln!(w, "def Camera \"Camera\"\n{{")?;
        writeln!(w, "float horizontalAperture = {}\nfloat verticalAperture = {}", SENSOR.0, SENSOR.1)?;
        writeln!(w, "float2 clippingRange = ({:?}, {:?})", 1e-3 * far, 1e3 * far)?;
        sampled(w, "float focalLength", shown, |w, camera| number(w, focal(camera)))?;
        sampled(w, "float focusDistance", shown, |w, camera| number(w, distance(camera)))?;
        if first.aperture > 0.0 {
            // Focal lengths are in tenths of a metre.
            let stop = |camera: &Camera| 0.1 * focal(camera) / camera.aperture.max(1e-6);
            sampled(w, "float fStop", shown, |w, camera| number(w, stop(camera)))?;
        }
        sampled(w, "matrix4d xformOp:transform", shown, |w, camera| {
            let at = Vec3::from(camera.at);
            matrix(w, at, Vec3::from(camera.look_at) - at)
        })?;
        writeln!(w, "uniform token[] xformOpOrder = [\"xformOp:transform\"]\n}}")
    }
}

fn material(
    name: &str,
    color: [f32; 3],
    metallic: bool,
    roughness: f32,
    clear: bool,
    index: f32,
    glow: f32,
) -> Material {
    let opacity = if clear { TINT } else { 1.0 };
    let (name, identifier) = (name.into(), String::new());
    Material { name, identifier, color, glow, metallic, roughness, index, opacity }
}

impl Material {
    fn write(&self, w: &mut dyn Write) -> io::Result<()> {
        let Self { identifier, name, .. } = self;
        let path = format!("/{ROOT}/Materials/{identifier}/Surface");
        writeln!(w, "def Material \"{identifier}\" (displayName = {})\n{{", quoted(name))?;
        writeln!(w, "token outputs:surface.connect = <{path}.outputs:surface>")?;
        writeln!(w, "def Shader \"Surface\"\n{{\nuniform token info:id = \"UsdPreviewSurface\"")?;
        let color = linear(self.color);
        value(w, "color3f inputs:diffuseColor", |w| tuple(w, &color))?;
        if self.glow > 0.0 {
            value(w, "color3f inputs:emissiveColor", |w| tuple(w, &color.map(|c| c * self.glow)))?;
        }
        writeln!(w, "float inputs:metallic = {}", u8::from(self.metallic))?;
        value(w, "float inputs:roughness", |w| number(w, self.roughness))?;
        value(w, "float inputs:ior", |w| number(w, self.index))?;
        value(w, "float inputs:opacity", |w| number(w, self.opacity))?;
        writeln!(w, "token outputs:surface\n}}\n}}")
    }
}

fn write_lamp(w: &mut dyn Write, number: usize, lamp: &Lamp) -> io::Result<()> {
    match lamp.shape {
        LampShape::Rectangle => {
            let [width, height] = lamp.size;
            writeln!(w, "def RectLight \"Lamp_{number}\"\n{{")?;
            writeln!(w, "float inputs:width = {width:?}\nfloat inputs:height = {height:?}")?;
        }
        LampShape::Disc => {
            writeln!(w, "def DiskLight \"Lamp_{number}\"\n{{\nfloat inputs:radius = {:?}", lamp.radius)?;
        }
    }
    emission(w, linear(lamp.color), lamp.strength, false)?;
    pose(w, lamp.at.into(), lamp.towards.into(), true)?;
    writeln!(w, "}}")
}

fn emission(w: &mut dyn Write, color: [f32; 3], intensity: f32, normalize: bool) -> io::Result<()> {
    value(w, "color3f inputs:color", |w| tuple(w, &color))?;
    value(w, "float inputs:intensity", |w| number(w, intensity))?;
    if normalize { writeln!(w, "bool inputs:normalize = 1") } else { Ok(()) }
}

fn pose(w: &mut dyn Write, at: Vec3, along: Vec3, placed: bool) -> io::Result<()> {
    value(w, "matrix4d xformOp:transform", |w| matrix(w, if placed { at } else { Vec3::ZERO }, along))?;
    writeln!(w, "uniform token[] xformOpOrder = [\"xformOp:transform\"]")
}

/// The matrix of what stands somewhere and looks along a direction, by -z, upright. Rows, as USD has them.
fn matrix(w: &mut dyn Write, at: Vec3, along: Vec3) -> io::Result<()> {
    let back = -along.try_normalize().unwrap_or(Vec3::NEG_Z);
    let right = Vec3::Y.cross(back).try_normalize().unwrap_or(Vec3::X);
    let turn = Mat3::from_cols(right, back.cross(right), back);
    w.write_all(b"( ")?;
    for (row, last) in [(turn.x_axis, 0.0), (turn.y_axis, 0.0), (turn.z_axis, 0.0), (at, 1.0)] {
        tuple(w, &[row.x, row.y, row.z, last])?;
        w.write_all(if last == 1.0 { b" )" } else { b", " })?;
    }
    Ok(())
}

/// Focal length that shows the camera's angle on the sensor.
fn focal(camera: &Camera) -> f32 {
    0.5 * SENSOR.1 / (0.5 * camera.angle.clamp(1.0, 150.0).to_radians()).tan()
}

fn distance(camera: &Camera) -> f32 {
    Vec3::from(camera.at).distance(camera.look_at.into()).max(1e-6)
}

fn scope(
    w: &mut dyn Write,
    name: &str,
    wanted: bool,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    if !wanted {
        return Ok(());
    }
    writeln!(w, "def Scope \"{name}\"\n{{")?;
    fill(w)?;
    writeln!(w, "}}")
}

fn value(
    w: &mut dyn Write,
    declared: &str,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    write!(w, "{declared} = ")?;
    fill(w)?;
    writeln!(w)
}

/// One value, or one for each frame.
fn sampled(
    w: &mut dyn Write,
    declared: &str,
    cameras: &[(u32, Camera)],
    fill: impl Fn(&mut dyn Write, &Camera) -> io::Result<()>,
) -> io::Result<()> {
    if let [(_, camera)] = cameras {
        return value(w, declared, |w| fill(w, camera));
    }
    writeln!(w, "{declared}.timeSamples = {{")?;
    for (frame, camera) in cameras {
        write!(w, "{frame}: ")?;
        fill(w, camera)?;
        writeln!(w, ",")?;
    }
    writeln!(w, "}}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ondine::scene::{Object, Preset, Shape, Track};

    fn scene() -> Scene {
        let ball = Object {
            finish: Finish::Metal,
            ..Object::new("a ball", Shape::Sphere { radius: 1.0 }, [0.0; 3])
        };
        let mut scene = Scene {
            liquid: vec![ondine::scene::Liquid { name: "water".into(), ..Preset::Water.liquid() }],
            object: vec![ball],
            camera: Some(Camera::default()),
            lamp: vec![Lamp::default()],
            ..Scene::default()
        };
        scene.light.sun = Some([0.0, 2.0, 0.0]);
        scene
    }

    fn text(scene: &Scene) -> String {
        let mut bytes = Vec::new();
        Setting::of(scene).write(&mut bytes, &[0, 1], 30.0).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn everything_that_can_be_seen_has_its_prim() {
        let text = text(&scene());
        for part in [
            "def Material \"water\"",
            "def Material \"a_ball\" (displayName = \"a ball\")",
            "float inputs:metallic = 1",
            "float inputs:ior = 1.33",
            "def DistantLight \"Sun\"",
            "def DomeLight \"Sky\"",
            "def RectLight \"Lamp_0\"",
            "def Camera \"Camera\"",
        ] {
            assert!(text.contains(part), "{part} in\n{text}");
        }
        assert_eq!(text.matches('{').count(), text.matches('}').count());
        assert!(!text.contains("timeSamples"), "nothing moves");
        assert_eq!(
            Setting::of(&scene()).of_object(0).unwrap(),
            "rel material:binding = </Ondine/Materials/a_ball>\n"
        );
    }

    #[test]
    fn a_camera_that_moves_has_samples() {
        let mut scene = scene();
        let keys = vec![[0.0, 1.0], [1.0, 2.0]];
        scene.track = vec![Track { path: "camera.angle".into(), keys, interpolation: Default::default() }];
        assert!(text(&scene).contains("float focalLength.timeSamples = {\n0: "));
    }

    #[test]
    fn no_scene_has_no_setting() {
        assert_eq!(text(&Scene::default()), "");
    }
}
