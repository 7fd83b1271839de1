//! What can be asked of a bake that is there.

use super::Export;
use clap::{Args, ValueEnum};
use ondine_io::scene_text::{NotAnOverride, Override};
use ondine_look::{Quality, SurfaceOptions};
use std::fmt;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

/// A bake, and which of its frames.
#[derive(Clone, Debug, Args)]
pub struct Of {
    /// Folder of a bake.
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,

    /// Only these frames: `A..B`, both included, or `A..`, `..B`, `A`. Default: all. Several programs may work on one
    /// folder at once, each on a range of its own; USD and ParaView files name the frames of the last one only.
    #[arg(long, value_name = "A..B")]
    pub frames: Option<FrameRange>,

    /// Work on this many threads. Default: one for each core. The result is the same for any number.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
}

/// Surfaces and files of a bake.
#[derive(Clone, Debug, Args)]
#[command(after_help = MESH_EXAMPLES)]
pub struct Mesh {
    #[command(flatten)]
    pub of: Of,

    /// What to write. Surfaces that are there already, made the same way, are not made again.
    #[arg(long, value_name = "FORMAT", value_delimiter = ',', default_value = "mesh", value_parser = file)]
    pub export: Vec<Export>,

    #[command(flatten)]
    pub surface: SurfaceArgs,
}

const MESH_EXAMPLES: &str = "\
Examples:
  ondine mesh out                          mesh/NAME.0001.ply for every frame
  ondine mesh out --export usd,npz         usd/scene.usda and npz/0001.npz
  ondine mesh out --frames 30..60 --cell 0.25";

/// How surfaces are made.
#[derive(Clone, Copy, Debug, PartialEq, Args)]
pub struct SurfaceArgs {
    /// Side of the cells that a surface is sampled in, in spacings: half of it has four times the triangles.
    #[arg(long, value_name = "SPACINGS", default_value_t = SurfaceOptions::default().cell, value_parser = share(0.14, 2.0))]
    pub cell: f32,

    /// How often a surface is smoothed.
    #[arg(long, value_name = "N", default_value_t = SurfaceOptions::default().smoothing, value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub smoothing: u32,
}

impl Default for SurfaceArgs {
    fn default() -> Self {
        let SurfaceOptions { cell, smoothing, .. } = SurfaceOptions::default();
        Self { cell, smoothing }
    }
}

/// Pictures of a bake.
#[derive(Clone, Debug, Args)]
#[command(after_help = RENDER_EXAMPLES)]
pub struct Render {
    #[command(flatten)]
    pub of: Of,

    #[command(flatten)]
    pub look: Look,

    /// Change the camera, the light or a lamp for these pictures, such as `camera.angle=20`. May be given several times.
    #[arg(long, value_name = "PATH=VALUE", value_parser = sight)]
    pub set: Vec<Override>,
}

/// A value that only pictures ask for.
fn sight(text: &str) -> Result<Override, String> {
    let over: Override = text.parse().map_err(|e: NotAnOverride| e.to_string())?;
    let part = over.path.split('.').next().unwrap_or_default();
    match part {
        "camera" | "light" | "lamp" => Ok(over),
        _ => Err("pictures can only change camera, light and lamp; bake again to change the rest".into()),
    }
}

const RENDER_EXAMPLES: &str = "\
Examples:
  ondine render out --quality good              all pictures anew, with more samples
  ondine render out --frames 100 --quality fine --size 1920x1080
  ondine render out --particles --color speed   particles as balls, coloured by speed
  ondine render out --set camera.angle=20 --set light.sun_strength=0.5

Pictures that are there already, made the same way, are not made again.";

/// How pictures look.
#[derive(Clone, Copy, Debug, PartialEq, Args)]
pub struct Look {
    /// Width and height of the pictures [pixels].
    #[arg(long, value_name = "WxH", default_value = "1280x720")]
    pub size: Size,

    /// preview (drawn, not traced), draft, good, fine, or a number of samples for each pixel.
    #[arg(long, default_value = "draft")]
    pub quality: Quality,

    /// What the colours of liquids tell. Previews and planar scenes show materials only.
    #[arg(long, value_enum, default_value = "material")]
    pub color: Color,

    /// Show particles as balls instead of surfaces.
    #[arg(long)]
    pub particles: bool,

    #[command(flatten)]
    pub surface: SurfaceArgs,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            size: Size { width: 1280, height: 720 },
            quality: Quality::Draft,
            color: Color::Material,
            particles: false,
            surface: SurfaceArgs::default(),
        }
    }
}

impl Look {
    /// The same as arguments, where they are not the defaults.
    pub fn arguments(&self) -> String {
        let (mut text, usual) = (String::new(), Self::default());
        let mut note = |differs: bool, argument: String| text += if differs { argument.as_str() } else { "" };
        note(self.size != usual.size, format!(" --size {}", self.size));
        note(self.quality != usual.quality, format!(" --quality {}", self.quality));
        note(self.color != usual.color, format!(" --color {:?}", self.color).to_lowercase());
        note(self.particles, " --particles".into());
        note(self.surface.cell != usual.surface.cell, format!(" --cell {}", self.surface.cell));
        note(
            self.surface.smoothing != usual.surface.smoothing,
            format!(" --smoothing {}", self.surface.smoothing),
        );
        text
    }
}

/// What the colours of liquids tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// What they are made of.
    Material,
    /// How fast they are.
    Speed,
    /// How dense they are.
    Density,
}

