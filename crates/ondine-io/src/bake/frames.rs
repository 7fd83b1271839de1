//! The frames that a bake keeps. Reading follows the frame's own list of its systems, whatever they are.

use super::error::BakeError;
use super::folder::{Folder, file_names};
use super::manifest::{self, Manifest, SystemEntry};
use crate::ply;
use ondine::{Frame, Particles, Pose, Scene};
use std::path::Path;

/// Farthest that anything can be seen, and fastest [m, m/s].
const FARTHEST: f32 = 1e9;

/// Makes the folders that frames go to.
pub(super) fn make_room(folder: &Folder) -> Result<(), BakeError> {
    for path in [folder.particles(), folder.manifests()] {
        std::fs::create_dir_all(&path).map_err(|source| BakeError::Unwritable { path, source })?;
    }
    Ok(())
}

/// Keeps a frame: its particles, then the file that says it is there.
pub(super) fn write(folder: &Folder, frame: &Frame) -> Result<(), BakeError> {
    let names = file_names(frame.particles.iter().map(|system| (system.kind, system.name.as_str())));
    for (name, particles) in names.iter().zip(&frame.particles) {
        let path = folder.particles_of(name, frame.index);
        ply::write(&path, particles).map_err(|source| BakeError::Unwritable { path, source })?;
    }
    let path = folder.manifest(frame.index);
    manifest::write(&path, frame).map_err(|source| BakeError::Unwritable { path, source })
}

/// What a frame is made of.
pub(super) fn read_manifest(folder: &Folder, index: u32) -> Result<Manifest, BakeError> {
    let path = folder.manifest(index);
    let bad = |reason: String| BakeError::BadFrame { reason, frame: index };
    let manifest = manifest::read(&path).map_err(|e| bad(e.to_string()))?;
    match manifest.frame {
        frame if frame == index => Ok(manifest),
        other => Err(bad(format!("{} is of frame {other}", path.display()))),
    }
}

/// A frame as it was simulated. Objects must be those of the scene.
pub(super) fn read(folder: &Folder, scene: &Scene, index: u32) -> Result<Frame, BakeError> {
    let bad = |reason: String| BakeError::BadFrame { reason, frame: index };
    let in_file = |path: &Path, what: String| bad(format!("{}: {what}", path.display()));
    let Manifest { time, systems, objects, .. } = read_manifest(folder, index)?;
    if let Some(what) = unfit_objects(&objects, scene) {
        return Err(in_file(&folder.manifest(index), what));
    }
    let mut frame = Frame { index, time, particles: Vec::new(), objects };
    let names = file_names(systems.iter().map(|system| (system.kind, system.name.as_str())));
    for (name, system) in names.iter().zip(&systems) {
        let path = folder.particles_of(name, index);
        let particles = ply::read(&path).map_err(|e| bad(e.to_string()))?;
        if let Some(what) = unlike(&particles, system).or_else(|| unfit_particles(&particles)) {
            return Err(in_file(&path, what));
        }
        frame.particles.push(particles);
    }
    Ok(frame)
}

/// In what some particles are not those that a manifest lists.
fn unlike(particles: &Particles, listed: &SystemEntry) -> Option<String> {
    let SystemEntry { kind, name, particles: count } = listed;
    let found = particles.position.len() as u64;
    if (particles.kind, &particles.name) != (*kind, name) {
        return Some(format!("it is of {}.{}, not of {kind}.{name}", particles.kind, particles.name));
    }
    (found != *count).then(|| format!("it has {found} particles, and the frame {count}"))
}

