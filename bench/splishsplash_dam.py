"""SPlisHSPlasH's half of the comparison: the dam break with DFSPH, told as one line of JSON.

Run by compare_liquid.py inside the virtual environment that has pysplishsplash; see README.md for the traps that
shape this file.
"""

import argparse
import itertools
import json
import time
from pathlib import Path

import numpy
import pysplishsplash

from at_rest import RATE, WATCHED, Rest

TANK = (2.0, 2.0, 1.0)
DENSITY = 1000.0
LONGEST_STEP = 0.005
DFSPH, VOLUME_MAPS, STANDARD_VISCOSITY = 4, 2, 1


def main():
    order = arguments()
    order.folder.mkdir(parents=True, exist_ok=True)
    scene = write_scene(order)
    simulator = pysplishsplash.Exec.SimulatorBase()
    simulator.init(sceneFile=str(scene), useGui=False, initialPause=False, outputDir=str(scene.parent))
    simulator.initSimulation()
    result = run(simulator, order)
    # The library prints too: the mark tells its lines from ours.
    print("RESULT", json.dumps(result), flush=True)
    simulator.cleanup()


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, required=True, help="particles along an edge of the cube")
    parser.add_argument("--seconds", type=float, required=True, help="time to simulate")
    parser.add_argument("--folder", type=Path, required=True, help="where the scene and the logs go")
    parser.add_argument("--error", type=float, default=0.05, help="density error that is tolerated [%%]")
    parser.add_argument("--no-divergence", action="store_true", help="leave the solver for the divergence out")
    parser.add_argument("--rest", action="store_true", help="measure how much it moves in the last second")
    return parser.parse_args()


def run(simulator, order):
    """Runs to `seconds` and just past; neither loading the scene nor mapping the walls is timed."""
    clock = pysplishsplash.TimeManager.getCurrent()
    liquid = pysplishsplash.Simulation.getCurrent().getFluidModel(0)
    particles = liquid.numActiveParticles()
    check_start(positions(liquid), order.size)
    seconds, rest = order.seconds, Rest()
    times, centers = [0.0], [center(liquid)]

    def after_step():
        times.append(clock.getTime())
        # Only the centres on both sides of the end are wanted, and no step is longer than LONGEST_STEP.
        near_the_end = times[-1] > seconds - 2 * LONGEST_STEP
        centers.append(center(liquid) if near_the_end else None)
        if order.rest and times[-1] > seconds - WATCHED + rest.frames() / RATE:
            rest.add(positions(liquid), field(liquid, "velocity"))

    simulator.setTimeStepCB(after_step)
    start = time.perf_counter()
    simulator.runSimulation()
    wall = time.perf_counter() - start
    return {
        "particles": particles,
        "simulated_s": times[-1],
        "steps": len(times) - 1,
        "wall_s": wall,
        "wall_per_simulated_s": wall / times[-1],
        "ns_per_particle_step": 1e9 * wall / (particles * (len(times) - 1)),
        "center": center_at(seconds, times[-2:], centers[-2:]).tolist(),
        "compression": compression(field(liquid, "density")),
        **(at_rest(rest, positions(liquid), 1 / order.size) if order.rest else {}),
    }


def field(liquid, name):
    # The buffer also holds room for particles that emitters may add.
    return numpy.asarray(liquid.getFieldBuffer(name))[: liquid.numActiveParticles()]


def positions(liquid):
    return field(liquid, "position")


def compression(densities):
    """Mean excess of density. At the surface neighbours are missing and not liquid: that is no expansion."""
    return float(numpy.maximum(densities / DENSITY - 1, 0).mean())


def at_rest(rest, points, spacing):
    """The height of the pool against what its volume demands in the room that it takes."""
    (west, east), (floor, _), (north, south) = (room(axis, spacing) for axis in points.T)
    return rest.speeds() | rest.pool(floor, (east - west) * (south - north))


