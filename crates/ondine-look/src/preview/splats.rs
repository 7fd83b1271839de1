//! Particles as splats: round patches that stand for balls.

use super::visibility::{Primitive, VisibilityBuffer};
use crate::camera::View;
use crate::color::linear;
use glam::Vec3;
use ondine::{Frame, SystemKind};

/// Radius of a drawn ball over that of its particle: neighbours at rest overlap a little, so a pool reads as one body.
const SWELL: f32 = 1.25;

/// The same in a planar scene, where nothing behind fills the gap between four balls of a square: a little over √2.
const PLANAR_SWELL: f32 = 1.45;

/// How far towards white the fastest particles go.
const SPRAY_WHITE: f32 = 0.45;

/// A particle as it is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Splat {
    /// Where it is [m].
    pub center: Vec3,
    /// How large it is drawn [m].
    pub radius: f32,
    /// Linear light.
    pub color: Vec3,
}

/// The splats of a frame. `brisk` is the speed [m/s] that is half-way to the lightest colour.
pub fn of_frame(frame: &Frame, planar: bool, brisk: f32) -> Vec<Splat> {
    let mut splats = Vec::with_capacity(frame.particles.iter().map(|p| p.position.len()).sum());
    // Effects are drawn over all else.
    for particles in frame.particles.iter().filter(|p| p.kind != SystemKind::Effect) {
        let color = linear(particles.color);
        // Particles of a liquid touch; rigid balls are as large as they are, and of one colour.
        let (swell, brisk) = match (particles.kind, planar) {
            (SystemKind::Balls, _) => (1.0, f32::INFINITY),
            (_, true) => (PLANAR_SWELL, brisk),
            (_, false) => (SWELL, brisk),
        };
        for (i, (position, velocity)) in particles.position.iter().zip(&particles.velocity).enumerate() {
            let radius = swell * particles.radius_of(i);
            let energy = Vec3::from(*velocity).length_squared();
            // Energy rather than speed: slow flow keeps the liquid's own colour.
            let white = SPRAY_WHITE * energy / (energy + brisk * brisk);
            splats.push(Splat { center: (*position).into(), radius, color: color.lerp(Vec3::ONE, white) });
        }
    }
    splats
}

/// Draws the splats, each as a round patch bulging towards the camera.
pub fn draw(splats: &[Splat], view: &View, buffer: &mut VisibilityBuffer) {
    for (index, splat) in splats.iter().enumerate() {
        let Some(point) = view.project(splat.center) else { continue };
        if point.depth <= splat.radius {
            continue;
        }
        // At least one sample wide, so that distant spray does not twinkle away.
        let r = (splat.radius * point.scale).max(0.71);
        let (columns, rows) = buffer.window((point.x - r, point.y - r), (point.x + r, point.y + r));
        for (y, row) in rows.clone().zip(buffer.rows_mut().skip(rows.start)) {
            let dy = y as f32 + 0.5 - point.y;
            for (x, sample) in columns.clone().zip(&mut row[columns.clone()]) {
                let dx = x as f32 + 0.5 - point.x;
                let bulge = 1.0 - (dx * dx + dy * dy) / (r * r);
                if bulge > 0.0 {
                    sample.put(point.depth - splat.radius * bulge.sqrt(), Primitive::Splat(index));
                }
            }
        }
    }
}
