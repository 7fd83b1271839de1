//! Free objects in pools: they float as deep as Archimedes says, whatever they weigh.

use crate::scenes::*;
use ondine::scene::{LiquidModel, Motion, Object, Preset, Shape};
use ondine::{Scene, World};

/// Radius of the ball [m].
const R: f32 = 0.2;

/// A pool, and a ball of a given part of the density of water that starts half in the water.
struct Pool {
    model: LiquidModel,
    dimension: u32,
    spacing: f32,
    support: f32,
    /// Thick water comes to rest sooner, and at rest no thickness matters [Pa·s].
    viscosity: f32,
    /// How much the ball may still move in the last second, as a root mean square over h. In the plane particles have no
    /// way around each other, and the pool itself keeps rearranging.
    vibration: f32,
    /// Side of the pool [m], and depth before anything is in it.
    side: f32,
    depth: f32,
}

impl Pool {
    fn scene(&self, ratio: f32) -> Scene {
        let (side, depth) = (self.side, self.depth);
        let mut water = liquid("water", Preset::Water, self.spacing);
        (water.model, water.support) = (self.model, Some(self.support));
        water.viscosity.linear = self.viscosity;
        water.fill = vec![block([side, depth, side], [0.5 * side, 0.5 * depth, 0.0])];
        // Half in the water: the light must rise from there and the heavy sink. The fill leaves room for it.
        let mut ball = free("ball", Shape::Sphere { radius: R }, [0.5 * side, depth, 0.0]);
        (ball.density, ball.friction) = (1000.0 * ratio, 0.3);
        Scene {
            dimension: self.dimension,
            liquid: vec![water],
            object: vec![tank([side, 3.0, side]), ball],
            ..Scene::default()
        }
    }

    /// Volume of a ball, or area of a disc, up to the height `d` above its lowest point.
    fn submerged(&self, d: f64) -> f64 {
        let r = R as f64;
        let d = d.clamp(0.0, 2.0 * r);
        match self.dimension {
            2 => r * r * ((r - d) / r).acos() - (r - d) * (2.0 * r * d - d * d).sqrt(),
            _ => std::f64::consts::PI * d * d * (3.0 * r - d) / 3.0,
        }
    }

    /// Depth of the ball's lowest point under the waterline [m]. The waterline is where it must be for the water's volume:
    /// its surface itself is a layer of particles, rough by about half a spacing.
    fn depth_of(&self, world: &World) -> f64 {
        let (side, r, ball) = (self.side as f64, R as f64, body(world, "ball"));
        let area = if self.dimension == 2 { side } else { side * side };
        let depth = measure(world, 0).mass / 1000.0 / area;
        let mut top = depth;
        for _ in 0..60 {
            top = depth + self.submerged(top - ball.at[1] + r) / area;
        }
        top - ball.at[1] + r
    }

    /// The depth at which the ball displaces its weight [m].
    fn archimedes(&self, ratio: f64) -> f64 {
        let (mut low, mut high) = (0.0, 2.0 * R as f64);
        let wanted = ratio * self.submerged(high);
        for _ in 0..60 {
            let mid = 0.5 * (low + high);
            if self.submerged(mid) < wanted { low = mid } else { high = mid }
        }
        0.5 * (low + high)
    }

    /// Floats a ball for some seconds; checks its depth and that it is at rest in the last second. Returns the share of it that is under
    /// water.
    fn float(&self, ratio: f32, seconds: u32) -> f64 {
        let mut world = after(&self.scene(ratio), 30 * (seconds - 1));
        let last: Vec<(f64, f64)> = (0..30)
            .map(|_| {
                advance(&mut world, 1);
                (self.depth_of(&world), body(&world, "ball").at[1])
            })
            .collect();
        let depth = last.iter().map(|l| l.0).sum::<f64>() / 30.0;
        let y = last.iter().map(|l| l.1).sum::<f64>() / 30.0;
        let h = (self.support * self.spacing) as f64;
        let vibration = (last.iter().map(|l| (l.1 - y).powi(2)).sum::<f64>() / 30.0).sqrt() / h;
        let wanted = self.archimedes(ratio as f64);
        let r = R as f64;
        println!(
            "{}D s = {ratio}: depth {:.3} R for {:.3} R, vibration {vibration:.4} h, {} steps",
            self.dimension,
            depth / r,
            wanted / r,
            world.ledger().substeps
        );
        assert_sound(&world, 3.0);
        assert!((depth - wanted).abs() < (0.1 * wanted).max(0.5 * h), "s = {ratio}: {depth} for {wanted}");
        assert!(vibration < self.vibration as f64, "s = {ratio}: vibration {vibration} h");
        self.submerged(depth) / self.submerged(2.0 * r)
    }
}

