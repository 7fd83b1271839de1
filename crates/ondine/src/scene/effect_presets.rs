//! Effects that people know by name.

use super::description::description;
use super::{
    CurlNoise, Effect, EffectCollision, EffectEmitter, EffectLook, EffectPath, Encounter, Integrator,
    ParticleDrag, Sprite, SpriteBlend, Trajectory,
};

description! {
    /// A named effect.
    #[derive(Default)]
    pub enum EffectPreset {
        /// White discs that fall: nothing is set.
        #[default]
        Plain,
        /// Drops that are thrown up and fall back.
        Fountain,
        /// Stars that burst from places in the sky, each burst of one colour.
        Fireworks,
        /// Sparks that fly, bounce and die down.
        Sparks,
        /// Smoke that rises, swells and thins out.
        Smoke,
        /// Tongues of fire.
        Fire,
        /// Snow that floats down and stays where it falls.
        Snow,
        /// Dust that hangs in the air.
        Dust,
        /// Rain that falls in lines.
        Rain,
    }
}

impl EffectPreset {
    /// Every preset, in the order of the guide.
    pub const ALL: [EffectPreset; 9] = [
        EffectPreset::Plain,
        EffectPreset::Fountain,
        EffectPreset::Fireworks,
        EffectPreset::Sparks,
        EffectPreset::Smoke,
        EffectPreset::Fire,
        EffectPreset::Snow,
        EffectPreset::Dust,
        EffectPreset::Rain,
    ];

    /// An effect of this kind, without a name.
    pub fn effect(self) -> Effect {
        match self {
            EffectPreset::Plain => plain(),
            EffectPreset::Fountain => fountain(),
            EffectPreset::Fireworks => fireworks(),
            EffectPreset::Sparks => sparks(),
            EffectPreset::Smoke => smoke(),
            EffectPreset::Fire => fire(),
            EffectPreset::Snow => snow(),
            EffectPreset::Dust => dust(),
            EffectPreset::Rain => rain(),
        }
    }
}

/// What all others start from.
fn plain() -> Effect {
    Effect {
        name: String::new(),
        preset: EffectPreset::Plain,
        emitter: EffectEmitter::default(),
        life: 2.0,
        life_spread: 0.0,
        trajectory: Trajectory::Ballistic,
        integrator: Integrator::Exponential,
        substeps: None,
        gravity: 1.0,
        wind: [0.0; 3],
        drag: ParticleDrag::default(),
        carried: false,
        vortex: Vec::new(),
        noise: CurlNoise::default(),
        attractor: Vec::new(),
        path: EffectPath::default(),
        collision: EffectCollision::default(),
        child: Vec::new(),
        size: vec![[0.0, 0.01]],
        size_spread: 0.0,
        color: vec![[0.0, 1.0, 1.0, 1.0]],
        opacity: vec![[0.0, 1.0]],
        tint: Vec::new(),
        spin: 0.0,
        spin_spread: 0.0,
        turn: 0.0,
        look: EffectLook {
            sprite: Sprite::Disc,
            blend: SpriteBlend::Over,
            lit: true,
            glow: 0.0,
            exposure: 0.02,
        },
    }
}

fn fountain() -> Effect {
    Effect {
        preset: EffectPreset::Fountain,
        emitter: EffectEmitter {
            rate: 1500.0,
            angle: 8.0,
            speed: 5.0,
            speed_spread: 0.12,
            ..EffectEmitter::default()
        },
        life: 2.5,
        life_spread: 0.2,
        collision: EffectCollision {
            objects: Encounter::Bounce,
            restitution: 0.25,
            friction: 0.3,
            ..EffectCollision::default()
        },
        size: vec![[0.0, 0.012], [1.0, 0.018]],
        size_spread: 0.6,
        color: vec![[0.0, 0.85, 0.93, 1.0]],
        opacity: vec![[0.0, 0.8], [0.7, 0.6], [1.0, 0.0]],
        look: EffectLook { sprite: Sprite::Streak, lit: true, glow: 0.15, exposure: 0.012, ..plain().look },
        ..plain()
    }
}

