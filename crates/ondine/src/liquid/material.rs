//! From quantities in SI units to the numbers of the default method.
//!
//! | symbol | meaning |
//! |---|---|
//! | s, h, q | spacing, interaction radius, distance over h |
//! | ρ, ρ0 | Σ W over the neighbours (`kernel.rs`), and its value at rest |
//! | C | strain of the density, 2(ρ−ρ0)/(ρ+ρ0) |
//! | ε | how much faster than the number of particles a volume ρ grows: dρ/ρ = ε dn/n |
//! | K, c | bulk modulus [Pa] and speed of sound, K = ρ_m c² |
//! | V2 | Σ g q⁴, and for springs Σ q²(1−q) |
//!
//! All sums are over a regular packing with one particle a volume s³ (s² in the plane).

use super::load::Load;
use super::{kernel, sph, tension};
use crate::power::Power;
use crate::scene::{Liquid, LiquidModel};
use serde::{Deserialize, Serialize};

/// Density sums of a settled liquid over those of the closest packing with as many particles a volume. How it is packed hardly matters
/// (`kernel.rs`); its surface, whose particles stand closer together, does a little.
const LOOSE: f64 = 0.9985;

/// Largest c·dt/h. The fastest oscillation of a lattice has ω = 2.3 c/h, a little more where it is squeezed, and √(1 + MEMORY)
/// of it with memory; a force at LOOK_AHEAD is stable while (ω dt)² < 4/(1 + 2 LOOK_AHEAD). A free surface bears less: from 0.68 on its
/// particles go to and fro with every step, by some hundredths of a millimetre, and never come to rest.
pub const STABLE_SOUND: f32 = 0.65;

/// Share of [`STABLE_SOUND`] that is left to a liquid whose steps are too long for what it must withstand.
const SQUEEZED: f32 = 0.7;

/// Share of a step by which pressures look ahead: sound waves lose ω² dt²/2 of it in amplitude with each step, the more the
/// shorter they are; gravity waves, slow and long, lose nothing to speak of.
pub const LOOK_AHEAD: f32 = 0.05;

/// Stiffness that is there for sudden changes of density only, over the lasting one. It takes the ringing out of a
/// pool that has been filled or hit: a wave whose period is 2π times the time of forgetting loses a quarter of this share of
/// its amplitude with every radian.
const MEMORY: f32 = 0.2;

/// Least kinematic viscosity, over s and the speed of sound that the liquid's depth asks for, times the square of the support: what
/// it takes to bring particles to rest that jostle each other under their weight.
const STILL: f32 = 0.04;
/// The same over s and the speed of sound that the liquid has: for drops and puddles, which have no weight to speak of.
const STILL_DROP: f32 = 0.0003;

/// Cohesion over what would part a lattice along a plane for the energy of its surfaces, in space and in the plane. It must hold a
/// surface together that its tension would thin out, no more: with none drops boil, with 1 they are slow to merge.
const COHESION: [f32; 2] = [0.25, 0.4];

/// Surface tension over ρ g s² below which it cannot be seen beside the weight of a single particle, and is left out.
const UNSEEN: f32 = 0.02;

/// How neighbours push each other apart by themselves: below which distance, in spacings, and how hard, over the π of a strain of 1. At
/// rest none are so near.
const CLOSE: [f32; 2] = [0.75, 4.4];
/// The same in the plane where surface tension outweighs depth: surfaces would else become strings (`tension.rs`). The closest packing is
/// 1.07 spacings wide.
const CLOSE_TENSE_PLANE: [f32; 2] = [1.0, 7.5];

/// The same for images in walls: below a whole spacing, so that the first layer stands half a spacing from a wall, as the liquid beyond it
/// would. Density alone lets particles come closer to their own images, until contact held them at a quarter; what is held so is stopped
/// by friction twice (walls that grip do it by viscosity), and its weight, which viscosity then carries on, kept pools simmering.
const CLOSE_IMAGE: [f32; 2] = [1.0, CLOSE[1]];
/// The same in the plane where surface tension outweighs depth: a line of contact that must go on lowers one particle after the other to
/// the wall, and is held where that takes much.
const CLOSE_IMAGE_TENSE_PLANE: [f32; 2] = [0.8, CLOSE[1]];

