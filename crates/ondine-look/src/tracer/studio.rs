//! All that pictures of a scene have in common, and the making of one.

use super::drops::{Coloring, Drawing, Stuff};
use super::eye::Eye;
use super::lamps::Panel;
use super::material::Material;
use super::progressive::Progressive;
use super::props::{self, Prop, Set};
use super::quality::Quality;
use super::sky::Sky;
use super::spare::Spare;
use crate::framing::Framing;
use crate::moves::Moves;
use crate::{LARGEST, Picture, Viewpoint};
use glam::{Vec3, Vec3A};
use ondine::objects::Form;
use ondine::scene::{Placement, Shape};
use ondine::{Frame, Scene, Surface};

/// Colour of the ground where a scene has none: stone, as linear light.
const GROUND: Vec3A = Vec3A::new(0.37, 0.35, 0.315);

/// Ground lies this far below the scene, in its size, so that it does not cut what stands on it.
const BELOW: f32 = 5e-4;

/// A scene made ready for pictures: the shapes of its objects, its materials, lights and camera. It serves all frames.
#[derive(Clone, Debug)]
pub struct Studio {
    viewpoint: Viewpoint,
    framing: Framing,
    moves: Moves,
    props: Vec<Prop>,
    liquids: Vec<Stuff>,
    sky: Sky,
    lamps: Vec<Panel>,
    exposure: f32,
    ground: Option<Vec3>,
    planar: bool,
    coloring: Coloring,
    spare: Spare,
}

impl Studio {
    /// The studio of a scene as it was written.
    pub fn of(scene: &Scene) -> Self {
        let framing = Framing::of(scene);
        let planar = scene.planar();
        Self {
            viewpoint: Viewpoint::of(scene),
            moves: Moves::of(scene),
            props: if planar { Vec::new() } else { props::of_scene(scene) },
            liquids: scene.liquid.iter().map(Stuff::new).collect(),
            sky: Sky::new(&scene.light, towards_sun(&framing)),
            lamps: scene.lamp.iter().filter_map(Panel::new).collect(),
            exposure: scene.light.exposure,
            ground: ground(scene, &framing),
            framing,
            planar,
            coloring: Coloring::Material,
            spare: Spare::default(),
        }
    }

    /// The same studio with liquids coloured in another way.
    pub fn colored(self, coloring: Coloring) -> Self {
        Self { coloring, ..self }
    }

    /// The picture of a frame: its objects, the given surfaces of its liquids, and the particles of those without one.
    /// Planar scenes are drawn as previews.
    pub fn picture(
        &self,
        frame: &Frame,
        surfaces: &[Surface],
        size: (u32, u32),
        quality: Quality,
    ) -> Picture {
        if self.planar || quality == Quality::Preview {
            return self.viewpoint.picture(frame, size);
        }
        let mut picture = self.progressive(frame, surfaces, size, quality);
        while picture.refine() {}
        picture.picture()
    }

    /// A picture that is made in passes, to be looked at after each. Planar scenes are traced as if they had depth.
    pub fn progressive(
        &self,
        frame: &Frame,
        surfaces: &[Surface],
        size: (u32, u32),
        quality: Quality,
    ) -> Progressive {
        let size = (size.0.clamp(1, LARGEST), size.1.clamp(1, LARGEST));
        let camera = self.moves.camera_at(frame);
        let mut set = Set::of_frame(&self.props, frame, &self.framing);
        let drawing =
            Drawing { liquids: &self.liquids, coloring: self.coloring, lively: self.framing.lively_speed() };
        drawing.add(&frame.particles, surfaces, &mut set);
        if let Some(at) = self.ground {
            let material = set.add(Material::matte(GROUND));
            set.planes.push(props::plane(at, Vec3::Y, material, &self.framing));
        }
        let stage = set.stage(self.framing.reach());
        let eye = Eye::new(self.framing.with_camera(camera).view(size), camera.as_ref());
        let (lamps, spare) = (self.lamps.clone(), self.spare.clone());
        Progressive::new(stage, self.sky, lamps, eye, self.exposure, quality.effort(), spare)
    }
}

/// The scene with the camera and the sun that its pictures are made with, where it has none of its own.
pub fn shown(scene: &Scene) -> Scene {
    let framing = Framing::of(scene);
    let mut shown = scene.clone();
    shown.light.sun.get_or_insert(towards_sun(&framing).into());
    shown.camera.get_or_insert(framing.camera());
    shown
}

/// Where the sun is by default: high, to the left of the camera and a little before the scene.
fn towards_sun(framing: &Framing) -> Vec3 {
    let view = framing.view((16, 9));
    let away = view.forward().with_y(0.0).normalize_or_zero();
    (1.1 * Vec3::Y - 0.75 * view.right() - 0.5 * away).normalize()
}

/// Where ground must be added: below a scene that has weight and none of its own.
fn ground(scene: &Scene, framing: &Framing) -> Option<Vec3> {
    let up = |normal: Vec3| normal.y > 0.5 * normal.length();
    let is_floor = |shape: &Shape| matches!(shape, Shape::HalfSpace { normal } if up(Vec3::from(*normal)));
    let falls = scene.gravity[1] < 0.0;
    let has_floor = scene.object.iter().any(|o| o.visible && is_floor(&o.shape));
    let height = lowest(scene).unwrap_or(framing.low()) - BELOW * framing.reach();
    (falls && !has_floor).then(|| framing.center().with_y(height))
}

/// Height of the lowest point of what stands or lies there at the start [m].
fn lowest(scene: &Scene) -> Option<f32> {
    let objects = scene.object.iter().filter(|o| o.visible).map(|o| (&o.shape, o.placement()));
    let fills = scene.liquid.iter().flat_map(|l| &l.fill).map(|fill| (&fill.shape, fill.placement()));
    let low = |(shape, placement): (&Shape, Placement)| {
        let (low, high) = Form::new(shape, &scene.meshes, false).room().bounds()?;
        Some(placement.box_around(low, high).0.y)
    };
    objects.chain(fills).filter_map(low).filter(|y| y.is_finite()).reduce(f32::min)
}
