#!/usr/bin/env python3
"""Opens what `export_all` wrote in the programs that it is for, and compares. Run by check_exports.sh.

numpy comes first: what it finds in the NPZ files is what the others must find.
"""

import json
import struct
import sys
from pathlib import Path

import numpy

FRAMES = range(5)
FPS = 24
# Names in the scene, in its order, as USD and NPZ write them.
SYSTEMS = ["water", "cr_me_br_l_e"]
# Balls, which have radii and orientations of their own, and no surface.
MARBLES = "marbles"
FILMS = ["film.usda", "sequence.usda"]

failures = 0


def main():
    which, folder = sys.argv[1], Path(sys.argv[2])
    frames = check_numpy(folder)
    if which == "readers":
        check_usd(folder, frames)
        check_balls(folder, frames)
        check_vtk(folder, frames)
        check_glb(folder, frames)
    else:
        check_blender(folder, frames)
    if failures:
        sys.exit(f"{failures} checks failed")


def check(what, found, wanted):
    global failures
    right = bool(found == wanted)
    failures += not right
    print(f"ok       {what}" if right else f"FAILED   {what}: found {found}, should be {wanted}", flush=True)


def check_numpy(folder):
    """The frames by their numbers, as dictionaries of arrays."""
    frames = {i: dict(numpy.load(folder / f"frame.{i:04}.npz")) for i in FRAMES}
    for i, frame in frames.items():
        check(f"numpy    frame {i}: number and time", (int(frame["frame"]), float(frame["time"])), (i, i / FPS))
        shapes = [frame[f"{name}/{array}"].shape for name in SYSTEMS for array in ("position", "velocity")]
        counts = [(frame[f"{name}/id"].size, 3) for name in SYSTEMS for _ in range(2)]
        check(f"numpy    frame {i}: {[c[0] for c in counts[::2]]} particles", shapes, counts)
        used = [len(numpy.unique(frame[f"{name}/surface/triangles"])) for name in SYSTEMS]
        check(f"numpy    frame {i}: triangles", used, [len(frame[f"{name}/surface/points"]) for name in SYSTEMS])
        found = (frame[f"{MARBLES}/radius"].shape, frame.get(f"{MARBLES}/orientation", numpy.empty((0, 4))).shape)
        count = len(frame[f"{MARBLES}/position"])
        check(f"numpy    frame {i}: {count} marbles, radii and orientations", found, ((count,), (count, 4)))
        check(f"numpy    frame {i}: marbles have no surface", f"{MARBLES}/surface/points" in frame, False)
    check("numpy    names of objects", list(frames[0]["objects/names"]), ["a box", "a-box"])
    counts = {len(frame["water/position"]) for frame in frames.values()}
    check("numpy    counts vary, and one system is empty at times", (len(counts) > 1, empty(frames)), (True, 4))
    return frames


def empty(frames):
    return sum(len(frame[f"{SYSTEMS[1]}/position"]) == 0 for frame in frames.values())


def check_usd(folder, frames):
    from pxr import Usd, UsdGeom

    check("usd      the validator finds faults where there are some", complaints(Usd.Stage.CreateInMemory()) != [], True)
    for name in FILMS:
        stage = Usd.Stage.Open(str(folder / name))
        check(f"usd      {name}: faults found by the validators", complaints(stage), [])
        found = (UsdGeom.GetStageMetersPerUnit(stage), UsdGeom.GetStageUpAxis(stage), stage.GetTimeCodesPerSecond())
        check(f"usd      {name}: metres, up, frames a second", found, (1.0, "Y", 24.0))
        found = (stage.GetStartTimeCode(), stage.GetEndTimeCode(), stage.GetDefaultPrim().GetName())
        check(f"usd      {name}: first, last, default prim", found, (0.0, 4.0, "Ondine"))
        for i, frame in frames.items():
            check_usd_frame(f"usd      {name}: frame {i}", stage, i, frame)


def check_balls(folder, frames):
    """Particles as instances of a ball are where the points are, and reach as far."""
    from pxr import Usd, UsdGeom

    stage, film = (Usd.Stage.Open(str(folder / name)) for name in ("balls.usda", "film.usda"))
    check("usd      balls.usda: faults found by the validators", complaints(stage), [])
    for i, frame in frames.items():
        for name in SYSTEMS:
            path = f"/Ondine/Particles/{name}"
            wanted = frame[f"{name}/position"]
            turned = UsdGeom.PointInstancer(stage.GetPrimAtPath(path)).ComputeInstanceTransformsAtTime(i, i)
            places = numpy.array([m.ExtractTranslation() for m in turned], numpy.float32).reshape(wanted.shape)
            bounds = [UsdGeom.BBoxCache(i, ["default"]).ComputeWorldBound(s.GetPrimAtPath(path)).GetRange() for s in (stage, film)]
            found = (numpy.array_equal(places, wanted), len(wanted) == 0 or bounds[0] == bounds[1])
            check(f"usd      balls.usda: frame {i}: {len(wanted)} balls of {name}, their places and bounds", found, (True, True))
        check_marbles(stage, film, i, frame)