/// What of some particles cannot be: no surface, and no picture, is made of what is nowhere.
fn unfit_particles(particles: &Particles) -> Option<String> {
    let sound = |v: &[f32; 3]| v.iter().all(|x| x.abs() <= FARTHEST);
    let is_radius = |r: &&f32| **r > 0.0 && **r <= FARTHEST;
    if let Some(radius) = particles.radii.iter().chain([&particles.radius]).find(|r| !is_radius(r)) {
        return Some(format!("a radius of {radius} m is none"));
    }
    let is_turn = |q: &[f32; 4]| (q.iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-2;
    if let Some(i) = particles.orientation.iter().position(|q| !is_turn(q)) {
        return Some(format!("it is damaged: particle {} is turned by nothing that turns", particles.id[i]));
    }
    let all = particles.position.iter().zip(&particles.velocity).zip(&particles.density);
    let mut wild = all.enumerate().filter(|(_, ((p, v), d))| !(sound(p) && sound(v) && d.is_finite()));
    wild.next().map(|(i, ((p, v), _))| {
        format!("it is damaged: particle {} is at {p:?} m and goes at {v:?} m/s", particles.id[i])
    })
}

/// The same of objects, which must be those of the scene.
fn unfit_objects(objects: &[Pose], scene: &Scene) -> Option<String> {
    if !objects.iter().map(|o| &o.name).eq(scene.all_objects().map(|o| &o.name)) {
        return Some("its objects are not those of the scene".into());
    }
    let turned = |pose: &Pose| (pose.placement.rotation.length() - 1.0).abs() < 1e-2;
    let near = |pose: &Pose| pose.placement.at.abs().max_element() <= FARTHEST;
    let wild = objects.iter().find(|pose| !(near(pose) && turned(pose)));
    wild.map(|pose| format!("it is damaged: object.{} is nowhere that an object can be", pose.name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::tests::with_balls;
    use ondine::SystemKind;
    use ondine::scene::{Object, Shape};
    use std::fs;

    /// A frame of two liquids and balls, the last called like the first, and its folder.
    fn kept() -> (tempfile::TempDir, Folder, Scene, Frame) {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::claim(place.path()).unwrap();
        let mut frame = with_balls(4).frame;
        frame.particles[2].name = "A b".into();
        let object = |pose: &Pose| Object::new(&*pose.name, Shape::Sphere { radius: 1.0 }, [0.0; 3]);
        let scene = Scene { object: frame.objects.iter().map(object).collect(), ..Scene::default() };
        make_room(&folder).unwrap();
        write(&folder, &frame).unwrap();
        (place, folder, scene, frame)
    }

    #[test]
    fn every_system_comes_back_whatever_it_is() {
        let (_place, folder, scene, frame) = kept();
        assert_eq!(read(&folder, &scene, 4).unwrap(), frame);
        assert!(scene.liquid.is_empty(), "the scene is not asked");
        assert_eq!(frame.particles[2].kind, SystemKind::Balls);
        assert_eq!(fs::read_dir(folder.particles()).unwrap().count(), 3, "a file each");
    }

    #[test]
    fn files_of_other_frames_and_systems_are_refused_by_name() {
        let (_place, folder, scene, frame) = kept();
        let refusal = || read(&folder, &scene, 4).unwrap_err().to_string();
        let path = folder.particles_of("a b", 4);
        let right = fs::read(&path).unwrap();
        let mut fewer = frame.particles[0].clone();
        [&mut fewer.position, &mut fewer.velocity].into_iter().for_each(|array| array.truncate(2));
        fewer.density.truncate(2);
        fewer.id.truncate(2);
        ply::write(&path, &fewer).unwrap();
        assert!(refusal().contains("it has 2 particles, and the frame 7"), "{}", refusal());
        ply::write(&path, &frame.particles[1]).unwrap();
        assert!(refusal().contains("it is of liquid.a-b, not of liquid.a b"), "{}", refusal());
        fs::remove_file(&path).unwrap();
        assert!(refusal().contains("a%20b.0004.ply"), "{}", refusal());
        fs::write(&path, right).unwrap();
        let manifest = fs::read_to_string(folder.manifest(4)).unwrap();
        fs::write(folder.manifest(4), manifest.replace("\"balls\"", "\"bells\"")).unwrap();
        assert!(refusal().contains("unknown variant `bells`"), "{}", refusal());
        fs::write(folder.manifest(4), manifest.replace("\"frame\": 4", "\"frame\": 5")).unwrap();
        assert!(refusal().contains("is of frame 5"), "{}", refusal());
    }

    #[test]
    fn radii_and_turns_that_cannot_be_are_refused() {
        let (_place, folder, scene, frame) = kept();
        let refusal = |change: fn(&mut Particles)| {
            let mut balls = frame.particles[2].clone();
            change(&mut balls);
            ply::write(&folder.particles_of("balls.A b", 4), &balls).unwrap();
            read(&folder, &scene, 4).unwrap_err().to_string()
        };
        assert!(refusal(|p| p.radii[1] = -0.1).contains("a radius of -0.1 m is none"));
        assert!(refusal(|p| p.radii[1] = f32::NAN).contains("radius of NaN"));
        assert!(refusal(|p| p.orientation[1] = [0.0; 4]).contains("particle 7 is turned by nothing"));
    }
}
