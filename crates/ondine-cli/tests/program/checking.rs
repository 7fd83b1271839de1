//! Faults of scenes, as `check` and `bake` tell them.

use crate::bakery::{Bakery, Outcome, SCENE};
use std::fs;

#[test]
fn a_good_scene_has_no_faults() -> Outcome {
    Bakery::new()?.ondine("check tiny.toml").with(0).saying(&["no faults", "Tiny"]);
    Ok(())
}

#[test]
fn every_fault_is_told_with_its_place() -> Outcome {
    let bakery = Bakery::new()?;
    let scene = SCENE.replace("duration = 0.4", "duration = -1").replace("fps = 30", "fsp = 30");
    fs::write(bakery.path("bad.toml"), scene)?;
    for command in ["check bad.toml", "bake bad.toml"] {
        let said = bakery.ondine(command).with(1);
        said.saying(&["bad.toml:3:12", "3 | duration = -1", "^^", "bad.toml:4:1", "fps", "2 errors"]);
    }
    assert!(!bakery.path("out").exists(), "a faulty scene makes no folder");
    Ok(())
}

#[test]
fn text_that_is_not_toml_is_told_with_its_place() -> Outcome {
    let bakery = Bakery::new()?;
    fs::write(bakery.path("bad.toml"), "title = \"x\"\nduration = = 3\n")?;
    bakery.ondine("check bad.toml").with(1).saying(&["bad.toml:2:", "1 error"]);
    fs::write(bakery.path("bad.toml"), b"\xff\xfe\x00")?;
    bakery.ondine("check bad.toml").with(1).saying(&["cannot read bad.toml"]);
    Ok(())
}

#[test]
fn settings_change_the_scene_and_are_checked() -> Outcome {
    let bakery = Bakery::new()?;
    bakery.ondine("check tiny.toml --set liquid.water.spacing=-1").with(1).saying(&["liquid.water.spacing"]);
    bakery.ondine("check tiny.toml --set liquid.wine.spacing=1").with(1).saying(&["wine"]);
    bakery.ondine("bake tiny.toml --frames 1 --export none --set liquid.water.spacing=0.025").with(0);
    let scene = fs::read_to_string(bakery.path("out/scene.toml"))?;
    assert!(scene.contains("spacing = 0.025"), "{scene}");
    Ok(())
}