def check_marbles(stage, film, i, frame):
    """Balls of their sizes: instances are scaled and turned, points have widths."""
    from pxr import UsdGeom

    path = f"/Ondine/Particles/{MARBLES}"
    radius = frame[f"{MARBLES}/radius"]
    instancer = UsdGeom.PointInstancer(stage.GetPrimAtPath(path))
    scales = [numpy.linalg.norm(numpy.array(m)[:3, :3], axis=1) for m in instancer.ComputeInstanceTransformsAtTime(i, i)]
    right = numpy.allclose(numpy.reshape(scales, (-1, 3)), radius[:, None], atol=1e-3)
    turns = [[*q.GetImaginary(), q.GetReal()] for q in instancer.GetOrientationsAttr().Get(i)]
    wanted = frame.get(f"{MARBLES}/orientation", numpy.empty((0, 4)))
    turned = numpy.allclose(numpy.reshape(turns, (-1, 4)), wanted, atol=1e-3)
    widths = numpy.array(film.GetPrimAtPath(path).GetAttribute("widths").Get(i), numpy.float32)
    ball = UsdGeom.Sphere(stage.GetPrimAtPath(f"{path}/Ball")).GetRadiusAttr().Get()
    found = (right, turned, numpy.array_equal(widths, 2 * radius), ball)
    check(f"usd      frame {i}: {len(radius)} marbles, their sizes, turns and widths", found, (True, True, True, 1.0))
    check(f"usd      frame {i}: no surface of marbles", bool(film.GetPrimAtPath(f"/Ondine/Surfaces/{MARBLES}")), False)


def complaints(stage):
    from pxr import UsdValidation

    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    found = UsdValidation.ValidationContext(validators).Validate(stage)
    return [f"{fault.GetName()}: {fault.GetMessage()}" for fault in found]


def check_usd_frame(what, stage, i, frame):
    def value(path, attribute):
        return stage.GetPrimAtPath(f"/Ondine/{path}").GetAttribute(attribute).Get(i)

    def same(path, attribute, array):
        found = numpy.array(value(path, attribute)).reshape(frame[array].shape)
        return numpy.array_equal(found, frame[array])

    for name in SYSTEMS:
        count = len(frame[f"{name}/position"])
        particles, surface = f"Particles/{name}", f"Surfaces/{name}"
        found = [
            same(particles, "points", f"{name}/position"),
            same(particles, "velocities", f"{name}/velocity"),
            same(particles, "ids", f"{name}/id"),
            same(surface, "points", f"{name}/surface/points"),
            same(surface, "velocities", f"{name}/surface/velocity"),
            same(surface, "normals", f"{name}/surface/normal"),
            same(surface, "faceVertexIndices", f"{name}/surface/triangles"),
        ]
        check(f"{what}: {name}, {count} particles, the same numbers as NPZ", found, [True] * 7)
        points = len(frame[f"{name}/surface/points"])
        found = (len(value(surface, "primvars:displayColor")), set(value(surface, "faceVertexCounts")) - {3})
        check(f"{what}: {name}, {points} points of its surface have colours", found, (points, set()))
        check(f"{what}: {name}, extent", [extent_is_right(stage, path, i) for path in (particles, surface)], [True] * 2)
    orient = value("Objects/a_box", "xformOp:orient")
    found = numpy.float32([*orient.GetImaginary(), orient.GetReal()])
    check(f"{what}: rotation", numpy.array_equal(found, frame["objects/rotation"][0]), True)
    shown = value("Objects/a_box", "visibility")
    check(f"{what}: visibility", shown, "invisible" if i == FRAMES[-1] else "inherited")


def extent_is_right(stage, path, i):
    from pxr import UsdGeom

    prim = stage.GetPrimAtPath(f"/Ondine/{path}")
    points = prim.GetAttribute("points").Get(i)
    if not points:
        return True
    wanted = UsdGeom.Boundable.ComputeExtentFromPlugins(UsdGeom.Boundable(prim), i)
    return numpy.allclose(prim.GetAttribute("extent").Get(i), wanted, atol=1e-6)


