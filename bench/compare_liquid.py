#!/usr/bin/env python3
"""Ondine beside SPlisHSPlasH (DFSPH) and Blender (FLIP): the same dam break, in turns, on this machine.

Sets everything up by itself in bench/.scratch and prints a table. See README.md for what is compared.
"""

import argparse
import ctypes
import json
import math
import os
import resource
import shutil
import subprocess
import sys
import time
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
SCRATCH = HERE / ".scratch"
SPLISHSPLASH = ["pysplishsplash==2.19.0", "numpy"]
BLENDER = ["bpy==5.0.1", "numpy"]

SECONDS = 1.0
AT_REST = 8.0
# Largest cube that is let come to rest: eight seconds of a larger one take DFSPH most of an hour.
SETTLED = 30
# The compression that Ondine's water accepts where a scene says nothing [%].
OUR_ERROR = 2.0
# Share of the wall time that other processes may take before a run counts as disturbed.
DISTURBED = 0.05

SCENE = """\
duration = {seconds}

[[liquid]]
name = "{name}"
material = "water"
model = "{model}"
spacing = {spacing}
fill = {{ shape = {{ box = {{ size = [1, 1, 1] }} }}, at = [0.5, 0.5, 0.5] }}

[[object]]
name = "walls"
shape = {{ container = {{ size = [2, 2, 1] }} }}
at = [1, 1, 0.5]
"""


class Failed(Exception):
    """A run that did not end well, with what it said."""


def main():
    order = arguments()
    try:
        programs = prepare(order)
        rows = [row for size in order.sizes for row in compare(size, order, programs)]
    except Failed as failure:
        sys.exit(str(failure))
    print(aligned([HEAD, *map(cells, rows)]), end="\n\n")
    print(f"{order.threads} threads each, best of {order.repeat}; s/s: seconds of wall time for one simulated second.")
    print("loose: tolerates as much error as Ondine. FLIP: cells of two spacings, particles near the surface only.")
    if any(row["disturbed"] for row in rows):
        print("* disturbed: other processes took processor time meanwhile. Measure again on a machine at rest.")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=numbers, default=[27], help="particles along an edge of the cube, such as 27,46")
    parser.add_argument("--repeat", type=int, default=2, help="runs of each, of which the fastest counts (default 2)")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="threads for each (default: all)")
    parser.add_argument("--no-settle", action="store_true", help="do not measure the pools at rest")
    parser.add_argument("--no-blender", action="store_true", help="leave Blender out, a third of a gigabyte to fetch")
    parser.add_argument("--ondine", metavar="PROGRAM", help="measure this program instead of building one")
    return parser.parse_args()


def numbers(text):
    return [int(number) for number in text.split(",")]


def prepare(order):
    """The programs to compare, ours first."""
    peers = environment("venv", SPLISHSPLASH)
    ondine = order.ondine or build_ondine()
    programs = [
        Ondine("Ondine", "liquid", "viscoelastic", ondine, peers, order.threads),
        Ondine("Ondine dfsph", "dfsph", "dfsph", ondine, peers, order.threads),
        Dfsph("SPlisHSPlasH DFSPH", [], peers, order.threads),
        Dfsph("the same, loose", ["--error", str(OUR_ERROR), "--no-divergence"], peers, order.threads),
    ]
    if not order.no_blender:
        programs += prepare_blender(order.threads)
    return programs


def prepare_blender(threads):
    """Blender if it can be had and can bake here, else nothing."""
    try:
        blender = Blender(environment("blender", BLENDER), threads)
        blender.try_out()
    except subprocess.CalledProcessError:
        say(f"Blender is left out: pip cannot install {BLENDER[0]} here")
    except Failed as failure:
        say(f"Blender is left out, as it cannot bake here: {str(failure).strip().splitlines()[-1]}")
    else:
        return [blender]
    return []


