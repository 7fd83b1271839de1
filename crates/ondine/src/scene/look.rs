//! How things look in pictures: finishes, daylight, lamps, and the camera.

use super::description::{Described, description};
use super::timeline::HasLive;
use super::{Preset, Scalar, Scene, Track, Value};

description! {
    /// What the surface of an object is like.
    #[derive(Default)]
    pub enum Finish {
        /// Chalk, paper, unglazed clay: it scatters all light evenly.
        #[default]
        Matte,
        /// Colour under a clear coat: plastic, glaze, varnish.
        Plastic,
        /// It mirrors, tinted by its colour.
        Metal,
        /// Light enters and comes out near by: skin, wax, marble.
        Skin,
        /// Clear, tinted where it is thick.
        Glass,
    }
}

description! {
    /// What a liquid is like to look at.
    #[derive(Default)]
    pub enum LiquidFinish {
        /// One sees through it; its colour shows where it is deep.
        #[default]
        Clear,
        /// Colour under a clear coat: wet paint.
        Plastic,
        /// It mirrors, tinted by its colour.
        Metal,
        /// It scatters all light evenly: mud.
        Matte,
    }
}

description! {
    /// How a liquid looks. Its material gives the values; those given here override them.
    #[derive(Copy)]
    #[serde(default)]
    pub struct Look {
        /// What it is like to look at.
        pub finish: LiquidFinish,
        /// Refractive index of a clear liquid: water 1.33, honey 1.49.
        pub index: f32 [1..=4],
        /// Thickness at which a clear liquid shows just its `color` [m]: thinner is paler, thicker is darker.
        pub depth: f32 [1e-6..=1e6],
        /// How blurred reflections are: 0 mirrors, 1 has none to speak of. Not for matte liquids.
        pub roughness: f32 [0..=1],
        /// Light that it gives off in its own colour, in multiples of a white wall's in the sun.
        pub glow: f32 [0..=1000],
    }
}

impl Default for Look {
    fn default() -> Self {
        Preset::Water.look()
    }
}

impl Preset {
    /// How a liquid of this material looks.
    pub fn look(self) -> Look {
        let clear = |index, depth| (LiquidFinish::Clear, index, depth, 0.0, 0.0);
        let collider = |finish, roughness| (finish, 1.5, 0.05, roughness, 0.0);
        let (finish, index, depth, roughness, glow) = match self {
            Preset::Water => clear(1.33, 0.8),
            Preset::Oil => clear(1.47, 0.1),
            Preset::Paint => collider(LiquidFinish::Plastic, 0.15),
            Preset::Honey => clear(1.49, 0.04),
            Preset::Syrup => clear(1.47, 0.05),
            Preset::Mud => collider(LiquidFinish::Matte, 1.0),
            Preset::Clay => collider(LiquidFinish::Matte, 1.0),
            Preset::Plasticine => collider(LiquidFinish::Plastic, 0.45),
            Preset::Jelly => clear(1.36, 0.1),
            Preset::MoltenGold => collider(LiquidFinish::Metal, 0.12),
            Preset::Mercury => collider(LiquidFinish::Metal, 0.03),
            Preset::Lava => (LiquidFinish::Matte, 1.5, 0.05, 1.0, 1.5),
        };
        Look { finish, index, depth, roughness, glow }
    }
}

description! {
    /// Daylight, and how much of it a picture takes in.
    #[derive(Copy)]
    pub struct Light {
        /// Direction towards the sun; need not be of length 1. Default: high and to the left of where the camera starts.
        pub sun: Option<[f32; 3]> [-1e6..=1e6] = None,
        /// Strength of the sun, in multiples of a clear day's. Default 1.
        pub sun_strength: f32 [0..=1000] = 1.0,
        /// Width of the sun in the sky [°]: the wider, the softer its shadows. Default 4; the true one is 0.5 wide.
        pub sun_size: f32 [0..=90] = 4.0,
        /// Strength of the sky, in multiples of a clear day's. Default 1.
        pub sky_strength: f32 [0..=1000] = 1.0,
        /// Exposure of the picture [stops]: each 1 doubles its light. Default 0.
        pub exposure: f32 [-20..=20] = 0.0,
    }
}

