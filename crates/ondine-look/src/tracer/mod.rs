//! Ray-traced pictures: a path tracer.
//!
//! | step | file |
//! |---|---|
//! | objects, liquids and balls made ready for rays | `objects`, `revolution`, `systems`, `droplets`, `material` |
//! | everything that rays can meet in one frame | `render_scene`, `instance`, `mesh`, `spheres`, `plane`, `panes` |
//! | which of it is near a ray | `bvh`, `bvh_node`, `traversal_stack` |
//! | rays from the camera, through a lens | `camera_rays`, `ray`, `sampling` |
//! | the light that comes along them | `integrator`, `path`, `shading_point`, `optics`, `microfacet`, `sky`, `area_lights` |
//! | samples to pixels, and pixels without noise | `framebuffer`, `denoise`, `channels`, `buffer_pool` |
//! | effects over it | `effects` |
//! | pass by pass to a picture | `progressive`, `tone_mapping` |
//!
//! # Limits
//! Light that clear things gather is not followed: there are no caustics, and shadows of clear things are pale. Nothing
//! is blurred by motion. Light inside skin is not followed. A liquid in another takes the place of it.

mod area_lights;
mod buffer_pool;
mod bvh;
mod bvh_node;
mod camera_rays;
mod channels;
mod denoise;
mod droplets;
mod effects;
mod framebuffer;
mod instance;
mod integrator;
mod lanes;
mod material;
mod mesh;
mod microfacet;
mod objects;
mod optics;
mod panes;
mod path;
mod plane;
mod progressive;
mod ray;
mod render_scene;
mod revolution;
mod sampling;
mod shading_point;
mod sky;
mod spheres;
mod systems;
#[cfg(test)]
mod tests;
mod tone_mapping;
mod traversal_stack;

pub use progressive::Progressive;
pub use sky::default_sun;
pub use systems::Coloring;

use crate::camera::Framing;
use crate::picture::clamped;
use crate::quality::Effort;
use crate::sprites::Sprites;
use area_lights::AreaLight;
use buffer_pool::BufferPool;
use camera_rays::CameraRays;
use effects::EffectSetting;
use framebuffer::Framebuffer;
use glam::{Vec3, Vec3A};
use material::Material;
use objects::TracedObject;
use ondine::objects::Sdf;
use ondine::scene::{Placement, Shape};
use ondine::{Frame, Scene, Surface};
use render_scene::{RenderScene, SceneParts};
use sky::Sky;
use systems::TracedSystems;

/// Colour of the ground where a scene has none: stone, as linear light.
const GROUND: Vec3A = Vec3A::new(0.37, 0.35, 0.315);

/// Ground lies this far below the scene, in its size, so that it does not cut what stands on it.
const BELOW: f32 = 5e-4;

/// A scene made ready for traced pictures: the shapes of its objects, its materials and lights.
#[derive(Clone, Debug)]
pub struct Tracer {
    objects: Vec<TracedObject>,
    systems: TracedSystems,
    sprites: Sprites,
    sky: Sky,
    lights: Vec<AreaLight>,
    exposure: f32,
    /// A point of the ground, where some must be added.
    ground: Option<Vec3>,
    pool: BufferPool,
}

impl Tracer {
    /// Of a scene as it was written.
    pub fn of(scene: &Scene, framing: &Framing) -> Self {
        Self {
            objects: if scene.planar() { Vec::new() } else { objects::of_scene(scene) },
            systems: TracedSystems::of(scene, framing.characteristic_speed()),
            sprites: Sprites::of(scene),
            sky: Sky::new(&scene.light, default_sun(framing)),
            lights: scene.lamp.iter().filter_map(AreaLight::new).collect(),
            exposure: scene.light.exposure,
            ground: ground(scene, framing),
            pool: BufferPool::default(),
        }
    }

    /// Colours liquids in another way.
    pub fn set_coloring(&mut self, coloring: Coloring) {
        self.systems.coloring = coloring;
    }

    /// The picture of a frame: its objects, the given surfaces of its liquids, and the particles of those without one.
    pub fn progressive(
        &self,
        frame: &Frame,
        surfaces: &[Surface],
        framing: &Framing,
        size: (u32, u32),
        effort: Effort,
    ) -> Progressive {
        let mut parts = SceneParts::default();
        objects::add(&self.objects, frame, framing, &mut parts);
        self.systems.add(&frame.particles, surfaces, &mut parts);
        if let Some(at) = self.ground {
            let material = parts.add_material(Material::matte(GROUND));
            parts.planes.push(objects::plane(at, Vec3::Y, material, framing));
        }
        let camera = framing.camera_at(frame.time);
        let rays = CameraRays::new(framing.view(camera, clamped(size)), camera.as_ref());
        let scene = RenderScene::new(parts, framing.reach());
        let setting = EffectSetting { scene: &scene, sky: &self.sky, lights: &self.lights, camera: &rays };
        Progressive {
            effects: setting.layer(&self.sprites.in_frame(frame)),
            scene,
            sky: self.sky,
            lights: self.lights.clone(),
            camera: rays,
            exposure: self.exposure,
            effort,
            framebuffer: Framebuffer::new(rays.size(), &self.pool),
            pool: self.pool.clone(),
            done: 0,
        }
    }
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
        let (low, high) = Sdf::new(shape, &scene.meshes, false).room().bounds()?;
        Some(placement.box_around(low, high).0.y)
    };
    objects.chain(fills).filter_map(low).filter(|y| y.is_finite()).reduce(f32::min)
}
