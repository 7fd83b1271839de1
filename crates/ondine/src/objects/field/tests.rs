use super::*;
use proptest::prelude::*;

/// Triangles of an axis-aligned box.
fn block(low: Vec3, high: Vec3) -> TriangleMesh {
    let point = |i: usize| Vec3::select(glam::BVec3::new(i & 1 > 0, i & 2 > 0, i & 4 > 0), high, low);
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    TriangleMesh {
        points: (0..8).map(point).collect(),
        triangles: faces.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
    }
}

fn cube() -> TriangleMesh {
    block(Vec3::NEG_ONE, Vec3::ONE)
}

/// One mesh of several.
fn together(meshes: &[TriangleMesh]) -> TriangleMesh {
    let mut all = TriangleMesh::default();
    for mesh in meshes {
        let first = all.points.len() as u32;
        all.points.extend(&mesh.points);
        all.triangles.extend(mesh.triangles.iter().map(|t| t.map(|i| i + first)));
    }
    all
}

/// A sphere of unit radius: an octahedron whose triangles were cut in four `times` times.
fn sphere(times: u32) -> TriangleMesh {
    let axes = [Vec3::X, Vec3::Y, Vec3::Z];
    let mut triangles: Vec<[Vec3; 3]> =
        (0..8).map(|i| std::array::from_fn(|c| if i >> c & 1 == 1 { -axes[c] } else { axes[c] })).collect();
    for _ in 0..times {
        triangles = triangles
            .iter()
            .flat_map(|&[a, b, c]| {
                let [d, e, f] = [a + b, b + c, c + a].map(Vec3::normalize);
                [[a, d, f], [d, b, e], [f, e, c], [d, e, f]]
            })
            .collect();
    }
    soup(triangles)
}