/// Approach of neighbours, over the speed of sound, that is no collision: pressure alone turns them aside.
const GENTLE: f32 = 0.1;

/// Speeds of sound to the fastest motion: a splash then compresses by some 1/IMPACT², for an instant.
const IMPACT: f32 = 2.0;

/// Sums over a regular packing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Packing {
    /// h over the spacing.
    pub support: f32,
    /// Whether it is one of the plane.
    pub planar: bool,
    /// ρ0.
    pub rest: f32,
    /// ε.
    pub response: f32,
    /// Σ q² (dW/du)²: how much a particle's pressure changes its own density.
    pub coupling: f32,
    /// V2 ⟨x²y²⟩ of viscosity, with ⟨x²y²⟩ = 1/15 in space and 1/8 in the plane.
    pub shear: f32,
    /// The same of springs.
    pub bonds: f32,
    /// Surface tension of a liquid whose particles attract each other with 1 N/m³, over s²: their attraction has a part of it
    /// (`COHESION`).
    pub tension: f32,
    /// Pressure with which it draws the bulk together, over s [Pa/m].
    pub cohesion: f32,
}

impl Packing {
    /// The sums for an interaction radius of `support` spacings.
    pub fn of(support: f32, planar: bool) -> Self {
        let (mut rho, mut slope, mut shear, mut bonds) = (0.0, 0.0, 0.0, 0.0);
        let (mut cut, mut virial, mut coupling) = (0.0, 0.0, 0.0);
        for q in distances(planar).map(|r| r / support as f64).filter(|q| *q > 0.0 && *q < 1.0) {
            let [weight, push, drag] = kernel::at(q);
            rho += weight;
            slope += 2.0 * q * q * push;
            shear += q.power(4) * drag;
            bonds += q * q * (1.0 - q);
            cut += 0.5 * q * weight;
            virial += q * q * push;
            coupling += q * q * push * push;
        }
        let (dimension, turns) = if planar { (2.0, 1.0 / 8.0) } else { (3.0, 1.0 / 15.0) };
        let share = if planar { 0.5 / std::f64::consts::PI } else { 0.125 };
        Self {
            support,
            planar,
            rest: (LOOSE * rho) as f32,
            response: (slope / (dimension * rho)) as f32,
            coupling: coupling as f32,
            shear: (shear * turns) as f32,
            bonds: (bonds * turns) as f32,
            tension: (share * (support as f64).power(2) * cut) as f32 / COHESION[usize::from(planar)],
            cohesion: (support as f64 * virial / (2.0 * dimension)) as f32,
        }
    }
}

/// Distances of the points of the closest packing with one point a unit volume (area) from one of them.
fn distances(planar: bool) -> impl Iterator<Item = f64> {
    const REACH: i32 = 8;
    let row = || -REACH..=REACH;
    let layers = if planar { 0..=0 } else { row() };
    layers.flat_map(move |k| row().flat_map(move |j| row().map(move |i| [i, j, k]))).filter_map(
        move |[i, j, k]| {
            if planar {
                // Hexagonal: area of a cell √3/2 a².
                let a = (2.0 / 3f64.sqrt()).sqrt();
                return Some(a * libm::hypot(i as f64 + 0.5 * j as f64, 0.75f64.sqrt() * j as f64));
            }
            // Face-centred cubic: points of the cubic lattice of side a/2 with an even sum, four a cube a³.
            ((i + j + k) % 2 == 0).then(|| 0.5 * libm::cbrt(4.0) * ((i * i + j * j + k * k) as f64).sqrt())
        },
    )
}

/// The speed of sound that a liquid needs under a load [m/s]: enough that its depth and its impacts compress it by no
/// more than asked.
pub fn sound_speed(liquid: &Liquid, load: Load) -> f32 {
    if liquid.model == LiquidModel::Sph {
        return sph::sound_speed(liquid, load);
    }
    match liquid.stiffness {
        Some(modulus) => (modulus / liquid.rest_density()).sqrt(),
        None => ((load.head + load.cohesion) / liquid.compression).sqrt().max(IMPACT * load.impact),
    }
}

