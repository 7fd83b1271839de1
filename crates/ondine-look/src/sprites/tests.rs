//! Closed forms of impostors: areas, light, lengths, and who hides whom.

use super::*;
use crate::camera::{Projection, View};
use glam::{Vec4, Vec4Swizzles};
use std::f32::consts::PI;

const SIZE: (u32, u32) = (160, 120);
/// Pixels per metre.
const SCALE: f32 = 10.0;
/// Depth of the plane z = 0 [m].
const FAR: f32 = 10.0;

fn view() -> View {
    View::new(Vec3::Z * FAR, Vec3::NEG_Z, Projection::Orthographic(SCALE), SIZE)
}

fn look(sprite: Sprite, blend: SpriteBlend) -> EffectLook {
    EffectLook { sprite, blend, lit: false, glow: 1.0, exposure: 0.1 }
}

/// A white one that glows, about the middle of the picture, with a radius in pixels.
fn glowing(sprite: Sprite, blend: SpriteBlend, at: Vec3, radius: f32) -> Impostor {
    Impostor {
        position: at,
        tail: at,
        radius: radius / SCALE,
        turn: Vec2::X,
        color: Vec3::ONE,
        opacity: 1.0,
        variant: 0,
        look: look(sprite, blend),
    }
}

/// The layer of impostors before a wall at a depth [m].
fn drawn_before(impostors: &[Impostor], wall: f32) -> Vec<Vec4> {
    let paint = |i: &Impostor| Paint::of(i, &Incident::default(), Vec3::ONE);
    let all = impostors.iter().filter_map(|i| Footprint::of(i, paint(i), &view(), |_| 0.0)).collect();
    let before = vec![Vec4::splat(wall); (SIZE.0 * SIZE.1) as usize];
    let bearings = Bearings::of(&view(), Vec3::Y);
    Layer::draw(all, SIZE.0 as usize, &bearings, &before).pixels().to_vec()
}

fn drawn(impostors: &[Impostor]) -> Vec<Vec4> {
    drawn_before(impostors, f32::INFINITY)
}

/// Light of all pixels.
fn total(pixels: &[Vec4]) -> f32 {
    pixels.iter().map(|pixel| pixel.x).sum()
}

fn at(pixels: &[Vec4], x: usize, y: usize) -> Vec4 {
    pixels[y * SIZE.0 as usize + x]
}

#[test]
fn a_soft_disc_has_a_third_of_a_hard_ones_light_however_small() {
    for radius in [0.1, 0.5, 1.0, 2.0, 3.7, 9.0, 40.0] {
        for i in 0..8 {
            let off = Vec3::new(0.013 * i as f32, 0.029 * i as f32, 0.0);
            let light = total(&drawn(&[glowing(Sprite::Disc, SpriteBlend::Additive, off, radius)]));
            let expected = PI / 3.0 * radius * radius;
            assert!((light / expected - 1.0).abs() < 0.05, "{radius} pixels: {light} for {expected}");
        }
    }
}

#[test]
fn every_sprite_has_the_same_light_in_all_sizes() {
    for sprite in [Sprite::Puff, Sprite::Flame, Sprite::Flake, Sprite::Spark, Sprite::Ball, Sprite::Streak] {
        let share = |radius: f32| {
            let place = |i: usize| Vec3::new(0.017 * i as f32, 0.031 * i as f32, 0.0);
            let each =
                (0..8).map(|i| total(&drawn(&[glowing(sprite, SpriteBlend::Additive, place(i), radius)])));
            each.sum::<f32>() / (8.0 * radius * radius)
        };
        let fine = share(50.0);
        assert!(fine > 0.05, "{sprite:?}: {fine}");
        // A ball's edge adds half a pixel to it; what is drawn wider is taken for a soft disc.
        let slack = if sprite == Sprite::Ball { 0.35 } else { 0.12 };
        for radius in [0.3, 2.0, 5.0, 20.0] {
            assert!(
                (share(radius) / fine - 1.0).abs() < slack,
                "{sprite:?}, {radius} pixels: {} {fine}",
                share(radius)
            );
        }
    }
}