fn soup(triangles: Vec<[Vec3; 3]>) -> TriangleMesh {
    let count = triangles.len() as u32;
    TriangleMesh {
        points: triangles.into_iter().flatten().collect(),
        triangles: (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect(),
    }
}

/// Points in the cube of side 2, the same ones every time.
fn scattered(count: u32) -> impl Iterator<Item = Vec3> {
    // Additive recurrence with the plastic number's powers: even, and without chance.
    let step = glam::DVec3::new(0.819_172_513_396, 0.671_043_606_704, 0.549_700_477_901);
    (1..=count).map(move |i| (2.0 * (step * i as f64).fract() - 1.0).as_vec3())
}

fn rubbish(count: u32) -> TriangleMesh {
    let points: Vec<Vec3> = scattered(3 * count).map(|p| 0.95 * p).collect();
    soup(points.chunks(3).map(|t| [t[0], t[1], t[2]]).collect())
}

fn field(mesh: &TriangleMesh, cell: f32) -> DistanceField {
    DistanceField::build(mesh, FieldOptions { cell: Some(cell), thickness: None }).expect("a field")
}

fn box_distance(p: Vec3, low: Vec3, high: Vec3) -> f32 {
    let beyond = (low - p).max(p - high);
    beyond.max(Vec3::ZERO).length() + beyond.max_element().min(0.0)
}

/// CL-24: useless faces inside change nothing.
#[test]
fn a_cube_full_of_rubbish_is_a_cube() {
    let clean = DistanceField::build(&cube(), FieldOptions::default()).expect("a field");
    let full =
        DistanceField::build(&together(&[cube(), rubbish(40)]), FieldOptions::default()).expect("a field");
    let cell = clean.cell();
    assert_eq!((cell, full.given_thickness()), (2.0 / 96.0, None));
    assert!((full.distance(Vec3::ZERO) + 1.0).abs() < cell, "{}", full.distance(Vec3::ZERO));
    for p in scattered(20_000).map(|p| 1.4 * p) {
        let (a, b) = (clean.nearest(p), full.nearest(p));
        assert!((a.distance - b.distance).abs() < cell, "{p}: {a:?} {b:?}");
        let exact = box_distance(p, Vec3::NEG_ONE, Vec3::ONE);
        assert!((a.distance - exact).abs() < cell, "{p}: {a:?} {exact}");
        assert!(a.distance <= exact.max(0.0) + 0.2 * cell, "{p}: {a:?} {exact}");
        let (far, off_ridges) =
            (p.abs().max_element(), p.abs() - Vec3::splat(p.abs().max_element() - 3.0 * cell));
        if far > 0.5 && far < 1.0 && off_ridges.cmpgt(Vec3::ZERO).bitmask().count_ones() == 1 {
            assert!(b.normal.dot(p) > 0.0 && b.normal[p.abs().max_position()].abs() > 0.9, "{p}: {b:?}");
        }
    }
}

#[test]
fn a_sphere_has_the_distances_of_a_sphere() {
    let ball = field(&sphere(5), 0.04);
    let cell = ball.cell();
    for p in scattered(20_000).map(|p| 1.5 * p) {
        let near = ball.nearest(p);
        let exact = p.length() - 1.0;
        let allowed = if exact.abs() < 6.0 * cell { 0.05 } else { 1.0 };
        assert!((near.distance - exact).abs() < allowed * cell, "{p}: {near:?} {exact}");
        assert!(exact < 0.0 || near.distance < exact + 0.05 * cell, "{p}: {near:?} {exact}");
        if p.length() > 0.6 {
            let straight = if exact.abs() < 6.0 * cell { 0.999 } else { 0.9 };
            assert!(near.normal.dot(p.normalize()) > straight, "{p}: {near:?}");
        }
    }
    assert!((ball.distance(Vec3::ZERO) + 1.0).abs() < cell);
    // Far away: never more than there is, and the right way.
    for p in scattered(1000).map(|p| 50.0 * p) {
        let near = ball.nearest(p);
        assert!(
            near.distance <= p.length() - 1.0 + 0.01 && near.distance > 0.9 * p.length() - 1.5,
            "{p} {near:?}"
        );
        assert!(p.length() < 3.0 || near.normal.dot(p.normalize()) > 0.8, "{p} {near:?}");
    }
}

#[test]
fn cubes_that_overlap_are_their_union() {
    let moved = |p: Vec3| block(p - 1.0, p + 1.0);
    let (a, b) = (Vec3::ZERO, Vec3::new(1.03, 0.51, 0.24));
    let both = field(&together(&[moved(a), moved(b)]), 0.05);
    assert_eq!(both.given_thickness(), None);
    for p in scattered(10_000).map(|p| 2.0 * p) {
        let apart = [a, b].map(|c| box_distance(p, c - 1.0, c + 1.0));
        let union = apart[0].min(apart[1]);
        let found = both.distance(p);
        if union > 0.1 * both.cell() {
            assert!(found < union + 0.25 * both.cell(), "{p}: {found} {union}");
            assert!(found > union.min(0.3) - 0.5 * both.cell(), "{p}: {found} {union}");
        } else {
            // Inside the union is deeper than inside one.
            assert!(found < union + 0.5 * both.cell(), "{p}: {found} {union}");
        }
    }
    // The middle of a face of the first lies inside the second: a whole cube around is solid.
    assert!(both.distance(Vec3::new(1.0, 0.25, 0.12)) < -0.6);
}

#[test]
fn winding_and_order_do_not_matter() {
    let straight = sphere(3);
    let mut turned = straight.clone();
    for (i, triangle) in turned.triangles.iter_mut().enumerate() {
        if i % 3 > 0 {
            triangle.swap(0, 1);
        }
    }
    let (a, b) = (field(&straight, 0.06), field(&turned, 0.06));
    for p in scattered(5000).map(|p| 1.3 * p) {
        assert!((a.distance(p) - b.distance(p)).abs() < 1e-6, "{p}");
    }
    let mut inside_out = straight.clone();
    inside_out.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    let c = field(&inside_out, 0.06);
    assert!(a.fine.iter().zip(&c.fine).all(|(x, y)| (x - y).abs() < 1e-6 && (*x < 0.0) == (*y < 0.0)));
    // Points that are doubled or not used, and triangles without area.
    let mut odd = straight.clone();
    odd.points.extend([Vec3::splat(7.0), Vec3::X, Vec3::X]);
    let last = odd.points.len() as u32 - 1;
    odd.triangles.extend([[last, last, last], [0, 0, 1], [last, last - 1, 0]]);
    let d = field(&odd, 0.06);
    assert_eq!(d.given_thickness(), None);
    for p in scattered(5000).map(|p| 1.3 * p) {
        assert!((a.distance(p) - d.distance(p)).abs() < 1e-6, "{p}");
    }
}

/// However a cube lies in the grid, and with cracks between all its triangles.
#[test]
fn nothing_leaks_through_cracks() {
    for (i, axis) in scattered(60).enumerate() {
        let cell = 0.2 + 0.002 * i as f32;
        let turn = match i % 3 {
            0 => glam::Quat::IDENTITY,
            1 => glam::Quat::from_rotation_x(0.02 * i as f32),
            _ => glam::Quat::from_axis_angle(axis.normalize(), i as f32),
        };
        let mut loose = soup(cube().corners().collect());
        for (p, crack) in loose.points.iter_mut().zip(scattered(36)) {
            *p = turn * *p + 2e-4 * cell * crack;
        }
        let found = field(&loose, cell);
        assert_eq!(found.given_thickness(), None, "{i}");
        for p in scattered(200).map(|p| 1.2 * p) {
            let exact = box_distance(p, Vec3::NEG_ONE, Vec3::ONE);
            let d = found.distance(turn * p);
            assert!((d - exact).abs() < cell, "{i} {p}: {d} {exact}");
        }
    }
}

/// The outer and the inner side of a cup of 2 m, with walls of 0.3 m, open above.
fn cup() -> TriangleMesh {
    let (outer, inner) = (cube(), block(Vec3::new(-0.7, -0.7, -0.7), Vec3::new(0.7, 1.0, 0.7)));
    let mut all = together(&[outer, inner]);
    // Without the two lids, and with a rim between the corners above.
    all.triangles.retain(|t| t.iter().any(|&i| all.points[i as usize].y < 1.0));
    let rim = [2, 3, 7, 6];
    for (i, &a) in rim.iter().enumerate() {
        let b = rim[(i + 1) % 4];
        all.triangles.extend([[a, b, b + 8], [a, b + 8, a + 8]]);
    }
    all
}

#[test]
fn a_cup_is_hollow() {
    let cup = field(&cup(), 0.04);
    assert_eq!(cup.given_thickness(), None);
    let at = |x: f32, y: f32, z: f32| cup.nearest(Vec3::new(x, y, z));
    let near =
        |found: f32, wanted: f32| assert!((found - wanted).abs() < 0.05 * cup.cell(), "{found} {wanted}");
    near(at(0.5, 0.1, 0.0).distance, 0.2);
    near(at(0.0, -0.55, 0.1).distance, 0.15);
    near(at(0.8, 0.0, 0.2).distance, -0.1);
    near(at(0.95, 0.0, 0.2).distance, -0.05);
    near(at(0.0, -0.8, 0.2).distance, -0.1);
    assert!(at(0.0, 0.0, 0.0).distance > 0.65 && at(0.0, 1.2, 0.0).distance > 0.6);
    assert!(at(0.6, 0.0, 0.0).normal.x < -0.99 && at(0.75, 0.0, 0.0).normal.x < -0.99);
    assert!(at(1.1, 0.0, 0.0).normal.x > 0.99 && at(0.95, 0.0, 0.0).normal.x > 0.99);
}

#[test]
fn a_void_that_nothing_leads_to_is_solid() {
    let mut inner = sphere(4);
    inner.points.iter_mut().for_each(|p| *p *= 0.5);
    let shell = field(&together(&[sphere(4), inner]), 0.05);
    for p in scattered(2000).filter(|p| p.length() < 0.99) {
        assert!((shell.distance(p) - (p.length() - 1.0)).abs() < shell.cell(), "{p} {}", shell.distance(p));
    }
}

/// A square of 2 m across z.
fn sheet() -> TriangleMesh {
    TriangleMesh {
        points: [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .map(|(x, y)| Vec3::new(x, y, 0.0))
            .into(),
        triangles: vec![[0, 1, 2], [0, 3, 2]],
    }
}

#[test]
fn a_sheet_gets_a_thickness() {
    let chosen = FieldOptions { cell: Some(0.04), thickness: Some(0.3) };
    let slab = DistanceField::build(&sheet(), chosen).expect("a field");
    assert_eq!(slab.given_thickness(), None);
    assert_eq!(slab.bounds(), (Vec3::new(-1.15, -1.15, -0.15), Vec3::new(1.15, 1.15, 0.15)));
    for p in scattered(10_000).map(|p| p * Vec3::new(1.3, 1.3, 0.4)) {
        let exact = box_distance(p, Vec3::new(-1.0, -1.0, 0.0), Vec3::new(1.0, 1.0, 0.0)) - 0.15;
        let found = slab.nearest(p);
        let allowed = if exact.abs() < 0.08 { 0.2 } else { 0.5 };
        assert!(
            (found.distance - exact).abs() < allowed * slab.cell() || exact > 0.24,
            "{p} {found:?} {exact}"
        );
        assert!(found.distance < exact + 0.1 * slab.cell() || exact < 0.0);
        assert!(p.z.abs() < 0.05 || p.abs().max_element() > 0.9 || found.normal.z * p.z.signum() > 0.99);
    }
    let given = field(&sheet(), 0.04);
    assert_eq!(given.given_thickness(), Some(0.08));
    assert!((given.distance(Vec3::new(0.3, 0.2, 0.1)) - 0.06).abs() < 1e-3);
    assert!(given.distance(Vec3::new(0.3, 0.2, 0.01)) < -0.02);
    let line = soup(vec![[Vec3::NEG_X, Vec3::X, Vec3::X]]);
    let rod = DistanceField::build(&line, chosen).expect("a field");
    assert!((rod.distance(Vec3::new(0.0, 0.2, 0.0)) - 0.05).abs() < 0.004);
}

/// A box thinner than a cell, across the grid and askew to it: a wall on both sides.
#[test]
fn thin_walls_hold() {
    for turn in [0.0, 0.4, std::f32::consts::FRAC_PI_4] {
        let turn = glam::Quat::from_axis_angle(Vec3::new(1.0, 2.0, 0.5).normalize(), turn);
        let mut wall = block(Vec3::new(-1.0, -1.0, -0.007), Vec3::new(1.0, 1.0, 0.007));
        wall.points.iter_mut().for_each(|p| *p = turn * *p);
        let wall = field(&wall, 0.05);
        assert_eq!(wall.given_thickness(), None);
        for p in scattered(2000).map(|p| p * Vec3::new(0.9, 0.9, 1.0)) {
            let near = wall.nearest(turn * p);
            let normal = turn.inverse() * near.normal;
            let exact = p.z.abs() - 0.007;
            let side = p.with_z(0.0).abs().max_element() < 0.7;
            if exact > wall.cell() && exact < 0.3 {
                assert!((near.distance - exact).abs() < 0.1 * wall.cell(), "{p} {near:?}");
                assert!(!side || normal.z * p.z.signum() > 0.9, "{p} {normal} {near:?}");
            }
            assert!(wall.distance(turn * p.with_z(0.0)) < 0.6 * wall.cell(), "{p}");
        }
    }
}

#[test]
fn far_blocks_are_not_stored() {
    let (coarse, fine) = (field(&cube(), 0.08), field(&cube(), 0.02));
    let growth = fine.memory() as f32 / coarse.memory() as f32;
    assert!(growth < 20.0, "four times finer takes {growth} times the memory");
    assert!(fine.blocks().1 * 3 < fine.blocks().0 * 2, "{:?}", fine.blocks());
}

#[test]
fn no_number_of_threads_changes_a_bit() {
    let mesh = together(&[sphere(4), rubbish(10)]);
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        postcard::to_stdvec(&pool.install(|| field(&mesh, 0.05))).expect("writes")
    };
    let alone = on(1);
    assert_eq!(alone, on(2));
    assert_eq!(alone, on(7));
    let again: DistanceField = postcard::from_bytes(&alone).expect("reads");
    assert_eq!(again, field(&mesh, 0.05));
}

#[test]
fn faults_say_what_to_do() {
    let fault = |mesh: &TriangleMesh, cell, thickness| {
        DistanceField::build(mesh, FieldOptions { cell, thickness }).expect_err("a fault").to_string()
    };
    assert!(fault(&TriangleMesh::default(), None, None).contains("no triangles"));
    let mut mesh = cube();
    mesh.points[3].y = f32::NAN;
    assert!(fault(&mesh, None, None).contains("point 3"));
    mesh = cube();
    mesh.triangles[2][1] = 8;
    assert!(fault(&mesh, None, None).contains("triangle 2"));
    let speck = soup(vec![[Vec3::ONE; 3]]);
    assert!(fault(&speck, None, None).contains("thickness"));
    assert!(DistanceField::build(&speck, FieldOptions { cell: None, thickness: Some(0.1) }).is_ok());
    assert!(fault(&cube(), Some(1e-4), None).contains("larger"));
    assert!(fault(&cube(), Some(-1.0), None).contains("cell"));
    assert!(fault(&cube(), None, Some(f32::INFINITY)).contains("thickness"));
    let far = block(Vec3::splat(1e6), Vec3::splat(1e6 + 1.0));
    assert!(fault(&far, None, None).contains("nearer"));
}

/// Coordinates that meshes should not have, too.
fn coordinate() -> impl Strategy<Value = f32> {
    prop_oneof![8 => -1f32..1.0, 4 => (-4i8..4).prop_map(|i| i as f32 * 0.25), 1 => prop::num::f32::ANY]
}

fn points() -> impl Strategy<Value = Vec<Vec3>> {
    let tame = prop::array::uniform3(-1f32..1.0).prop_map(Vec3::from);
    let wild = prop::array::uniform3(coordinate()).prop_map(Vec3::from);
    prop_oneof![prop::collection::vec(tame, 1..12), prop::collection::vec(wild, 1..12)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// No mesh makes the build panic, and every field answers everywhere, steeper than one nowhere.
    #[test]
    fn any_mesh_gives_a_fault_or_a_field(
        points in points(),
        triangles in prop::collection::vec(prop::array::uniform3(0u32..12), 0..20),
        thickness in prop::option::of(0.01f32..0.5),
        places in prop::collection::vec(prop::array::uniform3(-1.5f32..1.5), 32),
        wild in prop::array::uniform3(prop::num::f32::ANY),
    ) {
        let count = points.len() as u32;
        let triangles = triangles.into_iter().map(|t| if t[0] == 11 { t } else { t.map(|i| i % count) }).collect();
        let mesh = TriangleMesh { points, triangles };
        let side = mesh.bounds().map_or(1.0, |(a, b)| (b - a).max_element());
        let options = FieldOptions { cell: Some(side / 16.0), thickness };
        let Ok(field) = DistanceField::build(&mesh, options) else { return Ok(()) };
        let odd = field.nearest(Vec3::from(wild));
        prop_assert!(!odd.distance.is_nan() && (odd.normal.length() - 1.0).abs() < 1e-4, "{odd:?}");
        for pair in places.chunks(2) {
            let [p, q] = [pair[0], pair[1]].map(|p| side * Vec3::from(p));
            let q = p + 0.1 * (q - p);
            let [a, b] = [p, q].map(|p| field.nearest(p));
            prop_assert!((a.normal.length() - 1.0).abs() < 1e-4, "{a:?}");
            let rise = (a.distance - b.distance).abs();
            prop_assert!(rise <= 1.05 * p.distance(q) + field.cell(), "{p} {a:?} {q} {b:?} {}", field.cell());
        }
    }
}
