//! Why the program ends before its work is done: what happened, what to do, and the exit status.

use crate::args::FrameRange;
use crate::difference::Difference;
use ondine::Failure;
use ondine_io::bake::BakeError;
use ondine_look::FilmError;
use std::io;
use std::path::PathBuf;

/// Why the program ends before its work is done.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// Neither a file nor a gallery scene.
    #[error("there is no file and no gallery scene called \"{wanted}\"")]
    NoSuchScene { wanted: String, alike: Option<&'static str> },
    /// No gallery scene of that name.
    #[error("there is no gallery scene called \"{wanted}\"")]
    NotInGallery { wanted: String, alike: Option<&'static str> },
    /// A scene would be copied over another.
    #[error("{} is there already", path.display())]
    SceneThere { path: PathBuf },
    /// Several scenes have errors; they are told already.
    #[error("{faulty} of {all} scenes have errors")]
    SeveralFaulty { faulty: usize, all: usize },
    /// A file or a folder cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    /// The scene has errors; they are told already.
    #[error("{name} has {}", count(*errors, "error"))]
    Faulty { name: String, errors: usize },
    /// The scene does not fit this machine.
    #[error(
        "the scene comes to {particles} particles, for which it needs some {needed} of memory; {free} are free"
    )]
    TooLarge { particles: String, needed: String, free: String, wider: f64 },
    /// The folder cannot be written to from the start.
    #[error("cannot write to {}: {source}", path.display())]
    Unwritable { path: PathBuf, source: io::Error },
    /// The bake in the folder, or the folder itself, cannot be used.
    #[error(transparent)]
    Bake(#[from] BakeError),
    /// The folder holds a bake.
    #[error("{} already holds a bake ({} is there)", folder.display(), found.display())]
    Taken { folder: PathBuf, found: PathBuf },
    /// The bake would write over the scene that it was asked to read.
    #[error("{} is where the bake would write its own copy of the scene", path.display())]
    OverItself { path: PathBuf },
    /// No scene was named and the folder has none.
    #[error("{} holds no bake to go on with", folder.display())]
    NothingToResume { folder: PathBuf },
    /// The bake does not go that far.
    #[error("there are no frames {asked} in {}: it goes from 0 to {last}", folder.display())]
    NoSuchFrames { folder: PathBuf, asked: FrameRange, last: u32 },
    /// A film of pictures that are not there.
    #[error("there is no picture {}", path.display())]
    NoPicture { path: PathBuf, folder: PathBuf },
    /// The name of a film tells neither MP4 nor GIF.
    #[error("{} is neither an .mp4 nor a .gif", path.display())]
    NotAFilm { path: PathBuf },
    /// The film cannot be made.
    #[error("cannot make {}: {source}", path.display())]
    NoFilm { path: PathBuf, source: FilmError },
    /// The ledger has no such column.
    #[error("there is no column \"{column}\" in the ledger of {}", folder.display())]
    NoSuchColumn { column: String, folder: PathBuf, alike: Option<String> },
    /// The ledger is empty.
    #[error("nothing has been measured in {} yet", folder.display())]
    NothingMeasured { folder: PathBuf },
    /// The name of a plot tells neither SVG nor PNG.
    #[error("{} is neither an .svg nor a .png", path.display())]
    NotAPlot { path: PathBuf },
    /// The bake in the folder is of another scene.
    #[error("{} holds a bake of another scene: {difference}", folder.display())]
    OtherScene { folder: PathBuf, difference: Box<Difference> },
    /// No such benchmark.
    #[error("there is no benchmark called \"{name}\"")]
    NoSuchBenchmark { name: String, known: String },
    /// What a benchmark simulates broke down.
    #[error("the benchmark \"{name}\" failed: {failure}")]
    Unmeasured { name: &'static str, failure: Box<Failure> },
    /// The threads could not be started, or Ctrl-C not be caught.
    #[error("cannot start: {reason}")]
    NoStart { reason: String },
    /// Standard output is full or closed.
    #[error("cannot print the answer: {source}")]
    Unprinted { source: io::Error },
    /// The simulation broke down.
    #[error("the run failed: {failure}")]
    Broken { failure: Box<Failure>, checkpoint: Option<u32> },
    /// A file could not be written during the run.
    #[error("the run failed: cannot write {}: {source}", path.display())]
    Unsaved { path: PathBuf, source: io::Error, checkpoint: Option<u32> },
    /// A file of a stage after the simulation could not be written.
    #[error("cannot write {}: {source}", path.display())]
    Unmade { path: PathBuf, source: io::Error },
    /// Ctrl-C, or a request to terminate.
    #[error("stopped after frame {frame} of {frames}")]
    Interrupted { frame: u32, frames: u32, resume: String },
}

impl CliError {
    /// 1: the input is at fault. 2: the run failed. 130: interrupted, as shells have it.
    pub fn status(&self) -> u8 {
        match self {
            CliError::Interrupted { .. } => 130,
            CliError::Broken { .. } | CliError::Unsaved { .. } | CliError::Unmeasured { .. } => 2,
            CliError::NoFilm { source: FilmError::BadSize { .. } | FilmError::OtherSize { .. }, .. } => 1,
            CliError::Unmade { .. } | CliError::NoFilm { .. } => 2,
            CliError::NoStart { .. } | CliError::Unprinted { .. } => 2,
            _ => 1,
        }
    }

    /// What happened, and what to do about it.
    pub fn report(&self) -> String {
        let kind = if matches!(self, CliError::Interrupted { .. }) { "" } else { "error: " };
        match self.remedy() {
            Some(remedy) => format!("{kind}{self}\n  = help: {remedy}"),
            None => format!("{kind}{self}"),
        }
    }

    fn remedy(&self) -> Option<String> {
        Some(match self {
            CliError::NoSuchScene { alike: Some(alike), .. } | CliError::NotInGallery { alike: Some(alike), .. } => {
                format!("did you mean \"{alike}\"? `ondine scenes` lists the gallery")
            }
            CliError::NoSuchScene { .. } => "give the path of a scene file, or a name from `ondine scenes`".into(),
            CliError::NotInGallery { .. } => "`ondine scenes` lists the gallery".into(),
            CliError::SceneThere { .. } => "name another file after the scene".into(),
            CliError::Unwritable { .. } => NO_ROOM.into(),
            CliError::Bake(error) => return in_flags(error),
            CliError::TooLarge { wider, .. } => {
                format!("fill less, or write spacings {:.2} times as wide", 1.05 * wider)
            }
            CliError::Taken { .. } => {
                "go on with it by --resume, start anew by --overwrite, or choose another folder with -o".into()
            }
            CliError::OverItself { .. } => "choose another folder with -o".into(),
            CliError::Unmade { .. } => "make room or check its rights, and give the same command again".into(),
            CliError::NoSuchFrames { last, .. } => format!("give a range within 0..{last}"),
            CliError::NoPicture { folder, .. } => format!("make it with: ondine render {}", folder.display()),
            CliError::NotAFilm { .. } => "end the name of the film with .mp4 or .gif".into(),
            CliError::NoSuchColumn { alike: Some(alike), folder, .. } => {
                format!("did you mean \"{alike}\"? `ondine plot {} --list` lists all", folder.display())
            }
            CliError::NoSuchColumn { folder, .. } => {
                format!("`ondine plot {} --list` lists all", folder.display())
            }
            CliError::NothingMeasured { .. } => "bake at least one frame into it".into(),
            CliError::NotAPlot { .. } => "end the name of the plot with .svg or .png".into(),
            CliError::NoFilm { source: FilmError::OtherSize { .. }, .. } => {
                "render all pictures in one --size".into()
            }
            CliError::NothingToResume { .. } => "name the scene to bake, or the bake's folder with -o".into(),
            CliError::OtherScene { .. } => {
                "leave the scene and --set out to go on with the bake as it is, choose another folder with -o, \
                 or start anew by --overwrite"
                    .into()
            }
            CliError::Broken { checkpoint, .. } | CliError::Unsaved { checkpoint, .. } => last_good(*checkpoint),
            CliError::NoSuchBenchmark { known, .. } => format!("there are: {known}"),
            CliError::Interrupted { resume, .. } => format!("go on with: {resume}"),
            // These say it themselves, or there is nothing to advise.
            CliError::Unreadable { .. }
            | CliError::Faulty { .. }
            | CliError::SeveralFaulty { .. }
            | CliError::Unmeasured { .. }
            | CliError::NoFilm { .. }
            | CliError::NoStart { .. }
            | CliError::Unprinted { .. } => return None,
        })
    }
}

const NO_ROOM: &str = "choose another folder with -o, or make room and check its rights";

/// What to do about a bake, in words of this program's arguments.
fn in_flags(error: &BakeError) -> Option<String> {
    Some(match error {
        BakeError::Unwritable { .. } => NO_ROOM.into(),
        BakeError::InUse { .. } => "wait for it to end, or choose another folder with -o".into(),
        BakeError::NoBake { .. } => "name the folder that `ondine bake` wrote to".into(),
        BakeError::NoFrames { .. } => "bake it again without --export none".into(),
        BakeError::OldFrames { .. } | BakeError::BadFrame { .. } | BakeError::ShortLedger { .. } => {
            "bake again with --overwrite".into()
        }
        BakeError::OtherLedger { .. } => {
            "put back the ledger that belongs to checkpoint.ondine, or bake again with --overwrite".into()
        }
        other => return other.remedy(),
    })
}

fn last_good(checkpoint: Option<u32>) -> String {
    match checkpoint {
        Some(frame) => format!(
            "the last good checkpoint is of frame {frame}; mend the scene and bake it anew, or --resume from there to see it again"
        ),
        None => "there is no checkpoint yet; --resume starts from the beginning".into(),
    }
}

/// "1 error", "2 errors".
pub fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(checkpoint: Option<u32>) -> CliError {
        let failure = Failure {
            system: "honey".into(),
            particle: Some(7),
            frame: 12,
            time: 0.4,
            what: "speed is not finite".into(),
            cause: "raise max_substeps".into(),
        };
        CliError::Broken { failure: Box::new(failure), checkpoint }
    }

    #[test]
    fn a_broken_run_names_the_system_the_cause_and_the_last_checkpoint() {
        let report = broken(Some(10)).report();
        for part in
            ["honey", "speed is not finite", "frame 12", "raise max_substeps", "checkpoint is of frame 10"]
        {
            assert!(report.contains(part), "{part:?} is not in {report}");
        }
        assert!(broken(None).report().contains("no checkpoint yet"));
    }

    #[test]
    fn the_status_tells_input_run_and_interruption_apart() {
        assert_eq!(broken(None).status(), 2);
        assert_eq!(CliError::from(BakeError::InUse { folder: "out".into() }).status(), 1);
        assert_eq!(CliError::Interrupted { frame: 1, frames: 2, resume: String::new() }.status(), 130);
    }
}
