//! Previews of hand-made frames: what must be in them, and that they do not change from run to run.

mod still;

use ondine::scene::{Blend, Camera, Emitter, Fill, Liquid, Model, Object, Part, Placement, Shape};
use ondine::{Frame, Particles, Scene};
use ondine_look::{Picture, Quality, Renderer};
use std::path::PathBuf;
use still::frame;

const SIZE: (u32, u32) = (320, 180);

fn picture(frame: &Frame, scene: &Scene, size: (u32, u32)) -> Picture {
    Renderer::of(scene).picture(frame, &[], size, Quality::Preview)
}

fn particles(spacing: f32, position: Vec<[f32; 3]>) -> Particles {
    let count = position.len();
    Particles {
        name: "water".into(),
        radius: 0.5 * spacing,
        color: [0.16, 0.42, 0.78],
        position,
        velocity: vec![[0.0; 3]; count],
        density: vec![1000.0; count],
        id: (0..count as u32).collect(),
        ..Particles::default()
    }
}

/// A block of `counts` particles whose lowest corner is at the origin.
fn block(spacing: f32, counts: [usize; 3]) -> Vec<[f32; 3]> {
    let place = |i: usize| (i as f32 + 0.5) * spacing;
    let [nx, ny, nz] = counts;
    (0..nx * ny * nz).map(|i| [place(i % nx), place(i / nx % ny), place(i / nx / ny)]).collect()
}

/// Evenly spread numbers from 0 to 1 without a random generator: the golden-ratio sequence.
fn spread(i: usize, k: f64) -> f32 {
    (i as f64 * k).fract() as f32
}

/// A drop that has just burst: a crown of particles flung up and out.
fn splash(count: usize) -> Vec<[f32; 3]> {
    (0..count)
        .map(|i| {
            let (u, v, w) = (spread(i, 0.618_034), spread(i, 0.754_878), spread(i, 0.569_840));
            let (angle, out) = (std::f32::consts::TAU * u, 0.15 + 0.35 * v.sqrt());
            let height = 0.02 + 1.6 * w * w * w * (out - 0.1);
            [out * angle.cos(), height, out * angle.sin()]
        })
        .collect()
}

fn pool_scene() -> Scene {
    let liquid = Liquid {
        name: "water".into(),
        fill: vec![Fill {
            shape: Shape::Box { size: [1.0, 0.4, 0.6] },
            at: [0.5, 0.2, 0.3],
            rotate: [0.0; 3],
            velocity: [0.0; 3],
            arrangement: Default::default(),
        }],
        ..Liquid::default()
    };
    let tank = Object::new("tank", Shape::Container { size: [1.6, 0.8, 0.6], open: true }, [0.8, 0.4, 0.3]);
    let mut ball = Object::new("ball", Shape::Sphere { radius: 0.12 }, [1.25, 0.12, 0.3]);
    ball.color = [0.85, 0.35, 0.2];
    Scene { liquid: vec![liquid], object: vec![tank, ball], ..Scene::default() }
}

fn splash_scene() -> Scene {
    let liquid = Liquid {
        name: "water".into(),
        emitter: vec![Emitter { at: [0.0, 0.8, 0.0], ..Emitter::default() }],
        ..Liquid::default()
    };
    let floor = Object::new("floor", Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, [0.0; 3]);
    let mut post = Object::new("post", Shape::Cylinder { radius: 0.06, height: 0.5 }, [-0.6, 0.25, -0.25]);
    post.color = [0.55, 0.42, 0.30];
    let mut rod = Object::new("rod", Shape::Capsule { radius: 0.05, height: 0.4 }, [0.62, 0.05, 0.1]);
    rod.rotate = [0.0, 25.0, 90.0];
    rod.color = [0.35, 0.55, 0.40];
    let mut step = Object::new("step", Shape::Box { size: [0.3, 0.15, 0.3] }, [0.55, 0.075, -0.45]);
    step.rotate = [0.0, 30.0, 0.0];
    Scene { liquid: vec![liquid], object: vec![floor, post, rod, step], ..Scene::default() }
}

fn planar_scene() -> Scene {
    let mut scene = Scene { dimension: 2, ..pool_scene() };
    scene.object.push(Object::new("floor", Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, [0.0, 0.0, 0.0]));
    scene.object.push(Object::new("bar", Shape::Capsule { radius: 0.03, height: 0.3 }, [1.3, 0.5, 0.0]));
    scene
}

fn pool_frame() -> Frame {
    let mut water = particles(0.02, block(0.02, [50, 20, 30]));
    for (p, v) in water.position.iter_mut().zip(&mut water.velocity) {
        p[1] *= 0.7 + 0.3 * (4.0 * p[0]).cos();
        v[0] = 4.0 * p[1];
    }
    frame(&pool_scene(), vec![water])
}

fn splash_frame() -> Frame {
    let mut water = particles(0.016, splash(6000));
    for (p, v) in water.position.iter().zip(&mut water.velocity) {
        *v = [4.0 * p[0], 8.0 * p[1], 4.0 * p[2]];
    }
    frame(&splash_scene(), vec![water])
}

