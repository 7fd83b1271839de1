//! What can be seen and measured of a world at an instant.

use crate::objects::TriangleMesh;
use crate::scene::{Object, Placement};
use crate::system::SystemKind;
use serde::{Deserialize, Serialize};

/// What can be seen at an instant.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Frame number; 0 is the start.
    pub index: u32,
    /// Time since the start [s].
    pub time: f64,
    /// The particle systems, in the order of the scene.
    pub particles: Vec<Particles>,
    /// The objects, in the order of the scene; then those that edits add, which are not there before.
    pub objects: Vec<Pose>,
}

/// Where an object is and how it moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Pose {
    /// The object's name in the scene.
    pub name: String,
    /// Whether it is there.
    pub enabled: bool,
    /// Whether pictures show it, when it is there.
    pub visible: bool,
    /// Where its origin is and how it is turned.
    pub placement: Placement,
    /// Velocity of its origin [m/s].
    pub velocity: [f32; 3],
    /// Spin about each axis [rad/s].
    pub spin: [f32; 3],
}

impl Pose {
    /// Of an object that is not there yet.
    pub(crate) fn of_nothing(object: &Object) -> Self {
        let placement = object.placement();
        let (name, visible) = (object.name.clone(), object.visible);
        Self { name, enabled: false, visible, placement, velocity: [0.0; 3], spin: [0.0; 3] }
    }
}

/// One system's particles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Particles {
    /// What it is.
    pub kind: SystemKind,
    /// The system's name in the scene.
    pub name: String,
    /// Radius of each particle [m], or of the largest; of liquids half the spacing.
    pub radius: f32,
    /// Their own radii [m], if they differ; otherwise nothing.
    pub radii: Vec<f32>,
    /// Colour from the scene.
    pub color: [f32; 3],
    /// Positions [m].
    pub position: Vec<[f32; 3]>,
    /// Velocities [m/s].
    pub velocity: Vec<[f32; 3]>,
    /// Densities [kg/m³].
    pub density: Vec<f32>,
    /// Orientations, as quaternions x, y, z, w, of particles that turn; otherwise nothing.
    pub orientation: Vec<[f32; 4]>,
    /// Their own colours and opacities, red, green, blue and alpha from 0 to 1, as the scene gives colours; otherwise nothing.
    pub colors: Vec<[f32; 4]>,
    /// Names of the particles: a particle keeps its id for life, and no id is given twice.
    pub id: Vec<u32>,
}

impl Particles {
    /// Radius of one particle [m].
    pub fn radius_of(&self, i: usize) -> f32 {
        self.radii.get(i).copied().unwrap_or(self.radius)
    }

    /// Colour and opacity of one particle.
    pub fn color_of(&self, i: usize) -> [f32; 4] {
        let [r, g, b] = self.color;
        self.colors.get(i).copied().unwrap_or([r, g, b, 1.0])
    }
}

/// The surface of a liquid, with what moves it at each point of its mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// The system's name in the scene.
    pub name: String,
    /// A closed mesh, its triangles against the clock seen from outside.
    pub mesh: TriangleMesh,
    /// The direction away from the liquid at each point, of length 1.
    pub normal: Vec<[f32; 3]>,
    /// Velocity at each point [m/s].
    pub velocity: Vec<[f32; 3]>,
    /// Colour at each point, as the scene gives colours.
    pub color: Vec<[f32; 3]>,
}

/// The measure of a frame: one line of a bake's ledger.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ledger {
    /// Frame number; 0 is the start.
    pub frame: u32,
    /// Time since the start [s].
    pub time: f64,
    /// Steps taken for this frame.
    pub substeps: u32,
    /// Hash of the whole state, as 16 hexadecimal digits.
    pub hash: String,
    /// The systems, in the order of the scene.
    pub systems: Vec<SystemLedger>,
    /// The objects that can move, in the order of the scene.
    #[serde(default)]
    pub objects: Vec<ObjectLedger>,
    /// The springs between objects, in the order of the scene.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub springs: Vec<SpringLedger>,
}

/// The measure of one spring between objects. All of it is 0 while the spring is cut.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SpringLedger {
    /// The spring's name in the scene.
    pub name: String,
    /// Length [m].
    pub length: f64,
    /// Force that pulls its ends together, that of its damper included [N].
    pub tension: f64,
    /// Energy that it holds [J].
    pub energy: f64,
}

