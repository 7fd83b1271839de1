//! Every scene of the gallery: sound, healthy, and the same for any number of threads.

use ondine::{Scene, World};
use ondine_io::scene_text::{self, Source};
use ondine_look::{SurfaceOptions, Surfaces};
use std::path::PathBuf;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn gallery() -> Vec<(String, Scene)> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(root().join("scenes")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let scene = |file: PathBuf| {
        let name = file.file_stem().unwrap().to_string_lossy().to_string();
        let source = Source {
            folder: file.parent().unwrap().into(),
            ..Source::new(name.clone(), std::fs::read_to_string(&file).unwrap())
        };
        let (scene, warnings) = scene_text::parse(&source, &[]).unwrap_or_else(|f| panic!("{name}: {f:?}"));
        assert!(warnings.is_empty(), "{name}: {warnings:?}");
        (name, scene)
    };
    files.into_iter().map(scene).collect()
}

fn hashes(scene: &Scene, threads: usize, frames: usize) -> Vec<u64> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut world = World::new(scene).unwrap();
        (0..frames)
            .map(|_| {
                world.advance().unwrap();
                world.hash()
            })
            .collect()
    })
}

/// Where the hashes of the gallery's first frames stand. They change with every change to the physics, and never else: not with the
/// machine, its processor, the number of threads or how the program was built.
const GOLDEN: &str = "crates/ondine-cli/tests/golden/hashes.txt";

#[test]
fn every_scene_runs_the_same_on_one_thread_and_on_many_and_as_it_did() {
    let mut now = String::new();
    for (name, scene) in gallery() {
        let frames = if name == "dam_break" { 2 } else { 6 };
        let one = hashes(&scene, 1, frames);
        assert_eq!(one, hashes(&scene, 2, frames), "{name}");
        assert_eq!(one, hashes(&scene, 8, frames), "{name}");
        let words: Vec<String> = one.iter().map(|hash| format!(" {hash:016x}")).collect();
        now += &format!("{name}{}\n", words.concat());
    }
    if std::env::var_os("ONDINE_BLESS").is_some() {
        std::fs::write(root().join(GOLDEN), &now).unwrap();
    }
    let golden = std::fs::read_to_string(root().join(GOLDEN)).unwrap_or_default();
    let changed: Vec<&str> = now.lines().filter(|line| !golden.lines().any(|old| old == *line)).collect();
    let help = "if the physics has changed on purpose, run this test with ONDINE_BLESS=1 and keep the file";
    assert!(changed.is_empty() && golden.lines().count() == now.lines().count(), "{changed:#?}\n{help}");
}

#[test]
fn every_scene_is_healthy() {
    for (name, scene) in gallery() {
        let mut world = World::new(&scene).unwrap();
        for _ in 0..15 {
            world.advance().unwrap_or_else(|failure| panic!("{name}: {failure}"));
        }
        let measured = world.ledger().systems;
        for system in &measured {
            assert_eq!(system.leaks, 0, "{name}");
            let limit = limit(&scene, &system.name);
            assert!(system.max_speed < limit, "{name}: {} m/s, over {limit}", system.max_speed);
            assert!(system.compression < 0.08, "{name}: compressed by {}", system.compression);
        }
        for surface in Surfaces::of(&scene, SurfaceOptions::default()).in_frame(&world.frame()) {
            assert!(surface.mesh.euler().is_some(), "{name}: {} is open", surface.name);
            let Some(liquid) = measured.iter().find(|s| s.name == surface.name && s.particles > 0) else {
                continue;
            };
            // A planar surface is a slice, of no volume to speak of.
            let full = surface.mesh.volume() / liquid.volume;
            assert!(scene.planar() || (0.97..1.2).contains(&full), "{name}: {} of its volume", full);
        }
    }
}

/// Highest speed that a system may have after half a second: of balls what they were given, and what gravity adds; of effects what the fastest of all is given, as
/// others come of it.
fn limit(scene: &Scene, name: &str) -> f64 {
    if scene.effect.iter().any(|effect| effect.name == name) {
        let given =
            scene.effect.iter().map(|e| e.emitter.speed + e.emitter.outward.abs()).fold(10.0, f32::max);
        return 2.0 * given as f64;
    }
    let Some(balls) = scene.balls.iter().find(|balls| balls.name == name) else { return 12.0 };
    let length = |v: [f32; 3]| v.iter().map(|x| x * x).sum::<f32>().sqrt();
    let given =
        balls.ball.iter().map(|b| length(b.velocity)).chain(balls.fill.iter().map(|f| length(f.velocity)));
    let given = given.chain(balls.emitter.iter().map(|e| e.fastest())).fold(0.0, f32::max);
    (given + 0.5 * length(scene.gravity)) as f64 * 1.01
}

/// A map that names places long gone is worse than none.
#[test]
fn every_path_named_in_the_documentation_exists() {
    let documents = [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "docs/sources.md",
        "docs/materials.md",
        "docs/guide.md",
    ];
    for document in documents {
        let text =
            std::fs::read_to_string(root().join(document)).unwrap_or_else(|e| panic!("{document}: {e}"));
        for quoted in text.split('`').skip(1).step_by(2) {
            let starts = ["crates/", "scenes/", "bench/", "docs/", ".ci/"];
            if starts.iter().any(|s| quoted.starts_with(s)) && !quoted.contains([' ', '*']) {
                assert!(root().join(quoted).exists(), "{document} names {quoted}, which is not there");
            }
        }
    }
}
