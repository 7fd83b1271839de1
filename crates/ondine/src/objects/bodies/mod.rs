//! What moves objects, and where they are.
//!
//! Source: thesis 000 §6.2, Algorithm 7 lines 1 to 4 and 8 to 11: objects go ahead by their velocities to where particles
//! judge their impulses, then once more from the start with those impulses, and settle their contacts among themselves.

mod drives;
mod edits;
mod watch;

use super::rigid::Rigid;
use super::{Collider, MassProperties, Pull, Sdf, moved};
use crate::contact::floater::Floater;
use crate::contact::impact::Impact;
use crate::contact::impulse::Impulse;
use crate::contact::prediction::Predicted;
use crate::frame::{ObjectLedger, Pose};
use crate::scene::{Described, Motion, Object, Placement, Scalar, Scene, Spring};
use crate::step::Step;
use drives::Drive;
pub use edits::Given;
use edits::Hold;
use glam::{DMat3, DVec3, Quat, Vec3};
use serde::{Deserialize, Serialize};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// The objects of a scene, in its order.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Bodies {
    all: Vec<Body>,
    /// What the scene says of springs, with the values that they have by now.
    springs: Vec<Spring>,
    /// Only where something is free.
    rigid: Option<Rigid>,
    #[serde(skip)]
    sdfs: Vec<Arc<Sdf>>,
}

/// Where an object is and how it moves.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Body {
    /// What the scene says of it, with the values that it has by now.
    pub object: Object,
    /// Where it is; during a step, where it will be.
    pub placement: Placement,
    /// Where it was at the start of the step.
    before: Placement,
    /// Velocity [m/s]: of its centre of mass if it is free, else of its origin.
    pub velocity: Vec3,
    /// Spin [rad/s].
    pub spin: Vec3,
    /// Mass, centre of mass and inertia tensor in its own frame, if it is free.
    pub inertia: Option<MassProperties>,
    /// What particles took from it beyond what they had predicted; it is paid in the next steps.
    pub deferred: Impulse,
    /// Mass of the particles near it in the last step [kg].
    pub crowd: f64,
    /// Mass of the liquid that leaned on it as a wall in the last step [kg].
    leaning: f64,
    /// What particles gave it since the last frame, and for how long [s].
    pub received: (Impulse, f64),
    /// Whether it was there in the last step.
    there: bool,
    /// How much of its skin is not there yet [m]: what appears in liquid grows.
    skin: f32,
    /// By what it is held, if anything does.
    hold: Option<Hold>,
    /// Whether a spring pulls at it.
    hung: bool,
    /// What drives it in this step.
    #[serde(skip)]
    drive: Drive,
}

impl Body {
    fn new(object: &Object, sdf: &Sdf, planar: bool) -> Self {
        let free = object.motion == Motion::Free;
        let inertia = free.then(|| sdf.inertia(planar)).flatten().map(|i| {
            let mass = object.mass.map_or(i.mass * object.density as f64, f64::from);
            i.scaled(mass / i.mass.max(f64::MIN_POSITIVE))
        });
        let placement = object.placement();
        let spin = Vec3::from(object.spin.map(f32::to_radians));
        let mut body = Self {
            object: object.clone(),
            placement,
            before: placement,
            velocity: Vec3::ZERO,
            spin: Vec3::ZERO,
            inertia,
            deferred: Impulse::default(),
            crowd: 0.0,
            leaning: 0.0,
            received: (Impulse::default(), 0.0),
            there: object.enabled,
            skin: 0.0,
            hold: None,
            hung: false,
            drive: Drive::default(),
        };
        if object.motion != Motion::Fixed {
            (body.velocity, body.spin) = (object.velocity.into(), spin);
        }
        body
    }

    /// The centre of mass [m].
    pub fn centre(&self) -> Vec3 {
        self.placement.to_world(self.inertia.map_or(Vec3::ZERO, |i| i.centre.as_vec3()))
    }

    /// The inertia tensor about the centre of mass, in the world.
    pub fn world_tensor(&self) -> DMat3 {
        let turn = DMat3::from_quat(self.placement.rotation.as_dquat());
        self.inertia.map_or(DMat3::ZERO, |i| turn * i.tensor * turn.transpose())
    }

