"""Blender's half of the comparison: the dam break with its liquid (Mantaflow's FLIP), told as one line of JSON.

Run by compare_liquid.py inside the virtual environment that has bpy; see README.md for the traps that shape this file.
Everything is as Blender has it by default, but for the scene and the size of the cells. A cell is two spacings wide: the
8 particles that Blender puts into it are then as far apart as everybody's. Where a metre is no whole number of such cells,
they are a little wider, so that Blender never has more to do than the others.
"""

import argparse
import gzip
import importlib.machinery
import importlib.util
import itertools
import json
import os
import shutil
import sys
import time
from pathlib import Path

# Has to be asked before bpy is loaded, which puts another module in its own place.
LIBRARY = importlib.util.find_spec("bpy").origin

import bpy
import numpy

from at_rest import FLOOR, VOLUME, WATCHED, Rest

TANK = (2.0, 1.0, 2.0)
# Blender's own frame rate, and units of the solver's time in a second: a tenth in each of 25 frames.
FPS = 24
SOLVER_TIME = 2.5


def main():
    order = arguments()
    use_threads(order.threads)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    cells = order.size // 2
    tank = add_box("tank", [-1 / cells] * 3, [side + 1 / cells for side in TANK])
    liquid = add_box("liquid", [0.0] * 3, [1.0] * 3)
    settings = set_up(tank, liquid, cells, order)
    wake_solver()
    result = bake(tank, settings, order)
    if order.measure:
        result |= measure(Path(settings.cache_directory) / "data", cells, round(order.seconds * FPS))
    # Blender prints too: the mark tells its lines from ours.
    print("RESULT", json.dumps(result), flush=True)
    # Its solver does not survive a tidy end.
    os._exit(0)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, required=True, help="particles along an edge of the cube")
    parser.add_argument("--seconds", type=float, required=True, help="time to simulate")
    parser.add_argument("--folder", type=Path, required=True, help="where the cache goes; what is in it is removed")
    parser.add_argument("--threads", type=int, required=True, help="how many cores it may use")
    parser.add_argument("--measure", action="store_true", help="keep everything, and measure the end")
    return parser.parse_args()


def use_threads(number):
    """As a module Blender has no option for it, but does not use cores that it may not. Not every system knows how."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:number])


def add_box(name, low, high):
    corners = list(itertools.product(*zip(low, high)))
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(corners, [], faces)
    box = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(box)
    return box


def set_up(tank, liquid, cells, order):
    """The outermost cells of a domain are its walls, so the box is larger by one cell on each side."""
    flow = fluid(liquid, "FLOW").flow_settings
    flow.flow_type, flow.flow_behavior = "LIQUID", "GEOMETRY"
    settings = fluid(tank, "DOMAIN").domain_settings
    settings.domain_type = "LIQUID"
    settings.resolution_max = int(TANK[0]) * cells + 2
    settings.use_mesh = False
    settings.cache_type = "ALL"
    settings.cache_frame_start, settings.cache_frame_end = 0, round(order.seconds * FPS)
    shutil.rmtree(order.folder, ignore_errors=True)
    settings.cache_directory = str(order.folder.resolve())
    if order.measure:
        # The distance to the surface is only in the files that a bake can be resumed from.
        settings.cache_data_format, settings.cache_resumable = "UNI", True
    scene = bpy.context.scene
    scene.render.fps = FPS
    scene.frame_start, scene.frame_end = settings.cache_frame_start, settings.cache_frame_end
    return settings


def fluid(box, kind):
    modifier = box.modifiers.new("fluid", "FLUID")
    modifier.fluid_type = kind
    return modifier


def wake_solver():
    """As a module Blender loads its solver's classes before they have been told of their parents, whose methods they then
    lack. The first look at a domain tells them; loaded again after that, they are whole."""
    bpy.context.scene.frame_set(0)
    loader = importlib.machinery.ExtensionFileLoader("manta_main", LIBRARY)
    spec = importlib.util.spec_from_file_location("manta_main", LIBRARY, loader=loader)
    sys.modules["manta"] = importlib.util.module_from_spec(spec)


def bake(tank, settings, order):
    bpy.context.view_layer.objects.active = tank
    start = time.perf_counter()
    bpy.ops.fluid.bake_all()
    wall = time.perf_counter() - start
    bpy.context.scene.frame_set(settings.cache_frame_end)
    baked = tank.evaluated_get(bpy.context.evaluated_depsgraph_get())
    particles = len(baked.particle_systems[0].particles)
    if particles == 0:
        raise SystemExit("Blender says that it has baked, but there is no liquid")
    # The first frame is one that is simulated too.
    simulated = (settings.cache_frame_end + 1) / FPS
    return {
        "particles": particles,
        "simulated_s": simulated,
        "wall_s": wall,
        "wall_per_simulated_s": wall / simulated,
    }


def measure(data, cells, last):
    """Where the liquid is after a second and, if it has had more, how much it moves in the last one."""
    surface = surface_of(data, cells)
    points, _, shares = frame(data, cells, min(FPS, last), surface)
    result = {"center": numpy.average(points, axis=0, weights=shares).tolist()}
    if last <= FPS:
        return result
    rest, volumes = Rest(), []
    for number in range(last - round(WATCHED * FPS) + 1, last + 1):
        points, velocities, shares = frame(data, cells, number, surface)
        rest.add(points, velocities, shares)
        volumes.append(shares.sum() / cells**3)
    # Neither particles nor volume are kept, so the height is that of the volume and not that of the centre.
    height = numpy.mean(volumes) / FLOOR
    return result | rest.speeds() | {"pool_error": float(height / (VOLUME / FLOOR) - 1)}


def surface_of(data, cells):
    """The distance at which its liquid is 1 m³ at the start [cells]: its own surface wraps the particles."""
    distance = inner(grid(data, "phi", 0))
    low, high = -2.0, 2.0
    for _ in range(40):
        middle = 0.5 * (low + high)
        is_too_much = filled(distance, middle).sum() > VOLUME * cells**3
        low, high = (low, middle) if is_too_much else (middle, high)
    return low


def filled(distance, surface):
    """Which share of each cell is liquid."""
    return numpy.clip(0.5 - (distance - surface), 0, 1)


def frame(data, cells, number, surface):
    """Centres of the cells [m], speeds there [m/s] and the shares that are liquid; the second axis up."""
    shares = filled(inner(grid(data, "phi", number)), surface)
    faces = grid(data, "vel", number)
    # Each component is given on the lower face of its axis.
    upper = [numpy.roll(faces[..., axis], -1, axis) for axis in range(3)]
    velocities = inner(0.5 * (faces + numpy.stack(upper, axis=-1))) * SOLVER_TIME / cells
    points = (numpy.stack(numpy.indices(shares.shape), axis=-1) + 0.5) / cells
    return points.reshape(-1, 3)[:, [0, 2, 1]], velocities.reshape(-1, 3)[:, [0, 2, 1]], shares.ravel()


def inner(values):
    """Without the walls."""
    return values[1:-1, 1:-1, 1:-1]


def grid(data, name, number):
    """A grid of the solver's uni files: a header that begins with a mark and the number of cells, and 4-byte floats, x
    fastest."""
    content = gzip.decompress((data / f"{name}_{number:04}.uni").read_bytes())
    x, y, z, _, _, width = numpy.frombuffer(content, "<i4", 6, 4)
    values = numpy.frombuffer(content[-x * y * z * width :], "<f4").reshape(z, y, x, width // 4)
    values = values.transpose(2, 1, 0, 3)
    return values[..., 0] if width == 4 else values


if __name__ == "__main__":
    main()
