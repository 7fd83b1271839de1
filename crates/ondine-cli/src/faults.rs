//! Faults of a scene as people read them: the place in the text, the reason, the remedy.

use crate::error::count;
use ondine::Severity;
use ondine_io::scene_text::{Located, Source};
use std::fmt::Write;

/// Every fault with its place, and how many there are.
pub fn report(source: &Source, located: &[Located]) -> String {
    let mut text = String::new();
    for fault in located {
        // Writing into a String does not fail.
        let _ = writeln!(text, "{}", one(source, fault));
    }
    let all: usize = located.iter().map(|l| l.count).sum();
    let (errors, warnings) = (errors(located), all - errors(located));
    text + &format!("{}: {}, {}", source.name, count(errors, "error"), count(warnings, "warning"))
}

/// How many of the faults stop a run.
pub fn errors(located: &[Located]) -> usize {
    located.iter().filter(|l| l.fault.severity == Severity::Error).map(|l| l.count).sum()
}

fn one(source: &Source, located: &Located) -> String {
    let fault = &located.fault;
    let kind = match fault.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let place = if fault.path.is_empty() { String::new() } else { format!("{}: ", fault.path) };
    let mut text = format!("{kind}: {place}{}\n", fault.reason);
    text += &snippet(source, located).unwrap_or_else(|| format!("  --> {}\n", source.name));
    if !fault.remedy.is_empty() {
        text += &format!("  = help: {}\n", fault.remedy);
    }
    text
}

/// The line that a fault is in, with the place marked below.
fn snippet(source: &Source, located: &Located) -> Option<String> {
    let (number, column) = (located.line?, located.column?);
    let line = source.text.lines().nth(number.checked_sub(1)?)?;
    let before: String = line.chars().take(column.saturating_sub(1)).collect();
    // Tabs stay tabs, so that the mark stands under its place whatever the terminal makes of them.
    let indent: String = before.chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    let marked = located.span.clone().and_then(|span| source.text.get(span)).unwrap_or_default();
    let first_line = marked.lines().next().unwrap_or_default().trim_end();
    let marks = "^".repeat(first_line.chars().count().max(1));

    let margin = " ".repeat(number.to_string().len());
    Some(format!(
        "{margin}--> {}:{number}:{column}\n{margin} |\n{number} | {line}\n{margin} | {indent}{marks}\n",
        source.name
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ondine::Fault;

    #[test]
    fn a_fault_shows_its_line_its_place_and_its_remedy() {
        let source = Source::new("a.toml", "fps = 30\n\tduration = -1\n");
        let fault = Fault::error("duration", "must be positive", "give a time in seconds");
        let located = Located { fault, span: Some(21..23), line: Some(2), column: Some(13), count: 1 };
        let expected = "\
error: duration: must be positive
 --> a.toml:2:13
  |
2 | \tduration = -1
  | \t           ^^
  = help: give a time in seconds

a.toml: 1 error, 0 warnings";
        assert_eq!(report(&source, &[located]), expected);
    }

    #[test]
    fn a_fault_without_a_place_still_names_the_file() {
        let source = Source::new("a.toml", "");
        let fault = Fault::warning("", "nothing to see", "add a liquid");
        let told = report(&source, &[Located { fault, span: None, line: None, column: None, count: 1 }]);
        assert!(told.starts_with("warning: nothing to see\n  --> a.toml\n  = help: add a liquid"), "{told}");
        assert!(told.ends_with("0 errors, 1 warning"));
    }

    #[test]
    fn places_outside_the_text_do_no_harm() {
        let source = Source::new("a.toml", "é\n");
        let fault = Fault::error("x", "y", "z");
        for (line, column, span) in [(0, 0, 1..2), (9, 9, 5..900), (1, 40, 0..1)] {
            let located = Located {
                fault: fault.clone(),
                span: Some(span),
                line: Some(line),
                column: Some(column),
                count: 1,
            };
            assert!(report(&source, &[located]).contains("error: x: y"));
        }
    }
}
