//! Effects over a preview.

use super::SAMPLES;
use super::shading::Shading;
use super::visibility::VisibilityBuffer;
use crate::camera::View;
use crate::sprites::{Bearings, Footprint, Impostor, Incident, Layer, NOTHING_BEFORE, Paint};
use glam::{Vec3, Vec4};
use rayon::prelude::*;

/// How bright the day is where something glows: the sky of a preview is nearly white, and would show no fire.
pub const DUSK: f32 = 0.25;

/// How quickly light beyond white loses its colour.
const FADE: f32 = 0.08;

/// The effects of a frame over a picture of a view, in which daylight has a strength.
pub fn layer(impostors: &[Impostor], shading: &Shading, view: &View, daylight: f32) -> Layer {
    let footprint = |impostor: &Impostor| {
        let incident = shading.incident(impostor.position);
        let incident = Incident {
            sun: daylight * incident.sun,
            above: daylight * incident.above,
            below: daylight * incident.below,
            ..incident
        };
        Footprint::of(impostor, Paint::of(impostor, &incident, Vec3::ONE), view, |_| 0.0)
    };
    let all = impostors.par_iter().filter_map(footprint).collect();
    let (width, height) = view.size();
    let before: Vec<Vec4> = match shading.shadow_map {
        Some(_) => (0..width * height)
            .into_par_iter()
            .map(|i| depths(shading.buffer, i % width, i / width))
            .collect(),
        // In the plane nothing is before anything.
        None => vec![NOTHING_BEFORE; width * height],
    };
    Layer::draw(all, width, &Bearings::of(view, shading.towards_key), &before)
}

/// Depths of the samples of a pixel [m].
fn depths(buffer: &VisibilityBuffer, x: usize, y: usize) -> Vec4 {
    let block = SAMPLES as usize;
    Vec4::from_array(std::array::from_fn(|i| buffer.depth(x * block + i % block, y * block + i / block)))
}

/// Light that is brighter than white keeps its colour, unless it is far too bright.
pub fn without_glare(light: Vec3) -> Vec3 {
    let peak = light.max_element();
    if peak <= 1.0 {
        return light;
    }
    Vec3::ONE.lerp(light / peak, 1.0 / (1.0 + FADE * (peak - 1.0)))
}
