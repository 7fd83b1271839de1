//! Surfaces, pictures and films of a bake that is there.

use crate::bakery::{Bakery, Outcome, files_in};
use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

/// Two liquids in space: a cube of water that falls on a block, and one with a name that no file can have.
const CUBES: &str = r#"
title = "Cubes"
duration = 0.1

[[liquid]]
name = "water"
spacing = 0.05
fill = { shape = { box = { size = [0.3, 0.3, 0.3] } }, at = [0, 0.3, 0] }

[[liquid]]
name = "a/b"
material = "honey"
spacing = 0.05
fill = { shape = { box = { size = [0.2, 0.2, 0.2] } }, at = [0.6, 0.2, 0] }

[[object]]
name = "floor"
shape = { half_space = { normal = [0, 1, 0] } }

[[object]]
name = "block"
shape = { box = { size = [0.1, 0.1, 0.1] } }
at = [0.1, 0.05, 0]
"#;

/// A folder with the bake of [`CUBES`] in `out`: frames 0 to 3, and nothing made of them.
fn baked() -> Result<Bakery, Box<dyn Error>> {
    let bakery = Bakery::new()?;
    fs::write(bakery.path("cubes.toml"), CUBES)?;
    bakery.ondine("bake cubes.toml --export ply").with(0);
    Ok(bakery)
}

/// When each file of a folder was written last.
fn times(folder: &Path) -> Result<BTreeMap<String, SystemTime>, Box<dyn Error>> {
    let mut times = BTreeMap::new();
    for path in files_in(folder)? {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        times.insert(name, fs::metadata(&path)?.modified()?);
    }
    Ok(times)
}

#[test]
fn every_format_is_written_where_the_guide_says() -> Outcome {
    let bakery = baked()?;
    let said = bakery.ondine("mesh out --export mesh,obj,glb,usd,balls,clips,vtk,npz").with(0);
    said.saying(&["out/mesh", "out/usd/scene.usda", "out/usd/clips.usda", "out/vtk/scene.pvd", "out/npz"]);
    for file in [
        "mesh/water.0000.ply",
        "mesh/a%2Fb.0003.ply",
        "mesh/water.0003.obj",
        "mesh/0003.glb",
        "mesh/objects/block.0000.obj",
        "usd/scene.usda",
        "usd/balls.usda",
        "usd/clips.usda",
        "usd/clips_clips/manifest.usda",
        "usd/clips_clips/frame.0003.usda",
        "vtk/water.0003.vtp",
        "vtk/surfaces/water.0003.vtp",
        "vtk/objects/block.0000.vtp",
        "vtk/scene.pvd",
        "npz/0003.npz",
    ] {
        assert!(bakery.path("out").join(file).is_file(), "{file}");
    }
    bakery.ondine("bake cubes.toml --export none --overwrite").with(0);
    for part in [
        "mesh",
        "mesh/objects",
        "usd",
        "usd/clips_clips",
        "vtk",
        "vtk/surfaces",
        "vtk/objects",
        "npz",
        "particles",
        "manifest",
    ] {
        let left = files_in(&bakery.path("out").join(part))?;
        assert!(left.iter().all(|path| path.is_dir()), "{left:?} is of the old bake");
    }
    Ok(())
}

#[test]
fn surfaces_are_made_once_and_anew_for_other_options() -> Outcome {
    let bakery = baked()?;
    bakery.ondine("mesh out --frames 0..1").with(0);
    let first = times(&bakery.path("out/mesh"))?;
    assert_eq!(first.len(), 4);
    bakery.ondine("mesh out --export npz").with(0);
    let second = times(&bakery.path("out/mesh"))?;
    assert_eq!(second.len(), 8);
    assert!(first.iter().all(|(name, time)| second[name] == *time), "what was there is not made again");
    bakery.ondine("mesh out --frames 2 --cell 0.8").with(0);
    let third = times(&bakery.path("out/mesh"))?;
    let changed: Vec<&String> = third.keys().filter(|name| third[*name] != second[*name]).collect();
    assert_eq!(changed, ["a%2Fb.0002.ply", "water.0002.ply"]);
    Ok(())
}

#[test]
fn pictures_of_ranges_are_those_of_the_whole() -> Outcome {
    let bakery = baked()?;
    let look = "--size 64x36 --quality draft --threads 1";
    bakery.ondine(&format!("render out {look}")).with(0).saying(&["Made 4 pictures, 0 were there"]);
    let whole = bakery.exports("out")?;
    fs::remove_dir_all(bakery.path("out/frames"))?;
    bakery.ondine("render out --size 64x36 --frames 2.. --threads 2").with(0).saying(&["Made 2 pictures"]);
    let before = times(&bakery.path("out/frames"))?;
    bakery.ondine(&format!("render out {look}")).with(0).saying(&["Made 2 pictures, 2 were there"]);
    let after = times(&bakery.path("out/frames"))?;
    assert!(before.iter().all(|(name, time)| after[name] == *time));
    assert_eq!(bakery.exports("out")?, whole);
    bakery
        .ondine("render out --size 64x36 --quality preview --frames 1")
        .with(0)
        .saying(&["Made 1 pictures"]);
    assert!(bakery.exports("out")? != whole);
    Ok(())
}