fn planar_frame() -> Frame {
    let water = block(0.02, [50, 20, 1]).into_iter().map(|p| [p[0], p[1], 0.0]).collect();
    frame(&planar_scene(), vec![particles(0.02, water)])
}

/// Set ONDINE_PICTURES to a folder to look at what the tests draw.
fn keep(name: &str, frame: &Frame, scene: &Scene) {
    if let Some(folder) = std::env::var_os("ONDINE_PICTURES") {
        let path = PathBuf::from(folder).join(name).with_extension("png");
        let file = std::fs::File::create(path).expect("the folder takes pictures");
        picture(frame, scene, (960, 540)).encode_png(file, name).expect("the disk takes them");
    }
}

fn count(picture: &Picture, wanted: impl Fn([u8; 3]) -> bool) -> usize {
    picture.pixels.chunks_exact(3).filter(|p| wanted([p[0], p[1], p[2]])).count()
}

fn blue([r, _, b]: [u8; 3]) -> bool {
    b > 60 && b as i32 - r as i32 > 50
}

#[test]
fn a_pool_shows_its_water_and_its_ball() {
    let (frame, scene) = (pool_frame(), pool_scene());
    keep("pool", &frame, &scene);
    let picture = picture(&frame, &scene, SIZE);
    let water = count(&picture, blue);
    assert!((4_000..40_000).contains(&water), "{water} blue pixels");
    let ball = count(&picture, |[r, _, b]| r as i32 - b as i32 > 60);
    assert!((300..6_000).contains(&ball), "{ball} red pixels");
}

#[test]
fn a_splash_shows_on_its_floor() {
    let (frame, scene) = (splash_frame(), splash_scene());
    keep("splash", &frame, &scene);
    let water = count(&picture(&frame, &scene, SIZE), blue);
    assert!((2_000..40_000).contains(&water), "{water} blue pixels");
}

#[test]
fn a_planar_scene_is_seen_straight_on() {
    let (frame, scene) = (planar_frame(), planar_scene());
    keep("planar", &frame, &scene);
    let picture = picture(&frame, &scene, SIZE);
    // The block is 1 m × 0.4 m, so its picture has that ratio.
    let row_of = |y: u32| (0..SIZE.0).filter(|x| blue(pixel(&picture, *x, y))).count();
    let column_of = |x: u32| (0..SIZE.1).filter(|y| blue(pixel(&picture, x, *y))).count();
    let widest = (0..SIZE.1).map(row_of).max().unwrap_or(0) as f32;
    let highest = (0..SIZE.0).map(column_of).max().unwrap_or(0) as f32;
    assert!((widest / highest - 2.5).abs() < 0.25, "{widest} by {highest} pixels");
}

fn pixel(picture: &Picture, x: u32, y: u32) -> [u8; 3] {
    let i = 3 * (y * picture.width + x) as usize;
    [picture.pixels[i], picture.pixels[i + 1], picture.pixels[i + 2]]
}

#[test]
fn the_same_frame_gives_the_same_bytes() {
    assert_eq!(
        picture(&splash_frame(), &splash_scene(), SIZE),
        picture(&splash_frame(), &splash_scene(), SIZE)
    );
}

#[test]
fn the_camera_ignores_what_happens_during_a_run() {
    let mut later = splash_scene();
    later.object.iter_mut().for_each(|o| o.enabled = false);
    let frame = splash_frame();
    assert_eq!(picture(&frame, &splash_scene(), SIZE), picture(&frame, &later, SIZE));
}

/// A floor, and an object that is easily told from it.
fn scene_with(shape: Shape, at: [f32; 3]) -> Scene {
    let floor = Object::new("floor", Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, [0.0; 3]);
    let mut object = Object::new("it", shape, at);
    object.color = [0.85, 0.35, 0.2];
    Scene { object: vec![floor, object], ..Scene::default() }
}

fn red([r, _, b]: [u8; 3]) -> bool {
    r as i32 - b as i32 > 40
}

fn shapes() -> Vec<(&'static str, Shape)> {
    let block = || Part::new(Shape::Box { size: [0.8; 3] }, [0.0; 3]);
    let ball = || Part::new(Shape::Sphere { radius: 0.45 }, [0.25, 0.25, 0.25]);
    let blend = || Blend { of: vec![block(), ball()], smooth: 0.1 };
    let model = |of| Shape::Model { of, height: 1.0 };
    vec![
        ("box", Shape::Box { size: [0.8; 3] }),
        ("sphere", Shape::Sphere { radius: 0.5 }),
        ("capsule", Shape::Capsule { radius: 0.2, height: 0.6 }),
        ("cylinder", Shape::Cylinder { radius: 0.4, height: 1.0 }),
        ("cone", Shape::Cone { radius: 0.5, height: 1.0 }),
        ("torus", Shape::Torus { radius: 0.4, tube: 0.15 }),
        ("union", Shape::Union(blend())),
        ("difference", Shape::Difference(blend())),
        ("intersection", Shape::Intersection(blend())),
        ("rabbit", model(Model::Rabbit)),
        ("figure", model(Model::Figure)),
        ("stool", model(Model::Stool)),
        ("cup", model(Model::Cup)),
        ("teapot", model(Model::Teapot)),
    ]
}

