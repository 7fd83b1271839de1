//! `ondine plot`: any columns of the ledgers of bakes, over time.

mod chart;
mod columns;
mod drawing;
mod font;

use crate::args;
use crate::console;
use crate::error::CliError;
use chart::Curve;
use columns::Columns;
use ondine::suggest;
use ondine_io::atomic;
use ondine_io::bake::Bake;
use std::path::{Path, PathBuf};

/// Most curves that are drawn when nobody says which.
const USUAL: usize = 8;

/// A bake and what was measured of it.
struct Measured {
    folder: PathBuf,
    title: String,
    columns: Columns,
}

impl Measured {
    fn read(folder: &Path) -> Result<Self, CliError> {
        let bake = Bake::open(folder)?;
        let columns = Columns::of(&bake.ledger()?);
        if columns.time.is_empty() {
            return Err(CliError::NothingMeasured { folder: folder.into() });
        }
        Ok(Self { folder: folder.into(), title: bake.scene().title.clone(), columns })
    }

    /// The columns that a pattern names, or what it may have meant.
    fn named(&self, pattern: &str) -> Result<Vec<String>, CliError> {
        let named = self.columns.named(pattern);
        if named.is_empty() {
            let alike = suggest::nearest(pattern, self.columns.all.keys().map(String::as_str));
            let (column, folder) = (pattern.to_string(), self.folder.clone());
            return Err(CliError::NoSuchColumn { column, folder, alike: alike.map(str::to_string) });
        }
        Ok(named.into_iter().map(str::to_string).collect())
    }

    /// What to show when nobody says: the energies of what moves, or else the steps.
    fn usual(&self) -> Vec<String> {
        let is_energy =
            |path: &&String| path.ends_with("kinetic_energy") || columns::measure(path) == "energy";
        let energies: Vec<String> = self.columns.all.keys().filter(is_energy).take(USUAL).cloned().collect();
        if energies.is_empty() { vec!["substeps".into()] } else { energies }
    }

    fn curve(&self, column: &str, alone: bool) -> Curve {
        let values = self.columns.all.get(column).into_iter().flatten().copied();
        let name = if alone { column.into() } else { format!("{}: {column}", self.folder.display()) };
        Curve { name, axis: axis(column), points: self.columns.time.iter().copied().zip(values).collect() }
    }
}

/// What the axis of a column says: its unit, or what it counts.
fn axis(column: &str) -> String {
    match columns::unit(column) {
        "" => columns::measure(column).replace('_', " "),
        unit => format!("[{unit}]"),
    }
}

/// Draws the plot that is ordered, or lists what there is.
pub fn plot(order: &args::Plot) -> Result<(), CliError> {
    let bakes: Vec<Measured> = order.folders.iter().map(|f| Measured::read(f)).collect::<Result<_, _>>()?;
    if order.list {
        return list(&bakes);
    }
    let alone = bakes.len() == 1;
    let path = order.output.clone().unwrap_or_else(|| bakes[0].folder.join("plot.svg"));
    let mut curves = Vec::new();
    for bake in &bakes {
        let mut shown = Vec::new();
        for pattern in &order.columns {
            shown.extend(bake.named(pattern)?);
        }
        if order.columns.is_empty() {
            shown = bake.usual();
        }
        curves.extend(shown.iter().map(|column| bake.curve(column, alone)));
    }
    let titles = bakes.iter().map(|bake| bake.title.as_str());
    let title = titles.fold(String::new(), |all, title| match all.as_str() {
        "" => title.into(),
        same if same == title => all,
        _ => format!("{all}; {title}"),
    });
    let drawing = label_axes(title, curves, (order.size.width, order.size.height));
    write(&drawing, &path)?;
    console::info(&format!("  plot       {}", path.display()))
}

/// Axes of curves that all measure the same say what that is.
fn label_axes(title: String, mut curves: Vec<Curve>, size: (u32, u32)) -> drawing::Drawing {
    let column = |curve: &Curve| curve.name.rsplit(": ").next().unwrap_or_default().to_string();
    let measured = |curve: &Curve| columns::measure(&column(curve)).to_string();
    let named: Vec<String> = curves
        .iter()
        .map(|curve| {
            let mut alike = curves.iter().filter(|other| other.axis == curve.axis);
            let same = alike.all(|other| measured(other) == measured(curve)) && curve.axis.starts_with('[');
            if same {
                format!("{} {}", measured(curve).replace('_', " "), curve.axis)
            } else {
                curve.axis.clone()
            }
        })
        .collect();
    curves.iter_mut().zip(named).for_each(|(curve, axis)| curve.axis = axis);
    chart::chart(&title, &curves, size)
}

/// Prints the columns that any of the bakes has, with their units.
fn list(bakes: &[Measured]) -> Result<(), CliError> {
    let mut paths: Vec<&String> = bakes.iter().flat_map(|bake| bake.columns.all.keys()).collect();
    paths.sort();
    paths.dedup();
    let line = |path: &&String| match columns::unit(path) {
        "" => path.to_string(),
        unit => format!("{path} [{unit}]"),
    };
    console::print(&paths.iter().map(line).collect::<Vec<_>>().join("\n"))
}

/// Writes a drawing as the ending of its file says, whole or not at all.
fn write(drawing: &drawing::Drawing, path: &Path) -> Result<(), CliError> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_lowercase();
    let written = match ending.as_str() {
        "svg" => atomic::write(path, |out| out.write_all(drawing.svg().as_bytes())),
        "png" => atomic::write(path, |out| drawing.picture().encode_png(out, "")),
        _ => return Err(CliError::NotAPlot { path: path.into() }),
    };
    written.map_err(|source| CliError::Unmade { path: path.into(), source })
}