description! {
    /// A flat lamp that shines to one side.
    #[derive(Copy)]
    pub struct Lamp {
        /// Form of its face. Default "rectangle".
        pub shape: LampShape = LampShape::Rectangle,
        /// Width and height of a rectangle [m]. Default [1, 1].
        pub size: [f32; 2] [1e-6..=1e6] = [1.0, 1.0],
        /// Radius of a disc [m]. Default 0.5.
        pub radius: f32 [1e-6..=1e6] = 0.5,
        /// Centre of its face [m]. Default [0, 2, 0].
        pub at: [f32; 3] [-1e6..=1e6] = [0.0, 2.0, 0.0],
        /// Direction that it shines in; need not be of length 1. Default [0, -1, 0].
        pub towards: [f32; 3] [-1e6..=1e6] = [0.0, -1.0, 0.0],
        /// Colour of its light, red, green and blue from 0 to 1. Default [1, 1, 1].
        pub color: [f32; 3] [0..=1] = [1.0; 3],
        /// How bright its face is, in multiples of a white wall in the sun. Default 8.
        pub strength: f32 [0..=1e6] = 8.0,
    }
}

description! {
    /// Form of a lamp's face.
    #[derive(Default)]
    pub enum LampShape {
        /// Of the given `size`, upright as far as its direction lets it be.
        #[default]
        Rectangle,
        /// Round, of the given `radius`.
        Disc,
    }
}

description! {
    /// The point of view of the pictures.
    #[derive(Copy)]
    pub struct Camera {
        /// Where the camera is [m]. Default [1.5, 1, 3].
        pub at: [f32; 3] [-1e6..=1e6, live] = [1.5, 1.0, 3.0],
        /// What it looks at, and what is sharp [m]. Default the origin.
        pub look_at: [f32; 3] [-1e6..=1e6, live] = [0.0; 3],
        /// Vertical angle of view [°]. Default 35.
        pub angle: f32 [1..=150, live] = 35.0,
        /// Width of the lens [m]: the wider, the less is sharp before and behind `look_at`. Default 0: all is.
        pub aperture: f32 [0..=1000, live] = 0.0,
    }
}

/// A scene's camera with the events and tracks that move it. It needs no world: what moves a camera is all in the scene.
#[derive(Clone, Debug, PartialEq)]
pub struct AnimatedCamera {
    /// As it is written.
    pub start: Camera,
    /// What events set, in order of time: when [s], the path within the camera, and the value.
    settings: Vec<(f32, String, Value)>,
    /// Their paths are those within the camera.
    tracks: Vec<Track>,
}

impl AnimatedCamera {
    /// The camera at a time [s].
    pub fn at(&self, time: f32) -> Camera {
        let mut camera = self.start;
        // As in the world, equal times count as reached.
        for (_, path, value) in self.settings.iter().take_while(|(at, ..)| *at <= time + 1e-6) {
            camera.set(path, *value);
        }
        for track in &self.tracks {
            if let (Some(value), Some(scalar)) = (track.value(time), camera.live(&track.path)) {
                scalar.store(value);
            }
        }
        camera
    }
}

impl HasLive for Camera {
    fn find(&mut self, path: &str) -> Option<Scalar<'_>> {
        self.live(path)
    }
}

impl Scene {
    /// The camera and what moves it, where the scene has one.
    pub fn animated_camera(&self) -> Option<AnimatedCamera> {
        let start = self.camera?;
        let within = |path: &str| path.strip_prefix("camera.").map(String::from);
        let all =
            self.event.iter().flat_map(|event| event.set.iter().map(|(path, value)| (event.at, path, value)));
        let mut settings: Vec<_> =
            all.filter_map(|(at, path, value)| Some((at, within(path)?, *value))).collect();
        settings.sort_by(|a, b| a.0.total_cmp(&b.0));
        let own = |track: &Track| Some(Track { path: within(&track.path)?, ..track.clone() });
        Some(AnimatedCamera { start, settings, tracks: self.track.iter().filter_map(own).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Event;

    #[test]
    fn a_camera_follows_its_tracks_and_events() {
        let track = |path: &str, keys| Track { path: path.into(), keys, interpolation: Default::default() };
        let cut = Event { at: 1.0, set: [("camera.angle".to_string(), Value::Number(70.0))].into() };
        let scene = Scene {
            camera: Some(Camera::default()),
            track: vec![
                track("camera.at.x", vec![[0.0, 1.0], [2.0, 3.0]]),
                track("camera.look_at.1", vec![[0.0, 0.5]]),
                track("gravity.y", vec![[0.0, 5.0]]),
            ],
            event: vec![cut],
            ..Scene::default()
        };
        let animated = scene.animated_camera().expect("there is one");
        let camera = |time| animated.at(time);
        assert_eq!(camera(0.0).at, [1.0, 1.0, 3.0]);
        assert_eq!(camera(1.0).at, [2.0, 1.0, 3.0]);
        assert_eq!(camera(0.5).look_at, [0.0, 0.5, 0.0]);
        assert_eq!((camera(0.9).angle, camera(1.0).angle), (35.0, 70.0));
        assert_eq!(Scene::default().animated_camera(), None);
    }
}