    /// It as points push it, if it is free.
    fn floater(&self) -> Option<Floater> {
        let (tensor, velocity, spin) = (self.world_tensor(), self.velocity.as_dvec3(), self.spin.as_dvec3());
        let Self { leaning, crowd, .. } = *self;
        self.inertia.map(|i| Floater { mass: i.mass, tensor, velocity, spin, leaning, crowd })
    }

    /// What is deferred is given in part, the lighter it is than the particles around it the more slowly: before it goes
    /// ahead, so that those in its way are asked.
    fn collect(&mut self, planar: bool) {
        let Some(inertia) = self.inertia.filter(|_| self.deferred != Impulse::default()) else { return };
        let paid = self.deferred.scaled(inertia.mass / (inertia.mass + self.crowd));
        self.deferred = self.deferred - paid;
        self.push(paid);
        if planar {
            self.flatten_motion();
        }
    }

    /// Changes the velocities, and keeps account.
    fn push(&mut self, push: Impulse) {
        self.strike(push);
        self.received.0 += push;
    }

    /// Changes the velocities of a free one.
    fn strike(&mut self, push: Impulse) {
        let Some(inertia) = self.inertia else { return };
        self.velocity += (push.linear / inertia.mass).as_vec3();
        self.spin += (self.world_tensor().inverse() * push.angular).as_vec3();
    }

    /// The placement a step later if nothing changes its velocities.
    fn ahead(&self, dt: f32) -> Placement {
        let local = self.inertia.map_or(Vec3::ZERO, |i| i.centre.as_vec3());
        let mut next = moved(&self.placement, self.velocity, self.spin, dt);
        next.at = self.centre() + dt * self.velocity - next.rotation * local;
        next
    }

    fn ledger(&self, gravity: DVec3) -> ObjectLedger {
        let mass = self.inertia.map_or(0.0, |i| i.mass);
        let (centre, velocity, spin) =
            (self.centre().as_dvec3(), self.velocity.as_dvec3(), self.spin.as_dvec3());
        let turning = self.world_tensor() * spin;
        let (received, time) = self.received;
        let mean = |push: DVec3| if time > 0.0 { push / time } else { DVec3::ZERO };
        ObjectLedger {
            name: self.object.name.clone(),
            mass,
            at: self.placement.at.as_dvec3().into(),
            rotation: self.placement.rotation.as_dquat().into(),
            velocity: velocity.into(),
            spin: spin.into(),
            momentum: (mass * velocity).into(),
            angular_momentum: (mass * centre.cross(velocity) + turning).into(),
            kinetic_energy: 0.5 * (mass * velocity.length_squared() + spin.dot(turning)),
            potential_energy: -mass * gravity.dot(centre),
            force: mean(received.linear).into(),
            torque: mean(received.angular).into(),
            deferred: self.deferred.linear.into(),
        }
    }

    /// As much of its shape as is there.
    fn grown(&self, sdf: &Arc<Sdf>) -> Arc<Sdf> {
        if self.skin > 0.0 { Arc::new(Sdf::core(sdf, self.skin)) } else { sdf.clone() }
    }

    /// Fastest point of a shape that moves like this [m/s].
    fn fastest(&self, sdf: &Sdf, planar: bool) -> f32 {
        let corner = sdf.bounds().map_or(Vec3::ZERO, |(low, high)| low.abs().max(high.abs()));
        // What has no end across the plane turns in it all the same.
        let reach = if planar { corner.with_z(0.0) } else { corner }.length();
        self.velocity.length() + self.spin.length() * reach
    }
}

/// Points that may cling to objects.
#[derive(Clone, Debug)]
pub struct Cling {
    /// Their name, by which objects know them.
    pub name: String,
    /// Distance between them at rest [m].
    pub spacing: f32,
    /// Angle at which they meet objects, unless those say otherwise [°].
    pub contact_angle: f32,
}

impl Cling {
    /// Cosine of that angle.
    pub fn cosine(&self) -> f32 {
        cos_degrees(self.contact_angle)
    }
}

