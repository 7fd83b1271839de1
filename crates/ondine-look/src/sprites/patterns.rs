//! What sprites look like: how much of a place they cover, in a disc of radius 1. All of them end at its rim.

use super::noise::fractal;
use glam::Vec2;
use ondine::scene::Sprite;

/// How many unlike patterns of a kind there are.
pub fn variants(sprite: Sprite) -> u32 {
    match sprite {
        Sprite::Puff | Sprite::Flame => 8,
        _ => 1,
    }
}

/// How much a sprite covers at a place, from 0 to 1; y is up.
pub fn coverage(sprite: Sprite, variant: u32, p: Vec2) -> f32 {
    if p.length_squared() >= 1.0 {
        return 0.0;
    }
    match sprite {
        Sprite::Disc | Sprite::Streak => disc(p),
        Sprite::Puff => puff(p, variant),
        Sprite::Flame => flame(p, variant),
        Sprite::Flake => flake(p),
        Sprite::Spark => spark(p),
        Sprite::Ball => 1.0,
    }
}

/// A soft disc, (1 − r²)²: it covers a third of what a hard one does.
fn disc(p: Vec2) -> f32 {
    across(p.length_squared())
}

/// The same from the square of a distance.
pub fn across(square: f32) -> f32 {
    let inside = (1.0 - square).max(0.0);
    inside * inside
}

/// From 0 below `low` to 1 above `high`, smoothly.
fn step(low: f32, high: f32, x: f32) -> f32 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Lumps that thin out towards the rim.
fn puff(p: Vec2, variant: u32) -> f32 {
    let seed = 101 * variant + 7;
    // Places are moved by noise, which makes lumps curl.
    let away = Vec2::new(fractal(1.5 * p, seed), fractal(1.5 * p, seed + 51)) - 0.5;
    let lumps = fractal(2.2 * (p + 0.8 * away), seed + 23);
    let rim = 1.0 - (p + 0.35 * away).length();
    step(0.0, 1.0, 1.35 * rim + 1.6 * (lumps - 0.5)) * step(0.0, 0.35, 1.0 - p.length())
}

/// A tongue of fire: round below, its tip up and bent.
fn flame(p: Vec2, variant: u32) -> f32 {
    let seed = 131 * variant + 3;
    let height = 0.5 * (p.y + 1.0);
    let bend = height * (fractal(Vec2::new(0.7 * p.y, 0.3), seed) - 0.5);
    // Widest at a third of its height.
    let half = 1.45 * height.sqrt() * (1.0 - height);
    let aside = (p.x - 0.9 * bend) / half.max(1e-3);
    // Long wisps.
    let wisps = fractal(Vec2::new(2.6 * p.x + 1.5 * bend, 0.9 * p.y), seed + 40);
    let body = across(aside * aside) * step(0.0, 0.3, height) * (1.0 - height * height);
    body * (0.35 + 1.3 * wisps).min(1.3) * step(0.0, 0.1, 1.0 - p.length())
}

/// Six arms with twigs, and a faint body so that small ones are not lost.
fn flake(p: Vec2) -> f32 {
    const SIXTH: f32 = std::f32::consts::FRAC_PI_3;
    let angle = p.to_angle().rem_euclid(SIXTH) - 0.5 * SIXTH;
    let (sin, cos) = angle.abs().sin_cos();
    // Along an arm, and away from it.
    let q = p.length() * Vec2::new(cos, sin);
    let line = |from: Vec2, to: Vec2, width: f32| {
        let way = to - from;
        let t = ((q - from).dot(way) / way.length_squared()).clamp(0.0, 1.0);
        1.0 - step(0.5 * width, 1.5 * width, (q - from - way * t).length())
    };
    let twig = |at: f32, length: f32| {
        let out = length * Vec2::new(0.5, 0.866);
        line(Vec2::new(at, 0.0), Vec2::new(at, 0.0) + out, 0.045)
    };
    let arms = line(Vec2::ZERO, Vec2::new(0.92, 0.0), 0.06);
    let lines = arms.max(twig(0.35, 0.26)).max(twig(0.58, 0.22)).max(twig(0.78, 0.12));
    lines.max(0.55 * disc(0.95 * p)) * step(0.0, 0.06, 1.0 - p.length())
}

/// A bright point with four long rays and four short ones.
fn spark(p: Vec2) -> f32 {
    let ray = |q: Vec2, length: f32| {
        let along = (1.0 - q.x.abs() / length).max(0.0);
        along * along * (-(q.y / (0.012 + 0.05 * along)).powi(2)).exp()
    };
    let tilted = p.rotate(Vec2::splat(std::f32::consts::FRAC_1_SQRT_2));
    let rays = ray(p, 1.0) + ray(p.perp(), 1.0) + 0.7 * (ray(tilted, 0.55) + ray(tilted.perp(), 0.55));
    let core = (-p.length_squared() / 0.02).exp() + 0.2 * (-p.length_squared() / 0.12).exp();
    (rays + core).min(1.0) * step(0.0, 0.1, 1.0 - p.length())
}
