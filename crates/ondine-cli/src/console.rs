//! Talking to people. A terminal that has gone away is never a reason to panic.
//!
//! Scenes, names and paths come from anywhere, so what they hold may not steer the terminal: control characters are shown
//! as what they are, `\\u{1b}`, and never sent. Colours are added after that, on terminals that want them.

use crate::error::CliError;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether only what went wrong is told.
static QUIET: AtomicBool = AtomicBool::new(false);

/// From now on, tells only what went wrong and what was asked for.
pub fn be_quiet(quiet: bool) {
    QUIET.store(quiet, Ordering::Relaxed);
}

/// Whether only what went wrong is told.
pub fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Prints what was asked for, on standard output. A reader that has read enough (`ondine scenes | head`) is fine.
pub fn print(text: &str) -> Result<(), CliError> {
    let mut out = io::stdout().lock();
    let shown = shown(text, out.is_terminal());
    match writeln!(out, "{shown}").and_then(|()| out.flush()) {
        Err(source) if source.kind() != ErrorKind::BrokenPipe => Err(CliError::Unprinted { source }),
        _ => Ok(()),
    }
}

/// Prints how something went, on standard output, unless all should be quiet.
pub fn info(text: &str) -> Result<(), CliError> {
    if is_quiet() { Ok(()) } else { print(text) }
}

/// Prints what went wrong on standard error.
pub fn eprint(text: &str) {
    let mut out = io::stderr().lock();
    let shown = shown(text, out.is_terminal());
    // Nowhere is left to tell that this failed.
    let _ = writeln!(out, "{shown}");
}

/// Prints a remark on standard error, unless all should be quiet.
pub fn note(text: &str) {
    if !is_quiet() {
        eprint(text);
    }
}

/// Text as it is printed.
fn shown(text: &str, terminal: bool) -> String {
    let plain = harmless(text);
    if terminal && wants_color() { painted(&plain) } else { plain }
}

/// Whether people want colours: by custom any text in the variable `NO_COLOR` means no.
fn wants_color() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !is_set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// The text without what would steer a terminal. Lines and tabs stay.
pub fn harmless(text: &str) -> String {
    let steers = |c: char| (c.is_control() && c != '\n' && c != '\t') || is_turning(c);
    if !text.contains(steers) {
        return text.into();
    }
    text.chars().map(|c| if steers(c) { c.escape_unicode().to_string() } else { c.into() }).collect()
}

/// The marks that turn the direction of text around, so that it reads as something else.
fn is_turning(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// What stands at the start of a line, and its colour.
const COLORS: [(&str, &str); 4] =
    [("error", "\x1b[1;31m"), ("warning", "\x1b[1;33m"), ("note", "\x1b[1;36m"), ("  = help", "\x1b[1;36m")];

/// The text with the words that begin faults and remedies in colour.
fn painted(text: &str) -> String {
    let line = |line: &str| {
        let found =
            COLORS.iter().find(|(word, _)| line.strip_prefix(word).is_some_and(|rest| rest.starts_with(':')));
        match found {
            Some((word, color)) => format!("{color}{word}\x1b[0m{}", &line[word.len()..]),
            None => line.into(),
        }
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_steers_the_terminal() {
        assert_eq!(harmless("a\tb\nc é"), "a\tb\nc é");
        assert_eq!(harmless("\x1b[2Jx\r\x07"), "\\u{1b}[2Jx\\u{d}\\u{7}");
        assert_eq!(harmless("\u{9b}31m\u{202e}"), "\\u{9b}31m\\u{202e}");
    }

    #[test]
    fn only_the_first_word_is_coloured() {
        assert_eq!(
            painted("error: an error: x\n  = help: y"),
            "\x1b[1;31merror\x1b[0m: an error: x\n\x1b[1;36m  = help\x1b[0m: y"
        );
        assert_eq!(painted("errors: 2"), "errors: 2");
    }
}
