//! What can be asked of the program.

mod stages;

pub use stages::{Color, Film, FrameRange, Look, Mesh, Plot, Render, Size, SurfaceArgs};

use crate::gallery;
use clap::{Args, Parser, Subcommand, ValueEnum};
use ondine_io::scene_text::Override;
use std::path::PathBuf;

/// Where a bake goes when nobody says.
const OUTPUT: &str = "out";

/// Physically based animation of what flows, stretches, drapes, bounces and splashes.
#[derive(Debug, Parser)]
#[command(name = "ondine", version, after_help = EXAMPLES)]
pub struct Arguments {
    /// Without a command, bakes the default scene to ./out.
    #[command(subcommand)]
    pub command: Option<Command>,

    /// Tell only what went wrong.
    #[arg(short, long, global = true)]
    pub quiet: bool,
}

/// Size of the film that `ondine` alone makes.
const FIRST_FILM: Size = Size { width: 1280, height: 720 };

const EXAMPLES: &str = "\
Without a command, bakes the gallery scene \"fountain\" to ./out and makes a film of it.

Examples:
  ondine                                     see it work
  ondine scenes                              what the gallery holds
  ondine new honey                           a copy of one of them, to make it your own
  ondine bake fountain -o out/fountain       bake a gallery scene
  ondine bake my.toml --set liquid.water.spacing=0.01
  ondine bake --resume -o out/fountain       go on where a bake was stopped
  ondine render out/fountain --quality good  its pictures anew, finer
  ondine mesh out/fountain --export usd      its surfaces for Blender and Houdini
  ondine plot out/fountain                   its energies over time
  ondine check my.toml                       what is wrong with a scene, and how to fix it

Exit status: 0 done; 1 the input is at fault; 2 the run failed; 130 stopped by Ctrl-C.";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Simulate a scene, and make pictures and a film of it.
    Bake(Bake),
    /// Make surfaces of a bake's liquids, and files for other programs.
    Mesh(Mesh),
    /// Make pictures of a bake.
    Render(Render),
    /// Make a film of a bake's pictures.
    Film(Film),
    /// Plot what was measured of one or several bakes, over time.
    Plot(Plot),
    /// Tell everything that is wrong with a scene: where, why, and what to do.
    Check(Check),
    /// List the scenes of the gallery, or print one.
    Scenes(Scenes),
    /// Copy a scene of the gallery, to make it your own.
    New(New),
    /// Print the JSON Schema of the scene format, for editors.
    Schema,
    /// Measure how fast this machine simulates.
    Bench(Bench),
    /// Print what makes a shell complete these commands.
    Completions(Completions),
}

/// Which scene of the gallery to show.
#[derive(Debug, Args)]
pub struct Scenes {
    /// Name of a scene, to print its text. Default: list all.
    pub name: Option<String>,
}

/// Which scene of the gallery to copy.
#[derive(Debug, Args)]
#[command(after_help = NEW_EXAMPLES)]
pub struct New {
    /// Name of a scene of the gallery.
    pub name: String,

    /// File to write. Default: NAME.toml. A file that is there is left as it is.
    pub file: Option<PathBuf>,
}

const NEW_EXAMPLES: &str = "\
Examples:
  ondine new honey                  honey.toml
  ondine new honey my/scene.toml";

/// Which shell to complete for.
#[derive(Debug, Args)]
#[command(after_help = COMPLETIONS_EXAMPLES)]
pub struct Completions {
    /// The shell.
    pub shell: clap_complete::Shell,
}

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  ondine completions bash > ~/.local/share/bash-completion/completions/ondine
  ondine completions zsh > ~/.zfunc/_ondine
  ondine completions fish > ~/.config/fish/completions/ondine.fish";

/// What to bake, and how.
#[derive(Debug, Args)]
#[command(after_help = BAKE_EXAMPLES)]
pub struct Bake {
    /// A scene file, or the name of a gallery scene (see `ondine scenes`).
    #[arg(required_unless_present = "resume")]
    pub scene: Option<String>,

    /// Folder to write to.
    #[arg(short, long, value_name = "DIR", default_value = OUTPUT)]
    pub output: PathBuf,

    /// Bake this many frames instead of the scene's duration.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub frames: Option<u32>,

    /// Work on this many threads. Default: one for each core. The result is the same for any number.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,

    /// Go on from the last checkpoint in the folder. SCENE may be left out.
    #[arg(long, conflicts_with = "overwrite")]
    pub resume: bool,

    /// Start anew in a folder that holds a bake; removes that bake's files and no others.
    #[arg(long)]
    pub overwrite: bool,

    /// Change a value of the scene, such as `liquid.honey.viscosity.linear=4`. May be given several times.
    #[arg(long, value_name = "PATH=VALUE")]
    pub set: Vec<Override>,

    /// What to make of the frames. Particles are kept with all but `none`.
    #[arg(long, value_name = "FORMAT", value_delimiter = ',', default_value = "png")]
    pub export: Vec<Export>,

    /// Make no film of the pictures.
    #[arg(long)]
    pub no_film: bool,

    #[command(flatten)]
    pub look: Look,

    /// Print a JSON object of what was done instead of a summary.
    #[arg(long)]
    pub json: bool,
}

