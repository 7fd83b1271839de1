//! The `ondine` program. It owns what the engine must not: files, threads, clocks and terminals.

// Not "forbid": counting memory takes an allocator, and an allocator is unsafe (see `memory.rs`).
#![deny(unsafe_code)]

mod args;
mod bake;
mod bench;
mod cache;
mod check;
mod checkpoints;
mod console;
mod cost;
mod difference;
mod error;
mod faults;
mod gallery;
mod interrupt;
mod memory;
mod plot;
mod progress;
mod scene_choice;
mod stages;
mod summary;
mod threads;

use args::{Arguments, Command};
use clap::{CommandFactory, Parser};
use error::CliError;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(refusal) => return refused(&refusal),
    };
    console::be_quiet(arguments.quiet);
    match run(arguments.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            console::eprint(&error.report());
            ExitCode::from(error.status())
        }
    }
}

fn run(command: Option<Command>) -> Result<(), CliError> {
    match command {
        None => bake::bake(&args::Bake::of_default_scene()),
        Some(Command::Bake(order)) => bake::bake(&order),
        Some(Command::Mesh(order)) => stages::mesh(&order),
        Some(Command::Render(order)) => stages::render(&order),
        Some(Command::Film(order)) => stages::film(&order),
        Some(Command::Plot(order)) => plot::plot(&order),
        Some(Command::Check(order)) => check::check(&order),
        Some(Command::Scenes(order)) => gallery::show(&order),
        Some(Command::New(order)) => gallery::copy(&order),
        Some(Command::Completions(order)) => completions(order.shell),
        Some(Command::Schema) => console::print(&format!("{:#}", ondine_io::scene_text::schema())),
        Some(Command::Bench(order)) => bench::bench(&order),
    }
}

/// Prints what makes a shell complete the commands.
fn completions(shell: clap_complete::Shell) -> Result<(), CliError> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "ondine", &mut text);
    console::print(String::from_utf8_lossy(&text).trim_end())
}

/// Wrong arguments are the user's input at fault, status 1, where clap itself would say 2.
fn refused(refusal: &clap::Error) -> ExitCode {
    let help_or_version = !refusal.use_stderr();
    let plain = refusal.render().to_string();
    if console::harmless(&plain) == plain {
        // Nowhere is left to tell that the terminal is gone.
        let _ = refusal.print();
    } else {
        console::eprint(plain.trim_end());
    }
    if help_or_version { ExitCode::SUCCESS } else { ExitCode::from(1) }
}
