//! Scratch.
#[path = "../../ondine-cli/src/bench/truth/mod.rs"]
mod truth;
fn main() {
    let names: Vec<String> = std::env::args().skip(1).collect();
    for case in truth::CASES {
        if names.is_empty() || names.iter().any(|n| n == case.name) {
            let t = std::time::Instant::now();
            for row in (case.run)() {
                println!("{} {:<95} {:>10.4} {:>10.4}  {:+.1} %", if row.holds() { "ok  " } else { "FAIL" }, row.law, row.reference, row.measured, 100.0 * (row.measured / row.reference - 1.0));
            }
            println!("     [{} {:.1} s]", case.name, t.elapsed().as_secs_f64());
        }
    }
}
