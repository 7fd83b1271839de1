use super::*;
use glam::Vec3;
use proptest::prelude::*;

/// Particles of radius 0.5 at these places.
fn liquid(places: impl IntoIterator<Item = Vec3>) -> Particles {
    let position: Vec<[f32; 3]> = places.into_iter().map(Into::into).collect();
    let n = position.len();
    Particles {
        name: "liquid".into(),
        radius: 0.5,
        color: [0.2, 0.4, 0.6],
        velocity: vec![[1.0, 2.0, 3.0]; n],
        density: vec![1000.0; n],
        id: (0..n as u32).collect(),
        position,
        ..Particles::default()
    }
}

/// A number between -1 and 1 that is different for every i and k.
fn jitter(i: i32, k: i32) -> f32 {
    let x = (i.wrapping_mul(747_796_405)).wrapping_add(k.wrapping_mul(277_803_737)) as u32;
    let x = (x ^ x >> 15).wrapping_mul(2_246_822_519);
    (x ^ x >> 13) as f32 / (u32::MAX / 2) as f32 - 1.0
}

/// The nodes of a lattice of spacing 1 that pass, each off by up to `off` on each axis.
fn lattice(half: i32, off: f32, passes: impl Fn(Vec3) -> bool) -> Vec<Vec3> {
    let side = 2 * half + 1;
    let node = |i: i32| {
        Vec3::new((i % side) as f32, (i / side % side) as f32, (i / side / side) as f32) - half as f32
    };
    let moved = |i: i32| node(i) + off * Vec3::new(jitter(i, 1), jitter(i, 2), jitter(i, 3));
    (0..side * side * side).filter(|&i| passes(node(i))).map(moved).collect()
}

fn ball(radius: f32, off: f32) -> Vec<Vec3> {
    lattice(radius.ceil() as i32, off, |p| p.length() <= radius)
}

fn euler(mesh: &TriangleMesh) -> i64 {
    mesh.euler().expect("a closed mesh")
}

/// CL-27: one particle gives φ = 1 − r/h, a ball of radius h (1 − c).
#[test]
fn a_lone_particle_is_a_ball() {
    for options in [SurfaceOptions::plain(0.5), SurfaceOptions { level: 0.5, ..SurfaceOptions::default() }] {
        // h = 1 and cells of 0.1 m: spacing 0.5.
        let mut one = liquid([Vec3::new(0.03, 0.11, -0.07)]);
        one.radius = 0.25;
        let found = surface(&[&one], &SurfaceOptions { cell: 0.2, ..options });
        let size = found.mesh.volume();
        assert!((size / std::f64::consts::FRAC_PI_6 - 1.0).abs() < 0.03, "{size}");
        assert_eq!(euler(&found.mesh), 2);
        for (p, n) in found.mesh.points.iter().zip(&found.normal) {
            let away = *p - Vec3::new(0.03, 0.11, -0.07);
            assert!((away.length() - 0.5).abs() < 0.01, "{away}");
            assert!(away.normalize().dot((*n).into()) > 0.9999);
        }
    }
}

#[test]
fn drops_have_the_volume_of_their_particles() {
    for off in [0.0, 0.15] {
        for radius in [3.3, 5.1, 9.7] {
            let particles = ball(radius, off);
            let found = surface(&[&liquid(particles.clone())], &SurfaceOptions::default());
            let ratio = found.mesh.volume() / particles.len() as f64;
            println!("{off} {radius}: {} particles, volume over theirs {ratio}", particles.len());
            assert_eq!(euler(&found.mesh), 2);
            assert!((ratio - 1.0).abs() < 0.03, "{off} {radius}: {ratio}");
        }
    }
    for count in [1, 2, 4, 8] {
        let row = (0..count).map(|i| Vec3::new((i % 2) as f32, (i / 2 % 2) as f32, (i / 4) as f32));
        let found = surface(&[&liquid(row)], &SurfaceOptions::default());
        println!("{count}: {}", found.mesh.volume() / f64::from(count));
    }
}

/// As surface tension packs a drop: shells, the outer one crowded.
#[test]
fn a_packed_drop_has_the_volume_of_its_particles_at_rest() {
    let packed = ball(9.0, 0.1).into_iter().map(|p| 0.95 * p);
    let particles = liquid(packed);
    let bare = SurfaceOptions { volume: false, ..SurfaceOptions::default() };
    let ratio = |options| surface(&[&particles], &options).mesh.volume() / particles.position.len() as f64;
    assert!(ratio(bare) < 0.9, "{}", ratio(bare));
    assert!((ratio(SurfaceOptions::default()) - 1.0).abs() < 0.01, "{}", ratio(SurfaceOptions::default()));
}

