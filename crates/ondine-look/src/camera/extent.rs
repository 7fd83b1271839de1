//! How far a scene goes: the box that its automatic camera must hold.

use super::effects;
use glam::Vec3;
use ondine::Scene;
use ondine::objects::Sdf;
use ondine::scene::{Balls, Emitter, EmitterShape, Fill, Motion, Object, Placement, Shape};

/// Room on each side of liquid that nothing holds and nothing pulls, as a fraction of its size: it goes anywhere.
const DRIFT: f32 = 0.2;

/// A box that grows about what it is given.
pub struct Extent<'a> {
    scene: &'a Scene,
    low: Vec3,
    high: Vec3,
}

impl<'a> Extent<'a> {
    /// The fills, the jets of the emitters, most of the effects, and the visible objects wherever they are known to go.
    pub fn of(scene: &'a Scene) -> Self {
        let mut extent = Self { scene, low: Vec3::INFINITY, high: Vec3::NEG_INFINITY };
        for object in scene.all_objects().filter(|o| o.visible) {
            extent.hold_object(object);
        }
        for liquid in &scene.liquid {
            liquid.fill.iter().for_each(|fill| extent.hold_fill(fill));
            for drops in &liquid.drops {
                if let Some(bounds) = extent.bounds(&drops.shape) {
                    extent.hold_box(corners(bounds, &drops.placement()));
                }
                extent.hold_foot(drops.at.into());
            }
            for emitter in &liquid.emitter {
                extent.hold_jet(emitter);
                extent.hold_foot(emitter.at.into());
            }
        }
        for balls in &scene.balls {
            extent.hold_balls(balls);
        }
        for bounds in scene.effect.iter().filter_map(|effect| effects::bounds(scene, effect)) {
            extent.hold_box(corners(bounds, &Placement::ORIGIN));
        }
        extent
    }

    fn hold_balls(&mut self, balls: &Balls) {
        for ball in &balls.ball {
            let (at, radius) = (Vec3::from(ball.at), ball.radius.unwrap_or(balls.radius));
            self.hold(at - radius);
            self.hold(at + radius);
            self.hold_foot(at);
        }
        let fills = balls.fill.iter().map(|fill| (&fill.shape, fill.placement()));
        let emitters = balls.emitter.iter().map(|emitter| (&emitter.shape, emitter.placement()));
        for (shape, placement) in fills.chain(emitters) {
            if let Some(bounds) = self.bounds(shape) {
                self.hold_box(corners(bounds, &placement));
            }
            self.hold_foot(placement.at);
        }
    }

    /// The lowest and the highest corner, if there is anything.
    pub fn corners(&self) -> Option<(Vec3, Vec3)> {
        self.low.cmple(self.high).all().then_some((self.low, self.high))
    }

    fn hold(&mut self, p: Vec3) {
        if p.is_finite() {
            self.low = self.low.min(p);
            self.high = self.high.max(p);
        }
    }

    fn hold_object(&mut self, object: &Object) {
        let Some(bounds) = self.bounds(&object.shape) else { return };
        for placement in stations(self.scene, object) {
            self.hold_box(corners(bounds, &placement));
        }
        if object.motion == Motion::Free {
            self.hold_foot(object.at.into());
        }
    }

    fn hold_fill(&mut self, fill: &Fill) {
        let Some((low, high)) = self.bounds(&fill.shape) else { return };
        // Gravity keeps liquid down, and a scene with neither gravity nor walls lets it go.
        let drifts = self.scene.gravity == [0.0; 3] && self.scene.object.is_empty();
        let room = if drifts { DRIFT * (high - low) } else { Vec3::ZERO };
        self.hold_box(corners((low - room, high + room), &fill.placement()));
        self.hold_foot(fill.at.into());
    }

    /// The box about a shape in its own frame, if it has an end; of a container or a mould, about the room in it.
    fn bounds(&self, shape: &Shape) -> Option<(Vec3, Vec3)> {
        Sdf::new(shape, &self.scene.meshes, false).room().bounds()
    }

    /// All of a box; of one in a planar scene, the cut.
    fn hold_box(&mut self, corners: [Vec3; 8]) {
        let behind = corners.iter().any(|c| c.z <= 0.0);
        let before = corners.iter().any(|c| c.z >= 0.0);
        match self.scene.planar() {
            false => corners.into_iter().for_each(|corner| self.hold(corner)),
            true if behind && before => corners.into_iter().for_each(|corner| self.hold(corner.with_z(0.0))),
            true => {}
        }
    }

    /// The nozzle of an emitter and the top of its jet, as far as the jet goes up.
    fn hold_jet(&mut self, emitter: &Emitter) {
        let nozzle = Vec3::from(emitter.at);
        let radius = match emitter.shape {
            EmitterShape::Disc => emitter.radius,
            EmitterShape::Rectangle => 0.5 * emitter.size[0].max(emitter.size[1]),
        };
        self.hold(nozzle - radius);
        self.hold(nozzle + radius);
        let (velocity, gravity) = (Vec3::from(emitter.velocity), Vec3::from(self.scene.gravity));
        let rise = -velocity.dot(gravity) / gravity.length_squared();
        if rise > 0.0 {
            self.hold(nozzle + velocity * rise + 0.5 * gravity * rise * rise);
            self.hold(nozzle + 2.0 * velocity * rise + 2.0 * gravity * rise * rise);
        }
    }

