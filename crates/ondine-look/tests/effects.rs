//! Effects in drawn and traced pictures: who is before whom, and what light they have.

mod still;

use ondine::scene::{Camera, Effect, EffectPreset, Finish, Lamp, Object, Shape};
use ondine::{Particles, Scene, SystemKind};
use ondine_look::{Picture, Quality, Renderer};
use still::frame;

const SIZE: (u32, u32) = (96, 54);
const BOTH: [Quality; 2] = [Quality::Preview, Quality::Samples(4)];

/// A ball on a floor, and an effect, seen from before.
fn scene(preset: EffectPreset, finish: Finish) -> Scene {
    let floor = Object::new("floor", Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, [0.0; 3]);
    let ball = Object::new("ball", Shape::Sphere { radius: 0.5 }, [0.0, 0.5, 0.0]);
    let ball = Object { color: [0.7, 0.2, 0.1], finish, ..ball };
    let camera = Camera { at: [0.0, 0.6, 4.0], look_at: [0.0, 0.5, 0.0], angle: 30.0, ..Camera::default() };
    let effect = Effect::new("it", preset);
    Scene { object: vec![floor, ball], effect: vec![effect], camera: Some(camera), ..Scene::default() }
}

/// White particles of an effect.
fn particles(position: Vec<[f32; 3]>, radius: f32) -> Particles {
    let count = position.len();
    Particles {
        kind: SystemKind::Effect,
        name: "it".into(),
        radius,
        radii: vec![radius; count],
        color: [1.0; 3],
        colors: vec![[1.0; 4]; count],
        velocity: vec![[0.0; 3]; count],
        density: vec![0.0; count],
        id: (0..count as u32).collect(),
        position,
        ..Particles::default()
    }
}

fn picture(scene: &Scene, position: &[[f32; 3]], radius: f32, quality: Quality) -> Picture {
    let particles = particles(position.to_vec(), radius);
    Renderer::of(scene).picture(&frame(scene, vec![particles]), &[], SIZE, quality)
}

fn pixel(picture: &Picture, x: u32, y: u32) -> [u8; 3] {
    let i = 3 * (y * picture.width + x) as usize;
    [picture.pixels[i], picture.pixels[i + 1], picture.pixels[i + 2]]
}

/// Bytes of the picture that differ from another's.
fn differ(a: &Picture, b: &Picture) -> usize {
    a.pixels.iter().zip(&b.pixels).filter(|(a, b)| a != b).count()
}

#[test]
fn what_is_behind_a_ball_is_not_seen_and_what_is_before_it_is() {
    for preset in [EffectPreset::Smoke, EffectPreset::Fire, EffectPreset::Snow, EffectPreset::Sparks] {
        let scene = scene(preset, Finish::Matte);
        for quality in BOTH {
            let without = picture(&scene, &[], 0.1, quality);
            let behind = picture(&scene, &[[0.0, 0.5, -0.7]], 0.1, quality);
            assert_eq!(differ(&behind, &without), 0, "{preset:?} behind, {quality}");
            let under_the_floor = picture(&scene, &[[0.8, -0.5, 0.0]], 0.1, quality);
            assert_eq!(differ(&under_the_floor, &without), 0, "{preset:?} below, {quality}");
            let before = picture(&scene, &[[0.0, 0.5, 0.8]], 0.1, quality);
            assert!(differ(&before, &without) > 20, "{preset:?} before, {quality}");
            let beside = picture(&scene, &[[0.9, 0.5, -0.7]], 0.1, quality);
            assert!(differ(&beside, &without) > 20, "{preset:?} beside, {quality}");
        }
    }
}

#[test]
fn what_is_behind_glass_is_seen_and_dimmer() {
    let mut scene = scene(EffectPreset::Fire, Finish::Glass);
    scene.object[1].color = [0.9; 3];
    (scene.light.sun_strength, scene.light.sky_strength) = (0.0, 0.02);
    scene.effect[0].look.glow = 0.3;
    let light = |place: [f32; 3]| {
        let (with, without) = (picture(&scene, &[place], 0.3, BOTH[1]), picture(&scene, &[], 0.3, BOTH[1]));
        let sum = |picture: &Picture| picture.pixels.iter().map(|b| f64::from(*b)).sum::<f64>();
        sum(&with) - sum(&without)
    };
    let (before, behind) = (light([0.0, 0.6, 0.9]), light([0.0, 0.6, -0.9]));
    assert!(behind > 0.05 * before && behind < before, "{behind} behind, {before} before");
}

