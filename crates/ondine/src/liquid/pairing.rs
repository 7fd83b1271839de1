//! How particles of several liquids count for each other.
//!
//! Not in thesis 000 (its future work: phases). Two particles feel each other up to h, the larger of h_i and h_j, and count by
//! its volume. In units in which a particle among its like has the sum that `kernel.rs` tells,
//!
//! ρ_i = Σ_j (V_j/V_i)(h_i/h)^d W(r/h),
//!
//! which is the same for any mixture of fine and coarse ones that fills space. The gradient of the energy of these densities
//! is, over the volume of i, Σ_j (A π_i + B π_j)(−dW/du)(x_i − x_j), with A = (V_j/V_i)(h_i/h)^(d+2) and B = (h_j/h)^(d+2); tension and
//! viscosity take the same shares. V_i A_ij = V_j B_ji, so that momentum is kept.

use super::mixture::Part;
use super::pressure::Field;
use super::sph;
use super::tension::UNLIKE;
use crate::clusters::{Cluster, EIGHT};
use crate::lanes::Lanes;
use crate::power::Power;
use crate::scene::{Liquid, LiquidModel, SphWalls};

/// Most liquids that can be in one mixture.
const MOST_LIQUIDS: usize = 8;
/// Interaction radii that can be in one mixture, widest over narrowest: wider ones look through ever more of the fine.
const MOST_UNLIKE: f32 = 2.2;

/// For each liquid the number of its mixture: those of one model mix, but for the source's own method of thesis 000, unless their
/// interaction radii are too unlike.
pub fn mixtures<'a>(liquids: impl Iterator<Item = &'a Liquid>, planar: bool) -> Vec<Option<usize>> {
    /// How many a mixture has, its narrowest radius and its widest, and how its liquids keep their volume.
    struct Group(usize, f32, f32, (LiquidModel, SphWalls));
    let mut groups: Vec<Group> = Vec::new();
    let mut number = |liquid: &Liquid| {
        let (h, model) = (liquid.reach(planar), (liquid.model, liquid.sph.walls));
        let has_room =
            |g: &Group| g.0 < MOST_LIQUIDS && g.2.max(h) <= MOST_UNLIKE * g.1.min(h) && g.3 == model;
        let found = groups.iter().position(has_room).unwrap_or(groups.len());
        match groups.get_mut(found) {
            Some(g) => *g = Group(g.0 + 1, g.1.min(h), g.2.max(h), model),
            None => groups.push(Group(1, h, h, model)),
        }
        found
    };
    liquids.map(|l| l.thesis.is_none().then(|| number(l))).collect()
}

/// How particles of one liquid count for one of another, or of the same.
#[derive(Clone, Copy, Debug, Default)]
struct Pairing {
    /// h [m].
    h: f32,
    /// (V_j/V_i)(h_i/h)^d.
    share: f32,
    /// A.
    own: f32,
    /// B.
    other: f32,
    /// Square of the distance, over h², below which they push each other apart, whatever the density.
    close: f32,
    /// How hard they do, over (close − q²) [Pa/m²].
    crowded: f32,
    /// The same square for what one sees of the other in a wall.
    close_image: f32,
    /// How hard that pushes, over (close − q²) [Pa/m²].
    crowded_image: f32,
    /// Volume of the other over the mean of both.
    part: f32,
    /// Cohesion that is missing between unlike ones, A π_c + B π_c of each [Pa/m²].
    apart: f32,
    /// Of text 002: half of spiky's slope, and the Laplacian times the lesser viscosity.
    spiky: f32,
    drag: f32,
}

