//! What a smooth surface does to light: Snell's and Fresnel's laws.

use glam::Vec3A;

/// The mirrored direction; `n` has length 1 and either side.
pub fn reflected(direction: Vec3A, n: Vec3A) -> Vec3A {
    direction - 2.0 * direction.dot(n) * n
}

/// The bent direction (Snell), or None where all is reflected. `n` points against `direction`; `ratio` is the refractive
/// index behind the surface over that before it.
pub fn refracted(direction: Vec3A, n: Vec3A, ratio: f32) -> Option<Vec3A> {
    let slant = 1.0 / ratio;
    let cos = -direction.dot(n);
    let behind = 1.0 - slant * slant * (1.0 - cos * cos);
    (behind > 0.0).then(|| (direction * slant + n * (slant * cos - behind.sqrt())).normalize())
}

/// Fraction of unpolarised light that a surface between two clear things reflects (Fresnel). `cos` is that of the angle to
/// the normal, `ratio` the refractive index behind the surface over that before it.
pub fn fresnel(cos: f32, ratio: f32) -> f32 {
    let cos = cos.clamp(0.0, 1.0);
    let behind = 1.0 - (1.0 - cos * cos) / (ratio * ratio);
    if behind <= 0.0 {
        return 1.0;
    }
    let bent = behind.sqrt();
    let upright = (cos - ratio * bent) / (cos + ratio * bent);
    let flat = (ratio * cos - bent) / (ratio * cos + bent);
    0.5 * (upright * upright + flat * flat)
}

/// Fraction of light that a metal reflects, by colour, from its colour seen straight on (Schlick's fit).
pub fn metal_fresnel(cos: f32, color: Vec3A) -> Vec3A {
    let rest = (1.0 - cos.clamp(0.0, 1.0)).powi(5);
    color + (Vec3A::ONE - color) * rest
}

/// Fraction of light from all sides that a surface of this refractive index reflects, seen from outside (Hering's fit to
/// the integral of Fresnel's law, within a hundredth up to 2.2).
pub fn mean_fresnel(index: f32) -> f32 {
    ((index - 1.0) / (4.085_67 + 1.000_71 * index)).max(0.0)
}

/// What is left of light after a way through something that absorbs it (Beer): per metre, and the way [m].
pub fn transmittance(absorption: Vec3A, way: f32) -> Vec3A {
    let thick = absorption * way.max(0.0);
    Vec3A::new((-thick.x).exp(), (-thick.y).exp(), (-thick.z).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fresnel_straight_on_and_at_the_edge() {
        let straight = ((1.33f32 - 1.0) / (1.33 + 1.0)).powi(2);
        assert!((fresnel(1.0, 1.33) - straight).abs() < 1e-6);
        assert!((fresnel(1.0, 1.0 / 1.33) - straight).abs() < 1e-6, "the same from inside");
        assert!((straight - 0.02).abs() < 1e-3);
        assert!((fresnel(0.0, 1.33) - 1.0).abs() < 1e-6);
        assert_eq!(fresnel(0.7, 1.0), 0.0, "no surface, no reflection");
    }

    /// At Brewster's angle light polarised in the plane of incidence is not reflected: half of the other remains.
    #[test]
    fn fresnel_at_brewsters_angle() {
        let index = 1.5f32;
        let angle = index.atan();
        let bent = (angle.sin() / index).asin();
        let across = ((angle - bent).sin() / (angle + bent).sin()).powi(2);
        assert!((fresnel(angle.cos(), index) - 0.5 * across).abs() < 1e-5);
    }

    #[test]
    fn bent_light_keeps_snells_law() {
        for (ratio, degrees) in [(1.33f32, 40f32), (1.5, 80.0), (1.0 / 1.33, 30.0)] {
            let angle = degrees.to_radians();
            let direction = Vec3A::new(angle.sin(), -angle.cos(), 0.0);
            let bent = refracted(direction, Vec3A::Y, ratio).expect("some goes through");
            assert!((bent.x * ratio - angle.sin()).abs() < 1e-5, "{ratio} {degrees}");
            assert!((bent.length() - 1.0).abs() < 1e-6);
        }
    }

    #[test]
    fn beyond_the_critical_angle_all_is_reflected() {
        let critical = (1.0f32 / 1.33).asin();
        for (angle, total) in [(critical - 0.01, false), (critical + 0.01, true)] {
            let direction = Vec3A::new(angle.sin(), -angle.cos(), 0.0);
            assert_eq!(refracted(direction, Vec3A::Y, 1.0 / 1.33).is_none(), total);
            assert_eq!(fresnel(angle.cos(), 1.0 / 1.33) == 1.0, total);
        }
    }

    #[test]
    fn the_mean_is_that_of_all_directions() {
        for index in [1.33, 1.5, 1.8] {
            // The fraction of light from all sides: cosine-weighted, so uniform in the square of the cosine.
            let mean: f32 =
                (0..4096).map(|i| fresnel(((i as f32 + 0.5) / 4096.0).sqrt(), index)).sum::<f32>() / 4096.0;
            assert!((mean - mean_fresnel(index)).abs() < 0.01, "{index}: {mean}");
        }
    }

    #[test]
    fn absorption_is_exponential() {
        let half = transmittance(Vec3A::new(1.0, 2.0, 0.0), 0.5);
        assert!((half - Vec3A::new((-0.5f32).exp(), (-1f32).exp(), 1.0)).length() < 1e-6);
        let twice = transmittance(Vec3A::new(1.0, 2.0, 0.0), 1.0);
        assert!((half * half - twice).length() < 1e-6);
    }
}
