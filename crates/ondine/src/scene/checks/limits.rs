//! The range of every quantity. Those of the schema, and where it leaves one open, what f32 arithmetic can bear.

use crate::scene::Fault;

/// The range of a quantity, ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    least: f32,
    most: f32,
    unit: &'static str,
}

/// Ends of the paths of quantities, and their ranges. The first that fits a path holds.
const TABLE: &[(&str, f32, f32, &str)] = &[
    ("fps", 1.0, 1000.0, "1/s"),
    ("duration", 1e-6, 86_400.0, "s"),
    ("dimension", 2.0, 3.0, ""),
    ("max_substeps", 1.0, 10_000.0, ""),
    ("gravity", -1e4, 1e4, "m/s²"),
    ("kill_box.min", -1e6, 1e6, "m"),
    ("kill_box.max", -1e6, 1e6, "m"),
    ("light.sun", -1e6, 1e6, ""),
    ("sun_strength", 0.0, 1000.0, ""),
    ("sun_size", 0.0, 90.0, "°"),
    ("sky_strength", 0.0, 1000.0, ""),
    ("exposure", -20.0, 20.0, "stops"),
    ("towards", -1e6, 1e6, ""),
    ("strength", 0.0, 1e6, ""),
    ("roughness", 0.0, 1.0, ""),
    ("look.index", 1.0, 4.0, ""),
    ("look.depth", 1e-6, 1e6, "m"),
    ("look.glow", 0.0, 1000.0, ""),
    ("aperture", 0.0, 1000.0, "m"),
    ("look_at", -1e6, 1e6, "m"),
    ("angle", 1.0, 150.0, "°"),
    ("at", -1e6, 1e6, "m"),
    ("rotate", -1e6, 1e6, "°"),
    ("velocity", -1e4, 1e4, "m/s"),
    ("normal", -1e6, 1e6, ""),
    ("size", 1e-6, 1e6, "m"),
    ("radius", 1e-6, 1e6, "m"),
    ("capsule.height", 0.0, 1e6, "m"),
    ("height", 1e-6, 1e6, "m"),
    ("tube", 1e-6, 1e6, "m"),
    ("smooth", 0.0, 1e6, "m"),
    ("scale", 1e-6, 1e6, ""),
    ("thickness", 1e-6, 1e6, "m"),
    ("cell", 1e-6, 1e6, "m"),
    ("spin", -1e5, 1e5, "°/s"),
    ("mass", 1e-9, 1e12, "kg"),
    ("restitution", 0.0, 1.0, ""),
    ("grip", 0.0, 10.0, ""),
    ("pull", 0.0, 1e6, "m/s²"),
    ("range", 1e-9, 1e3, "m"),
    ("axis", -1e6, 1e6, ""),
    ("limits", -1e6, 1e6, ""),
    ("speed", -1e5, 1e5, ""),
    ("color", 0.0, 1.0, ""),
    ("friction", 0.0, 1.0, ""),
    ("enabled", 0.0, 1.0, ""),
    ("visible", 0.0, 1.0, ""),
    ("rate", 0.0, 1e9, "1/s"),
    ("outward", -1e4, 1e4, "m/s"),
    ("scatter", 0.0, 1e4, "m/s"),
    ("start", 0.0, 1e6, "s"),
    ("stop", 0.0, 1e6, "s"),
    ("lifetime", 1e-6, 1e6, "s"),
    ("spacing", 1e-6, 1000.0, "m"),
    ("support", 1.5, 4.0, ""),
    ("density", 1e-3, 1e5, "kg/m³"),
    ("compression", 0.001, 0.5, ""),
    ("viscosity.linear", 0.0, 1e9, "Pa·s"),
    ("viscosity.quadratic", 0.0, 1e6, ""),
    ("surface_tension", 0.0, 1e6, "N/m"),
    ("contact_angle", 0.0, 180.0, "°"),
    ("springs.stiffness", 0.0, 1e12, "Pa"),
    ("springs.plasticity", 0.0, 1e6, "1/s"),
    ("springs.yield_ratio", 0.0, 0.9, ""),
    ("stiffness", 1e-6, 1e12, "Pa"),
    ("thesis.h", 1e-6, 8000.0, "m"),
    ("thesis.k", 0.0, 1e9, "m/s²"),
    ("thesis.k_near", 0.0, 1e9, "m/s²"),
    ("thesis.rho0", 0.0, 1e6, ""),
    ("thesis.sigma", 0.0, 1e9, "1/s"),
    ("thesis.beta", 0.0, 1e9, "1/m"),
    ("thesis.k_spring", 0.0, 1e12, "1/s²"),
    ("thesis.alpha", 0.0, 1e6, "1/s"),
    ("thesis.gamma", 0.0, 0.9, ""),
    ("thesis.substeps", 1.0, 10_000.0, ""),
];

impl Limit {
    /// Of instants.
    pub const TIME: Limit = Limit { least: 0.0, most: 1e6, unit: "s" };

    /// The range of the quantity that a path names, which may be a component of a vector.
    pub fn of(path: &str) -> Option<Limit> {
        let path = match path.rsplit_once('.') {
            Some((vector, "x" | "y" | "z" | "0" | "1" | "2")) => vector,
            _ => path,
        };
        let ends =
            |end: &str| path.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
        let row = TABLE.iter().find(|(end, ..)| ends(end));
        row.map(|&(_, least, most, unit)| Limit { least, most, unit })
    }

    /// What is wrong with a value, if anything; `path` is where it stands.
    pub fn fault(&self, path: &str, value: f32) -> Option<Fault> {
        if value >= self.least && value <= self.most {
            return None;
        }
        let Limit { least, most, unit } = self;
        let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
        let reason = match value.is_finite() {
            true => format!("{value}{unit} is out of range: it must be from {least} to {most}{unit}"),
            false => format!("{value} is not a finite number"),
        };
        Some(Fault::error(path, reason, format!("write a number from {least} to {most}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_right_row_is_found() {
        let most = |path| Limit::of(path).map(|limit| limit.most);
        assert_eq!(most("liquid.honey.springs.stiffness"), Some(1e12));
        assert_eq!(Limit::of("liquid.honey.springs.stiffness").map(|l| l.least), Some(0.0));
        assert_eq!(Limit::of("liquid.honey.stiffness").map(|l| l.unit), Some("Pa"));
        assert_eq!(most("gravity.y"), Some(1e4));
        assert_eq!(most("liquid.a.emitter.0.velocity.2"), Some(1e4));
        assert_eq!(most("camera.look_at.0"), Some(1e6));
        assert_eq!(most("flat"), None);
    }
}
