//! What can be asked of a world between frames without a copy of it: arrays to borrow, the measure of an object, distances and rays.

use super::World;
use crate::contact::impact;
use crate::frame::ObjectLedger;
use crate::objects::Collider;
use crate::particles::Axes;
use crate::system::SystemKind;
use glam::Vec3;

/// Vectors as they are kept: one array an axis.
#[derive(Clone, Copy, Debug)]
pub struct Vectors<'a> {
    /// First components.
    pub x: &'a [f32],
    /// Second components.
    pub y: &'a [f32],
    /// Third components.
    pub z: &'a [f32],
}

impl<'a> Vectors<'a> {
    /// The vectors one by one.
    pub fn iter(self) -> impl ExactSizeIterator<Item = [f32; 3]> + 'a {
        (0..self.x.len()).map(move |i| [self.x[i], self.y[i], self.z[i]])
    }
}

impl<'a> From<&'a Axes> for Vectors<'a> {
    fn from(axes: &'a Axes) -> Self {
        Self { x: &axes.x, y: &axes.y, z: &axes.z }
    }
}

/// The particles of a system, borrowed as they are. Their order changes from frame to frame; their ids do not.
#[derive(Clone, Copy, Debug)]
pub struct SystemView<'a> {
    /// What it is.
    pub kind: SystemKind,
    /// Its name in the scene.
    pub name: &'a str,
    /// Radius of a particle [m], or of the largest; of liquids half the spacing.
    pub radius: f32,
    /// Positions [m].
    pub position: Vectors<'a>,
    /// Velocities [m/s].
    pub velocity: Vectors<'a>,
    /// Ids: a particle keeps its own for life.
    pub id: &'a [u32],
}

/// The object that is nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearby<'a> {
    /// Its name.
    pub object: &'a str,
    /// How far its surface is [m], negative inside of it. Of blends never more than that.
    pub distance: f32,
    /// The direction out of it there, of length 1.
    pub normal: [f32; 3],
}

/// What a ray meets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit<'a> {
    /// The name of the object.
    pub object: &'a str,
    /// How far along the ray [m].
    pub distance: f32,
    /// Where [m].
    pub at: [f32; 3],
    /// The direction out of the object there, of length 1.
    pub normal: [f32; 3],
}

/// How near to a surface a ray meets it, over how far away it is, and at least [m].
const TOUCH: f32 = 1e-5;
/// Most steps along a ray: one that grazes a surface for longer passes it.
const MOST_STEPS: usize = 1000;

/// What takes part in an impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Party<'a> {
    /// Its kind: None for objects.
    pub kind: Option<SystemKind>,
    /// The name of the object, or of the particle's system.
    pub name: &'a str,
    /// The particle's id.
    pub id: Option<u32>,
}

/// Two that had not touched before, and met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact<'a> {
    /// Who met.
    pub parties: [Party<'a>; 2],
    /// Where [m].
    pub at: [f32; 3],
    /// From the second to the first, of length 1.
    pub normal: [f32; 3],
    /// How fast they closed [m/s].
    pub speed: f32,
}

impl World {
    /// Who met whom in the last frame: free objects among themselves and with others, balls among themselves and with objects. Objects first,
    /// then system by system, each in the order of time. What only comes to rest on something, or trembles there, is left out.
    pub fn impacts(&self) -> Vec<Impact<'_>> {
        if self.substeps == 0 {
            return Vec::new();
        }
        let mut all: Vec<Impact> = Vec::new();
        let objects = self.bodies.impacts().iter().filter_map(|impact| self.impact(impact, &[]));
        all.extend(objects);
        for system in self.systems.all() {
            let views = system.views();
            all.extend(system.impacts().iter().filter_map(|impact| self.impact(impact, &views)));
        }
        all
    }

    /// An impact with the names of those that met, of which members have views.
    fn impact<'a>(&'a self, impact: &impact::Impact, views: &[SystemView<'a>]) -> Option<Impact<'a>> {
        let party = |party: impact::Party| match party {
            impact::Party::Object(n) => {
                Some(Party { kind: None, name: self.bodies.name(n as usize)?, id: None })
            }
            impact::Party::Particle { member, id } => {
                let view = views.get(member as usize)?;
                Some(Party { kind: Some(view.kind), name: view.name, id: Some(id) })
            }
        };
        let parties = [party(impact.parties[0])?, party(impact.parties[1])?];
        Some(Impact { parties, at: impact.at.into(), normal: impact.normal.into(), speed: impact.speed })
    }

    /// The particles of a system, by its kind and name, such as `liquid.water`.
    pub fn system(&self, name: &str) -> Option<SystemView<'_>> {
        let (kind, name) = name.split_once('.')?;
        let all = self.systems.all();
        let mut views = all.iter().flat_map(|system| system.views());
        views.find(|view| view.kind.to_string() == kind && view.name == name)
    }

    /// Where an object is, how it moves, and the force and torque that particles exerted on it in the last frame, if it is free.
    pub fn object(&self, name: &str) -> Option<ObjectLedger> {
        self.bodies.measure(name, self.live.gravity.into())
    }

    /// The object that is nearest to a point [m], of those that are there.
    pub fn nearest_object(&self, point: [f32; 3]) -> Option<Nearby<'_>> {
        let p = Vec3::from(point);
        let colliders = self.bodies.colliders(&[]);
        let (collider, distance) = nearest(&colliders, p)?;
        let normal = collider.nearest(p).normal.into();
        Some(Nearby { object: self.bodies.name(collider.object? as usize)?, distance, normal })
    }

    /// The first object that a ray from a point [m] meets within a distance [m]. The direction need not be of length 1. Who begins inside of
    /// one meets it there.
    pub fn cast_ray(&self, from: [f32; 3], direction: [f32; 3], within: f32) -> Option<Hit<'_>> {
        let (from, along) = (Vec3::from(from), Vec3::from(direction).try_normalize()?);
        let colliders = self.bodies.colliders(&[]);
        let mut gone = 0.0;
        for _ in 0..MOST_STEPS {
            let at = from + gone * along;
            let (collider, room) = nearest(&colliders, at)?;
            if room <= TOUCH * gone.max(1.0) {
                let normal = collider.nearest(at).normal.into();
                let object = self.bodies.name(collider.object? as usize)?;
                return Some(Hit { object, distance: gone, at: at.into(), normal });
            }
            gone += room;
            if !at.is_finite() || gone > within {
                return None;
            }
        }
        None
    }
}

/// The collider that is nearest to a point, and how far it is [m].
fn nearest(colliders: &[Collider], p: Vec3) -> Option<(&Collider, f32)> {
    let all = colliders.iter().map(|collider| (collider, collider.distance(p)));
    all.filter(|(_, distance)| distance.is_finite()).min_by(|a, b| a.1.total_cmp(&b.1))
}
