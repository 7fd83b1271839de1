//! Particles as balls.

use crate::seen::{Seen, Thing};
use crate::shading::linear;
use crate::view::View;
use glam::Vec3;
use ondine::Frame;

/// Radius of a drawn ball over that of its particle: neighbours at rest overlap a little, so a pool reads as one body.
const SWELL: f32 = 1.25;

/// The same in a planar scene, where nothing behind fills the gap between four balls of a square: a little over √2.
const PLANAR_SWELL: f32 = 1.45;

/// How far towards white the fastest particles go.
const SPRAY_WHITE: f32 = 0.45;

/// A particle as it is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Bead {
    /// Where it is [m].
    pub center: Vec3,
    /// How large it is drawn [m].
    pub radius: f32,
    /// Linear light.
    pub color: Vec3,
}

/// The beads of a frame. `lively` is the speed [m/s] that is half-way to the lightest colour.
pub fn of_frame(frame: &Frame, planar: bool, lively: f32) -> Vec<Bead> {
    let mut beads = Vec::with_capacity(frame.particles.iter().map(|p| p.position.len()).sum());
    for particles in &frame.particles {
        let color = linear(particles.color);
        let radius = particles.radius * if planar { PLANAR_SWELL } else { SWELL };
        for (position, velocity) in particles.position.iter().zip(&particles.velocity) {
            let energy = Vec3::from(*velocity).length_squared();
            // Energy rather than speed: slow flow keeps the liquid's own colour.
            let white = SPRAY_WHITE * energy / (energy + lively * lively);
            beads.push(Bead { center: (*position).into(), radius, color: color.lerp(Vec3::ONE, white) });
        }
    }
    beads
}

/// Draws the beads, each as a round patch bulging towards the eye.
pub fn draw(beads: &[Bead], view: &View, seen: &mut Seen) {
    for (index, bead) in beads.iter().enumerate() {
        let Some(spot) = view.project(bead.center) else { continue };
        if spot.depth <= bead.radius {
            continue;
        }
        // At least one sample wide, so that distant spray does not twinkle away.
        let r = (bead.radius * spot.scale).max(0.71);
        let (columns, rows) = seen.window((spot.x - r, spot.y - r), (spot.x + r, spot.y + r));
        for (y, row) in rows.clone().zip(seen.rows_mut().skip(rows.start)) {
            let dy = y as f32 + 0.5 - spot.y;
            for (x, cell) in columns.clone().zip(&mut row[columns.clone()]) {
                let dx = x as f32 + 0.5 - spot.x;
                let bulge = 1.0 - (dx * dx + dy * dy) / (r * r);
                if bulge > 0.0 {
                    cell.put(spot.depth - bead.radius * bulge.sqrt(), Thing::Bead(index));
                }
            }
        }
    }
}
