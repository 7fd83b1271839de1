//! Scenes as TOML text.
//!
//! [`parse`] reports every fault of a text at once, each with its place, its reason and its remedy:
//!
//! | step | file |
//! |---|---|
//! | text to a tree of values that know their places | `document` |
//! | single tables to lists of one | `shorthand` |
//! | `--set` into the tree | `overrides` |
//! | the tree beside the schema of the engine's types: faults, presets, keyframes | `reading`, `form`, `limits`, `keyframes`, `units` |
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
#[cfg(test)]
mod tests;
mod units;
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
    /// How many faults it stands for: 1, but for the one that tells of those that are not told.
    pub count: usize,
}

/// The scene and its warnings, or every fault (errors and warnings) at once. Both are in the order of the text;
/// faults without a place come last.
pub fn parse(source: &Source, overrides: &[Override]) -> Result<(Scene, Vec<Located>), Vec<Located>> {
    let located = |faults, more| locate(faults, more, &source.text, overrides);
    let Understood { mut scene, places, faults: mut all, stand_ins } =
        understand(&source.text, overrides).map_err(|faults| located(faults, 0))?;
    let (mut faults, _) = meshes::bring(&mut scene, &source.folder, source.cache.as_deref());
    // What keeps a mesh from being read says more than that it was not.
    let told: BTreeSet<String> = faults.iter().map(|f| f.path.clone()).collect();
    faults.extend(scene.faults().into_iter().filter(|f| !told.contains(&f.path)));
    faults.retain(|fault| !stand_ins.iter().any(|path| document::after(&fault.path, path).is_some()));
    faults.sort_by_key(|fault| std::cmp::Reverse(fault.severity));
    let more = faults.len().saturating_sub(MOST_TOLD);
    faults.truncate(MOST_TOLD);
    let placed = faults.into_iter().map(|fault| Placed { place: places.of(&fault.path).clone(), fault });
    // What follows from a fault of the text is not told.
    let is_new = |p: &Placed| all.is_empty() || p.is_apart_from(&all);
    let new: Vec<Placed> = placed.filter(is_new).collect();
    all.extend(new);
    let faults = located(all, more);
    if faults.iter().any(|l| l.fault.severity == Severity::Error) { Err(faults) } else { Ok((scene, faults)) }
}

/// Faults that are told in full; of more their number is.
const MOST_TOLD: usize = 200;

/// A scene as far as its text can be understood.
struct Understood {
    scene: Scene,
    places: Places,
    /// What is wrong with the text.
    faults: Vec<Placed>,
    /// Paths of values that are not in it.
    stand_ins: Vec<String>,
}

/// The scene that a text means, or everything that keeps it from being one.
fn understand(text: &str, overrides: &[Override]) -> Result<Understood, Vec<Placed>> {
    let rule = Rule::root(&schema::RULES);
    let mut document = Node::parse(text).map_err(|fault| vec![fault])?;
    shorthand::expand(&mut document, rule);
    let mut faults = overrides::apply(&mut document, rule, overrides);
    let Reading { value, tracks, faults: found, stand_ins } = reading::read(&document, rule);
    faults.extend(found);
    let mut scene: Scene = match serde_json::from_value(value) {
        Ok(scene) => scene,
        Err(_) if !faults.is_empty() => return Err(faults),
        Err(e) => return Err(vec![disagreement(&e)]),
    };
    let written_tracks = scene.track.len();
    let (tracks, in_place_tracks): (Vec<_>, Vec<_>) = tracks.into_iter().unzip();
    scene.track.extend(tracks);
    let places = Places { document, written_tracks, in_place_tracks };
    Ok(Understood { scene, places, faults, stand_ins })
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

/// Faults with their lines, in the order of the text. Of very many the first, errors before warnings, and the number of the others, to
/// which `more` are added.
fn locate(mut faults: Vec<Placed>, more: usize, text: &str, overrides: &[Override]) -> Vec<Located> {
    faults.sort_by_key(|placed| std::cmp::Reverse(placed.fault.severity));
    let more = more + faults.len().saturating_sub(MOST_TOLD);
    faults.truncate(MOST_TOLD);
    if more > 0 {
        let severity = faults.last().map_or(Severity::Warning, |placed| placed.fault.severity);
        let reason = format!("there are {more} more faults than those told here");
        let fault = Fault { severity, ..Fault::error("", reason, "mend these first: many have one cause") };
        faults.push(Placed { fault, place: Place::Whole });
    }
    let lines = Lines::of(text);
    let mut located: Vec<_> =
        faults.into_iter().map(|placed| placed.locate(text, &lines, overrides)).collect();
    if let Some(last) = located.last_mut().filter(|_| more > 0) {
        last.count = more;
    }
    located.sort_by_key(|l| l.span.as_ref().map_or(usize::MAX, |span| span.start));
    located
}

impl Placed {
    /// Whether it is an error somewhere else in the text than others are.
    fn is_apart_from(&self, others: &[Placed]) -> bool {
        let Place::Text(span) = &self.place else { return false };
        let is_apart = |other: &Placed| match &other.place {
            Place::Text(told) => told.end <= span.start || span.end <= told.start,
            _ => true,
        };
        self.fault.severity == Severity::Error && others.iter().all(is_apart)
    }

    fn locate(self, text: &str, lines: &Lines, overrides: &[Override]) -> Located {
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
        let (line, column) = span.as_ref().map(|span| lines.place(text, span.start)).unzip();
        Located { fault, span, line, column, count: 1 }
    }
}

/// Where the lines of a text begin.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Self {
        Self(std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect())
    }

    /// Line and column of a byte, from 1.
    fn place(&self, text: &str, at: usize) -> (usize, usize) {
        let line = self.0.partition_point(|start| *start <= at);
        let before = text.get(self.0[line - 1]..at).unwrap_or_default();
        (line, before.chars().count() + 1)
    }
}