/// A film of a bake's pictures.
#[derive(Clone, Debug, Args)]
#[command(after_help = FILM_EXAMPLES)]
pub struct Film {
    /// Folder of a bake.
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,

    /// Only these frames: `A..B`, both included, or `A..`, `..B`, `A`. Default: all.
    #[arg(long, value_name = "A..B")]
    pub frames: Option<FrameRange>,

    /// File to write: `.mp4`, or `.gif` for a page. Default: film.mp4 in the folder.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Make it this wide [pixels].
    #[arg(long, value_name = "W", value_parser = clap::value_parser!(u32).range(16..=4096))]
    pub width: Option<u32>,

    /// Take one picture of so many.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub every: u32,
}

const FILM_EXAMPLES: &str = "\
Examples:
  ondine film out                                       out/film.mp4
  ondine film out -o fountain.gif --width 320 --every 2
  ondine film out -o cut.mp4 --frames 30..90";

/// A plot of what was measured of bakes.
#[derive(Clone, Debug, Args)]
#[command(after_help = PLOT_EXAMPLES)]
pub struct Plot {
    /// Folders of bakes. Curves of several are drawn side by side.
    #[arg(value_name = "DIR", required = true)]
    pub folders: Vec<PathBuf>,

    /// Columns of the ledger, such as `liquid.water.kinetic_energy,substeps`. A `*` stands for any one part of a path. Default: the
    /// energies of what moves.
    #[arg(long, value_name = "PATH,...", value_delimiter = ',')]
    pub columns: Vec<String>,

    /// File to write: `.svg` or `.png`. Default: plot.svg in the first folder.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Width and height [pixels].
    #[arg(long, value_name = "WxH", default_value = "960x540")]
    pub size: Size,

    /// Print the columns that there are, with their units, and draw nothing.
    #[arg(long, conflicts_with_all = ["columns", "output"])]
    pub list: bool,
}

const PLOT_EXAMPLES: &str = "\
Examples:
  ondine plot out --list                                   what there is to plot
  ondine plot out --columns 'object.*.at.x,substeps'       out/plot.svg
  ondine plot coarse fine --columns liquid.water.kinetic_energy -o energy.png

Columns of one unit share a panel; each other unit has its own below.";

/// A range of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameRange {
    first: Option<u32>,
    last: Option<u32>,
}

impl FrameRange {
    /// The frames that are meant of a bake that goes to `end`, if it has any of them.
    pub fn within(&self, end: u32) -> Option<RangeInclusive<u32>> {
        let (first, last) = (self.first.unwrap_or(0), self.last.unwrap_or(end).min(end));
        (first <= last).then_some(first..=last)
    }
}

impl fmt::Display for FrameRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = |end: Option<u32>| end.map(|end| end.to_string()).unwrap_or_default();
        write!(f, "{}..{}", end(self.first), end(self.last))
    }
}

impl FromStr for FrameRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| match text {
            "" => Ok(None),
            text => text.parse().map(Some).map_err(|_| format!("`{text}` is no number of a frame")),
        };
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        let range = Self { first: number(first)?, last: number(last.trim_start_matches('='))? };
        match range {
            _ if text.is_empty() => Err("give a range such as 10..20".into()),
            Self { first: Some(first), last: Some(last) } if first > last => {
                Err(format!("{first} comes after {last}"))
            }
            range => Ok(range),
        }
    }
}

/// Width and height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    pub width: u32,
    pub height: u32,
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let side = |text: &str| text.parse().ok().filter(|side| (16..=4096).contains(side));
        let sides =
            text.split_once(['x', '×']).and_then(|(width, height)| Some((side(width)?, side(height)?)));
        let (width, height) = sides.ok_or("give a width and a height from 16 to 4096, such as 1280x720")?;
        Ok(Self { width, height })
    }
}

/// A file for other programs.
fn file(text: &str) -> Result<Export, String> {
    let export = Export::from_str(text, false).ok().filter(|export| export.is_file());
    export.ok_or_else(|| "give mesh, obj, glb, usd, balls, clips, vtk or npz".into())
}

/// A number between limits.
fn share(least: f32, most: f32) -> impl Fn(&str) -> Result<f32, String> + Clone {
    move |text| match text.parse::<f32>() {
        Ok(number) if number >= least && number <= most => Ok(number),
        _ => Err(format!("give a number from {least} to {most}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(text: &str) -> Option<RangeInclusive<u32>> {
        text.parse::<FrameRange>().ok()?.within(9)
    }

    #[test]
    fn ranges_of_frames_include_both_ends() {
        assert_eq!(frames("2..4"), Some(2..=4));
        assert_eq!(frames("2..=4"), Some(2..=4));
        assert_eq!(frames("..4"), Some(0..=4));
        assert_eq!(frames("7.."), Some(7..=9));
        assert_eq!(frames("7..100"), Some(7..=9));
        assert_eq!(frames("3"), Some(3..=3));
        assert_eq!(frames(".."), Some(0..=9));
        assert_eq!(frames("10..12"), None, "after the end");
        assert!(
            ["", "4..2", "a..b", "-1..3", "1...2"].iter().all(|text| text.parse::<FrameRange>().is_err())
        );
    }

    #[test]
    fn sizes_are_two_numbers() {
        assert_eq!("640x360".parse(), Ok(Size { width: 640, height: 360 }));
        assert!(["640", "640x", "8x8", "99999x10", "x"].iter().all(|text| text.parse::<Size>().is_err()));
    }
}
