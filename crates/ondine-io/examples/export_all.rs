//! Writes a small made-up animation in every format, for other programs to be tried on:
//!
//!     cargo run -p ondine-io --example export_all -- FOLDER
//!
//! A ball of liquid falls and splits in two, its particles and triangles becoming more; a second liquid is there in
//! the middle only; marbles of three sizes come in the second frame and roll; a box moves, turns, and is hidden in the last frame.

use glam::{Quat, Vec3};
use ondine::objects::{TriangleMesh, polygonize};
use ondine::scene::Placement;
use ondine::{Frame, Particles, Pose, Surface, SystemKind};
use ondine_io::bake::manifest;
use ondine_io::export::{ExportFrame, ObjectMesh, glb, mesh_ply, npz, obj, usd, vtk};
use ondine_io::ply;
use std::io;
use std::path::Path;

const FRAMES: u32 = 5;
const FPS: f64 = 24.0;
/// Radius of the ball and distance of its particles [m].
const RADIUS: f32 = 0.3;
const SPACING: f32 = 0.1;

fn main() -> io::Result<()> {
    let folder = std::env::args_os().nth(1).ok_or_else(|| io::Error::other("usage: export_all FOLDER"))?;
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    let object_meshes =
        [ObjectMesh { mesh: cube(), color: [0.8, 0.5, 0.2], ..ObjectMesh::default() }, ObjectMesh::default()];
    let mut film = usd::Animation::new(&folder.join("film.usda"), FPS, &object_meshes)?;
    let mut balls = usd::Animation::new(&folder.join("balls.usda"), FPS, &object_meshes)?.with_balls();
    let mut clips = usd::Clips::new(&folder.join("sequence.usda"), FPS, &object_meshes)?;
    let mut steps = Vec::new();
    for index in 0..FRAMES {
        let frame = moment(index);
        film.push(&frame)?;
        balls.push(&frame)?;
        clips.push(&frame)?;
        stills(folder, &frame, &object_meshes)?;
        steps.extend(vtk_files(folder, &frame)?);
    }
    film.finish()?;
    balls.finish()?;
    clips.finish()?;
    vtk::write_collection(&folder.join("film.pvd"), &steps)
}

/// The formats that hold one frame, or one thing of it.
fn stills(folder: &Path, frame: &ExportFrame, object_meshes: &[ObjectMesh]) -> io::Result<()> {
    let index = frame.frame.index;
    let named = |name: &str, extension: &str| folder.join(format!("{name}.{index:04}.{extension}"));
    glb::write(&named("frame", "glb"), frame, object_meshes, true)?;
    npz::write(&named("frame", "npz"), frame)?;
    manifest::write(&named("manifest", "json"), &frame.frame)?;
    for (i, particles) in frame.frame.particles.iter().enumerate() {
        ply::write(&named(&format!("particles_{i}"), "ply"), particles)?;
    }
    for (i, surface) in frame.surfaces.iter().enumerate() {
        mesh_ply::write(&named(&format!("surface_{i}"), "ply"), surface, "")?;
        obj::write(&named(&format!("surface_{i}"), "obj"), surface)?;
    }
    Ok(())
}

fn vtk_files(folder: &Path, frame: &ExportFrame) -> io::Result<Vec<vtk::Step>> {
    let (index, time) = (frame.frame.index, frame.frame.time);
    let mut steps = Vec::new();
    for (i, particles) in frame.frame.particles.iter().enumerate() {
        let file = format!("particles_{i}.{index:04}.vtp");
        vtk::write_particles(&folder.join(&file), particles)?;
        steps.push(vtk::Step { time, file, part: steps.len() as u32 });
    }
    for (i, surface) in frame.surfaces.iter().enumerate() {
        let file = format!("surface_{i}.{index:04}.vtp");
        vtk::write_surface(&folder.join(&file), surface)?;
        steps.push(vtk::Step { time, file, part: steps.len() as u32 });
    }
    Ok(steps)
}

fn moment(index: u32) -> ExportFrame {
    let time = f64::from(index) / FPS;
    let falling = balls(time as f32);
    let second = if index == 2 { vec![Vec3::new(0.0, 2.0, 0.0)] } else { Vec::new() };
    let color = [[0.1, 0.4, 0.8], [0.9, 0.6, 0.1]];
    let frame = Frame {
        index,
        time,
        particles: vec![
            particles("water", color[0], &falling),
            particles("crème brûlée", color[1], &second),
            marbles(index),
        ],
        objects: vec![pose("a box", index), pose("a-box", 0)],
    };
    let surfaces = vec![surface("water", color[0], &falling), surface("crème brûlée", color[1], &second)];
    ExportFrame { frame, surfaces }
}

