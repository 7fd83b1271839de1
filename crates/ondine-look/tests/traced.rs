//! Traced pictures: what must be in them, and that they are the same however they are made.

mod still;

use glam::Vec3;
use ondine::objects::polygonize;
use ondine::scene::{Blend, Camera, Finish, Lamp, Liquid, Object, Part, Preset, Shape, Track};
use ondine::{Particles, Scene, Surface};
use ondine_look::{Coloring, Picture, Quality, Renderer};
use std::path::{Path, PathBuf};
use still::frame;

const SIZE: (u32, u32) = (96, 54);

fn object(name: &str, shape: Shape, at: [f32; 3], color: [f32; 3], finish: Finish) -> Object {
    Object { color, finish, ..Object::new(name, shape, at) }
}

/// A table with a bit of everything on it.
fn still_life() -> Scene {
    let floor = Object::new("floor", Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, [0.0; 3]);
    let gold = Shape::Cylinder { radius: 0.2, height: 0.4 };
    let tank = Shape::Container { size: [0.6, 0.5, 0.6], open: true };
    let mut objects = vec![
        floor,
        object("gold", gold, [-0.9, 0.2, 0.0], [1.0, 0.78, 0.34], Finish::Metal),
        object("red", Shape::Sphere { radius: 0.2 }, [0.9, 0.2, 0.1], [0.8, 0.2, 0.15], Finish::Plastic),
        object(
            "hand",
            Shape::Capsule { radius: 0.12, height: 0.3 },
            [-0.45, 0.27, -0.4],
            [0.9, 0.7, 0.6],
            Finish::Skin,
        ),
        object("glass", Shape::Sphere { radius: 0.15 }, [0.5, 0.15, 0.5], [0.9, 0.95, 0.93], Finish::Glass),
        object("tank", tank, [0.0, 0.25, -0.2], [0.7, 0.7, 0.7], Finish::Matte),
    ];
    objects[1].rotate = [0.0, 0.0, 20.0];
    let water = Liquid { name: "water".into(), ..Preset::Water.liquid() };
    let camera = Camera { at: [0.6, 1.0, 3.0], look_at: [0.0, 0.2, 0.0], angle: 34.0, ..Camera::default() };
    Scene { liquid: vec![water], object: objects, camera: Some(camera), ..Scene::default() }
}

fn particles(position: Vec<[f32; 3]>) -> Particles {
    let count = position.len();
    let velocity = position.iter().map(|p| [4.0 * p[0], 0.0, 0.0]).collect();
    Particles {
        name: "water".into(),
        radius: 0.02,
        color: [0.16, 0.42, 0.78],
        position,
        velocity,
        density: vec![1000.0; count],
        id: (0..count as u32).collect(),
        ..Particles::default()
    }
}

/// A block of water in the tank, a little rounded, and its surface.
fn water() -> (Particles, Surface) {
    let middle = Vec3::new(0.0, 0.12, -0.2);
    let half = Vec3::new(0.28, 0.1, 0.28);
    let distance = |p: Vec3| {
        let d = (p - middle).abs() - half;
        d.max(Vec3::ZERO).length() + d.max_element().min(0.0) - 0.02
    };
    let mesh = polygonize(&distance, middle - half - 0.1, middle + half + 0.1, 0.02);
    let slope = |p: Vec3, axis: Vec3| distance(p + 0.01 * axis) - distance(p - 0.01 * axis);
    let normal =
        |p: &Vec3| Vec3::new(slope(*p, Vec3::X), slope(*p, Vec3::Y), slope(*p, Vec3::Z)).normalize().into();
    let surface = Surface {
        name: "water".into(),
        normal: mesh.points.iter().map(normal).collect(),
        velocity: vec![[0.0; 3]; mesh.points.len()],
        color: vec![[0.16, 0.42, 0.78]; mesh.points.len()],
        mesh,
    };
    let place = |i: i32| [i % 14, i / 14 % 5, i / 70].map(|k| 0.04 * k as f32);
    let position = (0..14 * 5 * 14).map(|i| {
        let [x, y, z] = place(i);
        [x - 0.26, y + 0.03, z - 0.46]
    });
    (particles(position.collect()), surface)
}

fn picture(quality: Quality) -> Picture {
    let (scene, (particles, surface)) = (still_life(), water());
    Renderer::of(&scene).picture(&frame(&scene, vec![particles]), &[surface], SIZE, quality)
}