#[test]
fn what_is_lit_is_darker_in_the_shade() {
    let mut scene = scene(EffectPreset::Plain, Finish::Matte);
    scene.light.sun = Some([0.0, 1.0, 0.0]);
    scene.light.sky_strength = 0.1;
    let roof = Object::new("roof", Shape::Box { size: [1.2, 0.05, 1.2] }, [0.0, 2.0, 1.4]);
    let under_roof = Scene { object: [scene.object.clone(), vec![roof]].concat(), ..scene.clone() };
    let green = |scene: &Scene| pixel(&picture(scene, &[[0.0, 0.9, 1.4]], 0.2, BOTH[1]), 48, 16)[1];
    let (open, shaded) = (green(&scene), green(&under_roof));
    assert!(shaded + 20 < open, "{shaded} in the shade, {open} in the open");
}

#[test]
fn lamps_light_smoke_at_night() {
    let mut scene = scene(EffectPreset::Smoke, Finish::Matte);
    (scene.light.sun_strength, scene.light.sky_strength) = (0.0, 0.0);
    let dark = picture(&scene, &[[0.0, 0.5, 1.0]], 0.2, BOTH[1]);
    let lamp = Lamp { at: [0.0, 2.5, 1.0], towards: [0.0, -1.0, 0.0], ..Lamp::default() };
    scene.lamp = vec![Lamp { strength: 20.0, ..lamp }];
    let lit = picture(&scene, &[[0.0, 0.5, 1.0]], 0.2, BOTH[1]);
    assert!(pixel(&dark, 48, 30)[1] < 5, "{:?}", pixel(&dark, 48, 30));
    assert!(pixel(&lit, 48, 30)[1] > 30, "{:?}", pixel(&lit, 48, 30));
}

#[test]
fn a_wide_lens_blurs_what_is_not_where_it_looks() {
    let mut scene = scene(EffectPreset::Sparks, Finish::Matte);
    (scene.light.sun_strength, scene.light.sky_strength) = (0.0, 0.0);
    scene.object.clear();
    let brightest = |scene: &Scene| {
        let picture = picture(scene, &[[0.0, 0.55, 2.0]], 0.01, BOTH[1]);
        picture.pixels.iter().copied().max()
    };
    let sharp = brightest(&scene);
    if let Some(camera) = &mut scene.camera {
        camera.aperture = 0.3;
    }
    assert!(brightest(&scene) < sharp, "{:?} {sharp:?}", brightest(&scene));
}

#[test]
fn planar_scenes_show_effects_over_all() {
    let mut scene = scene(EffectPreset::Sparks, Finish::Matte);
    (scene.dimension, scene.camera) = (2, None);
    let without = picture(&scene, &[], 0.1, Quality::Draft);
    assert!(differ(&picture(&scene, &[[0.0, 0.5, 0.0]], 0.1, Quality::Draft), &without) > 20);
}

#[test]
fn the_automatic_camera_holds_effects_but_not_their_strays() {
    let floor = Object::new("floor", Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, [0.0; 3]);
    let seen = |preset: EffectPreset| {
        let effect = vec![Effect::new("it", preset)];
        let scene = Scene { object: vec![floor.clone()], effect, ..Scene::default() };
        let camera = ondine_look::with_camera_and_sun(&scene).camera.expect("a camera");
        glam::Vec3::from(camera.at).distance(camera.look_at.into())
    };
    // Jets of 5 m/s rise 1.3 m; fireworks are some twenty metres wide, and far from the origin.
    assert!((2.0..8.0).contains(&seen(EffectPreset::Fountain)), "{}", seen(EffectPreset::Fountain));
    assert!((2.0..9.0).contains(&seen(EffectPreset::Sparks)), "{}", seen(EffectPreset::Sparks));
    assert!((1.0..6.0).contains(&seen(EffectPreset::Fire)), "{}", seen(EffectPreset::Fire));
    assert!((25.0..90.0).contains(&seen(EffectPreset::Fireworks)), "{}", seen(EffectPreset::Fireworks));
}