/// Speed at which the surface of what appears in liquid grows [m/s].
pub const GROWTH: f32 = 0.5;
impl Bodies {
    /// The objects of a scene at the start.
    pub fn new(scene: &Scene) -> Self {
        let sdfs: Vec<_> = scene.object.iter().map(|object| sdf(object, scene)).collect();
        let body = |(object, sdf): (&Object, &Arc<Sdf>)| Body::new(object, sdf, scene.planar());
        let mut all: Vec<Body> = scene.object.iter().zip(&sdfs).map(body).collect();
        all.iter_mut().zip(drives::hung(scene)).for_each(|(body, hung)| body.hung = hung);
        let inertia: Vec<_> = all.iter().map(|b| b.inertia).collect();
        let rigid = inertia.iter().any(Option::is_some).then(|| Rigid::new(scene, &inertia));
        Self { all, springs: scene.spring.clone(), rigid, sdfs }
    }

    /// As a checkpoint is read.
    #[cfg(test)]
    pub fn forget_derived(&mut self) {
        self.sdfs.clear();
    }

    /// Makes ready what a checkpoint leaves out.
    pub fn wake(&mut self, scene: &Scene) {
        if self.sdfs.len() != self.all.len() {
            self.sdfs = self.all.iter().map(|body| sdf(&body.object, scene)).collect();
        }
    }

