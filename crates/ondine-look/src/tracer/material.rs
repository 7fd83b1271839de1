//! What things are made of, as far as light can tell.

use super::microfacet;
use crate::color::linear;
use glam::Vec3A;
use ondine::scene::{Balls, Finish, Liquid, LiquidFinish, Object};

/// Refractive index of coats, skin and glass.
const COAT: f32 = 1.5;

/// Depth at which glass shows its colour [m].
const GLASS_DEPTH: f32 = 0.15;

/// How far from a solid a liquid still wets it [spacings]: meshes of particles end a little before walls.
const CONTACT: f32 = 1.0;

/// Power of a metal's colour that it reflects.
const METAL: f32 = 0.65;

/// Colours are kept this far from black and white, so that light is never kept for ever, nor absorbed at once.
const DARKEST: f32 = 0.004;
const LIGHTEST: f32 = 0.985;

/// How blurred reflections in the wire of springs are.
const WIRE_ROUGHNESS: f32 = 0.3;

/// How far light goes around a corner of skin, as the cosine beyond the edge: red goes furthest.
pub const WRAP: Vec3A = Vec3A::new(0.45, 0.2, 0.12);

/// A material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// How it scatters light.
    pub bsdf: Bsdf,
    /// Linear light, where the surface has no colour of its own.
    pub color: Vec3A,
    /// Light that it gives off.
    pub emission: Vec3A,
}

/// How a material scatters light: its BSDF. `alpha` is the width of GGX (`microfacet`), `index` the refractive index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bsdf {
    /// Scatters evenly (Lambert).
    Matte,
    /// Matte under a clear coat.
    Coated { alpha: f32, index: f32 },
    /// Matte under a clear coat, with light going around its edges. It stands for light that enters and comes out near by:
    /// no light is followed inside, the lit side only reaches further than it should, in red most, as bright in all.
    Skin { alpha: f32, index: f32 },
    /// Reflects, by colour.
    Metal { alpha: f32 },
    /// Reflects and lets through.
    Clear {
        alpha: f32,
        index: f32,
        /// Absorption coefficient, by colour [1/m].
        absorption: Vec3A,
        /// How far from a solid it still wets it [m].
        contact: f32,
    },
}

impl Material {
    /// Of an object.
    pub fn of_object(object: &Object) -> Self {
        Self::finished(object.finish, object.color, object.roughness)
    }

    /// Of balls.
    pub fn of_balls(balls: &Balls) -> Self {
        Self::finished(balls.finish, balls.color, balls.roughness)
    }

    /// Of the wire of springs.
    pub fn of_wire(color: [f32; 3]) -> Self {
        Self::finished(Finish::Metal, color, WIRE_ROUGHNESS)
    }

    fn finished(finish: Finish, color: [f32; 3], roughness: f32) -> Self {
        let (color, alpha) = (bounded(color), microfacet::alpha(roughness));
        let color = if finish == Finish::Metal { polished(color) } else { color };
        let bsdf = match finish {
            Finish::Matte => Bsdf::Matte,
            Finish::Plastic => Bsdf::Coated { alpha, index: COAT },
            Finish::Metal => Bsdf::Metal { alpha },
            Finish::Skin => Bsdf::Skin { alpha, index: COAT },
            // What is written for polish is no frosted glass: glass is as clear as it is made.
            Finish::Glass => clear(color, GLASS_DEPTH, COAT, 0.0, 0.0),
        };
        Self { bsdf, color, emission: Vec3A::ZERO }
    }

    /// Of a liquid.
    pub fn of_liquid(liquid: &Liquid) -> Self {
        let (look, color) = (liquid.look, bounded(liquid.color));
        let color = if look.finish == LiquidFinish::Metal { polished(color) } else { color };
        let alpha = microfacet::alpha(look.roughness);
        let bsdf = match look.finish {
            LiquidFinish::Clear => clear(color, look.depth, look.index, alpha, CONTACT * liquid.spacing),
            LiquidFinish::Plastic => Bsdf::Coated { alpha, index: COAT },
            LiquidFinish::Metal => Bsdf::Metal { alpha },
            LiquidFinish::Matte => Bsdf::Matte,
        };
        Self { bsdf, color, emission: color * look.glow.max(0.0) }
    }

    /// The same for particles that are shown as balls: a clear one would show nothing but edges.
    pub fn of_particles(self) -> Self {
        match self.bsdf {
            Bsdf::Clear { index, .. } => Self { bsdf: Bsdf::Coated { alpha: 0.08, index }, ..self },
            _ => self,
        }
    }

    /// Of something of a colour that only scatters.
    pub fn matte(color: Vec3A) -> Self {
        Self { bsdf: Bsdf::Matte, color, emission: Vec3A::ZERO }
    }

    /// Whether light goes through it.
    pub fn is_clear(&self) -> bool {
        matches!(self.bsdf, Bsdf::Clear { .. })
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
fn clear(color: Vec3A, depth: f32, index: f32, alpha: f32, contact: f32) -> Bsdf {
    let absorption = -Vec3A::new(color.x.ln(), color.y.ln(), color.z.ln()) / depth.max(1e-6);
    Bsdf::Clear { alpha, index: index.clamp(1.0, 4.0), absorption, contact }
}

#[cfg(test)]
mod tests {
    use super::super::optics::transmittance;
    use super::*;

    #[test]
    fn a_clear_liquid_shows_its_colour_at_its_depth() {
        let liquid = ondine::scene::Preset::Honey.liquid();
        let Bsdf::Clear { absorption, .. } = Material::of_liquid(&liquid).bsdf else {
            panic!("honey is clear")
        };
        assert!(transmittance(absorption, liquid.look.depth).distance(bounded(liquid.color)) < 1e-5);
        assert!(transmittance(absorption, 0.0).distance(Vec3A::ONE) < 1e-6);
    }
}