/// The speed of sound of a liquid under a load in steps of `dt` [m/s]: what it needs, or as much as the step stands. A liquid
/// that gets less than it needs is squeezed, and stiffer for it.
pub fn sound_within(liquid: &Liquid, packing: &Packing, load: Load, dt: f32) -> f32 {
    let courant = if liquid.model == LiquidModel::Sph { sph::COURANT } else { STABLE_SOUND };
    let (wanted, most) = (sound_speed(liquid, load), courant * packing.support * liquid.spacing / dt);
    if wanted > 1.001 * most { SQUEEZED * most } else { wanted }
}

/// The least viscosity of a liquid with speed of sound `c` under a load [Pa·s]: no less can be shown at its spacing.
pub fn least_viscosity(liquid: &Liquid, support: f32, load: Load, c: f32) -> f32 {
    if liquid.model == LiquidModel::Sph {
        return sph::least_viscosity(liquid, support * liquid.spacing, c);
    }
    let deep = (load.head / liquid.compression).sqrt().min(c);
    liquid.rest_density() * (STILL * deep / (support * support) + STILL_DROP * c) * liquid.spacing
}

/// Attraction of a liquid's particles [N/m³].
fn attraction(liquid: &Liquid, packing: &Packing) -> f32 {
    liquid.tension() / (packing.tension * liquid.spacing * liquid.spacing)
}

/// Pressure with which a liquid's own attraction draws it together, and its tension the particles of its surface [Pa].
pub fn cohesion(liquid: &Liquid, packing: &Packing) -> f32 {
    packing.cohesion * liquid.spacing * attraction(liquid, packing) + liquid.tension() / liquid.spacing
}

/// The method's numbers for one liquid in one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Interaction radius [m].
    pub h: f32,
    /// Volume of a particle [m³]; in the plane, its area.
    pub volume: f32,
    /// Density ρ_m [kg/m³].
    pub density: f32,
    /// ρ0.
    pub rest: f32,
    /// π of a C of 1, 2K/(ε² ρ0 h²) [Pa/m²].
    pub push: f32,
    /// Pressure of a C of 1, K/ε [Pa].
    pub bulk: f32,
    /// 1/ε.
    pub per_response: f32,
    /// P/ρ_m of a π of 1, ε ρ0 h²/(2ρ_m) [m⁵/kg].
    pub head: f32,
    /// Σ q² (dW/du)² h² over a packing at rest [m²].
    pub coupling: f32,
    /// Particles in a volume where nothing presses, over their number at rest.
    pub swollen: f32,
    /// Share of the difference between C and what a particle is used to that a step forgets.
    pub forgets: f32,
    /// Linear viscosity σ [1/s].
    pub sigma: f32,
    /// σ of a kinematic viscosity of 1 [1/m²].
    pub sigma_of_nu: f32,
    /// The part of σ that the liquid's own viscosity has; the rest only brings particles to rest, and walls do not feel it [1/s].
    pub own_sigma: f32,
    /// Quadratic viscosity β [1/m].
    pub beta: f32,
    /// Speed of approach up to which there is no quadratic viscosity [m/s].
    pub gentle: f32,
    /// π_c, by which all pressures are lower: cohesion [Pa/m²].
    pub cohesion: f32,
    /// B = 2cV/h², which makes sums of the pressure pass into gradients n [1/m²].
    pub gradient: f32,
    /// 2κB [N/m²].
    pub tension: f32,
    /// Distance below which neighbours push each other apart by themselves, in spacings, and how hard, over `push`.
    pub close: [f32; 2],
    /// The same for images in walls.
    pub close_image: [f32; 2],
    /// Gradients n below this are those of a liquid's inside [1/m].
    pub inside: f32,
    /// Pull of a wall that it touches at an angle of 0, about 12γ/h² [N/m³].
    pub wetting: f32,
}

impl Material {
    /// The strain C of a density sum: none where there is room.
    #[inline(always)]
    pub fn strain(&self, rho: f32) -> f32 {
        let x = rho / self.rest;
        (2.0 * (x - 1.0) / (x + 1.0)).max(0.0)
    }

