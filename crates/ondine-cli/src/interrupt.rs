//! Ctrl-C and requests to terminate.

use crate::console;
use crate::error::CliError;
use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// From now on, a request to stop is noted for [`asked`]. A second one ends the program at once, which does no harm:
/// every file is written whole.
pub fn watch() -> Result<(), CliError> {
    let handler = || {
        if ASKED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        console::eprint("\nfinishing this frame; once more to stop at once");
    };
    ctrlc::set_handler(handler).map_err(|error| CliError::NoStart { reason: error.to_string() })
}

/// Whether the program has been asked to stop.
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