    /// The live value that a path names, such as `boat.friction`.
    pub fn live(&mut self, path: &str) -> Option<Scalar<'_>> {
        let (name, key) = path.split_once('.')?;
        self.all.iter_mut().find(|body| body.object.name == name)?.object.live(key)
    }

    /// What the scene says of them, with the values that they have by now.
    pub fn objects(&self) -> impl Iterator<Item = &Object> {
        self.all.iter().map(|body| &body.object)
    }

    /// Whether anything is free.
    pub fn any_free(&self) -> bool {
        self.rigid.is_some()
    }

    /// Fastest point of any object [m/s], after a frame's fall.
    pub fn fastest(&self, planar: bool, fall: f32) -> f32 {
        let there = self.all.iter().zip(&self.sdfs).filter(|(body, _)| body.object.enabled);
        let speed = |(body, sdf): (&Body, &Arc<Sdf>)| match body.object.motion {
            Motion::Fixed => 0.0,
            Motion::Moving => body.fastest(sdf, planar),
            Motion::Free => body.fastest(sdf, planar) + fall,
        };
        there.map(speed).fold(0.0, f32::max)
    }

    /// What an event brings back in the middle of liquid grows from below the deepest particle in it, so that nobody is caught inside nor
    /// thrown out at once. `deepest` is how deep the deepest one is in a collider [m]. Returns whether anything grows.
    pub fn appear(&mut self, dt: f32, deepest: impl Fn(&Collider) -> f32) -> bool {
        let mut grows = false;
        for (body, sdf) in self.all.iter_mut().zip(&self.sdfs) {
            body.skin = (body.skin - GROWTH * dt).max(0.0);
            if body.object.enabled && !body.there && sdf.bounds().is_some() {
                body.skin = deepest(&Collider::new(sdf.clone(), body.placement)).max(0.0);
            }
            body.there = body.object.enabled;
            grows |= body.skin > 0.0;
        }
        grows
    }

    /// Line 3: objects go ahead to where their velocities take them by the end of the step, gravity and what drives them included.
    /// Returns what they get of whoever holds and drives them.
    pub fn go_ahead(&mut self, step: &Step) -> Given {
        let mut given = Given::default();
        for (i, body) in self.all.iter_mut().enumerate() {
            body.before = body.placement;
            body.drive = Drive::default();
            match body.object.motion {
                Motion::Fixed => (),
                Motion::Moving => body.follow(step),
                Motion::Free if !body.object.enabled => (),
                Motion::Free => {
                    body.collect(step.planar);
                    if let (Some(hold), Some(rigid)) = (body.hold, &mut self.rigid) {
                        rigid.wake(i);
                        given.add(body.pull(hold, step), body, &self.sdfs[i], step.planar);
                    }
                    if let Some(rigid) = self.rigid.as_mut().filter(|_| body.is_driven() || body.hung) {
                        rigid.wake(i);
                    }
                    if is_awake(&self.rigid, i) {
                        let mut drive = body.drive(&self.sdfs[i], step);
                        let work = body.gain(&mut drive, step);
                        if body.is_driven() {
                            given.add(work, body, &self.sdfs[i], step.planar);
                        }
                        body.drive = drive;
                    }
                    body.placement = body.ahead(step.dt);
                }
            }
        }
        given
    }

    /// Whether a moving object is not to stay where it is until a time [s].
    pub fn are_led(&self, scene: &Scene, until: f32) -> bool {
        let is_led = |body: &Body| match scene.tracked_placement(&body.object, until) {
            Some(placement) => placement != body.placement,
            None => body.object.velocity != [0.0; 3] || body.object.spin != [0.0; 3],
        };
        let moving = |body: &Body| body.object.enabled && body.object.motion == Motion::Moving;
        self.all.iter().any(|body| moving(body) && is_led(body))
    }

    /// Points of the free ones, as many as tell how each lies [m].
    pub fn free_points(&self) -> impl Iterator<Item = Vec3> + '_ {
        let free = self.all.iter().zip(&self.sdfs).filter(|(body, _)| body.inertia.is_some());
        free.flat_map(|(body, sdf)| {
            let (low, high) = sdf.bounds().unwrap_or_default();
            [0.5 * (low + high), low.with_x(high.x), low.with_y(high.y)].map(|p| body.placement.to_world(p))
        })
    }

    /// Takes all motion of the free ones away.
    pub fn halt(&mut self) {
        for (i, body) in self.all.iter_mut().enumerate().filter(|(_, body)| body.inertia.is_some()) {
            (body.velocity, body.spin, body.deferred) = (Vec3::ZERO, Vec3::ZERO, Impulse::default());
            if let Some(rigid) = &mut self.rigid {
                rigid.set_velocity(i, Vec3::ZERO, Vec3::ZERO, false);
            }
        }
    }

    /// The objects that are there, as particles meet them in this step; `clings` are the points that may cling to them.
    pub fn colliders(&self, clings: &[Cling]) -> Vec<Collider> {
        let mut free = 0;
        let mut colliders = Vec::with_capacity(self.all.len());
        for (i, (body, sdf)) in self.all.iter().zip(&self.sdfs).enumerate() {
            let object = &body.object;
            let number = body.inertia.is_some().then_some(free);
            free += number.is_some() as u32;
            if object.enabled {
                colliders.push(Collider {
                    before: body.before,
                    friction: object.friction,
                    grip: object.grip,
                    restitution: object.restitution,
                    object: Some(i as u32),
                    adhesion: pulls(object, clings),
                    wetting: wetting(object, clings),
                    free: number,
                    falls: number.is_some() && is_awake(&self.rigid, i),
                    mass: body.inertia.map_or(f64::INFINITY, |i| i.mass),
                    centre: body.centre(),
                    ..Collider::new(body.grown(sdf), body.placement)
                });
            }
        }
        colliders
    }

    /// The free ones, in order.
    pub fn free(&self) -> impl Iterator<Item = &Body> {
        self.all.iter().filter(|b| b.inertia.is_some())
    }

    /// The same, to be changed.
    pub fn free_mut(&mut self) -> impl Iterator<Item = &mut Body> {
        self.all.iter_mut().filter(|b| b.inertia.is_some())
    }

    /// The free ones as points push them, in order.
    pub fn floaters(&self) -> Vec<Floater> {
        self.all.iter().filter_map(Body::floater).collect()
    }

    /// Keeps what the next step wants to know of the points around each free one.
    pub fn note_crowds(&mut self, floaters: &[Floater]) {
        for (body, floater) in self.free_mut().zip(floaters) {
            (body.leaning, body.crowd) = (floater.leaning, floater.crowd);
        }
    }

    /// Lines 8 to 11: from the start once more, with the impulses of particles, then contacts and joints among objects. The number of an
    /// object that is no longer a number or faster than `limit` [m/s], if one is: before the others get to feel it, too.
    pub fn advance(&mut self, predicted: &[Predicted], step: &Step, limit: f32) -> Result<(), usize> {
        self.push_all(predicted, step);
        self.unfit(step.planar, limit).map_or(Ok(()), Err)?;
        self.meet(step)?;
        self.unfit(step.planar, limit).map_or(Ok(()), Err)
    }

    /// Gives free objects the impulses of particles, and tells the solver of it.
    fn push_all(&mut self, predicted: &[Predicted], step: &Step) {
        let Some(rigid) = &mut self.rigid else { return };
        let dt = step.dt;
        let mut predicted = predicted.iter();
        for (i, body) in self.all.iter_mut().enumerate() {
            let enabled = body.object.enabled;
            rigid.enable(i, enabled);
            rigid.set_restitution(i, body.object.restitution);
            if body.object.motion == Motion::Moving {
                rigid.lead(i, &body.placement, body.velocity, body.spin);
            }
            if body.inertia.is_none() {
                continue;
            }
            let Predicted { contact, walls } = predicted.next().copied().unwrap_or_default();
            let touched = contact != Impulse::default() || walls != Impulse::default();
            body.push(contact);
            body.received.0 += walls;
            body.received.1 += dt as f64;
            let Drive { push, slowing, gained: (velocity, spin) } = body.drive;
            rigid.set_force(i, walls.scaled(1.0 / dt as f64) + push);
            rigid.set_slowing(i, slowing, !body.hung && !body.is_driven());
            if enabled && (touched || !rigid.is_asleep(i)) {
                // Going ahead has added gravity. Here it must come with the step: in one blow, small things would hop.
                rigid.set_velocity(i, body.velocity - velocity, body.spin - spin, touched);
            }
        }
    }

    /// Free objects go on, meet each other and what they hang on. Where the solver gives up, the first free object is told.
    fn meet(&mut self, step: &Step) -> Result<(), usize> {
        let (Some(rigid), springs) = (&mut self.rigid, &self.springs) else { return Ok(()) };
        let first = self.all.iter().position(|b| b.inertia.is_some()).unwrap_or(0);
        // It has lists of its own, which nobody can check who did not write it; the world is not used after a failure.
        catch_unwind(AssertUnwindSafe(|| rigid.step(step.gravity, step.dt, springs))).map_err(|_| first)?;
        for (i, body) in self.all.iter_mut().enumerate().filter(|(_, b)| b.inertia.is_some()) {
            if let Some((placement, velocity, spin)) = rigid.state(i) {
                (body.placement, body.velocity, body.spin) = (placement, velocity, spin);
            }
            if step.planar {
                body.flatten();
            }
        }
        Ok(())
    }

    /// After the last line: what particles took (`taken`) beyond what they predicted is deferred to the objects.
    pub fn defer_difference(&mut self, predicted: &[Predicted], taken: &[Impulse]) {
        let free = self.all.iter_mut().filter(|b| b.inertia.is_some());
        for ((body, predicted), taken) in free.zip(predicted).zip(taken) {
            body.deferred += *taken - predicted.contact;
        }
    }

    /// Forgets what was received: a new frame begins.
    pub fn begin_frame(&mut self) {
        self.all.iter_mut().for_each(|b| b.received = (Impulse::default(), 0.0));
        self.rigid.iter_mut().for_each(Rigid::forget_impacts);
    }

    /// Which of them met in the last frame.
    pub fn impacts(&self) -> &[Impact] {
        self.rigid.as_ref().map_or(&[], Rigid::impacts)
    }

    /// Where they are.
    pub fn poses(&self) -> Vec<Pose> {
        let pose = |body: &Body| Pose {
            name: body.object.name.clone(),
            enabled: body.object.enabled,
            visible: body.object.visible,
            placement: body.placement,
            velocity: (body.velocity + body.spin.cross(body.placement.at - body.centre())).into(),
            spin: body.spin.into(),
        };
        self.all.iter().map(pose).collect()
    }

    /// The name of an object.
    pub fn name(&self, object: usize) -> Option<&str> {
        self.all.get(object).map(|body| body.object.name.as_str())
    }

    /// The measure of one object.
    pub fn measure(&self, name: &str, gravity: Vec3) -> Option<ObjectLedger> {
        let body = self.all.iter().find(|body| body.object.name == name)?;
        Some(body.ledger(gravity.as_dvec3()))
    }

    /// The measure of what can move.
    pub fn ledger(&self, gravity: Vec3) -> Vec<ObjectLedger> {
        let that_move = self.all.iter().filter(|body| body.object.motion != Motion::Fixed);
        that_move.map(|body| body.ledger(gravity.as_dvec3())).collect()
    }
}