/// Nothing leaks, flies off or loses its number.
fn assert_sound(world: &World, most: f64) {
    let water = measure(world, 0);
    // What a heavy ball squeezes out between itself and the floor is faster than it is.
    assert_eq!((water.leaks, water.emitted, water.removed), (0, water.particles, 0));
    assert!(water.max_speed < 5.0 * most, "water at {} m/s", water.max_speed);
    for o in world.ledger().objects {
        assert!(length(o.velocity) < most, "{} at {:?} m/s", o.name, o.velocity);
    }
}

/// In space a support of 2 would let bodies float too high: so few neighbours hold their places and resist like a paste.
const PLANE: Pool = Pool {
    model: LiquidModel::Viscoelastic,
    dimension: 2,
    spacing: 0.025,
    support: 2.0,
    viscosity: 2.0,
    vibration: 0.1,
    side: 1.0,
    depth: 0.6,
};
const SPACE: Pool = Pool {
    model: LiquidModel::Viscoelastic,
    dimension: 3,
    spacing: 0.05,
    support: 3.0,
    viscosity: 0.001,
    vibration: 0.05,
    side: 0.8,
    depth: 0.5,
};

/// The closed forms are right: depth of a ball over its radius.
#[test]
fn closed_forms_of_depth() {
    for (s, d) in [(0.1, 0.3916), (0.25, 0.6527), (0.5, 1.0), (0.75, 1.3473), (0.9, 1.6084)] {
        assert!((SPACE.archimedes(s) / R as f64 - d).abs() < 1e-4, "{s}");
        assert!((PLANE.submerged(PLANE.archimedes(s)) / PLANE.submerged(0.4) - s).abs() < 1e-6);
    }
}

#[test]
fn discs_float_as_deep_as_they_weigh() {
    for ratio in [0.1, 0.25, 0.5, 0.75, 0.9] {
        PLANE.float(ratio, 6);
    }
}

#[test]
fn balls_float_as_deep_as_they_weigh() {
    for ratio in [0.1, 0.25, 0.5, 0.75, 0.9] {
        SPACE.float(ratio, 6);
    }
}

/// So they do in the SPH models, with the support that each has by default: 8 and 16 spacings across.
#[test]
fn balls_and_discs_float_in_the_sph_models() {
    for (model, support) in [(LiquidModel::Sph, 2.0), (LiquidModel::Dfsph, 3.0)] {
        let plane = Pool { model, support, viscosity: 0.001, ..PLANE };
        let space = Pool { model, support: 2.2, ..SPACE };
        for (pool, ratio) in [0.1, 0.5, 0.9].iter().flat_map(|ratio| [(&plane, *ratio), (&space, *ratio)]) {
            let share = pool.float(ratio, 6);
            assert!(
                (share - ratio as f64).abs() < 0.05,
                "{model:?} {}D: {share} for {ratio}",
                pool.dimension
            );
        }
    }
}

/// What is heavier than water goes to the bottom, and lies there.
#[test]
fn the_heavier_sinks() {
    for pool in [PLANE, SPACE] {
        let world = after(&pool.scene(1.5), 75);
        let ball = body(&world, "ball");
        assert_sound(&world, 3.0);
        assert!(ball.at[1] < R as f64 + pool.spacing as f64, "{}D: at {:?}", pool.dimension, ball.at);
    }
}

/// A thousand times lighter or heavier than the water it displaces: nothing flies off, nothing leaks.
#[test]
fn any_ratio_of_masses_is_stable() {
    for (pool, frames) in [(PLANE, 60), (SPACE, 30)] {
        for ratio in [0.001f32, 0.01, 30.0, 1000.0] {
            let mut scene = pool.scene(ratio);
            let volume = pool.submerged(2.0 * R as f64) as f32;
            scene.object[1].mass = Some(ratio * 1000.0 * volume);
            scene.object[1].density = 500.0;
            // From above: half in the water already, the lightest would rightly jump.
            scene.object[1].at[1] += R;
            let mut world = world(&scene);
            let mut fastest = 0f64;
            for _ in 0..frames {
                advance(&mut world, 1);
                fastest = fastest.max(measure(&world, 0).max_speed);
                // It falls from the surface to the bottom at most.
                assert_sound(&world, 5.0);
            }
            let ball = body(&world, "ball");
            println!("{}D 1:{ratio}: at {:?}, water up to {fastest} m/s", pool.dimension, ball.at);
            if ratio < 1.0 {
                assert!(ball.at[1] > pool.depth as f64, "1:{ratio} floats: {:?}", ball.at);
            } else {
                assert!(ball.at[1] < 0.5 * pool.depth as f64, "1:{ratio} sinks: {:?}", ball.at);
            }
        }
    }
}