#[test]
fn light_that_is_added_adds_up_and_hides_nothing() {
    let a = glowing(Sprite::Disc, SpriteBlend::Additive, Vec3::new(0.2, 0.1, 0.0), 20.0);
    let b = glowing(Sprite::Spark, SpriteBlend::Additive, Vec3::new(-0.5, 0.3, 1.0), 30.0);
    let (alone, other, both) = (drawn(&[a]), drawn(&[b]), drawn(&[a, b]));
    for ((a, b), both) in alone.iter().zip(&other).zip(&both) {
        assert!((a.xyz() + b.xyz() - both.xyz()).length() < 1e-5);
        assert_eq!(both.w, 1.0);
    }
}

#[test]
fn an_opaque_one_hides_what_is_behind_it_in_whatever_order_they_come() {
    let behind = glowing(Sprite::Disc, SpriteBlend::Additive, Vec3::ZERO, 20.0);
    let mut ball = glowing(Sprite::Ball, SpriteBlend::Over, Vec3::Z, 5.0);
    ball.color = Vec3::new(0.25, 0.5, 0.75);
    let pixels = drawn(&[ball, behind]);
    assert_eq!(at(&pixels, 80, 60), Vec4::new(0.25, 0.5, 0.75, 0.0));
    assert_eq!(pixels, drawn(&[behind, ball]));
    // And the other way round the light is added.
    ball.position.z = -1.0;
    assert!((at(&drawn(&[ball, behind]), 80, 60).x - 1.25).abs() < 0.01);
}

#[test]
fn half_as_opaque_lets_half_through() {
    let mut ball = glowing(Sprite::Ball, SpriteBlend::Over, Vec3::ZERO, 5.0);
    ball.opacity = 0.5;
    assert_eq!(at(&drawn(&[ball]), 80, 60), Vec4::splat(0.5));
    assert_eq!(at(&drawn(&[ball, ball]), 80, 60), Vec4::new(0.75, 0.75, 0.75, 0.25));
}

#[test]
fn what_is_behind_a_wall_is_not_there_and_what_is_before_it_is_whole() {
    for sprite in [
        Sprite::Disc,
        Sprite::Puff,
        Sprite::Flame,
        Sprite::Flake,
        Sprite::Spark,
        Sprite::Ball,
        Sprite::Streak,
    ] {
        let mut one = glowing(sprite, SpriteBlend::Over, Vec3::ZERO, 8.0);
        one.tail = if sprite == Sprite::Streak { one.position + Vec3::X } else { one.position };
        let nothing = drawn(&[]);
        assert_eq!(drawn_before(&[one], FAR - 0.81), nothing, "{sprite:?}");
        assert_eq!(drawn_before(&[one], FAR + 0.81), drawn(&[one]), "{sprite:?}");
        let half = total(&drawn_before(&[one], FAR - 0.4)) / total(&drawn(&[one]));
        assert!((0.02..0.98).contains(&half) || sprite == Sprite::Ball, "{sprite:?}: {half}");
    }
}

#[test]
fn a_streak_is_as_long_as_its_way_and_fades_towards_its_tail() {
    for (velocity, along) in [(Vec3::new(30.0, 0.0, 0.0), Vec2::X), (Vec3::new(0.0, 40.0, 0.0), Vec2::NEG_Y)]
    {
        let mut streak = glowing(Sprite::Streak, SpriteBlend::Additive, Vec3::ZERO, 2.0);
        streak.tail = streak.position - velocity * streak.look.exposure;
        let pixels = drawn(&[streak]);
        let place =
            |i: usize| Vec2::new((i % 160) as f32 + 0.5 - 80.0, (i / 160) as f32 + 0.5 - 60.0).dot(along);
        let lit = |i: &usize| pixels[*i].x > 1e-4;
        let (low, high) = (0..pixels.len())
            .filter(lit)
            .map(place)
            .fold((f32::MAX, f32::MIN), |(a, b), x| (a.min(x), b.max(x)));
        // Its way, and a radius at each end.
        let expected = SCALE * velocity.length() * streak.look.exposure + 4.0;
        assert!((high - low + 1.0 - expected).abs() < 1.5, "{} for {expected}", high - low + 1.0);
        assert!(high < 2.5, "it is behind the particle");
        let bright = |from: f32, to: f32| -> f32 {
            (0..pixels.len()).filter(|i| (from..to).contains(&place(*i))).map(|i| pixels[i].x).sum()
        };
        assert!(bright(-9.0, -1.0) > 3.0 * bright(low, low + 8.0));
    }
}

