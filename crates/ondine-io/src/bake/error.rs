//! Why a bake cannot be read or written.

use crate::checkpoint::CheckpointError;
use crate::scene_text::Located;
use std::io;
use std::path::PathBuf;

/// Why a bake cannot be read or written: what happened and where. [`BakeError::remedy`] says what to do.
#[derive(Debug, thiserror::Error)]
pub enum BakeError {
    /// A file or a folder cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// What.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file or a folder cannot be written.
    #[error("cannot write to {}: {source}", path.display())]
    Unwritable {
        /// What.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Another program bakes into the folder or, for one that wants to bake, works on it.
    #[error("another ondine is at work in {}", folder.display())]
    InUse {
        /// The folder.
        folder: PathBuf,
    },
    /// The folder has no scene, so that nothing was baked there.
    #[error("{} holds no bake", folder.display())]
    NoBake {
        /// The folder.
        folder: PathBuf,
    },
    /// The scene of the bake has been changed, and has errors.
    #[error("{} has errors{}", path.display(), first(faults))]
    Faulty {
        /// The scene's file.
        path: PathBuf,
        /// All that is wrong with it.
        faults: Vec<Located>,
    },
    /// The bake kept no frames, or not all that its checkpoint has behind it.
    #[error("the bake in {} has kept no frames", folder.display())]
    NoFrames {
        /// The folder.
        folder: PathBuf,
    },
    /// The frames do not say which systems they hold.
    #[error("the frames in {} are of an older version of Ondine, which did not say what systems they hold", folder.display())]
    OldFrames {
        /// The folder.
        folder: PathBuf,
    },
    /// The bake does not go that far.
    #[error("there is no frame {frame} in {}: it has {count} of them", folder.display())]
    NoSuchFrame {
        /// The folder.
        folder: PathBuf,
        /// The one that was asked for.
        frame: u32,
        /// How many there are, from 0.
        count: u32,
    },
    /// A file of a frame is missing or damaged.
    #[error("cannot read frame {frame}: {reason}")]
    BadFrame {
        /// The frame.
        frame: u32,
        /// The file, and what is wrong with it.
        reason: String,
    },
    /// The checkpoint cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A line of the ledger is damaged.
    #[error("{} is damaged in line {line}: {reason}", path.display())]
    BadLedger {
        /// The ledger.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What was found.
        reason: String,
    },
    /// The ledger lacks frames that the checkpoint has behind it.
    #[error("{} ends before frame {frame}, where the checkpoint stands", path.display())]
    ShortLedger {
        /// The ledger.
        path: PathBuf,
        /// The frame of the checkpoint.
        frame: u32,
    },
    /// The ledger is of another run than the checkpoint.
    #[error("{} is not of the run that the checkpoint stands in at frame {frame}", path.display())]
    OtherLedger {
        /// The ledger.
        path: PathBuf,
        /// The frame of the checkpoint.
        frame: u32,
    },
}

impl BakeError {
    /// What to do about it, if there is anything to advise.
    pub fn remedy(&self) -> Option<String> {
        Some(match self {
            BakeError::Unwritable { .. } => "choose another folder, or make room and check its rights".into(),
            BakeError::InUse { .. } => "wait for it to end, or choose another folder".into(),
            BakeError::NoBake { .. } => "name the folder that a bake was written to".into(),
            BakeError::Faulty { path, .. } => format!("ondine check {} tells all of them", path.display()),
            BakeError::NoFrames { .. } => "bake it again, and keep its frames".into(),
            BakeError::NoSuchFrame { count, .. } => format!("give one of 0 to {}", count.saturating_sub(1)),
            BakeError::OldFrames { .. } | BakeError::BadFrame { .. } | BakeError::ShortLedger { .. } => {
                "bake it again".into()
            }
            BakeError::BadLedger { .. } => "take another copy, or bake it again".into(),
            BakeError::OtherLedger { .. } => {
                "put back the ledger that belongs to checkpoint.ondine, or bake it again".into()
            }
            // These say it themselves, or there is nothing to advise.
            BakeError::Unreadable { .. } | BakeError::Checkpoint(_) => return None,
        })
    }
}

/// The first fault, for a line.
fn first(faults: &[Located]) -> String {
    let place = |line: Option<usize>| line.map(|line| format!(" in line {line}")).unwrap_or_default();
    faults.first().map(|f| format!(", first{}: {}", place(f.line), f.fault.reason)).unwrap_or_default()
}