/// A box of half the density of water that is laid flat on the floor has water above it and none below, and rises all the same.
#[test]
fn a_box_on_the_floor_rises() {
    let mut water = liquid("water", Preset::Water, 0.02);
    water.fill = vec![block([0.4, 0.3, 0.2], [0.2, 0.15, 0.0])];
    let mut cube = free("cube", Shape::Box { size: [0.12; 3] }, [0.2, 0.06, 0.0]);
    cube.density = 500.0;
    let object = vec![tank([0.4, 0.6, 0.2]), cube];
    let scene = Scene { dimension: 2, liquid: vec![water], object, ..Scene::default() };
    let world = after(&scene, 120);
    // Half of its area is below the level, which goes through its centre however it lies.
    let level = (measure(&world, 0).mass / 1000.0 + 0.5 * 0.12 * 0.12) / 0.4;
    let height = body(&world, "cube").at[1];
    assert!((height / level - 1.0).abs() < 0.03, "{height} for {level} m");
}

/// Bodies smaller than a few particles, and much lighter than those around them: none is thrown, and from two spacings on they rise, from the
/// floor too.
#[test]
fn small_and_light_bodies_stay_calm() {
    for (at, size, density) in [
        ([0.01, 0.02, 0.01], 0.02, 50.0),
        ([0.01, 0.03, 0.01], 0.02, 250.0),
        ([0.01, 0.03, 0.01], 0.06, 50.0),
        ([0.1, 0.03, 0.05], 0.06, 20.0),
        ([0.01, 0.04, 0.01], 0.08, 50.0),
        ([0.05, 0.34, 0.03], 0.02, 250.0),
    ] {
        let mut water = liquid("water", Preset::Water, 0.03);
        water.fill = vec![block([0.6, 0.3, 0.6], [0.0, 0.15, 0.0])];
        let tank =
            Object::new("tank", Shape::Container { size: [0.6, 1.0, 0.6], open: true }, [0.0, 0.5, 0.0]);
        let cube = Object {
            motion: Motion::Free,
            density,
            ..Object::new("cube", Shape::Box { size: [size; 3] }, at)
        };
        let scene = Scene { liquid: vec![water], object: vec![tank, cube], ..Scene::default() };
        let mut world = World::new(&scene).expect("a sound scene");
        for frame in 0..36 {
            world.advance().expect("it goes on");
            let ledger = world.ledger();
            let cube = ledger.objects.iter().find(|o| o.name == "cube").expect("the cube");
            let speed = cube.velocity.iter().map(|v| v * v).sum::<f64>().sqrt();
            let risen = frame < 35 || size < 0.06 || cube.at[1] > 0.3;
            assert!(risen, "{size} m of {density}: {} m", cube.at[1]);
            assert!(speed < 1.5 && cube.at[1] < 0.45, "{size} m of {density}: {speed} m/s at {frame}");
        }
    }
}

/// What everything in a world has together [J].
fn energy(world: &World) -> f64 {
    let ledger = world.ledger();
    let liquid = ledger.systems.iter().map(|s| s.kinetic_energy + s.potential_energy);
    liquid.chain(ledger.objects.iter().map(|o| o.kinetic_energy + o.potential_energy)).sum()
}

/// Many bodies little larger than the particles that they fall among are not thrown about, and nothing gives them energy: not the inertia
/// of the liquid that moves with them either.
#[test]
fn a_crowd_of_small_bodies_stays_calm() {
    let mut water = liquid("water", Preset::Water, 0.06);
    water.fill = vec![block([0.6, 0.3, 0.6], [0.0, 0.15, 0.0])];
    let cube = |k: usize| Object {
        motion: Motion::Free,
        density: 500.0,
        ..Object::new(
            format!("cube-{k}"),
            Shape::Box { size: [0.07; 3] },
            [0.13 * (k % 4) as f32 - 0.195, 0.36 + 0.1 * (k / 16) as f32, 0.13 * (k / 4 % 4) as f32 - 0.195],
        )
    };
    let tank = Object::new("tank", Shape::Container { size: [0.6, 1.5, 0.6], open: true }, [0.0, 0.75, 0.0]);
    let object = [tank].into_iter().chain((0..48).map(cube)).collect();
    let scene = Scene { liquid: vec![water], object, ..Scene::default() };
    let mut world = World::new(&scene).expect("a sound scene");
    let start = energy(&world);
    for frame in 0..60 {
        world.advance().expect("it goes on");
        let now = energy(&world);
        assert!(now < start, "{now} J of {start} J in frame {frame}");
    }
    let highest = world.ledger().objects.iter().map(|o| o.at[1]).fold(f64::MIN, f64::max);
    assert!(highest < 0.6, "{highest} m");
}
