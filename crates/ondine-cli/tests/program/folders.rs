//! What a bake leaves, and what it never touches.

use crate::bakery::{Bakery, FRAMES, Outcome, files_in};
use ondine::World;
use ondine_io::bake::{Bake, BakeWriter, Folder, Keep, LedgerLine};
use std::fs::{self, File};

#[test]
fn a_bake_leaves_its_scene_ledger_checkpoint_particles_and_pictures() -> Outcome {
    let bakery = Bakery::new()?;
    let said = bakery.ondine("bake tiny.toml -o deep/er/out").with(0);
    said.saying(&[
        "Baked 12 frames",
        "deep/er/out/frames",
        "deep/er/out/film.mp4",
        "Largest compression",
        "leaks",
    ]);
    assert_eq!(bakery.hashes("deep/er/out")?.len(), FRAMES + 1);
    assert!(bakery.path("deep/er/out/checkpoint.ondine").is_file());
    assert!(bakery.path("deep/er/out/scene.toml").is_file());
    assert!(bakery.path("deep/er/out/frames/0000.png").is_file());
    assert!(bakery.path("deep/er/out/frames/0012.png").is_file());
    assert!(bakery.path("deep/er/out/manifest/0012.json").is_file());
    assert!(bakery.path("deep/er/out/particles/water.0012.ply").is_file());
    assert!(bakery.path("deep/er/out/film.mp4").is_file());
    bakery.ondine("check deep/er/out/scene.toml").with(0);
    Ok(())
}

#[test]
fn only_the_ordered_exports_are_written() -> Outcome {
    let bakery = Bakery::new()?;
    bakery.ondine("bake tiny.toml --frames 1 --export none").with(0);
    assert!(bakery.exports("out")?.is_empty());
    bakery.ondine("bake tiny.toml --frames 1 --export ply --overwrite").with(0);
    assert_eq!(bakery.exports("out")?.len(), 2, "particles");
    bakery.ondine("bake tiny.toml --frames 1 --export png --no-film --overwrite").with(0);
    assert_eq!(bakery.exports("out")?.len(), 4, "particles and pictures");
    assert!(!bakery.path("out/film.mp4").exists());
    Ok(())
}

#[test]
fn a_bake_is_never_destroyed_unasked() -> Outcome {
    let bakery = Bakery::new()?;
    bakery.ondine("bake tiny.toml --frames 2").with(0);
    let before = bakery.exports("out")?;
    bakery.ondine("bake tiny.toml").with(1).saying(&[
        "already holds a bake",
        "--resume",
        "--overwrite",
        "-o",
    ]);
    assert_eq!(bakery.exports("out")?, before);
    assert_eq!(bakery.hashes("out")?.len(), 3);
    Ok(())
}

#[test]
fn the_users_own_pictures_count_as_a_bake() -> Outcome {
    let bakery = Bakery::new()?;
    fs::create_dir_all(bakery.path("out/frames"))?;
    fs::write(bakery.path("out/frames/0001.png"), "mine")?;
    bakery.ondine("bake tiny.toml").with(1).saying(&["0001.png"]);
    bakery.ondine("bake tiny.toml --resume").with(1).saying(&["0001.png"]);
    assert_eq!(fs::read_to_string(bakery.path("out/frames/0001.png"))?, "mine");
    Ok(())
}

#[test]
fn overwriting_removes_the_old_bake_and_nothing_else() -> Outcome {
    let bakery = Bakery::new()?;
    bakery.ondine("bake tiny.toml --frames 5").with(0);
    fs::write(bakery.path("out/notes.txt"), "mine")?;
    fs::write(bakery.path("out/frames/cover.png"), "mine")?;
    bakery.ondine("bake tiny.toml --frames 2 --overwrite").with(0);
    assert_eq!(bakery.hashes("out")?.len(), 3);
    assert!(!bakery.path("out/frames/0003.png").exists());
    assert_eq!(fs::read_to_string(bakery.path("out/notes.txt"))?, "mine");
    assert_eq!(fs::read_to_string(bakery.path("out/frames/cover.png"))?, "mine");
    Ok(())
}

#[test]
fn a_faulty_order_to_overwrite_destroys_nothing() -> Outcome {
    let bakery = Bakery::new()?;
    bakery.ondine("bake tiny.toml --frames 2").with(0);
    bakery.ondine("bake tiny.toml --overwrite --set fps=-1").with(1);
    assert_eq!(bakery.hashes("out")?.len(), 3);
    Ok(())
}

