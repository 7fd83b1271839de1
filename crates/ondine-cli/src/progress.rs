//! How far a bake is: a bar on a terminal, now and then a line anywhere else.

use crate::say;
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use ondine::Ledger;
use std::fmt;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Time between lines where there is no terminal.
const LINES: Duration = Duration::from_secs(2);

/// The progress of a bake.
#[derive(Debug)]
pub enum Progress {
    /// On a terminal.
    Bar(ProgressBar),
    /// In a file or a pipe.
    Lines(Lines),
}

/// Progress as lines of text.
#[derive(Debug)]
pub struct Lines {
    first: u32,
    frames: u32,
    started: Instant,
    told: Instant,
}

impl Progress {
    /// A bake that stands at frame `first` and goes to `frames`.
    pub fn start(first: u32, frames: u32) -> Self {
        if !std::io::stderr().is_terminal() {
            let now = Instant::now();
            return Self::Lines(Lines { first, frames, started: now, told: now });
        }
        let template = "{bar:30} frame {pos}/{len}  {msg}  {rate}  {eta} left";
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        let rate = |state: &ProgressState, out: &mut dyn fmt::Write| {
            // The bar shows a gap where this fails.
            let _ = write!(out, "{:.1} frames/s", state.per_sec());
        };
        let style = style.with_key("rate", rate);
        // Without the reset, a bar that begins at `first` would take a resumed bake for a fast one.
        let bar = ProgressBar::new(frames.into()).with_style(style).with_position(first.into());
        bar.reset_eta();
        Self::Bar(bar)
    }

    /// A frame is done.
    pub fn frame(&mut self, measured: &Ledger) {
        match self {
            Self::Bar(bar) => {
                bar.set_message(load(measured));
                bar.set_position(measured.frame.into());
            }
            Self::Lines(lines) => lines.frame(measured),
        }
    }

    /// Takes the bar away, to make room for the summary.
    pub fn end(self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

impl Lines {
    fn frame(&mut self, measured: &Ledger) {
        if self.told.elapsed() < LINES && measured.frame < self.frames {
            return;
        }
        self.told = Instant::now();
        let rate = f64::from(measured.frame - self.first.min(measured.frame))
            / self.started.elapsed().as_secs_f64().max(1e-9);
        let left = f64::from(self.frames.saturating_sub(measured.frame)) / rate.max(1e-9);
        say::aside(&format!(
            "frame {}/{}  {}  {rate:.1} frames/s  {left:.0} s left",
            measured.frame,
            self.frames,
            load(measured)
        ));
    }
}

/// What the engine has to do for a frame.
fn load(measured: &Ledger) -> String {
    let particles: u64 = measured.systems.iter().map(|system| system.particles).sum();
    format!("{particles} particles  {} substeps", measured.substeps)
}
