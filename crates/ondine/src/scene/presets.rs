//! Materials that people know by name.

use super::description::description;
use super::{Liquid, LiquidModel, Relaxation, Sph, Springs, Viscosity};

description! {
    /// A named material. Values are those of the real substance where it has one, at room temperature.
    #[derive(Default)]
    pub enum Preset {
        /// Fresh water.
        #[default]
        Water,
        /// Olive oil: lighter and a hundred times thicker than water.
        Oil,
        /// House paint.
        Paint,
        /// Honey.
        Honey,
        /// Thick sugar syrup that folds and coils before it spreads.
        Syrup,
        /// Wet mud that slumps and then stands.
        Mud,
        /// Potter's clay: keeps prints.
        Clay,
        /// Modelling clay, stiffer than clay.
        Plasticine,
        /// Gelatine: wobbles and comes back.
        Jelly,
        /// Gold above its melting point.
        MoltenGold,
        /// Liquid mercury.
        Mercury,
        /// Basaltic lava, hot.
        Lava,
    }
}

impl Preset {
    /// Every preset, in the order of the guide.
    pub const ALL: [Preset; 12] = [
        Preset::Water,
        Preset::Oil,
        Preset::Paint,
        Preset::Honey,
        Preset::Syrup,
        Preset::Mud,
        Preset::Clay,
        Preset::Plasticine,
        Preset::Jelly,
        Preset::MoltenGold,
        Preset::Mercury,
        Preset::Lava,
    ];

    /// Angle at which it meets common colliders [°].
    fn contact_angle(self) -> f32 {
        match self {
            Preset::Water | Preset::Jelly => 60.0,
            Preset::Oil | Preset::Paint => 20.0,
            Preset::Honey | Preset::Syrup | Preset::Mud => 45.0,
            Preset::Clay | Preset::Plasticine | Preset::Lava => 90.0,
            Preset::MoltenGold | Preset::Mercury => 140.0,
        }
    }

    /// A liquid of this material: no name, no fill, default spacing.
    pub fn liquid(self) -> Liquid {
        // density [kg/m³], viscosity [Pa·s], surface tension [N/m], (shear modulus [Pa], α [1/s], γ), colour
        let (density, linear, surface_tension, (stiffness, plasticity, yield_ratio), color) = match self {
            Preset::Water => (1000.0, 0.001, 0.072, (0.0, 0.0, 0.0), [0.16, 0.42, 0.78]),
            Preset::Oil => (915.0, 0.08, 0.032, (0.0, 0.0, 0.0), [0.83, 0.68, 0.18]),
            Preset::Paint => (1300.0, 1.0, 0.035, (0.0, 0.0, 0.0), [0.80, 0.12, 0.14]),
            Preset::Honey => (1420.0, 10.0, 0.056, (0.0, 0.0, 0.0), [0.93, 0.60, 0.09]),
            Preset::Syrup => (1370.0, 4.0, 0.080, (400.0, 8.0, 0.0), [0.55, 0.22, 0.06]),
            Preset::Mud => (1700.0, 3.0, 0.060, (1500.0, 6.0, 0.04), [0.36, 0.25, 0.16]),
            Preset::Clay => (1900.0, 10.0, 0.060, (20_000.0, 20.0, 0.06), [0.70, 0.42, 0.30]),
            Preset::Plasticine => (1750.0, 20.0, 0.060, (40_000.0, 20.0, 0.10), [0.25, 0.60, 0.35]),
            Preset::Jelly => (1050.0, 0.5, 0.060, (4_000.0, 0.0, 0.0), [0.85, 0.16, 0.30]),
            Preset::MoltenGold => (17_310.0, 0.005, 1.14, (0.0, 0.0, 0.0), [1.00, 0.78, 0.25]),
            Preset::Mercury => (13_530.0, 0.0015, 0.485, (0.0, 0.0, 0.0), [0.72, 0.73, 0.75]),
            Preset::Lava => (2_700.0, 50.0, 0.35, (0.0, 0.0, 0.0), [0.95, 0.30, 0.05]),
        };
        Liquid {
            name: String::new(),
            material: self,
            spacing: 0.02,
            support: None,
            density,
            compression: 0.02,
            stiffness: None,
            viscosity: Viscosity { linear, quadratic: 1.0 },
            surface_tension,
            contact_angle: self.contact_angle(),
            springs: Springs { stiffness, plasticity, yield_ratio },
            model: LiquidModel::Viscoelastic,
            sph: Sph::default(),
            relaxation: Relaxation::Double,
            thesis: None,
            fill: Vec::new(),
            emitter: Vec::new(),
            drops: Vec::new(),
            lifetime: None,
            color,
            look: self.look(),
        }
    }
}
