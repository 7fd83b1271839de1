//! Scenes as TOML text.
//!
//! [`parse`] reports every fault of a text at once, each with its place, its reason and its remedy:
//!
//! | step | file |
//! |---|---|
//! | text to a tree of values that know their places | `document` |
//! | single tables to lists of one | `shorthand` |
//! | `--set` into the tree | `overrides` |
//! | the tree beside the schema of the engine's types: faults, presets, keyframes | `reading`, `form`, `limits`, `keyframes` |
//! | the meshes that shapes name | `crate::meshes` |
//! | the engine's own checks | `ondine::Scene::faults` |
//!
//! ```
//! use ondine_io::scene_text::{Source, parse};
//!
//! let text = "fps = 24\ndurration = 3";
//! let faults = parse(&Source::new("film.toml", text), &[]).unwrap_err();
//! assert_eq!(faults[0].line, Some(2));
//! assert_eq!(faults[0].fault.remedy, "did you mean `duration`?");
//! ```

mod document;
mod form;
mod keyframes;
mod limits;
mod overrides;
mod reading;
mod reference;
mod schema;
mod shorthand;
mod suggest;
#[cfg(test)]
mod tests;
mod writing;

pub use reference::reference;
pub use schema::schema;
pub use writing::write;

use crate::meshes;
use document::{Node, Place, Placed};
use form::Rule;
use ondine::{Fault, Scene, Severity};
use reading::Reading;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::PathBuf;
use std::str::FromStr;

/// Scene text, and the name to show in messages: a file's path or the name of a gallery scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// The name to show.
    pub name: String,
    /// The text.
    pub text: String,
    /// Where the files are that the text names: the folder of the scene.
    pub folder: PathBuf,
    /// Where distance fields of meshes are kept between runs, if anywhere.
    pub cache: Option<PathBuf>,
}

impl Source {
    /// Text that names its files from the present folder, and keeps nothing.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into(), folder: PathBuf::from("."), cache: None }
    }
}

/// One `--set PATH=VALUE`.
#[derive(Clone, Debug, PartialEq)]
pub struct Override {
    /// The value to set, such as `liquid.honey.viscosity.linear`.
    pub path: String,
    /// What to set it to: a TOML value, or a bare name where a text is wanted.
    pub value: String,
}

/// Text that is not of the form PATH=VALUE.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("`{0}` is not PATH=VALUE; write for example liquid.honey.spacing=0.01")]
pub struct NotAnOverride(pub String);

impl FromStr for Override {
    type Err = NotAnOverride;

    fn from_str(text: &str) -> Result<Self, NotAnOverride> {
        match text.split_once('=') {
            Some((path, value)) if !path.trim().is_empty() => {
                Ok(Self { path: path.trim().into(), value: value.trim().into() })
            }
            _ => Err(NotAnOverride(text.into())),
        }
    }
}

/// A fault and where it stands in the text. It has no place if it is about the whole scene or comes from `--set`.
#[derive(Clone, Debug, PartialEq)]
pub struct Located {
    /// What is wrong.
    pub fault: Fault,
    /// The bytes of the text.
    pub span: Option<Range<usize>>,
    /// The line, from 1.
    pub line: Option<usize>,
    /// The column, in characters from 1.
    pub column: Option<usize>,
}

/// The scene and its warnings, or every fault (errors and warnings) at once. Both are in the order of the text;
/// faults without a place come last.
pub fn parse(source: &Source, overrides: &[Override]) -> Result<(Scene, Vec<Located>), Vec<Located>> {
    let located = |faults| locate(faults, &source.text, overrides);
    let (mut scene, places) = understand(&source.text, overrides).map_err(located)?;
    let (mut faults, _) = meshes::bring(&mut scene, &source.folder, source.cache.as_deref());
    // What keeps a mesh from being read says more than that it was not.
    let told: BTreeSet<String> = faults.iter().map(|f| f.path.clone()).collect();
    faults.extend(scene.faults().into_iter().filter(|f| !told.contains(&f.path)));
    let placed = |fault: Fault| Placed { place: places.of(&fault.path).clone(), fault };
    let faults = located(faults.into_iter().map(placed).collect());
    if faults.iter().any(|l| l.fault.severity == Severity::Error) { Err(faults) } else { Ok((scene, faults)) }
}

/// The scene that a text means, or everything that keeps it from being one.
fn understand(text: &str, overrides: &[Override]) -> Result<(Scene, Places), Vec<Placed>> {
    let rule = Rule::root(&schema::RULES);
    let mut document = Node::parse(text).map_err(|fault| vec![fault])?;
    shorthand::expand(&mut document, rule);
    let mut faults = overrides::apply(&mut document, rule, overrides);
    let Reading { value, tracks, faults: found } = reading::read(&document, rule);
    faults.extend(found);
    if !faults.is_empty() {
        return Err(faults);
    }
    let mut scene: Scene = serde_json::from_value(value).map_err(|e| vec![disagreement(&e)])?;
    let written_tracks = scene.track.len();
    let (tracks, in_place_tracks): (Vec<_>, Vec<_>) = tracks.into_iter().unzip();
    scene.track.extend(tracks);
    Ok((scene, Places { document, written_tracks, in_place_tracks }))
}

/// Where the paths of a scene lead in its text.
#[derive(Debug)]
struct Places {
    document: Node,
    /// Tracks that the text writes as such; those keyframed in place come after them.
    written_tracks: usize,
    in_place_tracks: Vec<Place>,
}

impl Places {
    fn of(&self, path: &str) -> &Place {
        let track =
            path.strip_prefix("track.").and_then(|rest| document::split(rest).0.parse::<usize>().ok());
        let in_place = track.and_then(|i| self.in_place_tracks.get(i.checked_sub(self.written_tracks)?));
        in_place.unwrap_or_else(|| &self.document.find(path).place)
    }
}

/// The schema let something pass that the types refuse.
fn disagreement(error: &serde_json::Error) -> Placed {
    let remedy = "this is a defect of Ondine: please report it, with the scene";
    Placed {
        fault: Fault::error("", format!("the scene cannot be read: {error}"), remedy),
        place: Place::Whole,
    }
}

fn locate(faults: Vec<Placed>, text: &str, overrides: &[Override]) -> Vec<Located> {
    let mut located: Vec<_> = faults.into_iter().map(|placed| placed.locate(text, overrides)).collect();
    located.sort_by_key(|l| l.span.as_ref().map_or(usize::MAX, |span| span.start));
    located
}

impl Placed {
    fn locate(self, text: &str, overrides: &[Override]) -> Located {
        let Placed { mut fault, place } = self;
        let span = match place {
            Place::Text(span) => Some(span),
            Place::Whole => None,
            Place::Set(index) => {
                if let Some(Override { path, value }) = overrides.get(index) {
                    fault.reason = format!("{} (from --set {path}={value})", fault.reason);
                }
                None
            }
        };
        let before = span.as_ref().map(|span| text.get(..span.start).unwrap_or(text));
        let line = before.map(|before| before.matches('\n').count() + 1);
        let column = before.map(|before| before.chars().rev().take_while(|c| *c != '\n').count() + 1);
        Located { fault, span, line, column }
    }
}
