//! Talking to people. A terminal that has gone away is never a reason to panic.

use crate::stop::Stop;
use std::io::{self, ErrorKind, Write};

/// Prints what was asked for, on standard output. A reader that has read enough (`ondine scenes | head`) is fine.
pub fn answer(text: &str) -> Result<(), Stop> {
    let mut out = io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(source) if source.kind() != ErrorKind::BrokenPipe => Err(Stop::Unprinted { source }),
        _ => Ok(()),
    }
}

/// Prints a remark on standard error.
pub fn aside(text: &str) {
    // Nowhere is left to tell that this failed.
    let _ = writeln!(io::stderr().lock(), "{text}");
}