impl Body {
    /// Takes away what round-off adds across the plane.
    fn flatten(&mut self) {
        let Placement { at, rotation } = &mut self.placement;
        at.z = self.before.at.z;
        *rotation = Quat::from_xyzw(0.0, 0.0, rotation.z, rotation.w).normalize();
        self.flatten_motion();
    }

    fn flatten_motion(&mut self) {
        self.velocity.z = 0.0;
        self.spin = Vec3::Z * self.spin.z;
    }

    /// The way of a moving object: along its tracks if it has any, else by its velocity and spin.
    fn follow(&mut self, step: &Step) {
        let (object, dt) = (&self.object, step.dt);
        let next = match step.scene.tracked_placement(object, step.end() as f32) {
            Some(placement) => placement,
            None => {
                let spin = Vec3::from(object.spin.map(f32::to_radians));
                moved(&self.before, object.velocity.into(), spin, dt)
            }
        };
        self.velocity = (next.at - self.before.at) / dt;
        let turn = next.rotation * self.before.rotation.inverse();
        self.spin = if turn.w < 0.0 { -turn } else { turn }.to_scaled_axis() / dt;
        self.placement = next;
    }
}

fn sdf(object: &Object, scene: &Scene) -> Arc<Sdf> {
    let finest = scene.liquid.iter().map(|l| 0.5 * l.spacing).fold(f32::INFINITY, f32::min);
    Arc::new(Sdf::new(&object.shape, &scene.meshes, scene.planar()).charted(finest))
}