impl Pairing {
    fn new(i: &Part, j: &Part, dimension: u32) -> Self {
        let (own, other) = (&i.material, &j.material);
        let h = own.h.max(other.h);
        let (near, far) = (own.h / h, other.h / h);
        let (volumes, stiffness) =
            (other.volume / own.volume, (own.push * near * near).min(other.push * far * far));
        let share = volumes * near.power(dimension);
        let (a, b) = (share * near * near, far.power(dimension + 2));
        let both = |own: [f32; 2], other: [f32; 2]| [0, 1].map(|k| own[k].max(other[k]));
        let [close, crowded] = both(own.close, other.close);
        let [close_image, crowded_image] = both(own.close_image, other.close_image);
        let part = 2.0 * volumes / (1.0 + volumes);
        let square = |spacings: f32| (0.5 * spacings * (i.spacing + j.spacing) / h).power(2);
        let missing = if i.number == j.number { 0.0 } else { 1.0 - UNLIKE };
        Self {
            h,
            share,
            own: a,
            other: b,
            close: square(close),
            crowded: crowded * stiffness * part,
            close_image: square(close_image),
            crowded_image: crowded_image * stiffness * part,
            part,
            apart: missing * (a * own.cohesion + b * other.cohesion),
            spiky: 0.5 * sph::kernel::spiky(dimension) / h.power(dimension + 1),
            drag: i.mu().min(j.mu()) * sph::kernel::laplacian(dimension) / h.power(dimension + 2),
        }
    }
}

/// The liquids of a mixture, as their particles see each other.
#[derive(Clone, Debug, Default)]
pub struct Kinds {
    /// By slot, the number of the liquid in its mixture; eight more. Empty if there is one only.
    pub of: Vec<u8>,
    /// How many there are.
    count: usize,
    /// For each two of them.
    table: Vec<Pairing>,
}

impl Kinds {
    /// Takes the liquids of a step. `slot_of` has the slots of their particles, one liquid after the other.
    pub fn set(&mut self, parts: &[Part], slot_of: &[u32], planar: bool) {
        let dimension = if planar { 2 } else { 3 };
        self.table.clear();
        let pairs = parts.iter().flat_map(|i| parts.iter().map(move |j| Pairing::new(i, j, dimension)));
        self.table.extend(pairs);
        self.count = parts.len();
        self.of.clear();
        if parts.len() < 2 {
            return;
        }
        self.of.resize(slot_of.len() + EIGHT, 0);
        let mut slots = slot_of.iter();
        for (kind, part) in parts.iter().enumerate() {
            let own = slots.by_ref().take(part.liquid.particles.len());
            own.for_each(|&slot| self.of[slot as usize] = kind as u8);
        }
    }

    /// The liquid of a slot.
    #[inline(always)]
    pub fn kind(&self, slot: usize) -> usize {
        self.of.get(slot).map_or(0, |kind| *kind as usize)
    }
}

/// How the particles of a cluster, one a lane, see those of one liquid.
#[derive(Clone, Copy)]
pub struct Pair<V> {
    /// −1/h² [1/m²].
    pub per_square: V,
    /// h²/2 [m²].
    pub half_square: V,
    /// −1/h [1/m].
    pub per_h: V,
    /// (V_j/V_i)(h_i/h)^d.
    pub share: V,
    /// A.
    pub own: V,
    /// B.
    pub other: V,
    /// v of the distance below which they push each other apart, whatever the density.
    pub close: V,
    /// How hard they do, over v less that [Pa/m²].
    pub crowded: V,
    /// v of the distance below which images in walls push, whatever the density.
    pub close_image: V,
    /// How hard they do, over v less that [Pa/m²].
    pub crowded_image: V,
    /// Volume of the other over the mean of both.
    pub part: V,
    /// A π_i and the cohesion that is missing; where there is no pressure yet, that alone [Pa/m²].
    pub pressure: V,
    /// Half of the factor of spiky's slope (`sph/kernel.rs`).
    pub spiky: V,
    /// The lesser viscosity times the factor of the Laplacian.
    pub drag: V,
}

