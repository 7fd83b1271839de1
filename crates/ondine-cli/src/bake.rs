//! `ondine bake`: simulates a scene and keeps its frames, so that a stop at any instant loses little; then goes through
//! the stages that make pictures, film and files of them.

use crate::args::{self, Export};
use crate::baked::{self, Baked};
use crate::checkpoints::Checkpoints;
use crate::cost::Cost;
use crate::difference;
use crate::folder::{self, Folder};
use crate::interrupt;
use crate::ledger::{Book, Line};
use crate::progress::Progress;
use crate::say;
use crate::scene_choice;
use crate::stages;
use crate::stop::Stop;
use crate::summary::Summary;
use crate::threads;
use clap::ValueEnum;
use ondine::{Failure, Ledger, Scene, World};
use ondine_io::checkpoint::{self, CheckpointError};
use ondine_io::meshes;
use ondine_io::scene_text::{self, Source};
use ondine_io::whole;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Bakes what is ordered.
pub fn bake(order: &args::Bake) -> Result<(), Stop> {
    threads::start(order.threads)?;
    let plan = Plan::new(order)?;
    let folder = Folder::claim(&order.output)?;
    let bake =
        if order.resume { Bake::resume(plan, folder) } else { Bake::anew(plan, folder, order.overwrite) }?;
    interrupt::watch()?;
    let simulated = bake.run()?;
    simulated.tell(order)
}

/// What is to be baked.
#[derive(Debug)]
struct Plan {
    /// The scene as it was written, but for its meshes: it names their copies in the folder.
    scene: Scene,
    /// Frame to end with.
    frames: u32,
    /// Whether frames are kept, for the stages that follow.
    keeps: bool,
    /// The command that goes on with the bake.
    resume: String,
}

impl Plan {
    fn new(order: &args::Bake) -> Result<Self, Stop> {
        let mut scene = scene_choice::understand(&asked_source(order)?, &order.set)?;
        Cost::of(&scene).check()?;
        // From here on the scene is that of the folder, which holds all that it names.
        meshes::name_copies(&mut scene);
        Ok(Self {
            frames: order.frames.unwrap_or_else(|| scene.frames()),
            keeps: order.export.iter().any(|export| *export != Export::None),
            resume: resume_command(order),
            scene,
        })
    }

    fn make_room(&self, folder: &Folder) -> Result<(), Stop> {
        if self.keeps { baked::make_room(folder) } else { Ok(()) }
    }
}