/// Cosines of the angles at which liquids meet an object.
fn wetting(object: &Object, clings: &[Cling]) -> Vec<f32> {
    let angle = |c: &Cling| *object.contact_angle.get(&c.name).unwrap_or(&c.contact_angle);
    clings.iter().map(|c| cos_degrees(angle(c))).collect()
}

/// The cosine of an angle [°], the same bits on every machine: Bhaskara's, good to 0.002, and right at 0, 60, 90, 120 and 180.
fn cos_degrees(angle: f32) -> f32 {
    let half = |x: f32| (32_400.0 - 4.0 * x * x) / (32_400.0 + x * x);
    if angle <= 90.0 { half(angle) } else { -half(180.0 - angle) }
}

/// What points feel of an object's adhesion. Equation 6.4 is greatest halfway: k d/4 is the pull there.
fn pulls(object: &Object, clings: &[Cling]) -> Vec<Pull> {
    if object.adhesion.is_empty() {
        return Vec::new();
    }
    let pull = |cling: &Cling| match object.adhesion.get(&cling.name) {
        Some(adhesion) => {
            let range = adhesion.range.unwrap_or(0.5 * cling.spacing);
            Pull { k: 4.0 * adhesion.pull / range, range }
        }
        None => Pull::default(),
    };
    clings.iter().map(pull).collect()
}

/// Whether an object moves, unless it is told not to: what lies still for a while sleeps.
fn is_awake(rigid: &Option<Rigid>, object: usize) -> bool {
    rigid.as_ref().is_none_or(|rigid| !rigid.is_asleep(object))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Shape;

    /// A body whose weight is carried, as by a liquid in which it sinks steadily, goes where its velocity says, in steps of any length.
    #[test]
    fn what_is_carried_moves_with_its_velocity() {
        let ball = Object {
            motion: Motion::Free,
            velocity: [0.0, -0.01, 0.0],
            ..Object::new("ball", Shape::Sphere { radius: 0.02 }, [0.0; 3])
        };
        let scene = Scene { object: vec![ball], ..Scene::default() };
        for steps in [10, 100] {
            let (mut bodies, dt) = (Bodies::new(&scene), 0.1 / steps as f32);
            let mass = bodies.free().next().and_then(|body| body.inertia).expect("a free body").mass;
            let carried = -mass * dt as f64 * Vec3::from(scene.gravity).as_dvec3();
            let walls = Impulse { linear: carried, angular: DVec3::ZERO };
            for step in 0..steps {
                let time = (step as f32 * dt) as f64;
                let step =
                    Step { time, gravity: scene.gravity.into(), scene: &scene, ..Step::alone(dt, false) };
                bodies.go_ahead(&step);
                let predicted = [Predicted { walls, ..Predicted::default() }];
                bodies.advance(&predicted, &step, f32::MAX).expect("a healthy step");
            }
            let sunk = -bodies.all[0].placement.at.y;
            assert!((sunk - 0.001).abs() < 1e-5, "{sunk} m in {steps} steps");
        }
    }
}