fn mean(picture: &Picture) -> f32 {
    picture.pixels.iter().map(|b| *b as f32).sum::<f32>() / picture.pixels.len() as f32
}

/// Mean difference of two pictures in levels, and the share of bytes that are far apart.
fn apart(a: &[u8], b: &[u8]) -> (f32, f32) {
    let each = || a.iter().zip(b).map(|(a, b)| a.abs_diff(*b));
    let mean = each().map(f32::from).sum::<f32>() / a.len() as f32;
    (mean, each().filter(|d| *d > 24).count() as f32 / a.len() as f32)
}

fn read(path: &Path) -> Vec<u8> {
    let file = std::fs::File::open(path).expect("the golden picture");
    let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().expect("a header");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    reader.next_frame(&mut pixels).expect("an image");
    pixels
}

/// Renewed by ONDINE_RENEW=1. Arithmetic may differ a little between machines, pictures may not.
#[test]
fn the_still_life_looks_as_it_did() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/still_life.png");
    let now = picture(Quality::Samples(32));
    if std::env::var_os("ONDINE_RENEW").is_some() {
        let file = std::fs::File::create(&path).expect("the folder takes pictures");
        now.encode_png(file, "").expect("the disk takes them");
    }
    let (mean, far) = apart(&now.pixels, &read(&path));
    assert!(mean < 1.5 && far < 0.01, "{mean} levels apart, {far} of it far");
}

#[test]
fn threads_do_not_show() {
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| picture(Quality::Draft))
    };
    assert_eq!(with(1), with(2));
    assert_eq!(with(2), with(3));
}

#[test]
fn passes_add_up_to_the_picture() {
    let (scene, (particles, surface)) = (still_life(), water());
    let (renderer, frame) = (Renderer::of(&scene), frame(&scene, vec![particles]));
    let mut growing = renderer.progressive(&frame, std::slice::from_ref(&surface), SIZE, Quality::Samples(8));
    let mut samples = Vec::new();
    let mut early = None;
    loop {
        let more = growing.refine();
        samples.push(growing.samples());
        early.get_or_insert_with(|| growing.picture());
        if !more {
            break;
        }
    }
    assert_eq!(samples, [1, 2, 4, 8]);
    let finished = renderer.picture(&frame, &[surface], SIZE, Quality::Samples(8));
    assert_eq!(growing.picture(), finished);
    let (mean, _) = apart(&early.expect("a first look").pixels, &finished.pixels);
    assert!(mean > 0.1 && mean < 20.0, "the first look is rough but right: {mean}");
}

/// A grey ball under a clear layer, and a clear drop beside it on a grey floor; dark enough for the screen to show light as it is.
fn wet_ball() -> (Scene, Surface) {
    let mut scene = still_life();
    scene.object.truncate(1);
    scene.object.push(object(
        "ball",
        Shape::Sphere { radius: 0.3 },
        [0.0, 0.6, 0.0],
        [0.8; 3],
        Finish::Matte,
    ));
    scene.camera =
        Some(Camera { at: [0.3, 0.7, 2.6], look_at: [0.2, 0.5, 0.0], angle: 30.0, ..Camera::default() });
    scene.light.exposure = -2.0;
    let balls = [(Vec3::new(0.0, 0.6, 0.0), 0.33), (Vec3::new(0.65, 0.3, 0.1), 0.2)];
    let away = |p: Vec3| balls.map(|(center, radius)| (p - center, radius));
    let distance = |p: Vec3| away(p).map(|(d, radius)| d.length() - radius).into_iter().fold(9.0, f32::min);
    let mesh = polygonize(&distance, Vec3::new(-0.5, 0.05, -0.5), Vec3::new(1.0, 1.1, 0.5), 0.02);
    let normal = |p: &Vec3| {
        let nearest =
            away(*p).into_iter().min_by(|a, b| (a.0.length() - a.1).total_cmp(&(b.0.length() - b.1)));
        nearest.expect("a ball").0.normalize().into()
    };
    let count = mesh.points.len();
    let normal = mesh.points.iter().map(normal).collect();
    let (velocity, color) = (vec![[0.0; 3]; count], vec![[0.5; 3]; count]);
    (scene, Surface { name: "water".into(), normal, velocity, color, mesh })
}

