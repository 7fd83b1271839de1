//! A bake that was stopped goes on as if it had never stopped.

use crate::bakery::{Bakery, FRAMES, Outcome, SCENE};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::process::Stdio;
use std::time::Duration;

#[test]
fn the_number_of_threads_does_not_matter() -> Outcome {
    let bakery = Bakery::new()?;
    for threads in [1, 2, 8] {
        // Finer than elsewhere: small systems are not worth sharing, and would prove nothing.
        let order = "bake tiny.toml --export ply --frames 3 --set liquid.water.spacing=0.004";
        bakery.ondine(&format!("{order} --threads {threads} -o out{threads}")).with(0);
    }
    bakery.assert_same("out1", "out2")?;
    bakery.assert_same("out1", "out8")
}

#[test]
fn frames_are_not_all_alike() -> Outcome {
    let bakery = Bakery::new()?;
    bakery.ondine("bake tiny.toml --export none").with(0);
    let mut hashes = bakery.hashes("out")?;
    assert!(hashes.iter().all(|hash| hash.len() == 16), "{hashes:?}");
    hashes.dedup();
    assert_eq!(hashes.len(), FRAMES + 1);
    Ok(())
}

#[test]
fn a_resumed_bake_equals_an_uninterrupted_one() -> Outcome {
    let bakery = Bakery::new()?;
    bakery.ondine("bake tiny.toml -o whole").with(0);
    bakery.ondine("bake tiny.toml -o parts --frames 3").with(0);
    bakery.ondine("bake tiny.toml -o parts --frames 7 --resume").with(0).saying(&["going on from frame 3"]);
    bakery.ondine("bake --resume -o parts").with(0);
    bakery.assert_same("whole", "parts")
}

/// Edits as a session leaves them; an object that comes in the middle of the bake is in its pictures and files.
const EDITS: &str = r#"
[[edit]]
frame = 3
change = { object = { name = "ball", shape = { sphere = { radius = 0.1 } }, at = [0.1, 0.6, 0], motion = "free" } }

[[edit]]
frame = 5
change = { push = { object = "ball", impulse = [-2, 5, 0] } }

[[edit]]
frame = 6
change = { fill = { system = "liquid.water", fill = { shape = { sphere = { radius = 0.05 } }, at = [-0.3, 0.7, 0] } } }
"#;

#[test]
fn a_recorded_session_is_baked_in_parts() -> Outcome {
    let bakery = Bakery::new()?;
    fs::write(bakery.path("session.toml"), format!("{SCENE}{EDITS}"))?;
    bakery.ondine("bake session.toml -o whole --frames 8 --export ply,usd,obj").with(0);
    bakery.ondine("bake session.toml -o parts --frames 4 --export ply,usd,obj").with(0);
    bakery
        .ondine("bake --resume -o parts --frames 8 --export ply,usd,obj")
        .with(0)
        .saying(&["going on from frame 4"]);
    bakery.assert_same("whole", "parts")?;
    let pose = fs::read_to_string(bakery.path("whole/manifest/0008.json"))?;
    assert!(pose.contains("ball"), "{pose}");
    Ok(())
}

#[test]
fn what_was_written_after_the_checkpoint_is_written_again() -> Outcome {
    let bakery = Bakery::new()?;
    bakery.ondine("bake tiny.toml -o whole").with(0);
    bakery.ondine("bake tiny.toml -o out --frames 4").with(0);
    let mut ledger = OpenOptions::new().append(true).open(bakery.path("out/ledger.jsonl"))?;
    write!(ledger, "{{\"frame\":5,\"time\":0.1666,\"subst")?;
    fs::write(bakery.path("out/frames/0005.png"), "of a run that was killed")?;
    fs::write(bakery.path("out/frames/.x1y2z3.partial"), "half a pic")?;
    bakery.ondine("bake --resume").with(0);
    bakery.assert_same("whole", "out")
}

#[test]
fn a_finished_bake_says_so_and_can_be_made_longer() -> Outcome {
    let bakery = Bakery::new()?;
    bakery.ondine("bake tiny.toml --export none").with(0);
    bakery.ondine("bake --resume --export none").with(0).saying(&["finished", "--frames"]);
    bakery.ondine("bake --resume --export none --frames 14").with(0).saying(&["Baked 2 frames"]);
    assert_eq!(bakery.hashes("out")?.len(), 15);
    Ok(())
}

#[test]
fn another_scene_is_refused_by_its_first_difference() -> Outcome {
    let bakery = Bakery::new()?;
    bakery.ondine("bake tiny.toml --frames 2 --export none").with(0);
    let other = bakery.ondine("bake tiny.toml --resume --set liquid.water.spacing=0.03").with(1);
    other.saying(&["liquid.water.spacing is 0.02 there, and 0.03 is asked for"]);
    bakery.ondine("bake --resume --set fps=25").with(1).saying(&["fps"]);
    bakery.ondine("bake fountain --resume").with(1).saying(&["another scene"]);
    assert_eq!(bakery.hashes("out")?.len(), 3);
    Ok(())
}