def check_vtk(folder, frames):
    import pyvista

    reader = pyvista.get_reader(folder / "film.pvd")
    check("vtk      film.pvd: times", reader.time_values, [i / FPS for i in FRAMES])
    for i, frame in frames.items():
        reader.set_active_time_point(i)
        blocks = list(reader.read())
        # First the particles, of liquids and then of balls, then the surfaces.
        marbles = [numpy.array_equal(blocks[2][array], frame[f"{MARBLES}/{array}"]) for array in ("radius", "id")]
        check(f"vtk      frame {i}: {blocks[2].n_points} marbles: radii, ids", marbles, [True, True])
        for name, block in zip(SYSTEMS, blocks[:2], strict=True):
            check_vtk_block(f"vtk      frame {i}: particles of {name}", block, frame, f"{name}/", "position")
            same = numpy.array_equal(block["id"], frame[f"{name}/id"]) and block.n_verts == block.n_points
            check(f"vtk      frame {i}: particles of {name}: ids, densities", (same, "density" in block.point_data), (True, True))
        for name, block in zip(SYSTEMS, blocks[3:], strict=True):
            check_vtk_block(f"vtk      frame {i}: surface of {name}", block, frame, f"{name}/surface/", "points")
            triangles = frame[f"{name}/surface/triangles"]
            found = block.faces.reshape(-1, 4)[:, 1:] if len(triangles) else triangles
            check(f"vtk      frame {i}: triangles of {name}", numpy.array_equal(found, triangles), True)


def check_vtk_block(what, block, frame, prefix, points):
    found = (
        numpy.array_equal(block.points, frame[prefix + points]),
        numpy.array_equal(block["velocity"], frame[prefix + "velocity"]),
        block["color"].dtype.name,
    )
    check(f"{what}: {block.n_points} points, velocity, colour", found, (True, True, "uint8"))


def check_glb(folder, frames):
    """No reader: the numbers of the document itself."""
    for i, frame in frames.items():
        data = (folder / f"frame.{i:04}.glb").read_bytes()
        length = struct.unpack_from("<I", data, 12)[0]
        document = json.loads(data[20 : 20 + length])
        accessor = document["accessors"][document["meshes"][0]["primitives"][0]["attributes"]["POSITION"]]
        points = frame["water/surface/points"]
        found = (struct.unpack_from("<4sII", data), accessor["count"], accessor["min"], accessor["max"])
        wanted = ((b"glTF", 2, len(data)), len(points), points.min(0).tolist(), points.max(0).tolist())
        check(f"glb      frame {i}: header, count, bounds", found, wanted)


def check_blender(folder, frames):
    import logging

    import bpy

    logging.disable(logging.INFO)
    print(f"         Blender {bpy.app.version_string}")
    for name in FILMS:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        bpy.ops.wm.usd_import(filepath=str(folder / name))
        scene = bpy.context.scene
        check(f"blender  {name}: first, last, frames a second", (scene.frame_start, scene.frame_end, scene.render.fps), (0, 4, FPS))
        for i, frame in frames.items():
            scene.frame_set(i)
            check_blender_frame(f"blender  {name}: frame {i}", frame)
    check_blender_files(folder, frames)


def check_blender_frame(what, frame):
    import bpy

    graph = bpy.context.evaluated_depsgraph_get()
    shown = {(o.type, o.name.split(".")[0]): o.evaluated_get(graph) for o in bpy.data.objects}
    for name in SYSTEMS:
        count, points = len(frame[f"{name}/position"]), len(frame[f"{name}/surface/points"])
        cloud, mesh = shown["POINTCLOUD", name].data, shown["MESH", name].data
        check(f"{what}: {name}", (len(cloud.points), len(mesh.vertices)), (count, points))
        if count:
            radius = cloud.attributes["radius"].data[0].value
            found = ("velocity" in cloud.attributes, "velocity" in mesh.attributes, round(radius, 6))
            check(f"{what}: {name}, velocities and radius", found, (True, True, 0.05))
    # Blender has z up and turns the whole stage.
    x, y, z = frame["objects/at"][0]
    found = shown["MESH", "a_box"].matrix_world.translation
    check(f"{what}: place of the box", numpy.allclose(found, (x, -z, y), atol=1e-6), True)


def check_blender_files(folder, frames):
    import bpy

    importers = {"surface_0.{:04}.ply": bpy.ops.wm.ply_import, "surface_0.{:04}.obj": bpy.ops.wm.obj_import}
    for pattern, bring in importers.items():
        for i, frame in frames.items():
            bpy.ops.wm.read_factory_settings(use_empty=True)
            bring(filepath=str(folder / pattern.format(i)))
            mesh = bpy.data.objects[0].data
            found = (len(mesh.vertices), len(mesh.polygons), len(mesh.color_attributes))
            wanted = (len(frame["water/surface/points"]), len(frame["water/surface/triangles"]), 1)
            check(f"blender  {pattern.format(i)}: {wanted[0]} points, triangles, colours", found, wanted)
    for i, frame in frames.items():
        bpy.ops.wm.read_factory_settings(use_empty=True)
        bpy.ops.import_scene.gltf(filepath=str(folder / f"frame.{i:04}.glb"))
        largest = max(len(mesh.vertices) for mesh in bpy.data.meshes)
        check(f"blender  frame.{i:04}.glb", largest, max(len(a) for a in frame.values() if a.shape[1:] == (3,) and a.dtype == "f4"))


if __name__ == "__main__":
    main()