/// The measure of one object that can move.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ObjectLedger {
    /// The object's name in the scene.
    pub name: String,
    /// Mass [kg]; 0 for what nothing resists.
    pub mass: f64,
    /// Its origin [m].
    pub at: [f64; 3],
    /// Its orientation, as a quaternion x, y, z, w.
    pub rotation: [f64; 4],
    /// Velocity of its centre of mass [m/s].
    pub velocity: [f64; 3],
    /// Spin about each axis [rad/s].
    pub spin: [f64; 3],
    /// Momentum [kg·m/s].
    pub momentum: [f64; 3],
    /// Angular momentum about the origin [kg·m²/s].
    pub angular_momentum: [f64; 3],
    /// Kinetic energy [J].
    pub kinetic_energy: f64,
    /// Potential energy in gravity, zero at the origin [J].
    pub potential_energy: f64,
    /// Mean force of particles on it during the frame [N].
    pub force: [f64; 3],
    /// Mean torque of particles on it during the frame, about its centre of mass [N·m].
    pub torque: [f64; 3],
    /// Momentum that particles took beyond what they predicted, still to be paid [kg·m/s].
    pub deferred: [f64; 3],
}

/// The measure of one system.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SystemLedger {
    /// What it is.
    #[serde(default)]
    pub kind: SystemKind,
    /// The system's name in the scene.
    pub name: String,
    /// Number of particles.
    pub particles: u64,
    /// Mass [kg].
    pub mass: f64,
    /// Volume: mass over measured density, summed [m³].
    pub volume: f64,
    /// Momentum [kg·m/s].
    pub momentum: [f64; 3],
    /// Angular momentum about the origin [kg·m²/s].
    pub angular_momentum: [f64; 3],
    /// Kinetic energy [J].
    pub kinetic_energy: f64,
    /// Potential energy in gravity, zero at the origin [J].
    pub potential_energy: f64,
    /// Fastest particle [m/s].
    pub max_speed: f64,
    /// Particles found on the wrong side of an object. Always 0, or something is broken.
    pub leaks: u64,
    /// Centre of mass [m].
    pub center: [f64; 3],
    /// Mean excess of density over rest, as a fraction; particles below it, as at a surface, count as 0.
    pub compression: f64,
    /// How deep the deepest two balls are in each other, over the radius of the smaller.
    #[serde(default)]
    pub overlap: f64,
    /// Springs alive.
    pub springs: u64,
    /// Particles added since the start, by fills and emitters.
    pub emitted: u64,
    /// Particles removed since the start, by drains, lifetimes and the kill box.
    pub removed: u64,
}

impl Ledger {
    /// The first system, object or spring, as `liquid.water` or `object.boat`, of which a number is not finite.
    pub fn broken(&self) -> Option<String> {
        let system = self.systems.iter().find(|s| !s.is_finite()).map(|s| format!("{}.{}", s.kind, s.name));
        let object = || self.objects.iter().find(|o| !o.is_finite()).map(|o| format!("object.{}", o.name));
        let sound = |s: &SpringLedger| [s.length, s.tension, s.energy].iter().all(|x| x.is_finite());
        let spring = || self.springs.iter().find(|s| !sound(s)).map(|s| format!("spring.{}", s.name));
        system.or_else(object).or_else(spring)
    }
}

impl SystemLedger {
    fn is_finite(&self) -> bool {
        let vectors = [self.momentum, self.angular_momentum, self.center];
        let numbers = [
            self.mass,
            self.volume,
            self.kinetic_energy,
            self.potential_energy,
            self.max_speed,
            self.compression,
            self.overlap,
        ];
        numbers.iter().chain(vectors.iter().flatten()).all(|x| x.is_finite())
    }
}

impl ObjectLedger {
    fn is_finite(&self) -> bool {
        let vectors = [
            self.at,
            self.velocity,
            self.spin,
            self.momentum,
            self.angular_momentum,
            self.force,
            self.torque,
            self.deferred,
        ];
        let numbers = [self.mass, self.kinetic_energy, self.potential_energy];
        numbers.iter().chain(vectors.iter().flatten()).chain(&self.rotation).all(|x| x.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_is_named() {
        let system = SystemLedger { name: "water".into(), ..SystemLedger::default() };
        let object = ObjectLedger { name: "boat".into(), ..ObjectLedger::default() };
        let ledger = Ledger {
            frame: 0,
            time: 0.0,
            substeps: 1,
            hash: String::new(),
            systems: vec![system.clone()],
            objects: vec![object.clone()],
            springs: Vec::new(),
        };
        assert_eq!(ledger.broken(), None);
        let broken = ObjectLedger { rotation: [0.0, 0.0, f64::NAN, 1.0], ..object };
        let ledger = Ledger { objects: vec![broken], ..ledger };
        assert_eq!(ledger.broken().as_deref(), Some("object.boat"));
        let broken = SystemLedger { center: [0.0, f64::INFINITY, 0.0], ..system };
        let ledger = Ledger { systems: vec![broken], ..ledger };
        assert_eq!(ledger.broken().as_deref(), Some("liquid.water"));
    }
}