fn fireworks() -> Effect {
    Effect {
        preset: EffectPreset::Fireworks,
        emitter: EffectEmitter {
            size: [14.0, 4.0, 6.0],
            at: [0.0, 14.0, 0.0],
            rate: 1.2,
            count: 500,
            angle: 180.0,
            speed: 14.0,
            speed_spread: 0.35,
            ..EffectEmitter::default()
        },
        life: 2.6,
        life_spread: 0.35,
        trajectory: Trajectory::Forces,
        gravity: 0.4,
        drag: ParticleDrag { linear: 1.6, quadratic: 0.0 },
        size: vec![[0.0, 0.07], [0.7, 0.06], [1.0, 0.03]],
        size_spread: 0.4,
        color: vec![[0.0, 1.0, 1.0, 1.0], [0.1, 1.0, 0.95, 0.9], [0.7, 1.0, 0.8, 0.6], [1.0, 0.9, 0.3, 0.1]],
        opacity: vec![[0.0, 1.0], [0.6, 0.9], [1.0, 0.0]],
        tint: vec![[1.0, 0.28, 0.2], [0.35, 0.6, 1.0], [0.4, 1.0, 0.45], [1.0, 0.75, 0.25], [0.95, 0.4, 1.0]],
        look: EffectLook {
            sprite: Sprite::Streak,
            blend: SpriteBlend::Additive,
            lit: false,
            glow: 12.0,
            exposure: 0.06,
        },
        ..plain()
    }
}

fn sparks() -> Effect {
    Effect {
        preset: EffectPreset::Sparks,
        emitter: EffectEmitter {
            rate: 400.0,
            angle: 35.0,
            speed: 5.0,
            speed_spread: 0.6,
            ..EffectEmitter::default()
        },
        life: 1.4,
        life_spread: 0.6,
        trajectory: Trajectory::Forces,
        drag: ParticleDrag { linear: 0.3, quadratic: 0.02 },
        collision: EffectCollision {
            radius: 0.004,
            objects: Encounter::Bounce,
            restitution: 0.45,
            friction: 0.2,
            ..EffectCollision::default()
        },
        size: vec![[0.0, 0.006], [1.0, 0.003]],
        size_spread: 0.4,
        color: vec![
            [0.0, 1.0, 0.95, 0.8],
            [0.3, 1.0, 0.75, 0.3],
            [0.7, 1.0, 0.4, 0.08],
            [1.0, 0.5, 0.08, 0.02],
        ],
        opacity: vec![[0.0, 1.0], [0.7, 0.9], [1.0, 0.0]],
        look: EffectLook {
            sprite: Sprite::Streak,
            blend: SpriteBlend::Additive,
            lit: false,
            glow: 15.0,
            exposure: 0.025,
        },
        ..plain()
    }
}

fn smoke() -> Effect {
    Effect {
        preset: EffectPreset::Smoke,
        emitter: EffectEmitter {
            size: [0.1; 3],
            rate: 250.0,
            angle: 15.0,
            speed: 0.8,
            speed_spread: 0.4,
            ..EffectEmitter::default()
        },
        life: 4.0,
        life_spread: 0.4,
        trajectory: Trajectory::Forces,
        gravity: -0.09,
        drag: ParticleDrag { linear: 1.2, quadratic: 0.0 },
        noise: CurlNoise { speed: 0.35, scale: 0.45, rate: 0.4 },
        size: vec![[0.0, 0.05], [0.3, 0.14], [1.0, 0.34]],
        size_spread: 0.4,
        color: vec![[0.0, 0.42, 0.42, 0.44], [1.0, 0.68, 0.69, 0.71]],
        opacity: vec![[0.0, 0.0], [0.06, 0.22], [0.5, 0.09], [1.0, 0.0]],
        spin: 0.0,
        spin_spread: 40.0,
        turn: 180.0,
        look: EffectLook { sprite: Sprite::Puff, ..plain().look },
        ..plain()
    }
}

