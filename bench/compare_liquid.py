#!/usr/bin/env python3
"""Ondine beside SPlisHSPlasH (DFSPH): the same dam break, in turns, on this machine.

Sets everything up by itself in bench/.scratch and prints a table. See README.md for what is compared.
"""

import argparse
import ctypes
import json
import math
import os
import resource
import subprocess
import sys
import time
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
SCRATCH = HERE / ".scratch"
PACKAGES = ["pysplishsplash==2.19.0", "numpy"]

SECONDS = 1.0
AT_REST = 8.0
POOL_HEIGHT = 0.5
# Share of the wall time that other processes may take before a run counts as disturbed.
DISTURBED = 0.05


def main():
    order = arguments()
    python = prepare_peer()
    ondine = build_ondine()
    rows = [compare(size, order, python, ondine) for size in order.sizes]
    print(table(rows), end="\n\n")
    print(f"{order.threads} threads each, best of {order.repeat}; seconds of wall time for one simulated second.")
    if any(run["disturbed"] for row in rows for run in (row["ondine"], row["splishsplash"])):
        print("* disturbed: other processes took processor time meanwhile. Measure again on a machine at rest.")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=numbers, default=[27], help="particles along an edge of the cube, such as 27,46")
    parser.add_argument("--repeat", type=int, default=2, help="runs of each, of which the fastest counts (default 2)")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="threads for both (default: all)")
    parser.add_argument("--no-settle", action="store_true", help="do not measure our pool at rest")
    return parser.parse_args()


def numbers(text):
    return [int(number) for number in text.split(",")]


def prepare_peer():
    """A virtual environment with the peer in it, made once; its Python."""
    home = SCRATCH / "venv"
    python = home / "bin" / "python"
    if not python.exists():
        say("making a virtual environment")
        venv.create(home, with_pip=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
    return python


def build_ondine():
    """The release program, wherever cargo puts it."""
    say("building ondine")
    command = ["cargo", "build", "--release", "--package", "ondine-cli", "--message-format", "json"]
    built = subprocess.run(command, cwd=HERE.parent, check=True, stdout=subprocess.PIPE, text=True)
    messages = [json.loads(line) for line in built.stdout.splitlines()]
    programs = [message["executable"] for message in messages if message.get("executable")]
    return programs[-1]


def compare(size, order, python, ondine):
    """The best of several runs of each, which take turns so that a slow minute hits both."""
    ours, theirs = [], []
    for turn in range(1, order.repeat + 1):
        say(f"{size}: run {turn} of {order.repeat}")
        ours.append(run_ondine(ondine, size, SECONDS, order.threads))
        theirs.append(run_splishsplash(python, size, order.threads))
    row = {"ondine": best(ours), "splishsplash": best(theirs), "pool": None}
    if not order.no_settle:
        say(f"{size}: our pool at rest")
        pool = run_ondine(ondine, size, AT_REST, order.threads)
        row["pool"] = 2 * pool["center"][1] / POOL_HEIGHT - 1
    return row


def run_ondine(program, size, seconds, threads):
    bench = [program, "bench", "liquid", "--json", "--no-settle"]
    bench += ["--size", str(size), "--seconds", str(seconds), "--threads", str(threads)]
    return measured(bench, dict(os.environ))


def run_splishsplash(python, size, threads):
    script = [python, HERE / "splishsplash_dam.py", "--size", str(size), "--seconds", str(SECONDS)]
    environment = os.environ | {"OMP_NUM_THREADS": str(threads)} | preload()
    return measured([*script, "--folder", SCRATCH / "splishsplash"], environment)


def preload():
    """The wheel carries a libGLdispatch of its own; where the system has one too, mixing them ends in a crash."""
    library = "libGLdispatch.so.0"
    try:
        ctypes.CDLL(library)
    except OSError:
        return {}
    return {"LD_PRELOAD": library}


def measured(command, environment):
    """What a run tells in its line of JSON, and whether other processes disturbed it."""
    busy, own, start = busy_time(), children_time(), time.perf_counter()
    ended = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    wall = time.perf_counter() - start
    result = last_json(ended.stdout)
    if ended.returncode != 0 or result is None:
        sys.exit(f"{command[0]} failed with status {ended.returncode}:\n{ended.stdout[-2000:]}")
    foreign = max(0.0, (busy_time() - busy) - (children_time() - own))
    # NaN, where nothing is known of other processes, is no disturbance.
    result |= {"foreign_s": foreign, "disturbed": foreign > DISTURBED * wall}
    told = f"{result['wall_per_simulated_s']:.2f} s a second, {foreign:.1f} s taken by others in {wall:.1f} s"
    say(f"    {Path(command[0]).name}: {told}")
    return result


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


def table(rows):
    head = ["particles", "ondine [s]", "SPlisHSPlasH [s]", "ratio", "steps", "our centre [m]", "their centre [m]"]
    lines = [head + ["distance [m]", "our pool at rest"]]
    for row in rows:
        ours, theirs, pool = row["ondine"], row["splishsplash"], row["pool"]
        if ours["particles"] != theirs["particles"]:
            sys.exit(f"not the same cube: {ours['particles']} and {theirs['particles']} particles")
        ratio = theirs["wall_per_simulated_s"] / ours["wall_per_simulated_s"]
        lines.append([
            str(ours["particles"]),
            seconds(ours),
            seconds(theirs),
            # A busy machine slows the two by very different factors: the ratio is the first thing it spoils.
            f"{ratio:.2f}" + mark(ours["disturbed"] or theirs["disturbed"]),
            f"{ours['steps']} / {theirs['steps']}",
            place(ours["center"]),
            place(theirs["center"]),
            f"{math.dist(ours['center'], theirs['center']):.3f}",
            "-" if pool is None else f"{100 * pool:+.2f} %",
        ])
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(line, widths)) for line in lines)


def seconds(run):
    return f"{run['wall_per_simulated_s']:.2f}" + mark(run["disturbed"])


def mark(disturbed):
    return "*" if disturbed else ""


def place(center):
    return " ".join(f"{coordinate:.3f}" for coordinate in center)


def say(text):
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