def room(axis, spacing):
    """From wall to wall. Nothing says how near to its walls the library lets the liquid, but where the layers next to
    them come to rest does: a wall is half a spacing beyond."""
    low = numpy.median(axis[axis < axis.min() + 0.5 * spacing])
    high = numpy.median(axis[axis > axis.max() - 0.5 * spacing])
    return low - 0.5 * spacing, high + 0.5 * spacing


def center(liquid):
    return positions(liquid).mean(axis=0, dtype=float)


def center_at(seconds, times, centers):
    """The last step goes past the end; a straight line between the two sides of it is exact enough."""
    share = (seconds - times[0]) / (times[1] - times[0])
    return (1 - share) * centers[0] + share * centers[1]


def check_start(points, size):
    """The library lays the block out itself: be sure that it is the cube that was meant."""
    spacing = 1 / size
    expected = numpy.array([[0.5 * spacing] * 3, [1 - 0.5 * spacing] * 3])
    found = numpy.array([points.min(axis=0), points.max(axis=0)])
    if len(points) != size**3 or abs(found - expected).max() > 0.01 * spacing:
        raise SystemExit(f"not the cube that was meant: {len(points)} particles within {found.tolist()}")


def write_scene(order):
    folder = order.folder.resolve()
    (folder / "box.obj").write_text(box())
    path = folder / f"dam_{order.size}.json"
    path.write_text(json.dumps(scene(order), indent=2))
    return path


def scene(order):
    spacing = 1 / order.size
    return {
        "Configuration": configuration(spacing, order),
        "Materials": [
            {
                "id": "Fluid",
                "density0": DENSITY,
                "viscosityMethod": STANDARD_VISCOSITY,
                "Standard viscosity": {"viscosity": 0.01},
            }
        ],
        "RigidBodies": [tank(spacing)],
        # The first particle of a block lies one spacing inside its lower corner, and so does the last.
        "FluidBlocks": [{"denseMode": 0, "start": [-0.5 * spacing] * 3, "end": [1 + 0.5 * spacing] * 3}],
    }


def configuration(spacing, order):
    return {
        "particleRadius": 0.5 * spacing,
        "gravitation": [0, -9.81, 0],
        "simulationMethod": DFSPH,
        "boundaryHandlingMethod": VOLUME_MAPS,
        "timeStepSize": LONGEST_STEP,
        "cflMethod": 1,
        "cflFactor": 1.0,
        "cflMaxTimeStepSize": LONGEST_STEP,
        "stopAt": order.seconds,
        "DFSPH": {
            "minIterations": 2,
            "maxIterations": 100,
            "maxError": order.error,
            "enableDivergenceSolver": not order.no_divergence,
            "maxIterationsV": 100,
            "maxErrorV": 0.1,
        },
    }


def tank(spacing):
    """The closed box, larger by a particle on every side: the library keeps the liquid that far from its walls."""
    return {
        "geometryFile": "box.obj",
        "translation": [0.5 * side for side in TANK],
        "rotationAxis": [1, 0, 0],
        "rotationAngle": 0,
        "scale": [side + 2 * spacing for side in TANK],
        "isDynamic": False,
        "isWall": True,
        "mapInvert": True,
        "mapThickness": 0.0,
        "mapResolution": [40, 40, 20],
    }


def box():
    """A cube of side 1 about the origin as Wavefront OBJ, its triangles facing outwards."""
    corners = list(itertools.product((-0.5, 0.5), repeat=3))
    lines = [f"v {x} {y} {z}" for x, y, z in corners]
    for axis, side in itertools.product(range(3), (-0.5, 0.5)):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        around = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]
        # Counterclockwise seen from outside, which is the other way round on the lower side.
        around = around if side > 0 else around[::-1]
        quad = []
        for a, b in around:
            corner = [0.0] * 3
            corner[axis], corner[u], corner[v] = side, a, b
            quad.append(corners.index(tuple(corner)) + 1)
        lines += [f"f {quad[0]} {quad[1]} {quad[2]}", f"f {quad[0]} {quad[2]} {quad[3]}"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
