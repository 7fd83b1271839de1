//! `ondine bake`: simulates a scene and keeps its frames, so that a stop at any instant loses little; then goes through
//! the stages that make pictures, film and files of them.

use crate::args::{self, Export};
use crate::checkpoints::Checkpoints;
use crate::console;
use crate::cost::Cost;
use crate::difference;
use crate::error::CliError;
use crate::interrupt;
use crate::progress::Progress;
use crate::scene_choice;
use crate::stages;
use crate::summary::{Extremes, Summary};
use crate::threads;
use clap::ValueEnum;
use ondine::{Failure, Ledger, Scene, World};
use ondine_io::bake::{Bake, BakeError, BakeWriter, Folder, Keep, LedgerLine, scene_in};
use ondine_io::meshes;
use ondine_io::scene_text::Source;
use std::path::Path;
use std::time::{Duration, Instant};

/// Bakes what is ordered.
pub fn bake(order: &args::Bake) -> Result<(), CliError> {
    threads::start(order.threads)?;
    let plan = Plan::new(order)?;
    let folder = Folder::claim(&order.output)?;
    let run =
        if order.resume { Run::resume(plan, folder) } else { Run::anew(plan, folder, order.overwrite) }?;
    interrupt::watch()?;
    let simulated = run.simulate()?;
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
    keep: Keep,
    /// The command that goes on with the bake.
    resume: String,
}

impl Plan {
    fn new(order: &args::Bake) -> Result<Self, CliError> {
        let mut scene = scene_choice::understand(&asked_source(order)?, &order.set)?;
        Cost::of(&scene).check()?;
        // From here on the scene is that of the folder, which holds all that it names.
        meshes::name_copies(&mut scene);
        Ok(Self {
            frames: order.frames.unwrap_or_else(|| scene.frames()),
            keep: match order.export.iter().any(|export| *export != Export::None) {
                true => Keep::Frames,
                false => Keep::Ledger,
            },
            resume: resume_command(order),
            scene,
        })
    }
}