    /// Where a plumb line from a point meets the floor: what is let go there lands here.
    fn hold_foot(&mut self, p: Vec3) {
        let gravity = Vec3::from(self.scene.gravity);
        for object in &self.scene.object {
            let Shape::HalfSpace { normal } = object.shape else { continue };
            let normal = object.placement().to_world_direction(normal.into());
            let (height, fall) = ((p - Vec3::from(object.at)).dot(normal), gravity.dot(normal));
            if height > 0.0 && fall < -0.5 * gravity.length() * normal.length() {
                self.hold(p - gravity * (height / fall));
            }
        }
    }
}

/// The corners of a box, in the world. Corner i is on the high side of x, y and z where bits 0, 1 and 2 of i are set.
pub fn corners((low, high): (Vec3, Vec3), placement: &Placement) -> [Vec3; 8] {
    std::array::from_fn(|i| {
        let pick = |bit: usize| if i >> bit & 1 == 1 { high[bit] } else { low[bit] };
        placement.to_world(Vec3::new(pick(0), pick(1), pick(2)))
    })
}

/// Where an object is at the start and at every key of its tracks: between keys a track goes no further.
fn stations(scene: &Scene, object: &Object) -> Vec<Placement> {
    let path = format!("object.{}.", object.name);
    let tracks = scene.track.iter().filter(|track| track.path.starts_with(&path));
    let times = tracks.flat_map(|track| &track.keys).map(|key| key[0].clamp(0.0, scene.duration));
    let tracked = times.filter_map(|time| scene.tracked_placement(object, time));
    std::iter::once(object.placement()).chain(tracked).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ondine::scene::{Liquid, Track};

    fn extent(scene: &Scene) -> (Vec3, Vec3) {
        Extent::of(scene).corners().expect("something to see")
    }

    fn ball(at: [f32; 3]) -> Object {
        Object::new("ball", Shape::Sphere { radius: 0.5 }, at)
    }

    #[test]
    fn tracks_are_followed_to_their_ends() {
        let mut moving = ball([0.0; 3]);
        moving.motion = Motion::Moving;
        let keys = vec![[0.0, 0.0], [1.0, 4.0], [2.0, -2.0], [99.0, 1000.0]];
        let track = Track { path: "object.ball.at.x".into(), keys, interpolation: Default::default() };
        let scene = Scene { object: vec![moving], track: vec![track], duration: 2.0, ..Scene::default() };
        assert_eq!(extent(&scene), (Vec3::new(-2.5, -0.5, -0.5), Vec3::new(4.5, 0.5, 0.5)));
    }

    #[test]
    fn free_objects_are_followed_to_the_floor() {
        let floor = Object::new("floor", Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, [0.0; 3]);
        let mut falling = ball([0.0, 3.0, 0.0]);
        falling.motion = Motion::Free;
        let scene = Scene { object: vec![floor, falling], ..Scene::default() };
        assert_eq!(extent(&scene).0.y, 0.0);
    }

    #[test]
    fn planar_scenes_show_the_cut() {
        let scene = Scene {
            dimension: 2,
            object: vec![ball([1.0, 0.0, 0.2]), ball([50.0, 0.0, 3.0])],
            ..Scene::default()
        };
        assert_eq!(extent(&scene), (Vec3::new(0.5, -0.5, 0.0), Vec3::new(1.5, 0.5, 0.0)));
    }

    #[test]
    fn hidden_walls_are_not_framed_and_rooms_are() {
        let mut hidden = Object::new("walls", Shape::Container { size: [9.0; 3], open: false }, [0.0; 3]);
        hidden.visible = false;
        let drum = Shape::RoundContainer { radius: 1.0, height: 3.0, open: true };
        let drum = Object::new("drum", drum, [0.0; 3]);
        let scene = Scene { object: vec![hidden, drum], ..Scene::default() };
        assert_eq!(extent(&scene), (Vec3::new(-1.0, -1.5, -1.0), Vec3::new(1.0, 1.5, 1.0)));
    }

    #[test]
    fn liquid_that_nothing_holds_has_room_to_spread() {
        let fill = Fill {
            shape: Shape::Box { size: [8.0, 8.0, 1.0] },
            at: [0.0; 3],
            rotate: [0.0; 3],
            velocity: [0.0; 3],
            arrangement: Default::default(),
        };
        let liquid = Liquid { fill: vec![fill], ..Liquid::default() };
        let scene = Scene { dimension: 2, gravity: [0.0; 3], liquid: vec![liquid], ..Scene::default() };
        assert_eq!(extent(&scene).1, Vec3::new(5.6, 5.6, 0.0));
        assert_eq!(extent(&Scene { gravity: [0.0, -9.81, 0.0], ..scene }).1, Vec3::new(4.0, 4.0, 0.0));
    }
}
