//! What a scene takes to run, beside what this machine has.

use crate::error::CliError;
use ondine::Scene;
use ondine::scene::Estimate;
use std::fs;

/// Memory that a particle takes while it is simulated [B], a little more than `ondine bench liquid` measures.
const BYTES_A_PARTICLE: f64 = 1500.0;
/// What the program takes besides [B].
const BYTES_AT_LEAST: f64 = 100e6;
/// Time of one thread for a particle and a step [s], as `ondine bench liquid` measures on a server of 2023.
const SECONDS_A_STEP: f64 = 4e-7;

/// What a scene takes to run, about.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    estimate: Estimate,
    /// Time to simulate it [s].
    seconds: f64,
}

impl Cost {
    /// The cost of a scene without errors.
    pub fn of(scene: &Scene) -> Self {
        let estimate = scene.estimate();
        let mean = 0.5 * (estimate.particles + estimate.most_particles);
        let threads = std::thread::available_parallelism().map_or(1.0, |n| n.get() as f64);
        let steps = scene.frames() as f64 * estimate.steps as f64;
        Self { estimate, seconds: steps * mean * SECONDS_A_STEP / threads }
    }

    /// Most particles at any time.
    pub fn most_particles(&self) -> f64 {
        self.estimate.most_particles.round()
    }

    /// Time to simulate it [s].
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Memory for it [B].
    pub fn bytes(&self) -> f64 {
        BYTES_AT_LEAST + BYTES_A_PARTICLE * self.estimate.most_particles
    }

    /// Refuses what this machine cannot hold.
    pub fn check(&self) -> Result<(), CliError> {
        match available() {
            Some(free) if self.bytes() > free => Err(CliError::TooLarge {
                particles: rounded(self.estimate.most_particles),
                needed: bytes(self.bytes()),
                free: bytes(free),
                wider: (self.estimate.most_particles * BYTES_A_PARTICLE / (free - BYTES_AT_LEAST).max(1e7))
                    .cbrt(),
            }),
            _ => Ok(()),
        }
    }
}

impl std::fmt::Display for Cost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Estimate { particles, most_particles, steps } = self.estimate;
        match (particles >= 1.0, rounded(most_particles) == rounded(particles)) {
            (_, true) => write!(f, "some {} particles", rounded(particles))?,
            (true, false) => {
                write!(f, "some {} particles, and up to {}", rounded(particles), rounded(most_particles))?
            }
            (false, false) => write!(f, "up to {} particles", rounded(most_particles))?,
        }
        let steps = if steps == 1 { "1 step".into() } else { format!("{steps} steps") };
        write!(
            f,
            ", {}, {steps} a frame at first: about {} to simulate here",
            bytes(self.bytes()),
            time(self.seconds)
        )
    }
}

/// Memory that the program may still take [B], if the system tells: what is free, or less where there is a limit.
fn available() -> Option<f64> {
    let free = value_of(&fs::read_to_string("/proc/meminfo").ok()?, "MemAvailable:")? * 1024.0;
    let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let limit = value_of(&limits, "Max address space").unwrap_or(f64::INFINITY);
    let group =
        fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|text| text.trim().parse().ok());
    Some(free.min(limit).min(group.unwrap_or(f64::INFINITY)))
}

/// The number after a name at the start of a line.
fn value_of(text: &str, name: &str) -> Option<f64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

/// A number of particles as people say it.
fn rounded(count: f64) -> String {
    match count {
        c if c < 1e4 => format!("{:.0}", c.abs()),
        c if c < 1e6 => format!("{:.0} thousand", c / 1e3),
        c => format!("{:.1} million", c / 1e6),
    }
}

fn bytes(count: f64) -> String {
    if count < 1e9 { format!("{:.0} MB", count / 1e6) } else { format!("{:.1} GB", count / 1e9) }
}

fn time(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => "a second".into(),
        s if s < 100.0 => format!("{s:.0} s"),
        s if s < 6000.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.0} h", s / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_told_as_people_say_them() {
        assert_eq!([950.0, 20_741.0, 43e6].map(rounded), ["950", "21 thousand", "43.0 million"]);
        assert_eq!([130e6, 64.6e9].map(bytes), ["130 MB", "64.6 GB"]);
        assert_eq!([0.2, 42.0, 600.0, 9e4].map(time), ["a second", "42 s", "10 min", "25 h"]);
    }

    #[test]
    fn limits_are_read_as_the_system_writes_them() {
        let text = "MemTotal:       24000 kB\nMemAvailable:    2048 kB\nMax address space    unlimited   unlimited   bytes\n";
        assert_eq!(value_of(text, "MemAvailable:"), Some(2048.0));
        assert_eq!(value_of(text, "Max address space"), None);
        assert_eq!(
            value_of("Max address space         4096000  4096000  bytes", "Max address space"),
            Some(4096000.0)
        );
    }
}