/// Where the ball is, or its two halves.
fn balls(time: f32) -> Vec<Vec3> {
    let height = 1.5 - 0.5 * 9.81 * time * time;
    let apart = 3.0 * time;
    if apart < RADIUS {
        return vec![Vec3::new(0.0, height, 0.0)];
    }
    vec![Vec3::new(-apart, height, 0.0), Vec3::new(apart, height, 0.0)]
}

fn particles(name: &str, color: [f32; 3], balls: &[Vec3]) -> Particles {
    let reach = (RADIUS / SPACING) as i32;
    let along = || (-reach..=reach).map(|i| SPACING * i as f32);
    let cube = along().flat_map(|x| along().flat_map(move |y| along().map(move |z| Vec3::new(x, y, z))));
    let ball: Vec<Vec3> = cube.filter(|p| p.length() <= RADIUS).collect();
    let position: Vec<[f32; 3]> =
        balls.iter().flat_map(|&at| ball.iter().map(move |&p| (at + p).into())).collect();
    let count = position.len();
    Particles {
        name: name.into(),
        radius: 0.5 * SPACING,
        color,
        velocity: position.iter().map(|&p| velocity(p.into())).collect(),
        position,
        density: vec![1000.0; count],
        id: (0..count as u32).collect(),
        ..Particles::default()
    }
}

/// Three balls of unlike sizes that roll along x; none in the first frame.
fn marbles(index: u32) -> Particles {
    let (count, far) = (if index > 0 { 3 } else { 0 }, 0.1 * index as f32);
    let radii: Vec<f32> = (0..count).map(|i| 0.05 * (1 + i) as f32).collect();
    Particles {
        kind: SystemKind::Balls,
        name: "marbles".into(),
        radius: 0.05 * count.max(1) as f32,
        color: [0.3, 0.7, 0.2],
        position: radii.iter().map(|r| [far, *r, 4.0 * r]).collect(),
        velocity: vec![[0.1 * FPS as f32, 0.0, 0.0]; count],
        density: vec![2500.0; count],
        orientation: radii.iter().map(|r| Quat::from_rotation_z(-far / r).to_array()).collect(),
        colors: Vec::new(),
        id: (0..count as u32).collect(),
        radii,
    }
}

/// Any field will do.
fn velocity(p: Vec3) -> [f32; 3] {
    [p.x, -2.0, 0.5]
}

fn surface(name: &str, color: [f32; 3], balls: &[Vec3]) -> Surface {
    let far = RADIUS + SPACING;
    let mut mesh = TriangleMesh::default();
    if let (Some(low), Some(high)) =
        (balls.iter().copied().reduce(Vec3::min), balls.iter().copied().reduce(Vec3::max))
    {
        let distance = |p: Vec3| balls.iter().map(|b| b.distance(p) - RADIUS).fold(f32::INFINITY, f32::min);
        mesh = polygonize(&distance, low - far, high + far, SPACING);
    }
    let nearest = |p: Vec3| balls.iter().copied().min_by(|a, b| a.distance(p).total_cmp(&b.distance(p)));
    let normal = |p: Vec3| (p - nearest(p).unwrap_or_default()).normalize_or_zero().to_array();
    Surface {
        name: name.into(),
        normal: mesh.points.iter().map(|&p| normal(p)).collect(),
        velocity: mesh.points.iter().map(|&p| velocity(p)).collect(),
        color: vec![color; mesh.points.len()],
        mesh,
    }
}

fn pose(name: &str, index: u32) -> Pose {
    let i = index as f32;
    Pose {
        name: name.into(),
        enabled: true,
        visible: index + 1 < FRAMES,
        placement: Placement { at: Vec3::new(0.1 * i, 0.5, 1.0), rotation: Quat::from_rotation_y(0.3 * i) },
        velocity: [0.1 * FPS as f32, 0.0, 0.0],
        spin: [0.0, 0.3 * FPS as f32, 0.0],
    }
}

/// A cube of 0.4 m.
fn cube() -> TriangleMesh {
    let corner = |i: u32| 0.4 * (Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2) as f32) - 0.5);
    let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = sides.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    TriangleMesh { points: (0..8).map(corner).collect(), triangles }
}