/// The scene that the order names or, to resume without naming one, that of the folder.
fn asked_source(order: &args::Bake) -> Result<Source, Stop> {
    let own_copy = folder::scene_in(&order.output);
    match &order.scene {
        Some(wanted) if !order.resume && is_same_file(Path::new(wanted), &own_copy) => {
            Err(Stop::OverItself { path: own_copy })
        }
        Some(wanted) => scene_choice::find(wanted),
        None if own_copy.is_file() => scene_choice::read(&own_copy),
        None => Err(Stop::NothingToResume { folder: order.output.clone() }),
    }
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

fn resume_command(order: &args::Bake) -> String {
    let mut command = format!("ondine bake --resume -o {}", order.output.display());
    if let Some(frames) = order.frames {
        command += &format!(" --frames {frames}");
    }
    let names = order.export.iter().filter_map(|export| export.to_possible_value());
    let names: Vec<String> = names.map(|name| name.get_name().to_string()).collect();
    command += &format!(" --export {}", names.join(","));
    command += if order.no_film { " --no-film" } else { "" };
    command += &order.look.arguments();
    command
}

/// A bake under way.
#[derive(Debug)]
struct Bake {
    plan: Plan,
    world: World,
    folder: Folder,
    book: Book,
    checkpoints: Checkpoints,
}

impl Bake {
    /// From the start, in a folder without a bake or with one that may be replaced.
    fn anew(plan: Plan, folder: Folder, overwrite: bool) -> Result<Self, Stop> {
        match folder.made()?.into_iter().next() {
            Some(found) if !overwrite => Err(Stop::Taken { folder: folder.path().into(), found }),
            _ => Self::first_frame(plan, folder),
        }
    }

    /// From the folder's checkpoint or, when it has none yet, from the start.
    fn resume(plan: Plan, folder: Folder) -> Result<Self, Stop> {
        refuse_another_scene(&folder, &plan.scene)?;
        folder.sweep()?;
        let world = match checkpoint::load(&folder.checkpoint()) {
            Ok(world) => world,
            Err(CheckpointError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                // Without a scene, what lies here is no bake of ours to replace.
                let begun = folder.scene().is_file();
                return Self::anew(plan, folder, begun);
            }
            Err(error) => return Err(Stop::BadCheckpoint(error)),
        };
        if let Some(difference) = difference::first_of_world(world.scene(), &plan.scene) {
            return Err(Stop::OtherScene { folder: folder.path().into(), difference: Box::new(difference) });
        }
        if plan.keeps && folder.frames() <= world.frame_index() {
            return Err(Stop::NoFrames { folder: folder.path().into() });
        }
        let hash = format!("{:016x}", world.hash());
        let book = Book::reopen(folder.ledger(), world.frame_index(), &hash)?;
        let checkpoints = Checkpoints::new(folder.checkpoint(), Some(world.frame_index()));
        plan.make_room(&folder)?;
        Ok(Self { plan, world, folder, book, checkpoints })
    }

    /// Replaces what is in the folder by the scene and frame 0, once it is certain that there is a frame 0.
    fn first_frame(plan: Plan, folder: Folder) -> Result<Self, Stop> {
        let started = Instant::now();
        let world = World::new(&plan.scene).map_err(|faults| scene_choice::refused(&plan.scene, faults))?;
        let took = started.elapsed();

        folder.clear()?;
        plan.make_room(&folder)?;
        let copies = meshes::write_copies(&plan.scene, folder.path())
            .map_err(|(path, source)| Stop::Unwritable { path, source })?;
        let text = scene_text::write(&plan.scene);
        whole::write(&folder.scene(), |out| out.write_all(text.as_bytes()))
            .map_err(|source| Stop::Unwritable { path: folder.scene(), source })?;
        folder.keep_meshes(&copies)?;
        let book = Book::begin(folder.ledger())?;
        let checkpoints = Checkpoints::new(folder.checkpoint(), None);
        let mut bake = Self { plan, world, folder, book, checkpoints };
        bake.leave_frame(took)?;
        Ok(bake)
    }

    /// Bakes frame after frame to the last.
    fn run(mut self) -> Result<Simulated, Stop> {
        let first = self.world.frame_index();
        if first > 0 && first < self.plan.frames {
            say::remark(&format!("going on from frame {first}"));
        }
        let started = Instant::now();
        let mut progress = Progress::start("simulate", first, self.plan.frames);
        while self.world.frame_index() < self.plan.frames {
            self.bake_frame(&mut progress)?;
        }
        progress.end();
        Ok(Simulated { bake: self, first, wall: started.elapsed() })
    }

    fn bake_frame(&mut self, progress: &mut Progress) -> Result<(), Stop> {
        let started = Instant::now();
        self.world.advance().map_err(|failure| self.broken(failure))?;
        let measured = self.leave_frame(started.elapsed())?;
        progress.frame(measured.frame, load(&measured));

        let frame = self.world.frame_index();
        let last = frame >= self.plan.frames;
        let stopping = interrupt::asked() && !last;
        if last || stopping || self.checkpoints.due() {
            self.save_checkpoint()?;
        }
        if stopping {
            return Err(Stop::Interrupted {
                frame,
                frames: self.plan.frames,
                resume: self.plan.resume.clone(),
            });
        }
        Ok(())
    }

    /// Writes everything about the present frame: its files first, then the line that says it is there.
    fn leave_frame(&mut self, took: Duration) -> Result<Ledger, Stop> {
        let measured = self.world.measured().map_err(|failure| self.broken(failure))?;
        if self.plan.keeps {
            let kept = baked::keep(&self.folder, &self.world.frame());
            kept.map_err(|(path, source)| self.unsaved(path, source))?;
        }
        let line = Line { measured, ms: 1000.0 * took.as_secs_f64() };
        self.book.write(&line).map_err(|source| self.unsaved(self.book.path().into(), source))?;
        Ok(line.measured)
    }

    fn save_checkpoint(&mut self) -> Result<(), Stop> {
        self.book.settle().map_err(|source| self.unsaved(self.book.path().into(), source))?;
        self.checkpoints.save(&self.world).map_err(|error| match error {
            CheckpointError::Io { path, source } => self.unsaved(path, source),
            other => self.unsaved(self.folder.checkpoint(), io::Error::other(other)),
        })
    }

    fn broken(&self, failure: Failure) -> Stop {
        Stop::Broken { failure: Box::new(failure), checkpoint: self.checkpoints.frame() }
    }

    fn unsaved(&self, path: PathBuf, source: io::Error) -> Stop {
        Stop::Unsaved { path, source, checkpoint: self.checkpoints.frame() }
    }
}

/// A bake whose frames are all there.
#[derive(Debug)]
struct Simulated {
    bake: Bake,
    /// The frame it stood at when this run began.
    first: u32,
    /// Time that it took since.
    wall: Duration,
}

impl Simulated {
    /// Goes through the stages that follow, and tells what is there.
    fn tell(self, order: &args::Bake) -> Result<(), Stop> {
        let Bake { plan, world, folder, book, .. } = self.bake;
        let last = world.ledger();
        let (folder, places) = if plan.keeps {
            let mut baked = Baked::of(folder, plan.scene)?;
            // Frames beyond may be there from a longer bake.
            baked.last = baked.last.min(plan.frames.max(self.first));
            let places = stages::after_bake(&baked, order, &plan.resume)?;
            (baked.folder, places)
        } else {
            (folder, Vec::new())
        };
        let summary = Summary {
            folder: &folder,
            places: &places,
            frames: plan.frames.saturating_sub(self.first),
            wall: self.wall,
            last: &last,
            extremes: book.extremes(),
        };
        match order.json {
            true => say::answer(&summary.json().to_string()),
            false => say::outcome(&summary.text()),
        }
    }
}

/// What the engine had to do for a frame.
fn load(measured: &Ledger) -> String {
    let particles: u64 = measured.systems.iter().map(|system| system.particles).sum();
    format!("{particles} particles  {} substeps", measured.substeps)
}

/// Frames of two scenes must not mix in one folder.
fn refuse_another_scene(folder: &Folder, asked: &Scene) -> Result<(), Stop> {
    if !folder.scene().is_file() {
        return Ok(());
    }
    let (baked, _) = scene_choice::parse(&scene_choice::read(&folder.scene())?, &[])?;
    match difference::first(&baked, asked) {
        Some(difference) => {
            Err(Stop::OtherScene { folder: folder.path().into(), difference: Box::new(difference) })
        }
        None => Ok(()),
    }
}
