//! What things are made of, as far as light can tell.

use super::gloss;
use crate::shading::linear;
use glam::Vec3A;
use ondine::scene::{Finish, Liquid, LiquidFinish, Object};

/// Refractive index of coats, skin and glass.
const COAT: f32 = 1.5;

/// Depth at which glass shows its colour [m].
const GLASS_DEPTH: f32 = 0.15;

/// How far from a solid a liquid still wets it [spacings]: meshes of particles end a little before walls.
const CONTACT: f32 = 1.0;

/// Power of a metal's colour that it reflects.
const METAL: f32 = 0.65;

/// Colours are kept this far from black and white, so that light is never swallowed in no way at all, nor kept for ever.
const DARKEST: f32 = 0.004;
const LIGHTEST: f32 = 0.985;

/// How far light goes around a corner of skin, as the cosine beyond the edge: red goes furthest.
pub const WRAP: Vec3A = Vec3A::new(0.45, 0.2, 0.12);

/// A material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// How it meets light.
    pub kind: Kind,
    /// Linear light, where the surface has no colour of its own.
    pub color: Vec3A,
    /// Light that it gives off.
    pub glow: Vec3A,
}

/// How a material meets light. Widths are those of GGX.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Scatters evenly (Lambert).
    Matte,
    /// Matte under a clear coat.
    Coated { width: f32, index: f32 },
    /// Matte under a clear coat, with light going around its edges. It stands for light that enters and comes out near by:
    /// no light is followed inside, the lit side only reaches further than it should, in red most, as bright in all.
    Skin { width: f32, index: f32 },
    /// Reflects, by colour.
    Metal { width: f32 },
    /// Reflects and lets through.
    Clear {
        width: f32,
        index: f32,
        /// Share that is swallowed, by colour [1/m].
        absorption: Vec3A,
        /// How far from a solid it still wets it [m].
        contact: f32,
    },
}

impl Material {
    /// Of an object.
    pub fn of_object(object: &Object) -> Self {
        let color = bounded(object.color);
        let width = gloss::width(object.roughness);
        let color = if object.finish == Finish::Metal { polished(color) } else { color };
        let kind = match object.finish {
            Finish::Matte => Kind::Matte,
            Finish::Plastic => Kind::Coated { width, index: COAT },
            Finish::Metal => Kind::Metal { width },
            Finish::Skin => Kind::Skin { width, index: COAT },
            // What is written for polish is no frosted glass: glass is as clear as it is made.
            Finish::Glass => clear(color, GLASS_DEPTH, COAT, 0.0, 0.0),
        };
        Self { kind, color, glow: Vec3A::ZERO }
    }

    /// Of a liquid.
    pub fn of_liquid(liquid: &Liquid) -> Self {
        let (look, color) = (liquid.look, bounded(liquid.color));
        let color = if look.finish == LiquidFinish::Metal { polished(color) } else { color };
        let width = gloss::width(look.roughness);
        let kind = match look.finish {
            LiquidFinish::Clear => clear(color, look.depth, look.index, width, CONTACT * liquid.spacing),
            LiquidFinish::Plastic => Kind::Coated { width, index: COAT },
            LiquidFinish::Metal => Kind::Metal { width },
            LiquidFinish::Matte => Kind::Matte,
        };
        Self { kind, color, glow: color * look.glow.max(0.0) }
    }

    /// The same as little balls that are not drops but stand for a mass: a clear one would show nothing but edges.
    pub fn of_beads(self) -> Self {
        match self.kind {
            Kind::Clear { index, .. } => Self { kind: Kind::Coated { width: 0.08, index }, ..self },
            _ => self,
        }
    }

    /// Of something of a colour that only scatters.
    pub fn matte(color: Vec3A) -> Self {
        Self { kind: Kind::Matte, color, glow: Vec3A::ZERO }
    }

    /// Whether light goes through it.
    pub fn is_clear(&self) -> bool {
        matches!(self.kind, Kind::Clear { .. })
    }
}

/// A scene's colour as linear light that can be reckoned with.
pub fn bounded(color: [f32; 3]) -> Vec3A {
    let color = color.map(|c| if c.is_finite() { c } else { 0.5 });
    Vec3A::from(linear(color)).clamp(Vec3A::splat(DARKEST), Vec3A::splat(LIGHTEST))
}

/// What a metal of a colour reflects: people remember metals darker than they are, for they have dark things to mirror.
fn polished(color: Vec3A) -> Vec3A {
    color.powf(METAL)
}

/// Something clear that shows its colour at a depth [m].
fn clear(color: Vec3A, depth: f32, index: f32, width: f32, contact: f32) -> Kind {
    let absorption = -Vec3A::new(color.x.ln(), color.y.ln(), color.z.ln()) / depth.max(1e-6);
    Kind::Clear { width, index: index.clamp(1.0, 4.0), absorption, contact }
}

#[cfg(test)]
mod tests {
    use super::super::optics::passed;
    use super::*;

    #[test]
    fn a_clear_liquid_shows_its_colour_at_its_depth() {
        let liquid = ondine::scene::Preset::Honey.liquid();
        let Kind::Clear { absorption, .. } = Material::of_liquid(&liquid).kind else {
            panic!("honey is clear")
        };
        assert!(passed(absorption, liquid.look.depth).distance(bounded(liquid.color)) < 1e-5);
        assert!(passed(absorption, 0.0).distance(Vec3A::ONE) < 1e-6);
    }
}