#[test]
fn particles_and_colours_can_be_shown() -> Outcome {
    let bakery = baked()?;
    let mut seen = Vec::new();
    for look in ["", "--particles", "--color speed", "--color density"] {
        bakery.ondine(&format!("render out --frames 3 --size 64x36 {look}")).with(0).saying(&["Made 1"]);
        seen.push(fs::read(bakery.path("out/frames/0003.png"))?);
    }
    assert!((0..4).all(|i| (0..i).all(|j| seen[i] != seen[j])), "four different pictures");
    bakery.ondine("mesh out --export png").with(1).saying(&["mesh", "npz"]);
    bakery.ondine("render out --quality dreamy").with(1).saying(&["preview, draft, good, fine"]);
    bakery.ondine("render out --size huge").with(1).saying(&["1280x720"]);
    Ok(())
}

#[test]
fn films_are_made_of_the_pictures_that_are_there() -> Outcome {
    let bakery = baked()?;
    bakery.ondine("film out").with(1).saying(&["0000.png", "ondine render out"]);
    assert!(!bakery.path("out/film.mp4").exists());
    bakery.ondine("render out --size 64x36 --quality preview").with(0);
    bakery.ondine("film out").with(0).saying(&["out/film.mp4"]);
    assert_eq!(fs::read(bakery.path("out/film.mp4"))?[4..8], *b"ftyp");
    bakery.ondine("film out -o f.gif --width 32 --every 2 --frames 0..3").with(0).saying(&["f.gif"]);
    let gif = fs::read(bakery.path("f.gif"))?;
    assert_eq!((&gif[..6], gif[6], gif[8]), (&b"GIF89a"[..], 32, 18));
    bakery.ondine("film out -o f.avi").with(1).saying(&["f.avi", ".mp4 or .gif"]);
    bakery.ondine("render out --size 80x36 --quality preview --frames 2").with(0);
    bakery.ondine("film out").with(1).saying(&["picture 2 is 80 × 36", "one --size"]);
    assert_eq!(fs::read(bakery.path("out/film.mp4"))?[4..8], *b"ftyp", "the old film stands");
    Ok(())
}

#[test]
fn a_bake_can_order_everything_at_once_and_be_resumed_into_it() -> Outcome {
    let bakery = baked()?;
    bakery.ondine("bake cubes.toml --overwrite --export png,usd,npz --size 64x36 -o all").with(0).saying(&[
        "all/film.mp4",
        "all/usd/scene.usda",
        "all/npz",
    ]);
    // A bake whose frames are there goes on to what is missing.
    bakery.ondine("bake --resume --size 64x36").with(0).saying(&["finished", "out/film.mp4"]);
    assert_eq!(fs::read(bakery.path("out/film.mp4"))?, fs::read(bakery.path("all/film.mp4"))?);
    Ok(())
}

#[test]
fn what_is_not_there_is_named() -> Outcome {
    let bakery = baked()?;
    bakery.ondine("render nowhere").with(1).saying(&["nowhere holds no bake"]);
    bakery.ondine("mesh out --frames 7..9").with(1).saying(&["no frames 7..9", "0 to 3"]);
    bakery.ondine("mesh out --frames 3..1").with(1).saying(&["3 comes after 1"]);
    fs::write(bakery.path("out/particles/water.0001.ply"), "ply\nnonsense")?;
    bakery.ondine("mesh out").with(1).saying(&["water.0001.ply", "--overwrite"]);
    fs::remove_file(bakery.path("out/manifest/0000.json"))?;
    bakery.ondine("render out").with(1).saying(&["no frames", "--export none"]);
    Ok(())
}

#[test]
fn pictures_are_taken_by_another_camera() -> Outcome {
    let bakery = baked()?;
    let picture = |options: &str| -> Result<Vec<u8>, Box<dyn Error>> {
        bakery.ondine(&format!("render out --frames 0 --size 32x18 {options}")).with(0);
        Ok(fs::read(bakery.path("out/frames/0000.png"))?)
    };
    let usual = picture("")?;
    assert_ne!(picture("--set camera.angle=80 --set camera.at=[0,1,3]")?, usual);
    assert_ne!(picture("--set light.sun_strength=0")?, usual);
    assert_eq!(picture("")?, usual, "the bake is as it was");
    bakery.ondine("render out --set liquid.water.density=9").with(1).saying(&["camera, light and lamp"]);
    Ok(())
}

/// What is no number, or nowhere, in the files of a bake is told with the file's name, by every stage.
#[test]
fn damaged_frames_are_refused_by_name() -> Outcome {
    let bakery = Bakery::new()?;
    bakery.ondine("bake tiny.toml --frames 1 --export ply").with(0);
    let path = bakery.path("out/particles/water.0001.ply");
    let whole = std::fs::read(&path)?;
    for wild in [f32::NAN, f32::INFINITY, 1e30, -3e38] {
        // In the position, and in the velocity, of the last particle but two.
        for back in [3 * 36, 3 * 36 - 12] {
            let mut bytes = whole.clone();
            let at = bytes.len() - back;
            bytes[at..at + 4].copy_from_slice(&wild.to_le_bytes());
            std::fs::write(&path, &bytes)?;
            for order in ["mesh out", "render out", "render out --quality draft --size 64x36"] {
                let told = bakery.ondine(order).with(1);
                told.saying(&["water.0001.ply", "damaged", "particle", "--overwrite"]);
            }
        }
    }
    std::fs::write(&path, whole)?;
    let path = bakery.path("out/manifest/0001.json");
    let manifest = std::fs::read_to_string(&path)?;
    std::fs::write(&path, manifest.replace("0.4", "4e37"))?;
    bakery.ondine("render out").with(1).saying(&["0001.json", "damaged", "object.tank"]);
    Ok(())
}
