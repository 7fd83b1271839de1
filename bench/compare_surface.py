#!/usr/bin/env python3
"""Surfaces by Ondine beside splashsurf: the same particles, support and cells, in turns, on this machine.

Fetches and builds splashsurf by itself in bench/.scratch and prints a table. See README.md for what is compared.
"""

import argparse
import os
import subprocess
import sys
import time

from compare_liquid import SCRATCH, build_ondine, last_json, numbers, say

SPLASHSURF = "0.14.1"
# In particle radii, as in the peer's own documentation: a support of two spacings, cells of a quarter of one.
RECONSTRUCT = ["--smoothing-length=2.0", "--cube-size=0.5", "--surface-threshold=0.6", "--subdomain-grid=on"]
POST = [
    "--mesh-cleanup=on",
    "--mesh-smoothing-weights=on",
    "--mesh-smoothing-iters=25",
    "--normals=on",
    "--normals-smoothing-iters=10",
]


def main():
    order = arguments()
    peer = prepare_peer()
    ondine = build_ondine()
    rows = [row for size in order.sizes for row in compare(size, order, peer, ondine)]
    for line in aligned([HEAD, *rows]):
        print(line)
    print(f"\n{order.threads} threads each, best of {order.repeat}; their times are with reading and writing files.")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=numbers, default=[46], help="cube roots of the numbers of particles (46: 97 thousand)")
    parser.add_argument("--repeat", type=int, default=2, help="runs of each, of which the fastest counts (default 2)")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="threads for both (default: all)")
    return parser.parse_args()


def prepare_peer():
    program = SCRATCH / "splashsurf" / "bin" / "splashsurf"
    if not program.exists():
        say("building splashsurf")
        command = ["cargo", "install", "splashsurf", "--version", SPLASHSURF, "--root", SCRATCH / "splashsurf"]
        subprocess.run(command, check=True)
    return program


HEAD = ["particles", "", "ondine [s]", "splashsurf [s]", "ratio", "ondine [MB]", "splashsurf [MB]", "triangles"]


def compare(size, order, peer, ondine):
    """A row for the bare surfaces and one for the smoothed ones with normals."""
    places = SCRATCH / f"surface-{size}.xyz"
    bench = [ondine, "bench", "surface", "--json", "--size", str(size), "--threads", str(order.threads)]
    ours, plain, post = [], [], []
    for turn in range(1, order.repeat + 1):
        say(f"{size}: run {turn} of {order.repeat}")
        ours.append(last_json(timed([*bench, "--particles", places])["text"]))
        radius = f"--particle-radius={0.5 * ours[-1]['spacing']}"
        reconstruct = [peer, "reconstruct", places, radius, *RECONSTRUCT, f"--num-threads={order.threads}"]
        reconstruct += ["-o", SCRATCH / "surface.ply"]
        plain.append(timed(reconstruct))
        post.append(timed([*reconstruct, *POST]))
    own = {key: min(run[key] for run in ours) for key in ("plain_s", "whole_s", "plain_bytes", "bytes")}
    first = ours[0]
    return [
        row(first["particles"], "plain", own["plain_s"], own["plain_bytes"], plain, ""),
        row(first["particles"], "smoothed, normals", own["whole_s"], own["bytes"], post, str(first["triangles"])),
    ]


def row(particles, what, seconds, memory, runs, triangles):
    theirs, peak = min(run["wall"] for run in runs), min(run["bytes"] for run in runs)
    figures = [f"{seconds:.2f}", f"{theirs:.2f}", f"{theirs / seconds:.1f}", f"{memory / 1e6:.0f}", f"{peak / 1e6:.0f}"]
    return [str(particles), what, *figures, triangles]


def timed(command):
    """Wall time [s], most memory [B] and text of a run."""
    start = time.perf_counter()
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    text = run.stdout.read()
    _, status, used = os.wait4(run.pid, 0)
    if status != 0:
        sys.exit(f"{command[0]} failed with status {status}:\n{text[-2000:]}")
    return {"wall": time.perf_counter() - start, "bytes": 1024 * used.ru_maxrss, "text": text}


def aligned(lines):
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEAD))]
    return ["  ".join(cell.rjust(width) for cell, width in zip(line, widths)) for line in lines]


if __name__ == "__main__":
    main()
