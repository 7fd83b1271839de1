//! Benchmarks: not how fast, but that they tell what they promise.

use crate::bakery::{Bakery, Outcome};
use serde_json::Value;

#[test]
fn a_row_tells_time_memory_and_truth() -> Outcome {
    let said = Bakery::new()?.ondine("bench liquid --size 6 --seconds 0.1 --no-settle --json").with(0).answer;
    let row: Value = serde_json::from_str(&said)?;
    assert_eq!(
        (&row["benchmark"], &row["size"], &row["particles"]),
        (&"liquid".into(), &6.into(), &216.into())
    );
    for field in ["threads", "steps", "wall_s", "wall_per_simulated_s", "ns_per_particle_step"] {
        assert!(row[field].as_f64().is_some_and(|value| value > 0.0), "{field} in {row}");
    }
    assert!((row["simulated_s"].as_f64().unwrap_or(0.0) - 0.1).abs() < 1e-6);
    let parts = ["sort", "viscosity", "springs", "density", "contact", "other"];
    let shares: Option<f64> = parts.iter().map(|part| row["shares"][part].as_f64()).sum();
    assert!(shares.is_some_and(|sum| (sum - 1.0).abs() < 1e-6), "{row}");
    // Position and velocity alone take 24 bytes.
    assert!(row["bytes_per_particle"].as_f64().is_some_and(|bytes| bytes > 24.0), "{row}");
    assert_eq!(row["center"].as_array().map(Vec::len), Some(3));
    assert!(row["compression"].is_number() && row["leaks"] == 0 && row["pool_error"].is_null());
    Ok(())
}

#[test]
fn threads_take_turns_and_agree() -> Outcome {
    let said =
        Bakery::new()?.ondine("bench liquid --size 16 --seconds 0.04 --threads 1,2 --no-settle --json");
    let rows: Result<Vec<Value>, _> = said.with(0).answer.lines().map(serde_json::from_str).collect();
    let rows = rows?;
    assert_eq!(rows.iter().map(|row| row["threads"].clone()).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(rows[0]["hash"], rows[1]["hash"]);
    Ok(())
}

#[test]
fn the_pool_at_rest_has_about_its_volume() -> Outcome {
    let said = Bakery::new()?.ondine("bench liquid --size 6 --seconds 0.04 --json").with(0).answer;
    let row: Value = serde_json::from_str(&said)?;
    assert!(row["pool_error"].as_f64().is_some_and(|error| error.abs() < 0.2), "{row}");
    Ok(())
}

#[test]
fn without_json_there_are_tables() -> Outcome {
    let said = Bakery::new()?.ondine("bench springs --size 6 --seconds 0.04").with(0);
    said.saying(&["springs 6", "ns/particle/step", "density", "bytes/particle", "~", "This machine has"]);
    Ok(())
}

#[test]
fn the_models_of_sph_run_side_by_side() -> Outcome {
    let said = Bakery::new()?.ondine("bench sph --size 6 --seconds 0.1 --no-settle --json").with(0).answer;
    let rows: Result<Vec<Value>, _> = said.lines().map(serde_json::from_str).collect();
    let rows = rows?;
    let names: Vec<&Value> = rows.iter().map(|row| &row["benchmark"]).collect();
    assert_eq!(names, ["liquid", "sph", "dfsph"]);
    assert!(rows.iter().all(|row| row["particles"] == 216 && row["leaks"] == 0), "{said}");
    Ok(())
}

#[test]
fn what_cannot_be_measured_is_refused() -> Outcome {
    let bakery = Bakery::new()?;
    bakery.ondine("bench frobnicate").with(1).saying(&["frobnicate", "there are: liquid, springs"]);
    bakery.ondine("bench liquid --size 1").with(1).saying(&["--size"]);
    bakery.ondine("bench liquid --seconds 0").with(1).saying(&["--seconds", "number of seconds"]);
    bakery.ondine("bench liquid --threads 0").with(1).saying(&["--threads"]);
    bakery.ondine("bench --help").with(0).saying(&["--no-settle", "Examples:"]);
    Ok(())
}