#[test]
fn a_scene_edited_in_the_folder_is_noticed() -> Outcome {
    let bakery = Bakery::new()?;
    bakery.ondine("bake tiny.toml --frames 2 --export none").with(0);
    let scene = fs::read_to_string(bakery.path("out/scene.toml"))?;
    fs::write(bakery.path("out/scene.toml"), scene.replace("spacing = 0.02", "spacing = 0.04"))?;
    bakery.ondine("bake --resume").with(1).saying(&["liquid.water.spacing"]);
    Ok(())
}

#[test]
fn without_a_checkpoint_it_starts_again() -> Outcome {
    let bakery = Bakery::new()?;
    bakery.ondine("bake tiny.toml -o whole").with(0);
    bakery.ondine("bake tiny.toml --resume").with(0);
    bakery.assert_same("whole", "out")?;
    fs::remove_file(bakery.path("out/checkpoint.ondine"))?;
    bakery.ondine("bake --resume").with(0);
    bakery.assert_same("whole", "out")?;
    bakery.ondine("bake --resume -o nowhere").with(1).saying(&["no bake to go on with"]);
    Ok(())
}

#[test]
fn a_damaged_checkpoint_is_refused() -> Outcome {
    let bakery = Bakery::new()?;
    bakery.ondine("bake tiny.toml --frames 2 --export none").with(0);
    let path = bakery.path("out/checkpoint.ondine");
    let mut bytes = fs::read(&path)?;
    bytes.pop();
    fs::write(&path, bytes)?;
    bakery.ondine("bake --resume").with(1).saying(&["checkpoint.ondine", "damaged"]);
    Ok(())
}

#[test]
fn a_kill_at_any_instant_loses_nothing_that_counts() -> Outcome {
    let bakery = Bakery::new()?;
    bakery.ondine("bake tiny.toml -o whole").with(0);
    // Waits that wander over the whole run, from an arbitrary but fixed start.
    let mut wander: u64 = 12345;
    for attempt in 0..8 {
        wander = wander.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let mut order = bakery.command("bake tiny.toml --resume -o out");
        let mut child = order.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        std::thread::sleep(Duration::from_millis(5 + 25 * attempt + (wander >> 33) % 60));
        child.kill()?;
        child.wait()?;
    }
    bakery.ondine("bake tiny.toml --resume -o out").with(0);
    bakery.assert_same("whole", "out")
}

#[cfg(unix)]
#[test]
fn an_interrupted_bake_finishes_its_frame_and_says_how_to_go_on() -> Outcome {
    use std::process::Command;
    for signal in ["-INT", "-TERM"] {
        let bakery = Bakery::new()?;
        let mut order = bakery.command("bake tiny.toml --frames 100000 --export ply");
        let child = order.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let lines =
            || fs::read_to_string(bakery.path("out/ledger.jsonl")).map_or(0, |text| text.lines().count());
        while lines() < 3 {
            std::thread::sleep(Duration::from_millis(2));
        }
        Command::new("kill").args([signal, &child.id().to_string()]).status()?;
        let ended = crate::bakery::Ended::from(child.wait_with_output()?).with(130);
        ended.saying(&["stopped after frame", "ondine bake --resume -o out --frames 100000"]);

        let more = lines() + 2;
        bakery.ondine(&format!("bake --resume --export ply --frames {more}")).with(0);
        bakery.ondine(&format!("bake tiny.toml --export ply --frames {more} -o whole")).with(0);
        bakery.assert_same("whole", "out")?;
    }
    Ok(())
}

#[test]
fn a_ledger_of_another_run_is_refused_and_left_alone() -> Outcome {
    let bakery = Bakery::new()?;
    bakery.ondine("bake tiny.toml --frames 4 --export none").with(0);
    let path = bakery.path("out/ledger.jsonl");
    let ledger = fs::read_to_string(&path)?;
    let last = bakery.hashes("out")?.pop().ok_or("frames")?;
    let other = ledger.replace(&last, "0123456789abcdef");
    let unread = ledger.replace("\"leaks\":0", "\"leaks\":null");
    for text in [other, unread] {
        fs::write(&path, &text)?;
        let named = ["ledger.jsonl", "not of the run", "frame 4", "--overwrite"];
        bakery.ondine("bake --resume --export none").with(1).saying(&named);
        assert_eq!(fs::read_to_string(&path)?, text);
    }
    // One that is longer than the checkpoint, as after a kill, is cut.
    fs::write(&path, format!("{ledger}{{\"frame\":5,\"time\""))?;
    bakery.ondine("bake --resume --export none --frames 5").with(0);
    assert_eq!(bakery.hashes("out")?.len(), 6);
    Ok(())
}