#[test]
fn flames_point_up_and_turn_against_the_clock() {
    // The middle of its light, from the particle, in pixels to the right and up.
    let middle = |turn: Vec2| {
        let mut flame = glowing(Sprite::Flame, SpriteBlend::Additive, Vec3::ZERO, 40.0);
        flame.turn = turn;
        let pixels = drawn(&[flame]);
        let place = |i: usize| Vec2::new((i % 160) as f32 + 0.5 - 80.0, 60.0 - (i / 160) as f32 - 0.5);
        (0..pixels.len()).map(|i| place(i) * pixels[i].x).sum::<Vec2>() / total(&pixels)
    };
    let upright = middle(Vec2::X);
    assert!(upright.y < -3.0, "it is widest below: {upright}");
    // A quarter of a turn against the clock takes up to the left, and below to the right.
    let turned = middle(Vec2::Y);
    assert!((turned - Vec2::new(-upright.y, upright.x)).length() < 0.5, "{turned} for {upright}");
}

#[test]
fn a_ball_is_bright_where_it_faces_the_sun() {
    let mut ball = glowing(Sprite::Ball, SpriteBlend::Over, Vec3::ZERO, 20.0);
    ball.look = EffectLook { lit: true, glow: 0.0, ..ball.look };
    let incident = Incident { sun: Vec3::ONE, ..Incident::default() };
    let paint = Paint::of(&ball, &incident, Vec3::ONE);
    let footprint = Footprint::of(&ball, paint, &view(), |_| 0.0).expect("in sight");
    let before = vec![NOTHING_BEFORE; (SIZE.0 * SIZE.1) as usize];
    let sun = Vec3::new(0.6, 0.0, 0.8);
    let layer = Layer::draw(vec![footprint], SIZE.0 as usize, &Bearings::of(&view(), sun), &before);
    // Lambert's law: the cosine to the sun, at the middle and half-way to the right.
    assert!((at(layer.pixels(), 80, 60).x - 0.8).abs() < 0.05);
    let halfway = 0.6 * 0.5 + 0.8 * 0.75f32.sqrt();
    assert!((at(layer.pixels(), 90, 60).x - halfway).abs() < 0.05);
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let sprites = [Sprite::Puff, Sprite::Streak, Sprite::Flame, Sprite::Disc];
    let one = |i: usize| {
        let spread = |k: f64| (i as f64 * k).fract() as f32 - 0.5;
        let place = Vec3::new(14.0 * spread(0.618_034), 10.0 * spread(0.754_878), 4.0 * spread(0.569_840));
        let blend = if i.is_multiple_of(2) { SpriteBlend::Over } else { SpriteBlend::Additive };
        let mut one = glowing(sprites[i % 4], blend, place, 2.0 + (i % 17) as f32);
        one.tail = if i % 4 == 1 { place - Vec3::new(0.5, 0.3, 0.1) } else { place };
        (one.opacity, one.variant) = (0.3, i as u32);
        one
    };
    let all: Vec<Impostor> = (0..2000).map(one).collect();
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| drawn(&all))
    };
    assert_eq!(with(1), with(5));
}

#[test]
fn nothing_is_too_odd_to_draw() {
    let odd = [Vec3::NAN, Vec3::INFINITY, Vec3::splat(1e30), Vec3::new(0.0, 0.0, FAR), Vec3::Z * 2.0 * FAR];
    for sprite in [Sprite::Disc, Sprite::Streak, Sprite::Ball] {
        for place in odd {
            for radius in [1e-30, 1.0, 1e9, 1e38] {
                let mut one = glowing(sprite, SpriteBlend::Over, place, radius);
                one.tail = Vec3::splat(1e20);
                assert!(drawn(&[one]).iter().all(|pixel| pixel.is_finite()));
            }
        }
    }
}
