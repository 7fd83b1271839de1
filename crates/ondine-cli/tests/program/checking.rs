//! Faults of scenes, as `check` and `bake` tell them.

use crate::bakery::{Bakery, Ended, Outcome, SCENE};
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

#[test]
fn several_scenes_and_standard_input_are_checked() -> Outcome {
    let bakery = Bakery::new()?;
    fs::write(bakery.path("bad.toml"), SCENE.replace("fps = 30", "fps = -30"))?;
    let said = bakery.ondine("check tiny.toml bad.toml fountain nowhere.toml").with(1);
    said.saying(&[
        "tiny.toml: no faults",
        "bad.toml: 1 error",
        "fountain.toml: no",
        "nowhere.toml",
        "2 of 4 scenes",
    ]);
    bakery.ondine("check tiny.toml fountain").with(0);
    let mut command = bakery.command("check -");
    command.stdin(fs::File::open(bakery.path("bad.toml"))?);
    Ended::from(command.output()?).with(1).saying(&["standard input:4:7", "fps"]);
    Ok(())
}

#[test]
fn programs_read_faults_as_json() -> Outcome {
    let bakery = Bakery::new()?;
    fs::write(bakery.path("bad.toml"), SCENE.replace("fps = 30", "fps = -30"))?;
    let told = bakery.ondine("check tiny.toml bad.toml --json").with(1).answer;
    let told: Vec<serde_json::Value> = told.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    assert_eq!((&told[0]["sound"], &told[0]["about"]["title"]), (&true.into(), &"Tiny".into()));
    assert_eq!((&told[1]["sound"], &told[1]["faults"][0]["line"]), (&false.into(), &4.into()));
    Ok(())
}

#[test]
fn what_stands_in_a_wrong_place_is_told_where_it_belongs() -> Outcome {
    let bakery = Bakery::new()?;
    let scene =
        SCENE.replace("shape = { box = { size = [0.3, 0.3, 1.0] } }", "box = { size = [0.3, 0.3, 1.0] }");
    fs::write(bakery.path("bad.toml"), scene)?;
    bakery.ondine("check bad.toml").with(1).saying(&["write `shape = { box = ... }`", "1 error"]);
    let said = bakery.ondine("check tiny.toml --set viscosity=3").with(1);
    said.saying(&["the nearest is `liquid.water.viscosity.linear`"]);
    Ok(())
}

#[test]
fn nothing_in_a_scene_steers_the_terminal() -> Outcome {
    let bakery = Bakery::new()?;
    fs::write(bakery.path("odd.toml"), SCENE.replace("Tiny", "\\u001b[31mTiny\\r"))?;
    let said = bakery.ondine("check odd.toml").with(0).saying(&["\\u{1b}[31mTiny"]);
    assert!(!said.answer.contains(['\u{1b}', '\r']));
    fs::write(bakery.path("odd.toml"), format!("{SCENE}\n\u{1b}[2J = 1\n"))?;
    let said = bakery.ondine("check odd.toml").with(1);
    assert!(!said.answer.contains('\u{1b}') && !said.aside.contains('\u{1b}'), "{said:?}");
    Ok(())
}
