//! Rays, and frames of reference about a direction.

use glam::Vec3A;

/// An origin and a direction of length 1.
#[derive(Clone, Copy, Debug)]
pub struct Ray {
    /// Where it starts [m].
    pub origin: Vec3A,
    /// Where it goes.
    pub direction: Vec3A,
}

impl Ray {
    /// The point at a distance [m].
    pub fn at(&self, distance: f32) -> Vec3A {
        self.origin + self.direction * distance
    }

    /// Whether it starts somewhere and goes somewhere: a hierarchy must not be asked about anything else.
    pub fn is_valid(&self) -> bool {
        let far = self.origin.abs();
        far.x < 1e9 && far.y < 1e9 && far.z < 1e9 && self.direction.length_squared() < 2.0
    }
}

/// Two directions square to a third and to each other (Duff and others 2017, without a branch but for the sign).
pub fn tangents(n: Vec3A) -> (Vec3A, Vec3A) {
    let sign = 1f32.copysign(n.z);
    let a = -1.0 / (sign + n.z);
    let b = n.x * n.y * a;
    let right = Vec3A::new(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x);
    (right, Vec3A::new(b, sign + n.y * n.y * a, -n.y))
}

/// A direction about z, as a shading frame has it, turned about `n`.
pub fn from_local(n: Vec3A, local: Vec3A) -> Vec3A {
    let (right, up) = tangents(n);
    right * local.x + up * local.y + n * local.z
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tangents_are_square() {
        for n in [Vec3A::X, Vec3A::NEG_Z, Vec3A::Z, Vec3A::new(0.3, -0.8, 0.2).normalize()] {
            let (a, b) = tangents(n);
            assert!(a.dot(b).abs() < 1e-6 && a.dot(n).abs() < 1e-6 && b.dot(n).abs() < 1e-6);
            assert!((a.length() - 1.0).abs() < 1e-6 && (b.length() - 1.0).abs() < 1e-6);
        }
    }
}