#[test]
fn a_scene_is_not_written_over_by_its_own_bake() -> Outcome {
    let bakery = Bakery::new()?;
    fs::rename(bakery.path("tiny.toml"), bakery.path("scene.toml"))?;
    let before = fs::read_to_string(bakery.path("scene.toml"))?;
    bakery.ondine("bake scene.toml -o .").with(1).saying(&["scene.toml", "-o"]);
    bakery.ondine("bake scene.toml -o . --overwrite").with(1);
    assert_eq!(fs::read_to_string(bakery.path("scene.toml"))?, before);
    Ok(())
}

#[test]
fn two_bakes_do_not_share_a_folder() -> Outcome {
    let bakery = Bakery::new()?;
    fs::create_dir(bakery.path("out"))?;
    let held = File::create(bakery.path("out/.lock"))?;
    held.try_lock()?;
    for order in ["bake tiny.toml", "bake tiny.toml --resume", "bake tiny.toml --overwrite"] {
        bakery.ondine(order).with(1).saying(&["another ondine is at work in out"]);
    }
    drop(held);
    // A program that another test is just starting may hold a copy of the file for a moment.
    let free = || File::create(bakery.path("out/.lock")).is_ok_and(|file| file.try_lock().is_ok());
    while !free() {
        std::thread::yield_now();
    }
    bakery.ondine("bake tiny.toml --frames 1").with(0);
    Ok(())
}

#[test]
fn a_system_cannot_write_outside_the_folder() -> Outcome {
    let bakery = Bakery::new()?;
    let scene = crate::bakery::SCENE.replace("\"water\"", "\"../../water\"");
    let scene = scene.replace("[[event]]\nat = 0.15\nset = { \"liquid.water.viscosity.linear\" = 0.5 }", "");
    fs::write(bakery.path("sly.toml"), scene)?;
    // Whether or not the engine takes such a name, nothing may appear beside the folder.
    bakery.ondine("bake sly.toml --frames 1 -o a/b/out");
    let beside = [files_in(&bakery.path("a"))?, files_in(&bakery.path("a/b"))?].concat();
    assert!(beside.iter().all(|path| path.is_dir()), "{beside:?}");
    Ok(())
}

/// What the program bakes is read by a library call, and a bake of a library is gone on with by the program.
#[test]
fn the_library_reads_and_writes_the_same_bakes() -> Outcome {
    let bakery = Bakery::new()?;
    bakery.ondine("bake tiny.toml --export ply -o whole").with(0);
    let bake = Bake::open(bakery.path("whole"))?;
    assert_eq!((bake.scene().title.as_str(), bake.frame_count()), ("Tiny", FRAMES as u32 + 1));
    let hashes: Vec<String> = bake.ledger()?.into_iter().map(|line| line.measured.hash).collect();
    assert_eq!(hashes, bakery.hashes("whole")?);

    let mut world = World::new(bake.scene()).map_err(|faults| format!("{faults:?}"))?;
    let folder = Folder::claim(&bakery.path("ours"))?;
    let mut writer = BakeWriter::create(folder, bake.scene(), Keep::Frames)?;
    for frame in bake.frames().take(5) {
        assert_eq!(frame?, world.frame());
        writer.write(&world, &LedgerLine { measured: world.measured()?, ms: 1.0 })?;
        writer.checkpoint(&world)?;
        world.advance()?;
    }
    drop(writer);
    bakery.ondine("bake --resume --export ply -o ours").with(0).saying(&["going on from frame 4"]);
    bakery.assert_same("whole", "ours")?;
    let last = Bake::open(bakery.path("ours"))?.checkpoint()?.ok_or("a checkpoint")?;
    assert_eq!(last.frame(), bake.frame(FRAMES as u32)?);
    let told = bake.frame(99).unwrap_err();
    assert!(told.to_string().contains("no frame 99") && told.remedy().is_some(), "{told}");
    Ok(())
}

/// Frames that do not say what systems they hold are not guessed at.
#[test]
fn frames_of_older_programs_are_refused_with_a_remedy() -> Outcome {
    let bakery = Bakery::new()?;
    bakery.ondine("bake tiny.toml --export ply --frames 2").with(0);
    fs::rename(bakery.path("out/manifest"), bakery.path("out/objects"))?;
    for order in ["render out", "mesh out", "bake --resume --export ply"] {
        bakery.ondine(order).with(1).saying(&["older version of Ondine", "--overwrite"]);
    }
    bakery.ondine("bake tiny.toml --export ply --frames 2 --overwrite").with(0);
    assert!(files_in(&bakery.path("out/objects"))?.is_empty(), "what the older one made is gone");
    bakery.ondine("mesh out").with(0);
    Ok(())
}
