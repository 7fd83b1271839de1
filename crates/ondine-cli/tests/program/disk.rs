//! Folders that cannot be written to, and disks that run full.

use crate::bakery::{Bakery, Outcome};
use std::fs;

#[test]
fn a_folder_that_cannot_be_made_is_told() -> Outcome {
    let bakery = Bakery::new()?;
    fs::write(bakery.path("file"), "in the way")?;
    bakery.ondine("bake tiny.toml -o file/out").with(1).saying(&["cannot write to file/out", "-o"]);
    bakery.ondine("bake tiny.toml -o file").with(1).saying(&["cannot write to file"]);
    Ok(())
}

#[test]
fn an_answer_that_nobody_reads_is_no_failure() -> Outcome {
    let bakery = Bakery::new()?;
    let mut child = bakery.command("schema").stdout(std::process::Stdio::piped()).spawn()?;
    drop(child.stdout.take());
    assert!(child.wait()?.success());
    Ok(())
}

/// A disk of a few hundred kilobytes, in a namespace of its own so that no rights are needed. Where the system
/// allows no namespaces the test has nothing to say.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_stops_the_run_and_the_last_checkpoint_stands() -> Outcome {
    use crate::bakery::Ended;
    use std::process::Command;
    const SCRIPT: &str = r#"
        mkdir small && mount -t tmpfs -o size=400k tmpfs small || exit 77
        head -c 250k /dev/zero > small/filler
        "$ONDINE" bake tiny.toml -o small/out --export ply --frames 60; echo "first $?"
        ls -a small/out small/out/particles | grep partial && exit 1
        rm small/filler
        "$ONDINE" bake --resume -o small/out --export none --frames 12; echo "second $?"
        cp -r small/out resumed
    "#;
    let bakery = Bakery::new()?;
    let output = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", SCRIPT])
        .env("ONDINE", env!("CARGO_BIN_EXE_ondine"))
        .current_dir(bakery.path(""))
        .output();
    let ended = match output {
        Ok(output) => Ended::from(output),
        Err(_) => return Ok(()),
    };
    if ended.status != Some(0) && !ended.answer.contains("first") {
        return Ok(());
    }
    ended.saying(&["first 2", "the run failed: cannot write small/out/", "No space left", "second 0"]);
    bakery.ondine("bake tiny.toml -o whole --export none").with(0);
    assert_eq!(bakery.hashes("resumed")?, bakery.hashes("whole")?);
    Ok(())
}
