//! Particles to put a surface around: a wavy pool, a ball above it, and loose drops.

use ondine::Particles;

/// Sides of the room [m].
const ROOM: [f32; 3] = [2.0, 1.2, 1.0];
/// The drops are above this height [m].
const DROPS: f32 = 0.35;
/// Share of the particles that are drops.
const LOOSE: f64 = 0.02;
/// How far a particle is from its place on the lattice at most, in spacings.
const JITTER: f32 = 0.2;

/// About `count` particles of such a splash, in no order.
pub fn splash(count: usize) -> Particles {
    let mut random = Random(20_261_115);
    let wanted = (1.0 - LOOSE) * count as f64;
    let mut spacing = ((2.0 * 0.3 + 4.19 * 0.18f64.powi(3)) / wanted).cbrt();
    for _ in 0..6 {
        spacing *= (lattice(spacing as f32).len() as f64 / wanted).cbrt();
    }
    let mut position = lattice(spacing as f32);
    for p in &mut position {
        *p = p.map(|c| c + JITTER * spacing as f32 * (2.0 * random.share() - 1.0));
    }
    while position.len() < count {
        let [x, y, z] = std::array::from_fn(|axis| random.share() * ROOM[axis]);
        position.push([x, DROPS + y * (1.0 - DROPS / ROOM[1]), z]);
    }
    for i in (1..position.len()).rev() {
        position.swap(i, (random.share() * (i + 1) as f32) as usize % (i + 1));
    }
    let n = position.len();
    Particles {
        name: "splash".into(),
        radius: 0.5 * spacing as f32,
        color: [0.16, 0.42, 0.78],
        velocity: vec![[0.0; 3]; n],
        density: vec![1000.0; n],
        id: (0..n as u32).collect(),
        position,
        ..Particles::default()
    }
}

/// The places of a lattice that are in the pool or in the ball.
fn lattice(spacing: f32) -> Vec<[f32; 3]> {
    let [nx, ny, nz] = ROOM.map(|side| (side / spacing + 0.5) as usize);
    let at = |i: usize| (i as f32 + 0.5) * spacing;
    let all = (0..nx).flat_map(|i| (0..ny).flat_map(move |j| (0..nz).map(move |k| [at(i), at(j), at(k)])));
    all.filter(is_liquid).collect()
}

fn is_liquid(&[x, y, z]: &[f32; 3]) -> bool {
    let waves = 0.10 * (3.1 * x).sin() * (4.3 * z).cos() + 0.03 * (17.0 * x + 5.0 * z).sin();
    let ball = (x - 0.6).powi(2) + (y - 0.85).powi(2) + (z - 0.5).powi(2);
    y < 0.30 + waves || ball < 0.18 * 0.18
}

/// Numbers that look random and are the same each time (splitmix64).
struct Random(u64);

impl Random {
    /// From 0 to 1.
    fn share(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ x >> 31) >> 40) as f32 / (1u64 << 24) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_splash_has_its_number_of_particles_in_its_room() {
        let particles = splash(5000);
        assert!((4900..=5100).contains(&particles.position.len()), "{}", particles.position.len());
        let inside = |p: &[f32; 3]| (0..3).all(|a| p[a] > -0.1 && p[a] < ROOM[a] + 0.1);
        assert!(particles.position.iter().all(inside));
        assert_eq!(splash(5000), particles);
    }
}