#[test]
fn a_flat_pool_is_flat_and_ends_half_a_spacing_beyond_its_particles() {
    let pool = lattice(12, 0.0, |p| p.y <= 0.0);
    let found = surface(&[&liquid(pool)], &SurfaceOptions::default());
    let middle = |p: &Vec3| p.x.abs() < 6.0 && p.z.abs() < 6.0 && p.y > -3.0;
    let heights: Vec<f32> = found.mesh.points.iter().filter(|p| middle(p)).map(|p| p.y).collect();
    let mean = heights.iter().sum::<f32>() / heights.len() as f32;
    let bumps = heights.iter().map(|y| (y - mean).abs()).fold(0.0, f32::max);
    println!("mean {mean} bumps {bumps}");
    assert!((mean - 0.5).abs() < 0.08 && bumps < 0.02, "{mean} {bumps}");
}

#[test]
fn blocks_deep_in_the_liquid_are_not_missed() {
    // A pool many blocks deep, with a cave that reaches the surface nowhere and is wider than a particle's reach.
    let pool = lattice(20, 0.1, |p| p.length() > 6.0);
    let found = surface(&[&liquid(pool.clone())], &SurfaceOptions::default());
    assert_eq!(euler(&found.mesh), 4, "an outer and an inner surface");
    let ratio = found.mesh.volume() / pool.len() as f64;
    assert!((ratio - 1.0).abs() < 0.03, "{ratio}");
}

#[test]
fn sheets_and_threads_survive() {
    let thread = (0..40).map(|i| Vec3::new(1.3 * i as f32, 0.1 * jitter(i, 1), 0.1 * jitter(i, 2)));
    let found = surface(&[&liquid(thread)], &SurfaceOptions::default());
    assert_eq!(euler(&found.mesh), 2, "one piece, no holes");
    let sheet = lattice(8, 0.1, |p| p.y == 0.0).into_iter().map(|p| 1.25 * p);
    let found = surface(&[&liquid(sheet)], &SurfaceOptions::default());
    assert_eq!(euler(&found.mesh), 2, "one piece, no holes");
}

#[test]
fn points_carry_velocity_and_colour() {
    let (mut red, mut blue) = (liquid(ball(3.0, 0.0)), liquid(ball(3.0, 0.0)));
    blue.position.iter_mut().for_each(|p| p[0] += 7.0);
    blue.velocity.fill([-1.0, 0.0, 0.0]);
    (red.color, blue.color) = ([1.0, 0.0, 0.0], [0.0, 0.0, 1.0]);
    let found = surface(&[&red, &blue], &SurfaceOptions::default());
    assert_eq!(euler(&found.mesh), 2, "they touch, and are one");
    for (i, p) in found.mesh.points.iter().enumerate() {
        if p.x < 1.0 {
            assert!(Vec3::from(found.velocity[i]).distance(Vec3::new(1.0, 2.0, 3.0)) < 1e-5);
            assert!(Vec3::from(found.color[i]).distance(Vec3::X) < 1e-5);
        }
        if p.x > 6.0 {
            assert!(Vec3::from(found.velocity[i]).distance(Vec3::NEG_X) < 1e-5);
            assert!(Vec3::from(found.color[i]).distance(Vec3::Z) < 1e-5);
        }
    }
}

#[test]
fn nothing_and_nonsense_have_no_surface() {
    let none = surface(&[], &SurfaceOptions::default());
    assert!(none.mesh.points.is_empty());
    let nowhere = [Vec3::NAN, Vec3::INFINITY, Vec3::splat(1e30)];
    assert!(surface(&[&liquid(nowhere)], &SurfaceOptions::default()).mesh.triangles.is_empty());
    let mut flat = liquid([Vec3::ZERO]);
    flat.radius = 0.0;
    assert!(surface(&[&flat], &SurfaceOptions::default()).mesh.triangles.is_empty());
    let wild =
        SurfaceOptions { support: f32::NAN, cell: 0.0, level: 7.0, even: true, smoothing: 1, volume: true };
    euler(&surface(&[&liquid(ball(2.0, 0.1))], &wild).mesh);
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let particles = liquid(ball(9.0, 0.3));
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| surface(&[&particles], &SurfaceOptions::default()))
    };
    let one = on(1);
    assert!(one.mesh.triangles.len() > 1000);
    assert_eq!(one, on(2));
    assert_eq!(one, on(5));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Whatever the particles and the options, the mesh is closed.
    #[test]
    fn every_surface_is_closed(
        places in prop::collection::vec(prop::array::uniform3(-6.0f32..6.0), 1..200),
        support in 1.0f32..4.0,
        cell in 0.2f32..1.5,
        level in 0.05f32..0.95,
        even: bool,
    ) {
        let options = SurfaceOptions { support, cell, level, even, smoothing: 3, volume: even };
        let found = surface(&[&liquid(places.into_iter().map(Vec3::from))], &options);
        euler(&found.mesh);
        prop_assert!(found.mesh.points.iter().all(|p| p.is_finite()));
        prop_assert!(found.normal.iter().all(|n| (Vec3::from(*n).length() - 1.0).abs() < 1e-3));
    }

    /// Particles on the nodes of the lattice make φ exactly equal to the level at nodes: still closed.
    #[test]
    fn ties_are_closed_too(places in prop::collection::vec(prop::array::uniform3(-4i32..4), 1..60)) {
        let places = places.into_iter().map(|p| 0.5 * Vec3::from(p.map(|c| c as f32)));
        let found = surface(&[&liquid(places)], &SurfaceOptions { level: 0.5, ..SurfaceOptions::plain(0.5) });
        euler(&found.mesh);
    }
}