    /// π of a density sum and the strain that a particle is used to [Pa/m²].
    #[inline(always)]
    pub fn pressure(&self, rho: f32, used_to: f32) -> f32 {
        let x = rho / self.rest;
        let strain = self.strain(rho);
        let slope = 2.0 / (x + 1.0);
        self.push * slope * slope * (strain + MEMORY * (strain - used_to)) - self.cohesion
    }

    /// What squeezed particles count in viscosity, by their density sum. The momentum that pairs carry grows with the square of their
    /// number in a volume, n/n0 = (1 − swell)(1 + C/ε); a liquid's viscosity must not know how squashy it is. At a surface neighbours are
    /// missing, not far apart: nothing counts more than at rest.
    #[inline(always)]
    pub fn thinned(&self, rho: f32) -> f32 {
        let crowd = self.swollen * (1.0 + self.strain(rho) * self.per_response);
        1.0 / (crowd * crowd).max(1.0)
    }

    /// The numbers of a liquid with speed of sound `c` for a step of `dt`.
    pub fn new(
        liquid: &Liquid,
        packing: &Packing,
        load: Load,
        c: f32,
        dt: f32,
        planar: bool,
        swell: f32,
    ) -> Self {
        let (support, h) = (packing.support, packing.support * liquid.spacing);
        let modulus = liquid.rest_density() * c * c;
        // cV: the kernel's integral is 1/c.
        let per_integral =
            1.0 / (kernel::integral(planar) as f32 * support.power(if planar { 2 } else { 3 }));
        let gradient = 2.0 * per_integral / (h * h);
        let kappa = liquid.tension() * h / if planar { tension::PLANE } else { tension::SPACE };
        let weight = liquid.rest_density() * load.gravity * liquid.spacing * liquid.spacing;
        let is_seen = liquid.tension() > UNSEEN * weight;
        // Under much more weight than tension such a push would be as stiff as that needs, and hinder a flow through slits.
        let tense = match planar && is_seen {
            true => (2.0 * (load.cohesion - load.head) / (load.cohesion + load.head)).clamp(0.0, 1.0),
            false => 0.0,
        };
        // A pool of depth D rings with ω = πc/2D; small things with their own size.
        let time = 2.0 * load.depth.max(2.0 * h) / (std::f32::consts::PI * c);
        // What is incompressible has no sound, but jostles as much as what has.
        let jostling = if liquid.model == LiquidModel::Dfsph { sound_speed(liquid, load) } else { c };
        let still = least_viscosity(liquid, support, load, jostling) / liquid.rest_density();
        let (own, per_nu) =
            (liquid.viscosity.linear / liquid.rest_density(), 1.0 / (0.5 * packing.shear * h * h));
        Self {
            h,
            volume: liquid.spacing.power(if planar { 2 } else { 3 }),
            density: liquid.rest_density(),
            rest: packing.rest * (1.0 - packing.response * swell),
            push: 2.0 * modulus / (packing.response * packing.response * packing.rest * h * h),
            bulk: modulus / packing.response,
            per_response: 1.0 / packing.response,
            head: 0.5 * packing.response * packing.rest * h * h / liquid.rest_density(),
            coupling: packing.coupling * h * h,
            swollen: 1.0 - swell,
            forgets: (dt / time).min(1.0),
            sigma: own.max(still) * per_nu,
            sigma_of_nu: per_nu,
            own_sigma: own * per_nu,
            beta: liquid.viscosity.quadratic / h,
            gentle: GENTLE * c,
            cohesion: if is_seen { attraction(liquid, packing) / (2.0 * h) } else { 0.0 },
            gradient,
            tension: if is_seen { 2.0 * kappa * gradient } else { 0.0 },
            close: between(CLOSE, CLOSE_TENSE_PLANE, tense),
            close_image: between(CLOSE_IMAGE, CLOSE_IMAGE_TENSE_PLANE, tense),
            inside: if planar { 0.0 } else { tension::INSIDE / h },
            wetting: if is_seen { tension::wetting(liquid.tension(), support) / (h * h) } else { 0.0 },
        }
    }
}

fn between(a: [f32; 2], b: [f32; 2], share: f32) -> [f32; 2] {
    std::array::from_fn(|k| a[k] + share * (b[k] - a[k]))
}
