//! The particles of effects as impostors: flat patterns that face the camera.
//!
//! | step | file |
//! |---|---|
//! | what each particle of a frame is drawn as | here |
//! | what the patterns look like, and textures of them | `patterns`, `noise`, `texture` |
//! | the light that falls on them | `paint` |
//! | where they are in the picture | `footprint` |
//! | all of them, from the farthest to the nearest, as a layer over a picture | `layer` |
//!
//! A layer is made once, from depths of what else is in the picture, and serves drawn and traced pictures alike. Light adds up in
//! linear values.
//!
//! # Limits
//! Impostors are sorted by their middles: two large ones that overlap are drawn one over the other, not through each other. They cast no shadow,
//! light nothing and are in no mirror; clear things dim what is behind them and do not bend it.

mod footprint;
mod layer;
mod noise;
mod paint;
mod patterns;
#[cfg(test)]
mod tests;
mod texture;

pub use footprint::Footprint;
pub use layer::{Layer, NOTHING_BEFORE};
pub use paint::{Bearings, Incident, Paint};

use crate::color::linear;
use glam::{Vec2, Vec3};
use ondine::scene::{EffectLook, Sprite, SpriteBlend};
use ondine::{Frame, Particles, Scene, SystemKind};

/// How the effects of a scene look.
#[derive(Clone, Debug)]
pub struct Sprites {
    looks: Vec<(String, EffectLook)>,
}

/// A particle as it is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Impostor {
    /// Where it is [m].
    pub position: Vec3,
    /// Where the way that it shows begins [m]: of all but streaks where it is.
    pub tail: Vec3,
    /// Half its width [m].
    pub radius: f32,
    /// Cosine and sine of the angle by which it is turned, against the clock.
    pub turn: Vec2,
    /// Linear light.
    pub color: Vec3,
    /// From 0 to 1.
    pub opacity: f32,
    /// Which of several alike patterns it has.
    pub variant: u32,
    /// How its effect looks.
    pub look: EffectLook,
}

impl Sprites {
    /// Those of a scene.
    pub fn of(scene: &Scene) -> Self {
        Self { looks: scene.effect.iter().map(|effect| (effect.name.clone(), effect.look)).collect() }
    }

    /// Whether the scene has no effects.
    pub fn is_empty(&self) -> bool {
        self.looks.is_empty()
    }

    /// Whether some add light to what is behind them, which bright days drown.
    pub fn glow(&self) -> bool {
        self.looks.iter().any(|(_, look)| look.blend == SpriteBlend::Additive)
    }

    /// What can be seen of the effects of a frame.
    pub fn in_frame(&self, frame: &Frame) -> Vec<Impostor> {
        let of_effect = |particles: &Particles| {
            let (_, look) = self.looks.iter().find(|(name, _)| *name == particles.name)?;
            (particles.kind == SystemKind::Effect).then_some(*look)
        };
        let effects = frame.particles.iter().filter_map(|p| Some((p, of_effect(p)?)));
        effects
            .flat_map(|(p, look)| (0..p.position.len()).filter_map(move |i| impostor(p, i, look)))
            .collect()
    }
}

/// One particle of an effect, unless there is nothing to see of it.
fn impostor(particles: &Particles, i: usize, look: EffectLook) -> Option<Impostor> {
    let (position, radius) = (Vec3::from(particles.position[i]), particles.radius_of(i));
    let velocity = particles.velocity.get(i).map_or(Vec3::ZERO, |v| Vec3::from(*v));
    let [r, g, b, opacity] = particles.color_of(i);
    let way = if look.sprite == Sprite::Streak { velocity * look.exposure } else { Vec3::ZERO };
    // A quaternion about z holds half the angle.
    let [.., sin, cos] = particles.orientation.get(i).copied().unwrap_or([0.0, 0.0, 0.0, 1.0]);
    let turn = Vec2::new(cos * cos - sin * sin, 2.0 * sin * cos).try_normalize().unwrap_or(Vec2::X);
    let seen = opacity > 0.0 && radius > 0.0 && radius.is_finite() && position.is_finite();
    seen.then(|| Impostor {
        position,
        tail: if way.is_finite() { position - way } else { position },
        radius,
        turn,
        color: linear([r, g, b]),
        opacity: opacity.min(1.0),
        variant: particles.id.get(i).copied().unwrap_or(0),
        look,
    })
}
