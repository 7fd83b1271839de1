//! The finds of a benchmark as people read them.

use super::row::Row;
use crate::error::count;
use std::fmt::Write;

/// Where the times go, how true the result is, and the machine.
pub fn text(rows: &[Row], cores: u32) -> String {
    let mut text = columns(&time(rows)) + "\n" + &columns(&truth(rows)) + "\n";
    if rows.iter().any(extrapolated) {
        text += "~ extrapolated from less than a second, when the fall has only begun.\n";
    }
    // Writing into a String does not fail.
    let _ = write!(text, "This machine has {}.", count(cores as usize, "thread"));
    text
}

/// Whether a second of it was not simulated but reckoned.
fn extrapolated(row: &Row) -> bool {
    row.simulated_s < 0.999
}

fn time(rows: &[Row]) -> Vec<Vec<String>> {
    let head = [
        "benchmark",
        "particles",
        "threads",
        "seconds",
        "steps",
        "ns/particle/step",
        "wall s/s",
        "gain",
        "sort",
        "viscosity",
        "springs",
        "density",
        "contact",
        "other",
    ];
    let mut table = vec![head.map(String::from).to_vec()];
    table.extend(rows.iter().map(|row| {
        let percent = |share: f64| format!("{:.0} %", 100.0 * share);
        let about = if extrapolated(row) { "~" } else { "" };
        let shares = &row.shares;
        let mut line = vec![
            format!("{} {}", row.benchmark, row.size),
            row.particles.to_string(),
            row.threads.to_string(),
            format!("{:.2}", row.simulated_s),
            row.steps.to_string(),
            format!("{:.1}", row.ns_per_particle_step),
            format!("{about}{:.2}", row.wall_per_simulated_s),
            format!("{:.2}", gain(rows, row)),
        ];
        let parts =
            [shares.sort, shares.viscosity, shares.springs, shares.density, shares.contact, shares.other];
        line.extend(parts.map(percent));
        line
    }));
    table
}

/// How many times faster than the first number of threads of the same case.
fn gain(rows: &[Row], row: &Row) -> f64 {
    let same = |other: &&Row| (other.benchmark, other.size) == (row.benchmark, row.size);
    rows.iter().find(same).map_or(1.0, |first| first.wall_s / row.wall_s)
}

fn truth(rows: &[Row]) -> Vec<Vec<String>> {
    let head = [
        "benchmark",
        "threads",
        "bytes/particle",
        "centre [m]",
        "compression",
        "pool at rest",
        "leaks",
        "hash",
    ];
    let mut table = vec![head.map(String::from).to_vec()];
    table.extend(rows.iter().map(|row| {
        let [x, y, z] = row.center;
        vec![
            format!("{} {}", row.benchmark, row.size),
            row.threads.to_string(),
            format!("{:.0}", row.bytes_per_particle),
            format!("{x:.3} {y:.3} {z:.3}"),
            format!("{:.2} %", 100.0 * row.compression),
            row.pool_error.map_or("-".into(), |error| format!("{:+.2} %", 100.0 * error)),
            row.leaks.to_string(),
            row.hash.clone(),
        ]
    }));
    table
}

/// Cells below each other: the first column to the left, numbers to the right.
fn columns(table: &[Vec<String>]) -> String {
    let number = table.iter().map(Vec::len).max().unwrap_or(0);
    let length = |row: &Vec<String>, column: usize| row.get(column).map_or(0, |cell| cell.chars().count());
    let widths: Vec<usize> =
        (0..number).map(|column| table.iter().map(|row| length(row, column)).max().unwrap_or(0)).collect();
    let mut text = String::new();
    for row in table {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| match column {
            0 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(threads: u32, wall_s: f64) -> Row {
        Row {
            benchmark: "liquid",
            size: 27,
            particles: 19_683,
            threads,
            simulated_s: 0.1,
            steps: 30,
            wall_s,
            wall_per_simulated_s: 10.0 * wall_s,
            ns_per_particle_step: 100.0,
            shares: Default::default(),
            bytes_per_particle: 80.0,
            center: [0.5; 3],
            compression: 0.01,
            pool_error: None,
            leaks: 0,
            hash: "0".repeat(16),
        }
    }

    #[test]
    fn columns_stand_below_each_other() {
        let table = [vec!["a".into(), "bcd".into()], vec!["xyz".into(), "1".into()]];
        assert_eq!(columns(&table), "a    bcd\nxyz    1\n");
    }

    #[test]
    fn the_gain_is_over_the_first_number_of_threads() {
        let rows = [row(1, 3.0), row(2, 2.0)];
        assert_eq!(gain(&rows, &rows[1]), 1.5);
        let text = text(&rows, 2);
        assert!(text.contains("1.50") && text.contains("~20.00") && text.contains("extrapolated"), "{text}");
    }
}
