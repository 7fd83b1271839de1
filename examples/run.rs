//! The examples run, and say what they should.

use std::process::Command;

fn said(program: &str) -> String {
    let output = Command::new(program).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The numbers of a text, in order.
fn numbers(text: &str) -> Vec<f64> {
    text.split(|c: char| !(c.is_ascii_digit() || "+-.".contains(c)))
        .filter_map(|word| word.parse().ok())
        .collect()
}

#[test]
fn honey_falls() {
    let said = said(env!("CARGO_BIN_EXE_embed"));
    let heights: Vec<f64> = said.lines().map(|line| numbers(line)[2]).collect();
    assert_eq!(heights.len(), 5, "{said}");
    // Free fall for a tenth of a second.
    assert!((heights[0] - (0.5 - 0.5 * 9.81 * 0.01)).abs() < 0.01, "{said}");
    assert!(heights.windows(2).all(|pair| pair[1] < pair[0]) && heights[4] > 0.0, "{said}");
}

#[test]
fn a_session_is_replayed() {
    let said = said(env!("CARGO_BIN_EXE_live_edits"));
    assert!(said.contains("did you mean \"duck\"?"), "{said}");
    let last: Vec<&str> = said.lines().last().unwrap().split_whitespace().collect();
    assert_eq!(last[0], "11", "{said}");
    assert_eq!(last[3].trim_end_matches(','), last[5], "{said}");
}

#[test]
fn the_picture_shows_a_wave_that_runs_right() {
    let said = said(env!("CARGO_BIN_EXE_custom_renderer"));
    let pictures: Vec<&str> = said.split(" s\n").skip(1).collect();
    let farthest = |picture: &&str| {
        let lines = picture.lines().filter(|line| line.starts_with('|'));
        lines.filter_map(|line| line.rfind(['.', 'o', '#'])).max().unwrap()
    };
    let fronts: Vec<usize> = pictures.iter().map(farthest).collect();
    assert_eq!(fronts.len(), 4, "{said}");
    assert!(fronts.windows(2).all(|pair| pair[1] > pair[0]), "{fronts:?}");
}

#[test]
fn the_hero_jumps_into_the_puddle() {
    let said = said(env!("CARGO_BIN_EXE_game_loop"));
    assert!(said.contains("jump") && said.contains("splash"), "{said}");
    let last = numbers(said.lines().last().unwrap());
    assert!(last[0] > 0.9, "{said}");
    // 75 frames of a screen, of 0.0264 s each.
    assert_eq!(last[3], (75.0 * 0.0264 * 60.0f64).floor(), "{said}");
}
