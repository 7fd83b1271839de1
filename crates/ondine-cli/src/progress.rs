//! How far a stage is: a bar on a terminal, now and then a line anywhere else.

use crate::console;
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use std::fmt;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Time between lines where there is no terminal.
const LINES: Duration = Duration::from_secs(2);

/// The progress of a stage of the work.
#[derive(Debug)]
pub enum Progress {
    /// On a terminal.
    Bar(ProgressBar),
    /// In a file or a pipe.
    Lines(Lines),
    /// Nowhere.
    Silent,
}

/// Progress as lines of text.
#[derive(Debug)]
pub struct Lines {
    stage: &'static str,
    first: u32,
    frames: u32,
    started: Instant,
    told: Instant,
}

impl Progress {
    /// A stage that stands at frame `first` and goes to `frames`.
    pub fn start(stage: &'static str, first: u32, frames: u32) -> Self {
        if console::is_quiet() {
            return Self::Silent;
        }
        if !std::io::stderr().is_terminal() {
            let now = Instant::now();
            return Self::Lines(Lines { stage, first, frames, started: now, told: now });
        }
        let template = "{prefix:8} {bar:30} frame {pos}/{len}  {msg}  {rate}  {eta} left";
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        let rate = |state: &ProgressState, out: &mut dyn fmt::Write| {
            // The bar shows a gap where this fails.
            let _ = write!(out, "{:.1} frames/s", state.per_sec());
        };
        let style = style.with_key("rate", rate);
        // Without the reset, a bar that begins at `first` would take a resumed bake for a fast one.
        let bar = ProgressBar::new(frames.into()).with_style(style).with_position(first.into());
        bar.set_prefix(stage);
        bar.reset_eta();
        Self::Bar(bar)
    }

    /// A frame is done; `load` tells what it took.
    pub fn frame(&mut self, frame: u32, load: String) {
        match self {
            Self::Bar(bar) => {
                bar.set_message(load);
                bar.set_position(frame.into());
            }
            Self::Lines(lines) => lines.frame(frame, &load),
            Self::Silent => {}
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
    fn frame(&mut self, frame: u32, load: &str) {
        if self.told.elapsed() < LINES && frame < self.frames {
            return;
        }
        self.told = Instant::now();
        let rate = f64::from(frame - self.first.min(frame)) / self.started.elapsed().as_secs_f64().max(1e-9);
        let left = f64::from(self.frames.saturating_sub(frame)) / rate.max(1e-9);
        let (stage, frames) = (self.stage, self.frames);
        console::eprint(&format!(
            "{stage:8} frame {frame}/{frames}  {load}  {rate:.1} frames/s  {left:.0} s left"
        ));
    }
}
