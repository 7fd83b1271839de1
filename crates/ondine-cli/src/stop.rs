//! Why the program ends before its work is done: what happened, what to do, and the exit status.

use crate::args::FrameRange;
use crate::difference::Difference;
use ondine::Failure;
use ondine_io::checkpoint::CheckpointError;
use ondine_look::FilmError;
use std::io;
use std::path::PathBuf;

/// Why the program ends before its work is done.
#[derive(Debug, thiserror::Error)]
pub enum Stop {
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
    /// Another bake is at work in the folder.
    #[error("another ondine is at work in {}", folder.display())]
    InUse { folder: PathBuf },
    /// The folder holds a bake.
    #[error("{} already holds a bake ({} is there)", folder.display(), found.display())]
    Taken { folder: PathBuf, found: PathBuf },
    /// The bake would write over the scene that it was asked to read.
    #[error("{} is where the bake would write its own copy of the scene", path.display())]
    OverItself { path: PathBuf },
    /// No scene was named and the folder has none.
    #[error("{} holds no bake to go on with", folder.display())]
    NothingToResume { folder: PathBuf },
    /// There is nothing to mesh or to render.
    #[error("{} holds no bake", folder.display())]
    NoBake { folder: PathBuf },
    /// The bake kept no frames.
    #[error("the bake in {} has kept no frames", folder.display())]
    NoFrames { folder: PathBuf },
    /// The bake does not go that far.
    #[error("there are no frames {asked} in {}: it goes from 0 to {last}", folder.display())]
    NoSuchFrames { folder: PathBuf, asked: FrameRange, last: u32 },
    /// A file of a frame is missing or damaged.
    #[error("cannot read frame {frame}: {reason}")]
    BadFrame { reason: String, frame: u32 },
    /// A film of pictures that are not there.
    #[error("there is no picture {}", path.display())]
    NoPicture { path: PathBuf, folder: PathBuf },
    /// The name of a film tells neither MP4 nor GIF.
    #[error("{} is neither an .mp4 nor a .gif", path.display())]
    NotAFilm { path: PathBuf },
    /// The film cannot be made.
    #[error("cannot make {}: {source}", path.display())]
    NoFilm { path: PathBuf, source: FilmError },
    /// The bake in the folder is of another scene.
    #[error("{} holds a bake of another scene: {difference}", folder.display())]
    OtherScene { folder: PathBuf, difference: Box<Difference> },
    /// The checkpoint cannot be used.
    #[error(transparent)]
    BadCheckpoint(CheckpointError),
    /// The ledger lacks frames that the checkpoint has behind it.
    #[error("{} ends before frame {frame}, where the checkpoint stands", path.display())]
    ShortLedger { path: PathBuf, frame: u32 },
    /// The ledger is of another run than the checkpoint.
    #[error("{} is not of the run that the checkpoint stands in at frame {frame}", path.display())]
    OtherLedger { path: PathBuf, frame: u32 },
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

impl Stop {
    /// 1: the input is at fault. 2: the run failed. 130: interrupted, as shells have it.
    pub fn status(&self) -> u8 {
        match self {
            Stop::Interrupted { .. } => 130,
            Stop::Broken { .. } | Stop::Unsaved { .. } | Stop::Unmeasured { .. } => 2,
            Stop::NoFilm { source: FilmError::BadSize { .. } | FilmError::OtherSize { .. }, .. } => 1,
            Stop::Unmade { .. } | Stop::NoFilm { .. } => 2,
            Stop::NoStart { .. } | Stop::Unprinted { .. } => 2,
            _ => 1,
        }
    }

    /// What happened, and what to do about it.
    pub fn report(&self) -> String {
        let kind = if matches!(self, Stop::Interrupted { .. }) { "" } else { "error: " };
        match self.remedy() {
            Some(remedy) => format!("{kind}{self}\n  = help: {remedy}"),
            None => format!("{kind}{self}"),
        }
    }

    fn remedy(&self) -> Option<String> {
        Some(match self {
            Stop::NoSuchScene { alike: Some(alike), .. } | Stop::NotInGallery { alike: Some(alike), .. } => {
                format!("did you mean \"{alike}\"? `ondine scenes` lists the gallery")
            }
            Stop::NoSuchScene { .. } => "give the path of a scene file, or a name from `ondine scenes`".into(),
            Stop::NotInGallery { .. } => "`ondine scenes` lists the gallery".into(),
            Stop::SceneThere { .. } => "name another file after the scene".into(),
            Stop::Unwritable { .. } => "choose another folder with -o, or make room and check its rights".into(),
            Stop::TooLarge { wider, .. } => {
                format!("fill less, or write spacings {:.2} times as wide", 1.05 * wider)
            }
            Stop::InUse { .. } => "wait for it to end, or choose another folder with -o".into(),
            Stop::Taken { .. } => {
                "go on with it by --resume, start anew by --overwrite, or choose another folder with -o".into()
            }
            Stop::OverItself { .. } => "choose another folder with -o".into(),
            Stop::Unmade { .. } => "make room or check its rights, and give the same command again".into(),
            Stop::NoBake { .. } => "name the folder that `ondine bake` wrote to".into(),
            Stop::NoFrames { .. } => "bake it again without --export none".into(),
            Stop::NoSuchFrames { last, .. } => format!("give a range within 0..{last}"),
            Stop::BadFrame { .. } => "bake again with --overwrite".into(),
            Stop::NoPicture { folder, .. } => format!("make it with: ondine render {}", folder.display()),
            Stop::NotAFilm { .. } => "end the name of the film with .mp4 or .gif".into(),
            Stop::NoFilm { source: FilmError::OtherSize { .. }, .. } => {
                "render all pictures in one --size".into()
            }
            Stop::NothingToResume { .. } => "name the scene to bake, or the bake's folder with -o".into(),
            Stop::OtherScene { .. } => {
                "leave the scene and --set out to go on with the bake as it is, choose another folder with -o, \
                 or start anew by --overwrite"
                    .into()
            }
            Stop::ShortLedger { .. } => "bake again with --overwrite".into(),
            Stop::OtherLedger { .. } => {
                "put back the ledger that belongs to checkpoint.ondine, or bake again with --overwrite".into()
            }
            Stop::Broken { checkpoint, .. } | Stop::Unsaved { checkpoint, .. } => last_good(*checkpoint),
            Stop::NoSuchBenchmark { known, .. } => format!("there are: {known}"),
            Stop::Interrupted { resume, .. } => format!("go on with: {resume}"),
            // These say it themselves, or there is nothing to advise.
            Stop::Unreadable { .. }
            | Stop::Faulty { .. }
            | Stop::SeveralFaulty { .. }
            | Stop::BadCheckpoint(_)
            | Stop::Unmeasured { .. }
            | Stop::NoFilm { .. }
            | Stop::NoStart { .. }
            | Stop::Unprinted { .. } => return None,
        })
    }
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

    fn broken(checkpoint: Option<u32>) -> Stop {
        let failure = Failure {
            system: "honey".into(),
            particle: Some(7),
            frame: 12,
            time: 0.4,
            what: "speed is not finite".into(),
            cause: "raise max_substeps".into(),
        };
        Stop::Broken { failure: Box::new(failure), checkpoint }
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
        assert_eq!(Stop::InUse { folder: "out".into() }.status(), 1);
        assert_eq!(Stop::Interrupted { frame: 1, frames: 2, resume: String::new() }.status(), 130);
    }
}