impl<V: Lanes> Pair<V> {
    #[inline(always)]
    fn of(kinds: &Kinds, cluster: &Cluster, other: usize, pressure: V) -> Self {
        let count = kinds.count;
        let lanes = |value: fn(&Pairing) -> f32| match count {
            1 => V::splat(value(&kinds.table[0])),
            _ => V::from_array(std::array::from_fn(|lane| {
                value(&kinds.table[kinds.kind(cluster.first + lane) * count + other])
            })),
        };
        let own = lanes(|p| p.own);
        Self {
            per_square: lanes(|p| -1.0 / (p.h * p.h)),
            half_square: lanes(|p| 0.5 * p.h * p.h),
            per_h: lanes(|p| -1.0 / p.h),
            share: lanes(|p| p.share),
            own,
            other: lanes(|p| p.other),
            close: V::splat(1.0).sub(lanes(|p| p.close)),
            crowded: lanes(|p| p.crowded),
            close_image: V::splat(1.0).sub(lanes(|p| p.close_image)),
            crowded_image: lanes(|p| p.crowded_image),
            part: lanes(|p| p.part),
            pressure: pressure.mul_add(own, lanes(|p| p.apart)),
            spiky: lanes(|p| p.spiky),
            drag: lanes(|p| p.drag),
        }
    }
}

/// How the particles of a cluster see any slot.
pub trait Sight<V> {
    /// As of a mixture and a cluster with pressures, or 0.
    fn of(kinds: &Kinds, cluster: &Cluster, pressure: V) -> Self;
    /// How they see a slot.
    fn pair(&self, kinds: &Kinds, slot: u32) -> Pair<V>;
}

/// Where there is one liquid.
pub struct One<V>(Pair<V>);

impl<V: Lanes> Sight<V> for One<V> {
    #[inline(always)]
    fn of(kinds: &Kinds, cluster: &Cluster, pressure: V) -> Self {
        Self(Pair::of(kinds, cluster, 0, pressure))
    }
    #[inline(always)]
    fn pair(&self, _: &Kinds, _: u32) -> Pair<V> {
        // Told here, nothing is multiplied by them.
        let one = V::splat(1.0);
        Pair { share: one, own: one, other: one, part: one, ..self.0 }
    }
}

/// Where there are several.
pub struct Several<V>([Pair<V>; MOST_LIQUIDS]);

impl<V: Lanes> Sight<V> for Several<V> {
    #[inline(always)]
    fn of(kinds: &Kinds, cluster: &Cluster, pressure: V) -> Self {
        let last = kinds.count - 1;
        Self(std::array::from_fn(|other| Pair::of(kinds, cluster, other.min(last), pressure)))
    }
    #[inline(always)]
    fn pair(&self, kinds: &Kinds, slot: u32) -> Pair<V> {
        self.0[kinds.kind(slot as usize) % MOST_LIQUIDS]
    }
}

/// Defines `fn $name(args)` that runs `$pass::<V, S>(args)` with the widest lanes of this processor and the sight that the liquids of
/// a field need.
macro_rules! by_sight {
    ($(#[$doc:meta])* $vis:vis fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $out:ty)? = $pass:ident in $field:expr) => {
        $(#[$doc])*
        #[allow(clippy::too_many_arguments)]
        $vis fn $name($($arg: $ty),*) $(-> $out)? {
            use crate::liquid::pairing::{One, Several};
            #[inline(always)]
            #[allow(clippy::too_many_arguments)]
            fn with<V: crate::lanes::Lanes>($($arg: $ty),*) $(-> $out)? {
                match $field.kinds.of.is_empty() {
                    true => $pass::<V, One<V>>($($arg),*),
                    false => $pass::<V, Several<V>>($($arg),*),
                }
            }
            crate::lanes::widest! { fn widest($($arg: $ty),*) $(-> $out)? = with }
            widest($($arg),*)
        }
    };
}
pub(super) use by_sight;

/// The sight of a cluster before pressures are known.
#[inline(always)]
pub fn unpressed<V: Lanes, S: Sight<V>>(field: &Field, cluster: &Cluster) -> S {
    S::of(field.kinds, cluster, V::splat(0.0))
}