/// The frame of one liquid, and a scene that it may be of.
fn framed(particles: Particles, scene: &Scene) -> Vec<Surface> {
    let pose = |object: &ondine::scene::Object| ondine::Pose {
        name: object.name.clone(),
        enabled: true,
        visible: true,
        placement: object.placement(),
        velocity: [0.0; 3],
        spin: [0.0; 3],
    };
    let objects = scene.object.iter().map(pose).collect();
    let frame = Frame { index: 1, time: 0.1, particles: vec![particles], objects };
    Surfaces::of(scene, SurfaceOptions::default()).in_frame(&frame)
}

/// Mean and deviation of some heights.
fn spread(heights: &[f32]) -> (f32, f32) {
    let n = heights.len().max(1) as f32;
    let mean = heights.iter().sum::<f32>() / n;
    (mean, (heights.iter().map(|y| (y - mean).powi(2)).sum::<f32>() / n).sqrt())
}

/// Where a pool meets a wall its edge is as even as its surface is elsewhere, and as high.
#[test]
fn contact_lines_have_no_teeth() {
    let wall = ondine::scene::Shape::HalfSpace { normal: [1.0, 0.0, 0.0] };
    let wall = ondine::scene::Object::new("wall", wall, [-8.5, 0.0, 0.0]);
    let scene = Scene { object: vec![wall], ..Scene::default() };
    let pool = liquid(lattice(8, 0.12, |p| p.y <= 0.0));
    let points = framed(pool, &scene).remove(0).mesh.points;
    let heights = |near: &dyn Fn(&Vec3) -> bool| -> Vec<f32> {
        points.iter().filter(|p| p.y > -1.0 && p.z.abs() < 5.0 && near(p)).map(|p| p.y).collect()
    };
    let line = heights(&|p| p.x > -8.55 && p.x < -8.2);
    let open = heights(&|p| p.x.abs() < 4.0);
    assert!(line.len() > 10 && open.len() > 50);
    let ((line, teeth), (level, bumps)) = (spread(&line), spread(&open));
    assert!(teeth < 1.5 * bumps + 0.01, "{teeth} on the wall, {bumps} elsewhere");
    assert!((line - level).abs() < 0.1, "{line} on the wall, {level} elsewhere");
    let behind = points.iter().map(|p| p.x).fold(f32::INFINITY, f32::min);
    assert!(behind > -8.5 - 0.2 && behind < -8.5, "it ends just behind the wall: {behind}");
}

/// However far the newest particles are from a nozzle, the jet begins half a spacing behind it, flat and as wide as it is.
#[test]
fn jets_begin_at_their_nozzles() {
    let emitter = ondine::scene::Emitter { radius: 2.3, velocity: [0.0, 5.0, 0.0], ..Default::default() };
    let liquid_of =
        ondine::scene::Liquid { name: "liquid".into(), emitter: vec![emitter], ..Default::default() };
    let scene = Scene { liquid: vec![liquid_of], ..Scene::default() };
    let columns = lattice(6, 0.0, |p| p.with_y(0.0).length() < 2.3 && p.y >= 0.0);
    let ahead = |p: Vec3| 0.5 + 0.5 * jitter((7.0 * p.x) as i32, (5.0 * p.z) as i32);
    let mut jet = liquid(columns.into_iter().map(|p| p + Vec3::Y * ahead(p)));
    jet.velocity.fill([0.0, 5.0, 0.0]);
    let points = framed(jet, &scene).remove(0).mesh.points;
    let lowest = points.iter().map(|p| p.y).fold(f32::INFINITY, f32::min);
    assert!((lowest + 0.5).abs() < 1e-3, "{lowest}");
    let wide = points.iter().filter(|p| p.y < -0.4).map(|p| p.with_y(0.0).length()).fold(0.0, f32::max);
    assert!(wide > 2.0 && wide < 3.0, "{wide}");
}

/// Balls are no liquid, whatever they are called and however close they lie.
#[test]
fn only_liquids_have_a_surface() {
    let water = liquid(ball(2.0, 0.0));
    let balls = Particles { kind: SystemKind::Balls, name: "marbles".into(), ..water.clone() };
    let frame = Frame { index: 0, time: 0.0, particles: vec![balls, water], objects: Vec::new() };
    let surfaces = Surfaces::of(&Scene::default(), SurfaceOptions::default()).in_frame(&frame);
    assert_eq!(surfaces.iter().map(|s| s.name.as_str()).collect::<Vec<_>>(), ["liquid"]);
}