def environment(name, packages):
    """A virtual environment with these packages, made once; its Python."""
    home = SCRATCH / name
    python = home / "bin" / "python"
    if not python.exists():
        say(f"making a virtual environment with {packages[0]}")
        venv.create(home, with_pip=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
    return python


def build_ondine():
    """The release program, wherever cargo puts it."""
    say("building ondine")
    command = ["cargo", "build", "--release", "--package", "ondine-cli", "--message-format", "json"]
    built = subprocess.run(command, cwd=HERE.parent, check=True, stdout=subprocess.PIPE, text=True)
    messages = [json.loads(line) for line in built.stdout.splitlines()]
    programs = [message["executable"] for message in messages if message.get("executable")]
    return programs[-1]


class Ondine:
    def __init__(self, name, benchmark, model, program, python, threads):
        self.name, self.benchmark, self.model = name, benchmark, model
        self.program, self.python, self.threads = program, python, threads

    def second(self, size):
        """The first second, timed."""
        bench = [self.program, "bench", self.benchmark, "--json", "--no-settle", "--threads", str(self.threads)]
        return measured([*bench, "--size", str(size), "--seconds", str(SECONDS)])

    def rest(self, size):
        """How it is after all seconds. The benchmark does not tell speeds, so the same scene is baked."""
        folder, scene = SCRATCH / "ondine", SCRATCH / "dam.toml"
        scene.write_text(SCENE.format(name=self.benchmark, model=self.model, seconds=AT_REST, spacing=1 / size))
        bake = [self.program, "bake", scene, "--export", "ply", "--threads", str(self.threads), "--overwrite"]
        ran([*bake, "--output", folder])
        found = told([self.python, HERE / "at_rest.py", folder])
        shutil.rmtree(folder)
        return found


class Dfsph:
    def __init__(self, name, options, python, threads):
        self.name, self.options, self.python, self.threads = name, options, python, threads

    def second(self, size):
        return measured(self.command(size, SECONDS), **self.environment())

    def rest(self, size):
        # Nobody times this: threads that wait for each other may sleep, which is much faster on a busy machine.
        return told([*self.command(size, AT_REST), "--rest"], OMP_WAIT_POLICY="passive", **self.environment())

    def command(self, size, seconds):
        script = [self.python, HERE / "splishsplash_dam.py", "--size", str(size), "--seconds", str(seconds)]
        return [*script, "--folder", SCRATCH / "splishsplash", *self.options]

    def environment(self):
        return {"OMP_NUM_THREADS": str(self.threads)} | preload()


class Blender:
    name = "Blender FLIP"

    def __init__(self, python, threads):
        self.python, self.threads = python, threads

    def try_out(self):
        told(self.command(8, 0.2))

    def second(self, size):
        """Keeping what there is to measure takes time: a second run does that."""
        found = told([*self.command(size, SECONDS), "--measure"])
        return found | measured(self.command(size, SECONDS))

    def rest(self, size):
        found = told([*self.command(size, AT_REST), "--measure"])
        shutil.rmtree(SCRATCH / "mantaflow")
        return found

    def command(self, size, seconds):
        script = [self.python, HERE / "blender_dam.py", "--size", str(size), "--seconds", str(seconds)]
        return [*script, "--folder", SCRATCH / "mantaflow", "--threads", str(self.threads)]


def compare(size, order, programs):
    """A row for each program: the best of several runs, which take turns so that a slow minute hits all."""
    runs = [[] for _ in programs]
    for turn in range(1, order.repeat + 1):
        say(f"{size}: run {turn} of {order.repeat}")
        for program, own in zip(programs, runs):
            own.append(program.second(size) | {"program": program.name})
    rows = [best(own) for own in runs]
    cubes = {row["particles"] for row in rows if "steps" in row}
    if len(cubes) > 1:
        raise Failed(f"not the same cube: {cubes} particles")
    if not order.no_settle and size <= SETTLED:
        for program, row in zip(programs, rows):
            say(f"{size}: {program.name} until it is at rest")
            rest = program.rest(size)
            row |= {name: rest.get(name) for name in ("pool_error", "pool_sloshing", "rms_speed", "jitter")}
            check_scene(row, rest)
    for row in rows:
        row["ours"] = rows[0]
    return rows


def check_scene(row, rest):
    """Our two runs are of one scene, which one writes and the other has built in."""
    if "hashes" in rest and rest["hashes"][str(SECONDS)] != row["hash"]:
        raise Failed("the scene that this script bakes is not the one that `ondine bench` runs")


def preload():
    """The wheel carries a libGLdispatch of its own; where the system has one too, mixing them ends in a crash."""
    library = "libGLdispatch.so.0"
    try:
        ctypes.CDLL(library)
    except OSError:
        return {}
    return {"LD_PRELOAD": library}


def measured(command, **environment):
    """What a run tells in its line of JSON, and whether other processes disturbed it."""
    busy, own, start = busy_time(), children_time(), time.perf_counter()
    result = told(command, **environment)
    wall = time.perf_counter() - start
    foreign = max(0.0, (busy_time() - busy) - (children_time() - own))
    # NaN, where nothing is known of other processes, is no disturbance.
    result |= {"foreign_s": foreign, "disturbed": foreign > DISTURBED * wall}
    script = next((Path(word).stem for word in command if str(word).endswith(".py")), Path(command[0]).name)
    speed = f"{result['wall_per_simulated_s']:.2f} s a second, {foreign:.1f} s taken by others in {wall:.1f} s"
    say(f"    {script}: {speed}")
    return result


def told(command, **environment):
    """What a run tells in its last line of JSON."""
    text = ran(command, **environment)
    result = last_json(text)
    if result is None:
        raise Failed(f"{command[0]} tells nothing:\n{text[-2000:]}")
    return result


def ran(command, **environment):
    """What a run prints."""
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    ended = subprocess.run(command, env=os.environ | environment, **streams)
    if ended.returncode != 0:
        raise Failed(f"{command[0]} failed with status {ended.returncode}:\n{ended.stdout[-2000:]}")
    return ended.stdout


def last_json(text):
    lines = [line.removeprefix("RESULT ") for line in text.splitlines()]
    objects = [json.loads(line) for line in lines if line.startswith("{") and line.endswith("}")]
    return objects[-1] if objects else None


def busy_time():
    """Processor time used since the start of the machine [s], also by its neighbours on a shared host; NaN where
    nobody tells."""
    try:
        fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
    except OSError:
        return math.nan
    user, nice, system, _idle, _waiting, irq, soft_irq, stolen = map(int, fields[:8])
    return (user + nice + system + irq + soft_irq + stolen) / os.sysconf("SC_CLK_TCK")


def children_time():
    """Processor time that finished children have used [s]."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def best(runs):
    """The fastest of the undisturbed runs or, if there is none, of all."""
    calm = [run for run in runs if not run["disturbed"]]
    return min(calm or runs, key=lambda run: run["wall_s"])


HEAD = ["program", "particles", "steps", "s/s", "times ours", "squeezed", "centre after 1 s [m]", "off ours [m]"]
HEAD += ["pool too high", "by sloshing", "rms speed [m/s]", "jitter [m/s]"]


def cells(row):
    """A row of the table. What a program does not tell is a dash."""
    ours, center = row["ours"], row["center"]
    # A busy machine slows the programs by very different factors: the ratio is the first thing it spoils.
    spoiled = ours["disturbed"] or row["disturbed"]
    return [
        row["program"],
        str(row["particles"]),
        shown(row.get("steps"), "{}"),
        f"{row['wall_per_simulated_s']:.2f}" + mark(row["disturbed"]),
        f"{row['wall_per_simulated_s'] / ours['wall_per_simulated_s']:.2f}" + mark(spoiled),
        shown(row.get("compression"), "{:.2%}"),
        " ".join(f"{coordinate:.3f}" for coordinate in center),
        f"{math.dist(center, ours['center']):.3f}",
        shown(row.get("pool_error"), "{:+.1%}"),
        shown(row.get("pool_sloshing"), "{:+.1%}"),
        shown(row.get("rms_speed"), "{:.3f}"),
        shown(row.get("jitter"), "{:.3f}"),
    ]


def shown(value, form):
    return "-" if value is None else form.format(value)


def mark(disturbed):
    return "*" if disturbed else ""


def aligned(lines):
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEAD))]
    return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(line, widths)) for line in lines)


def say(text):
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
