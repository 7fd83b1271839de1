//! Help, lists and wrong arguments.

use crate::bakery::{Bakery, Outcome};
use std::fs;

#[test]
fn help_shows_every_command() -> Outcome {
    let bakery = Bakery::new()?;
    bakery.ondine("--help").with(0).saying(&["bake", "check", "scenes", "schema", "bench", "Examples:"]);
    bakery.ondine("bake --help").with(0).saying(&["--resume", "--overwrite", "--set", "Examples:"]);
    bakery.ondine("--version").with(0);
    Ok(())
}

#[test]
fn wrong_arguments_are_the_users_input_at_fault() -> Outcome {
    let bakery = Bakery::new()?;
    bakery.ondine("bake").with(1);
    bakery.ondine("bake tiny.toml --frobnicate").with(1).saying(&["--frobnicate"]);
    bakery.ondine("bake tiny.toml --threads 0").with(1).saying(&["--threads"]);
    bakery.ondine("bake tiny.toml --frames 0").with(1).saying(&["--frames"]);
    bakery.ondine("bake tiny.toml --export gif").with(1).saying(&["ply", "png"]);
    bakery.ondine("bake tiny.toml --set fps").with(1).saying(&["PATH=VALUE"]);
    bakery.ondine("bake tiny.toml --resume --overwrite").with(1);
    assert!(!bakery.path("out").exists(), "nothing is made for a wrong order");
    Ok(())
}

#[test]
fn an_unknown_scene_gets_a_suggestion() -> Outcome {
    let bakery = Bakery::new()?;
    bakery.ondine("bake fountian").with(1).saying(&["fountian", "did you mean \"fountain\""]);
    bakery.ondine("bake no/such.toml").with(1).saying(&["no/such.toml", "ondine scenes"]);
    Ok(())
}

#[test]
fn the_gallery_is_in_the_program() -> Outcome {
    let bakery = Bakery::new()?;
    bakery.ondine("scenes").with(0).saying(&["fountain"]);
    bakery.ondine("check fountain").with(0);
    Ok(())
}

#[test]
fn the_schema_is_json() -> Outcome {
    let schema = Bakery::new()?.ondine("schema").with(0).answer;
    let schema: serde_json::Value = serde_json::from_str(&schema)?;
    assert!(schema["properties"]["liquid"].is_object());
    Ok(())
}

#[test]
fn a_gallery_scene_is_printed_and_copied_once() -> Outcome {
    let bakery = Bakery::new()?;
    bakery.ondine("scenes honey").with(0).saying(&["title = \"Honey on a floor\""]);
    bakery.ondine("scenes hony").with(1).saying(&["did you mean \"honey\""]);
    bakery.ondine("new honey").with(0).saying(&["ondine bake honey.toml"]);
    fs::write(bakery.path("honey.toml"), "mine")?;
    bakery.ondine("new honey").with(1).saying(&["honey.toml is there already"]);
    assert_eq!(fs::read_to_string(bakery.path("honey.toml"))?, "mine", "nothing is written over");
    bakery.ondine("new honey other.toml").with(0);
    bakery.ondine("check other.toml").with(0);
    Ok(())
}

#[test]
fn shells_can_complete() -> Outcome {
    let bakery = Bakery::new()?;
    for shell in ["bash", "zsh", "fish"] {
        bakery.ondine(&format!("completions {shell}")).with(0).saying(&[
            "ondine",
            "overwrite",
            "completions",
        ]);
    }
    bakery.ondine("completions tcsh").with(1);
    Ok(())
}

#[test]
fn a_quiet_bake_says_nothing_and_json_says_all() -> Outcome {
    let bakery = Bakery::new()?;
    let said = bakery.ondine("bake tiny.toml --frames 1 --export none --quiet").with(0);
    assert_eq!((said.answer.as_str(), said.aside.as_str()), ("", ""));
    let said = bakery.ondine("bake tiny.toml --frames 1 --export none --overwrite --json").with(0);
    let told: serde_json::Value = serde_json::from_str(&said.answer)?;
    assert_eq!((&told["frames"], &told["leaks"], &told["folder"]), (&1.into(), &0.into(), &"out".into()));
    assert!(bakery.ondine("bake nowhere.toml -q").with(1).aside.contains("nowhere.toml"), "errors are told");
    Ok(())
}
