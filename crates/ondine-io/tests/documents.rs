//! What the documents show must work: whole scenes parse without error, parts are TOML with known keys.

use ondine::Severity;
use ondine_io::scene_text::{Located, Source, parse};
use std::path::Path;

const DOCUMENTS: [&str; 2] = ["docs/guide.md", "README.md"];

/// The TOML blocks of a document, with the numbers of their first lines.
fn blocks(text: &str) -> Vec<(usize, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for (i, line) in text.lines().enumerate() {
        match &mut open {
            Some((_, block)) if line.trim() != "```" => *block += &format!("{line}\n"),
            Some(_) => blocks.extend(open.take()),
            None if line.trim() == "```toml" => open = Some((i + 2, String::new())),
            None => (),
        }
    }
    blocks
}

/// Whether a block can stand alone: it has a liquid that comes from somewhere.
fn is_whole(block: &str) -> bool {
    block.contains("[[liquid]]") && ["fill", "emitter"].iter().any(|source| block.contains(source))
}

/// Errors that a block must not have. A part may name what is not in it.
fn errors(block: &str, whole: bool) -> Vec<String> {
    let source = Source::new("block", block);
    let (Ok((_, faults)) | Err(faults)) = parse(&source, &[]);
    let wrong = |l: &&Located| {
        let is_error = l.fault.severity == Severity::Error;
        // What the engine finds missing in a part has no place in it; what the reader refuses has.
        is_error && (whole || l.line.is_some() && !l.fault.reason.contains("names nothing in this scene"))
    };
    faults.iter().filter(wrong).map(|l| format!("line {:?}: {}", l.line, l.fault)).collect()
}

#[test]
fn the_scenes_of_the_documents_parse() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut whole_scenes = 0;
    for document in DOCUMENTS {
        let Ok(text) = std::fs::read_to_string(root.join(document)) else { continue };
        for (line, block) in blocks(&text) {
            let whole = is_whole(&block);
            whole_scenes += usize::from(whole);
            let errors = errors(&block, whole);
            assert!(errors.is_empty(), "{document}:{line}: {}", errors.join("; "));
        }
    }
    assert!(whole_scenes >= 4, "the guide shows at least its first scene, sources, events and liquids");
}

#[test]
fn blocks_are_found_and_judged() {
    let text = "a\n```toml\nfps = 30\n```\n```text\nx\n```\n";
    assert_eq!(blocks(text), [(3, "fps = 30\n".to_string())]);
    assert!(errors("fps = 30\n", false).is_empty());
    assert!(!errors("fbs = 30\n", false).is_empty());
    assert!(!errors("fps = 30\n", true).is_empty(), "a whole scene needs a liquid");
}