/// Mean linear light of columns and rows of a picture.
fn mean_light(picture: &Picture, columns: std::ops::Range<u32>, rows: std::ops::Range<u32>) -> f32 {
    let linear = |b: u8| ((b as f32 / 255.0 + 0.055) / 1.055).powf(2.4);
    let pixels =
        rows.clone().flat_map(|y| columns.clone().map(move |x| (3 * (y * picture.width + x)) as usize));
    let sum: f32 = pixels.map(|i| picture.pixels[i..i + 3].iter().map(|b| linear(*b)).sum::<f32>()).sum();
    sum / (3 * columns.len() * rows.len()) as f32
}

/// Few samples make pictures grainy, not dark: neither what is under a clear layer nor what is behind a drop.
#[test]
fn brightness_does_not_depend_on_the_quality() {
    let (scene, surface) = wet_ball();
    let renderer = Renderer::of(&scene);
    let frame = frame(&scene, vec![particles(vec![[0.0, 0.6, 0.0]])]);
    let with = |quality| renderer.picture(&frame, std::slice::from_ref(&surface), (192, 108), quality);
    let wanted = with(Quality::Samples(200));
    let ([left, middle, right], rows) = ([0..60, 60..115, 115..192], 10..100);
    for quality in
        [Quality::Draft, Quality::Samples(1), Quality::Samples(4), Quality::Samples(9), Quality::Good]
    {
        let seen = with(quality);
        for columns in [left.clone(), middle.clone(), right.clone()] {
            let light = |picture| mean_light(picture, columns.clone(), rows.clone());
            let ratio = light(&seen) / light(&wanted);
            assert!((ratio - 1.0).abs() < 0.015, "{quality} at {columns:?}: {ratio} of the light");
        }
    }
}

/// Before the first step densities are not known; the liquid looks as it does after it.
#[test]
fn the_first_frame_looks_as_the_next() {
    let (scene, (mut particles, surface)) = (still_life(), water());
    let seen = |particles: &Particles| {
        let frame = frame(&scene, vec![particles.clone()]);
        Renderer::of(&scene).picture(&frame, std::slice::from_ref(&surface), SIZE, Quality::Draft)
    };
    let known = seen(&particles);
    particles.density.fill(0.0);
    assert_eq!(seen(&particles), known);
}

/// A difference of boxes with walls of 2 mm is seen from its side, traced and drawn.
#[test]
fn thin_walls_are_seen() {
    let part = |size, at| Part::new(Shape::Box { size }, at);
    let cup = Blend {
        of: vec![part([0.3; 3], [0.0; 3]), part([0.296, 0.3, 0.296], [0.0, 0.002, 0.0])],
        smooth: 0.0,
    };
    let red = object("cup", Shape::Difference(cup), [0.0, 0.3, 0.0], [0.8, 0.1, 0.05], Finish::Matte);
    let camera = Camera { at: [0.0, 0.35, 1.5], look_at: [0.0, 0.3, 0.0], angle: 30.0, ..Camera::default() };
    let scene = Scene { object: vec![red], camera: Some(camera), ..still_life() };
    let frame = frame(&scene, Vec::new());
    for quality in [Quality::Preview, Quality::Draft] {
        let seen = Renderer::of(&scene).picture(&frame, &[], SIZE, quality);
        let red = seen.pixels.chunks(3).filter(|c| c[0] / 2 > c[2].max(c[1])).count() as f32;
        // Its near side is 1.35 m from the camera.
        let expected = (54.0 * 0.3 / (2.0 * 1.35 * 15f32.to_radians().tan())).powi(2);
        assert!((red / expected - 1.0).abs() < 0.15, "{quality}: {red} of {expected}");
    }
}

#[test]
fn a_draft_is_near_the_fine_picture() {
    let (mean, far) = apart(&picture(Quality::Draft).pixels, &picture(Quality::Fine).pixels);
    assert!(mean < 5.0 && far < 0.05, "{mean} levels apart, {far} of it far");
}

#[test]
fn planar_scenes_and_previews_are_drawn() {
    let scene = Scene { dimension: 2, camera: None, ..still_life() };
    let frame = frame(&scene, vec![water().0]);
    let renderer = Renderer::of(&scene);
    let drawn = renderer.picture(&frame, &[], SIZE, Quality::Preview);
    assert_eq!(renderer.picture(&frame, &[], SIZE, Quality::Good), drawn);
    // What has depth is not drawn but where that is asked for, and surfaces are not drawn at all.
    let renderer = Renderer::of(&still_life());
    let drawn = renderer.picture(&frame, &[], SIZE, Quality::Preview);
    assert_eq!(renderer.picture(&frame, &[water().1], SIZE, Quality::Preview), drawn);
    assert_ne!(renderer.picture(&frame, &[], SIZE, Quality::Samples(1)), drawn);
}