/// The scene that the order names or, to resume without naming one, that of the folder.
fn asked_source(order: &args::Bake) -> Result<Source, CliError> {
    let own_copy = scene_in(&order.output);
    match &order.scene {
        Some(wanted) if !order.resume && is_same_file(Path::new(wanted), &own_copy) => {
            Err(CliError::OverItself { path: own_copy })
        }
        Some(wanted) => scene_choice::find(wanted),
        None if own_copy.is_file() => scene_choice::read(&own_copy),
        None => Err(CliError::NothingToResume { folder: order.output.clone() }),
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
struct Run {
    plan: Plan,
    world: World,
    writer: BakeWriter,
    extremes: Extremes,
    checkpoints: Checkpoints,
}

impl Run {
    /// From the start, in a folder without a bake or with one that may be replaced.
    fn anew(plan: Plan, folder: Folder, overwrite: bool) -> Result<Self, CliError> {
        match folder.made()?.into_iter().next() {
            Some(found) if !overwrite => Err(CliError::Taken { folder: folder.path().into(), found }),
            _ => Self::first_frame(plan, folder),
        }
    }

    /// From the folder's checkpoint or, when it has none yet, from the start.
    fn resume(plan: Plan, folder: Folder) -> Result<Self, CliError> {
        refuse_another_scene(&folder, &plan.scene)?;
        folder.sweep()?;
        let Some(world) = folder.load_checkpoint()? else {
            // Without a scene, what lies here is no bake of ours to replace.
            let begun = folder.scene().is_file();
            return Self::anew(plan, folder, begun);
        };
        if let Some(difference) = difference::first_of_world(&world, &plan.scene) {
            return Err(CliError::OtherScene {
                folder: folder.path().into(),
                difference: Box::new(difference),
            });
        }
        let (writer, lines) = BakeWriter::resume(folder, &world, plan.keep)?;
        let mut extremes = Extremes::default();
        lines.iter().for_each(|line| extremes.note(&line.measured));
        let checkpoints = Checkpoints::new(Some(world.frame_index()));
        Ok(Self { plan, world, writer, extremes, checkpoints })
    }

    /// Replaces what is in the folder by the scene and frame 0, once it is certain that there is a frame 0.
    fn first_frame(plan: Plan, folder: Folder) -> Result<Self, CliError> {
        let started = Instant::now();
        let world = World::new(&plan.scene).map_err(|faults| scene_choice::refused(&plan.scene, faults))?;
        let took = started.elapsed();
        let writer = BakeWriter::create(folder, &plan.scene, plan.keep)?;
        let (extremes, checkpoints) = (Extremes::default(), Checkpoints::new(None));
        let mut run = Self { plan, world, writer, extremes, checkpoints };
        run.leave_frame(took)?;
        Ok(run)
    }

    /// Bakes frame after frame to the last.
    fn simulate(mut self) -> Result<Simulated, CliError> {
        let first = self.world.frame_index();
        if first > 0 && first < self.plan.frames {
            console::note(&format!("going on from frame {first}"));
        }
        let started = Instant::now();
        let mut progress = Progress::start("simulate", first, self.plan.frames);
        while self.world.frame_index() < self.plan.frames {
            self.bake_frame(&mut progress)?;
        }
        progress.end();
        Ok(Simulated { run: self, first, wall: started.elapsed() })
    }

    fn bake_frame(&mut self, progress: &mut Progress) -> Result<(), CliError> {
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
            return Err(CliError::Interrupted {
                frame,
                frames: self.plan.frames,
                resume: self.plan.resume.clone(),
            });
        }
        Ok(())
    }

    /// Writes everything about the present frame.
    fn leave_frame(&mut self, took: Duration) -> Result<Ledger, CliError> {
        let measured = self.world.measured().map_err(|failure| self.broken(failure))?;
        self.extremes.note(&measured);
        let line = LedgerLine { measured, ms: 1000.0 * took.as_secs_f64() };
        let written = self.writer.write(&self.world, &line);
        written.map_err(|error| self.unsaved(error))?;
        Ok(line.measured)
    }

    fn save_checkpoint(&mut self) -> Result<(), CliError> {
        let saved = self.checkpoints.save(&mut self.writer, &self.world);
        saved.map_err(|error| self.unsaved(error))
    }

    fn broken(&self, failure: Failure) -> CliError {
        CliError::Broken { failure: Box::new(failure), checkpoint: self.checkpoints.frame() }
    }

    /// What cannot be written once the run goes on is a failure of the run.
    fn unsaved(&self, error: BakeError) -> CliError {
        match error {
            BakeError::Unwritable { path, source } => {
                CliError::Unsaved { path, source, checkpoint: self.checkpoints.frame() }
            }
            other => other.into(),
        }
    }
}

/// A bake whose frames are all there.
#[derive(Debug)]
struct Simulated {
    run: Run,
    /// The frame it stood at when this run began.
    first: u32,
    /// Time that it took since.
    wall: Duration,
}

impl Simulated {
    /// Goes through the stages that follow, and tells what is there.
    fn tell(self, order: &args::Bake) -> Result<(), CliError> {
        let Run { plan, world, writer, extremes, .. } = self.run;
        let last = world.ledger();
        // Frames beyond may be there from a longer bake.
        let bake = Bake::of(writer.finish(), plan.scene).until(plan.frames.max(self.first));
        let places = match plan.keep {
            Keep::Frames => stages::after_bake(&bake, order, &plan.resume)?,
            Keep::Ledger => Vec::new(),
        };
        let summary = Summary {
            folder: bake.folder(),
            places: &places,
            frames: plan.frames.saturating_sub(self.first),
            wall: self.wall,
            last: &last,
            extremes,
        };
        match order.json {
            true => console::print(&summary.json().to_string()),
            false => console::info(&summary.text()),
        }
    }
}

/// What the engine had to do for a frame.
fn load(measured: &Ledger) -> String {
    let particles: u64 = measured.systems.iter().map(|system| system.particles).sum();
    format!("{particles} particles  {} substeps", measured.substeps)
}

/// Frames of two scenes must not mix in one folder.
fn refuse_another_scene(folder: &Folder, asked: &Scene) -> Result<(), CliError> {
    if !folder.scene().is_file() {
        return Ok(());
    }
    let (baked, _) = scene_choice::parse(&scene_choice::read(&folder.scene())?, &[])?;
    match difference::first(&baked, asked) {
        Some(difference) => {
            Err(CliError::OtherScene { folder: folder.path().into(), difference: Box::new(difference) })
        }
        None => Ok(()),
    }
}
