"""How much a dam break still moves when it should be at rest, measured alike for every program.

Run as a script, it reads the folder of a bake by Ondine and tells one line of JSON. It needs numpy. In all programs the
second axis is up, and the liquid is 1 m³ in a box with a floor of 2 × 1 m.
"""

import itertools
import json
import sys
from pathlib import Path

import numpy

VOLUME = 1.0
FLOOR = 2.0
GRAVITY = 9.81
# What is left of the sloshing takes 2 s to and fro; its energy beats twice as fast, so a second holds a whole beat.
WATCHED = 1.0
# Frames a second to look at, where a program has more.
RATE = 24
# Degree of the polynomial that is taken for flow and not for jitter. The fifth and the sixth change a fiftieth.
SMOOTH = 4


class Rest:
    """Means over the frames that it is shown."""

    def __init__(self):
        self.heights, self.squares, self.jitters = [], [], []

    def add(self, points, velocities, weights=None):
        """A frame: places and speeds of particles, or of cells weighted with how much liquid they hold."""
        weights = numpy.ones(len(points)) if weights is None else weights
        self.heights.append(numpy.average(points[:, 1], weights=weights))
        self.squares.append(mean_square(velocities, weights))
        self.jitters.append(mean_square(velocities - flow(points, velocities, weights), weights))

    def frames(self):
        return len(self.heights)

    def speeds(self):
        """Root mean square of the speeds, and of what is left of them without what flows to and fro [m/s]."""
        return {
            "rms_speed": float(numpy.mean(self.squares) ** 0.5),
            "jitter": float(numpy.mean(self.jitters) ** 0.5),
        }

    def pool(self, floor=0.0, area=FLOOR):
        """How much too high the pool is, as a fraction: its centre is half as high as its surface. And which part of that
        is sloshing: on average, waves hold as much energy in height as in motion."""
        demanded = VOLUME / area
        height = 2 * (numpy.mean(self.heights) - floor)
        lifted = numpy.mean(self.squares) / GRAVITY
        return {"pool_error": float(height / demanded - 1), "pool_sloshing": float(lifted / demanded)}


def flow(points, velocities, weights):
    """The smooth part of the speeds: the polynomial of the place that fits them best."""
    places = (points - points.mean(axis=0)) / numpy.ptp(points, axis=0)
    powers = [power for power in itertools.product(range(SMOOTH + 1), repeat=3) if sum(power) <= SMOOTH]
    terms = numpy.stack([numpy.prod(places**power, axis=1) for power in powers], axis=1)
    scale = numpy.sqrt(weights)[:, None]
    return terms @ numpy.linalg.lstsq(scale * terms, scale * velocities, rcond=None)[0]


def mean_square(velocities, weights):
    return numpy.average((velocities**2).sum(axis=1), weights=weights)


def particles(path):
    """Places and speeds in a PLY file by Ondine: the first six of its 4-byte properties."""
    header, body = path.read_bytes().split(b"end_header\n", 1)
    words = header.decode().split()
    count = int(words[words.index("vertex") + 1])
    width = header.split(b"element face")[0].count(b"\nproperty ")
    table = numpy.frombuffer(body, "<f4", count * width).reshape(count, width)
    return table[:, :3], table[:, 3:6]


def main():
    folder = Path(sys.argv[1])
    ledger = [json.loads(line) for line in (folder / "ledger.jsonl").read_text().splitlines()]
    end, rest = ledger[-1]["time"], Rest()
    for path, line in zip(sorted((folder / "particles").glob("*.ply")), ledger, strict=True):
        if line["time"] > end - WATCHED + 1e-6:
            rest.add(*particles(path))
    hashes = {line["time"]: line["hash"] for line in ledger}
    print("RESULT", json.dumps({"hashes": hashes} | rest.speeds() | rest.pool()))


if __name__ == "__main__":
    main()