#[test]
fn colours_tell_what_they_are_asked_to() {
    let (scene, (mut particles, _)) = (still_life(), water());
    particles.density.iter_mut().enumerate().for_each(|(i, d)| *d = 850.0 + 300.0 * (i % 2) as f32);
    let frame = frame(&scene, vec![particles]);
    let with = |coloring| Renderer::of(&scene).colored(coloring).picture(&frame, &[], SIZE, Quality::Draft);
    let [plain, speed, density] = [Coloring::Material, Coloring::Speed, Coloring::Density].map(with);
    let red = |p: &Picture| p.pixels.chunks(3).filter(|c| c[0] as i32 - c[2] as i32 > 40).count();
    assert!(plain != speed && speed != density);
    assert!(red(&density) > red(&plain) + 20, "{} {}", red(&density), red(&plain));
}

#[test]
fn a_camera_follows_its_track() {
    let mut scene = still_life();
    let keys = vec![[0.0, 0.6], [1.0, -2.0]];
    scene.track.push(Track { path: "camera.at.x".into(), keys, interpolation: Default::default() });
    let (renderer, mut frame) = (Renderer::of(&scene), frame(&scene, Vec::new()));
    for quality in [Quality::Preview, Quality::Samples(1)] {
        frame.time = 0.0;
        let before = renderer.picture(&frame, &[], SIZE, quality);
        frame.time = 1.0;
        assert_ne!(renderer.picture(&frame, &[], SIZE, quality), before);
    }
}

#[test]
fn lamps_and_exposure_brighten() {
    let bright = |change: &dyn Fn(&mut Scene)| {
        let mut scene = still_life();
        change(&mut scene);
        mean(&Renderer::of(&scene).picture(&frame(&scene, Vec::new()), &[], SIZE, Quality::Samples(2)))
    };
    let night = |s: &mut Scene| (s.light.sun_strength, s.light.sky_strength) = (0.0, 0.02);
    let dark = bright(&night);
    let lit = bright(&|s| {
        night(s);
        s.lamp.push(Lamp::default());
    });
    assert!(dark < 60.0 && lit > dark + 20.0, "{dark} {lit}");
    let (day, over) = (bright(&|_| ()), bright(&|s| s.light.exposure = 1.0));
    assert!(over > day + 10.0, "{day} {over}");
}

#[test]
fn no_scene_and_no_frame_is_too_odd_to_trace() {
    let empty = Scene::default();
    let seen = Renderer::of(&empty).picture(&frame(&empty, Vec::new()), &[], (16, 9), Quality::Draft);
    assert_eq!(seen.pixels.len(), 3 * 16 * 9);
    let odd = particles(vec![[f32::NAN; 3], [f32::INFINITY, 0.0, 0.0], [1e30; 3], [0.0, 0.3, 4.0]]);
    let mut broken = water().1;
    broken.normal.truncate(3);
    broken.mesh.points[0] = Vec3::NAN;
    broken.mesh.triangles.push([0, 1, u32::MAX]);
    let shapes = [
        Shape::HalfSpace { normal: [0.0; 3] },
        Shape::Box { size: [0.0; 3] },
        Shape::Sphere { radius: f32::NAN },
        Shape::Cylinder { radius: 1e30, height: -1.0 },
        Shape::Torus { radius: 1e30, tube: 1e30 },
        Shape::Container { size: [f32::NAN, 1.0, 0.0], open: true },
        Shape::RoundContainer { radius: f32::NAN, height: 1e30, open: true },
    ];
    for shape in shapes {
        for at in [[f32::MAX, 0.0, 0.0], [0.0; 3], [f32::NAN; 3]] {
            let mut scene = still_life();
            scene.object.push(Object::new("odd", shape.clone(), at));
            // The camera is in the water.
            scene.camera =
                Some(Camera { at: [0.0, 0.1, -0.2], look_at: at, aperture: 0.1, ..Camera::default() });
            let frame = frame(&scene, vec![odd.clone()]);
            let seen = Renderer::of(&scene).picture(
                &frame,
                std::slice::from_ref(&broken),
                (8, 0),
                Quality::Samples(2),
            );
            assert_eq!(seen.pixels.len(), 24);
        }
    }
}