const BAKE_EXAMPLES: &str = "\
Examples:
  ondine bake fountain
  ondine bake my.toml -o out/thick --set liquid.honey.viscosity.linear=40
  ondine bake my.toml --frames 10 --export png --overwrite
  ondine bake --resume -o out/thick
  ondine bake --resume -o out/thick --frames 500     make a finished bake longer

A bake leaves in its folder:
  scene.toml            the scene as it was understood, every default written out
  ledger.jsonl          one line a frame: time, steps, hash, particles, mass, energy, leaks, ...
  checkpoint.ondine     what --resume goes on from
  particles/NAME.0001.ply  manifest/0001.json    the frames: what mesh, render and film work on
  frames/0001.png  film.mp4                      pictures and film
  mesh/  usd/  vtk/  npz/                        what --export asks for";

impl Bake {
    /// What `ondine` alone does.
    pub fn of_default_scene() -> Self {
        Self {
            scene: Some(gallery::DEFAULT.into()),
            output: OUTPUT.into(),
            frames: None,
            threads: None,
            resume: false,
            overwrite: false,
            set: Vec::new(),
            export: vec![Export::Png],
            no_film: false,
            look: Look { size: FIRST_FILM, ..Look::default() },
            json: false,
        }
    }
}

/// Something to make of the frames of a bake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Export {
    /// Pictures, and a film of them.
    Png,
    /// Particles alone, a file for each liquid and frame.
    Ply,
    /// Surfaces of the liquids, as PLY.
    Mesh,
    /// Surfaces and objects as OBJ.
    Obj,
    /// Everything in a frame as one glTF file.
    Glb,
    /// Everything as one USD file with time samples.
    Usd,
    /// The same with particles as instances of balls, for programs that show no points.
    Balls,
    /// Everything as USD value clips: a file a frame, and one that names them.
    Clips,
    /// Surfaces, particles and objects for ParaView: VTP files and a PVD.
    Vtk,
    /// Arrays for numpy, a file a frame.
    Npz,
    /// Nothing; for the ledger alone.
    None,
}

impl Export {
    /// Whether it is a file for other programs.
    pub fn is_file(self) -> bool {
        !matches!(self, Export::Png | Export::Ply | Export::None)
    }
}

/// What to check.
#[derive(Debug, Args)]
#[command(after_help = CHECK_EXAMPLES)]
pub struct Check {
    /// Scene files, names of gallery scenes, or `-` for standard input.
    #[arg(value_name = "SCENE", required = true)]
    pub scenes: Vec<String>,

    /// Change a value of each scene first.
    #[arg(long, value_name = "PATH=VALUE")]
    pub set: Vec<Override>,

    /// Print a JSON object a scene, on a line each, instead of text.
    #[arg(long)]
    pub json: bool,
}

const CHECK_EXAMPLES: &str = "\
Examples:
  ondine check my.toml other.toml
  ondine check - < my.toml
  ondine check my.toml --json                 for editors and scripts";

/// What to measure.
#[derive(Debug, Args)]
#[command(after_help = BENCH_EXAMPLES)]
pub struct Bench {
    /// Name of a benchmark. Default: all, which are listed first.
    pub name: Option<String>,

    /// Particles along an edge of the cube of liquid, such as 27,46. Default: each benchmark's own.
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(2..=400))]
    pub size: Vec<u32>,

    /// Time to simulate [s]. Default: each benchmark's own, shorter for a million particles.
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub seconds: Option<f64>,

    /// Run so many times and tell the fastest.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub repeat: u32,

    /// Numbers of threads to try in turn, such as 1,2. Default: one thread for each core.
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Vec<u32>,

    /// Do not go on to a pool at rest, which tells the error of volume but takes twenty times as long.
    #[arg(long)]
    pub no_settle: bool,

    /// Laws of the benchmark `truth` to look at, such as films,cubes. Default: all.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub only: Vec<String>,

    /// Print a JSON object for each row instead of tables.
    #[arg(long)]
    pub json: bool,

    /// Write the particles of the benchmark `surface` as bare little-endian f32 triples, for other programs.
    #[arg(long, value_name = "FILE")]
    pub particles: Option<PathBuf>,
}

const BENCH_EXAMPLES: &str = "\
Examples:
  ondine bench                                       everything
  ondine bench liquid --size 27 --threads 1,2        what the second thread is worth
  ondine bench liquid --size 46 --seconds 0.2 --repeat 3 --json
  ondine bench truth --only cubes,balls              how deep things float

Other busy programs disturb the times: measure on a machine at rest, and compare only what ran side by side.";

/// A span of time that can be simulated [s].
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 3600.0 => Ok(seconds),
        _ => Err("give a number of seconds from just above 0 to 3600".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_well_formed() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
    }

    #[test]
    fn the_program_alone_does_as_bake_does_by_default() {
        let size = FIRST_FILM.to_string();
        let spelled = ["ondine", "bake", gallery::DEFAULT, "--size", &size];
        let spelled = Arguments::try_parse_from(spelled).map(|a| a.command);
        let Ok(Some(Command::Bake(spelled))) = spelled else { panic!("bake takes a scene") };
        assert_eq!(format!("{spelled:?}"), format!("{:?}", Bake::of_default_scene()));
    }
}