fn fire() -> Effect {
    Effect {
        preset: EffectPreset::Fire,
        emitter: EffectEmitter {
            size: [0.28, 0.02, 0.28],
            rate: 260.0,
            angle: 20.0,
            speed: 0.5,
            speed_spread: 0.5,
            ..EffectEmitter::default()
        },
        life: 0.95,
        life_spread: 0.55,
        trajectory: Trajectory::Forces,
        gravity: -0.32,
        drag: ParticleDrag { linear: 1.2, quadratic: 0.0 },
        noise: CurlNoise { speed: 0.45, scale: 0.28, rate: 1.5 },
        size: vec![[0.0, 0.09], [0.25, 0.13], [1.0, 0.03]],
        size_spread: 0.4,
        color: vec![
            [0.0, 1.0, 0.86, 0.5],
            [0.25, 1.0, 0.6, 0.15],
            [0.6, 0.95, 0.26, 0.04],
            [1.0, 0.35, 0.04, 0.01],
        ],
        opacity: vec![[0.0, 0.0], [0.12, 0.5], [0.6, 0.35], [1.0, 0.0]],
        spin_spread: 30.0,
        turn: 25.0,
        look: EffectLook {
            sprite: Sprite::Flame,
            blend: SpriteBlend::Additive,
            lit: false,
            glow: 2.0,
            ..plain().look
        },
        ..plain()
    }
}

fn snow() -> Effect {
    Effect {
        preset: EffectPreset::Snow,
        emitter: EffectEmitter {
            size: [4.0, 0.2, 4.0],
            at: [0.0, 3.5, 0.0],
            rate: 400.0,
            direction: [0.0, -1.0, 0.0],
            angle: 10.0,
            speed: 1.0,
            speed_spread: 0.3,
            ..EffectEmitter::default()
        },
        life: 20.0,
        life_spread: 0.1,
        trajectory: Trajectory::Forces,
        wind: [0.15, 0.0, 0.0],
        drag: ParticleDrag { linear: 9.0, quadratic: 0.0 },
        noise: CurlNoise { speed: 0.35, scale: 0.8, rate: 0.3 },
        collision: EffectCollision { radius: 0.008, objects: Encounter::Stick, ..EffectCollision::default() },
        size: vec![[0.0, 0.018]],
        size_spread: 0.5,
        color: vec![[0.0, 0.96, 0.97, 1.0]],
        opacity: vec![[0.0, 0.95], [0.9, 0.95], [1.0, 0.0]],
        spin_spread: 90.0,
        turn: 180.0,
        look: EffectLook { sprite: Sprite::Flake, ..plain().look },
        ..plain()
    }
}

fn dust() -> Effect {
    Effect {
        preset: EffectPreset::Dust,
        emitter: EffectEmitter {
            size: [2.0, 1.5, 2.0],
            at: [0.0, 0.75, 0.0],
            rate: 80.0,
            angle: 180.0,
            speed: 0.05,
            speed_spread: 1.0,
            ..EffectEmitter::default()
        },
        life: 8.0,
        life_spread: 0.5,
        trajectory: Trajectory::Forces,
        gravity: 0.004,
        drag: ParticleDrag { linear: 4.0, quadratic: 0.0 },
        noise: CurlNoise { speed: 0.08, scale: 0.6, rate: 0.2 },
        size: vec![[0.0, 0.004]],
        size_spread: 0.7,
        color: vec![[0.0, 0.9, 0.84, 0.72]],
        opacity: vec![[0.0, 0.0], [0.2, 0.6], [0.8, 0.6], [1.0, 0.0]],
        look: EffectLook { glow: 0.2, ..plain().look },
        ..plain()
    }
}

fn rain() -> Effect {
    Effect {
        preset: EffectPreset::Rain,
        emitter: EffectEmitter {
            size: [5.0, 0.2, 5.0],
            at: [0.0, 5.0, 0.0],
            rate: 1500.0,
            direction: [0.0, -1.0, 0.0],
            angle: 1.0,
            speed: 7.0,
            speed_spread: 0.15,
            ..EffectEmitter::default()
        },
        life: 3.0,
        trajectory: Trajectory::Forces,
        // Drops of two millimetres fall at 7 m/s.
        drag: ParticleDrag { linear: 0.0, quadratic: 0.2 },
        collision: EffectCollision {
            radius: 0.002,
            objects: Encounter::Die,
            systems: Encounter::Die,
            ..EffectCollision::default()
        },
        size: vec![[0.0, 0.004]],
        size_spread: 0.4,
        color: vec![[0.0, 0.75, 0.82, 0.9]],
        opacity: vec![[0.0, 0.5]],
        look: EffectLook { sprite: Sprite::Streak, glow: 0.1, exposure: 0.02, ..plain().look },
        ..plain()
    }
}