#[test]
fn every_shape_is_drawn() {
    for (name, shape) in shapes() {
        let mut scene = scene_with(shape, [0.0, 0.5, 0.0]);
        let sides = [("front", [0.5, 0.9, 2.6]), ("left", [-2.3, 1.5, 1.2]), ("right", [2.2, 0.8, 1.8])];
        for (side, at) in sides {
            scene.camera = Some(Camera { at, look_at: [0.0, 0.45, 0.0], angle: 30.0, ..Camera::default() });
            let frame = frame(&scene, Vec::new());
            keep(&format!("{name}-{side}"), &frame, &scene);
            let seen = count(&picture(&frame, &scene, SIZE), red);
            assert!((2_000..30_000).contains(&seen), "{name} from {side}: {seen} pixels");
        }
        let planar = Scene { dimension: 2, camera: None, ..scene };
        let seen = count(&picture(&frame(&planar, Vec::new()), &planar, SIZE), red);
        assert!((1_000..30_000).contains(&seen), "the cut through {name}: {seen} pixels");
    }
}

#[test]
fn objects_are_drawn_where_the_frame_has_them() {
    let mut scene = scene_with(Shape::Sphere { radius: 0.3 }, [0.0, 0.5, 0.0]);
    let camera = Camera { at: [0.0, 0.5, 4.0], look_at: [0.0, 0.5, 0.0], angle: 30.0, ..Camera::default() };
    scene.camera = Some(camera);
    let renderer = Renderer::of(&scene);
    let mean_column = |x: f32| {
        let mut frame = frame(&scene, Vec::new());
        frame.objects[1].placement = Placement::new([x, 0.5, 0.0], [0.0; 3]);
        let picture = renderer.picture(&frame, &[], SIZE, Quality::Preview);
        let columns: Vec<u32> = (0..SIZE.0 * SIZE.1)
            .filter(|i| red(pixel(&picture, i % SIZE.0, i / SIZE.0)))
            .map(|i| i % SIZE.0)
            .collect();
        columns.iter().sum::<u32>() as f32 / columns.len() as f32
    };
    // 90 pixels for the tangent of 15°, at a distance of 4 m.
    let scale = 90.0 / (4.0 * 15f32.to_radians().tan());
    for x in [-0.6, 0.0, 0.8] {
        let expected = 160.0 + scale * x;
        assert!((mean_column(x) - expected).abs() < 4.0, "{x} m: {} instead of {expected}", mean_column(x));
    }
}

#[test]
fn one_sees_into_what_holds_liquid() {
    let drum = Shape::RoundContainer { radius: 0.5, height: 1.0, open: true };
    let mould = Shape::Mould { of: Box::new(Shape::Sphere { radius: 0.5 }) };
    for (name, shape) in [("drum", drum), ("mould", mould)] {
        let scene = scene_with(shape, [0.0, 0.5, 0.0]);
        let water = block(0.03, [12, 12, 12]).into_iter().map(|p| p.map(|x| x - 0.18));
        let water = particles(0.03, water.map(|[x, y, z]| [x, y + 0.4, z]).collect());
        let frame = frame(&scene, vec![water]);
        keep(name, &frame, &scene);
        let seen = count(&picture(&frame, &scene, SIZE), blue);
        assert!(seen > 2_000, "{name}: {seen} pixels");
    }
}

#[test]
fn no_scene_and_no_frame_is_too_odd_to_draw() {
    let odd = particles(0.02, vec![[f32::NAN; 3], [f32::INFINITY, 0.0, 0.0], [1e30; 3], [0.0, 0.3, 4.0]]);
    let huge = particles(1e9, vec![[0.0; 3]]);
    let shapes = [
        Shape::HalfSpace { normal: [0.0; 3] },
        Shape::Box { size: [0.0; 3] },
        Shape::Sphere { radius: f32::NAN },
        Shape::Cylinder { radius: 1e30, height: -1.0 },
        Shape::Torus { radius: 1e30, tube: 1e30 },
        Shape::RoundContainer { radius: f32::NAN, height: 1e30, open: true },
        Shape::Union(Blend { of: Vec::new(), smooth: 1.0 }),
        Shape::Model { of: Model::Rabbit, height: f32::NAN },
    ];
    for dimension in [2, 3] {
        for shape in &shapes {
            for at in [[f32::MAX, 0.0, 0.0], [0.0; 3], [f32::NAN; 3]] {
                let object = Object::new("odd", shape.clone(), at);
                let scene = Scene { dimension, object: vec![object], gravity: [0.0; 3], ..Scene::default() };
                let frame = frame(&scene, vec![odd.clone(), huge.clone()]);
                assert_eq!(picture(&frame, &scene, (8, 0)).pixels.len(), 24);
            }
        }
    }
    let frame = frame(&Scene::default(), vec![odd, huge]);
    assert_eq!(picture(&frame, &Scene::default(), (16, 9)).pixels.len(), 3 * 16 * 9);
}
