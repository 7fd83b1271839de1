//! Rigid bodies among themselves: rapier, with liquids left to the caller.

use super::MassProperties;
use super::bounces::Bounce;
use super::grips::{self, Hooks};
use super::joints::Lock;
use super::meetings::Meetings;
use super::rigid_shapes::{self, pose};
use super::springs::Tie;
use crate::contact::impulse::Impulse;
use crate::digest;
use crate::scene::{Joint, JointKind, Motion, Object, Placement, Scene, Spring};
use glam::Vec3;
use rapier3d::math::Pose;
use rapier3d::parry::partitioning::TraversalAction;
use rapier3d::prelude::*;
use serde::{Deserialize, Serialize};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The objects of a scene as rapier has them, in the order of the scene.
#[derive(Clone, Serialize, Deserialize)]
pub struct Rigid {
    pub(super) handles: Vec<RigidBodyHandle>,
    extents: Vec<Extent>,
    /// Whether anything gives back speed.
    bouncy: bool,
    /// Whether anything holds otherwise than it slides.
    holds: bool,
    pub(super) parameters: IntegrationParameters,
    islands: IslandManager,
    broad_phase: DefaultBroadPhase,
    pub(super) narrow_phase: NarrowPhase,
    pub(super) bodies: RigidBodySet,
    pub(super) colliders: ColliderSet,
    pub(super) joints: ImpulseJointSet,
    /// Those of them that are springs.
    pub(super) ties: Vec<Tie>,
    multibody_joints: MultibodyJointSet,
    soft_bodies: SoftBodySet,
    #[serde(skip)]
    workspace: Workspace,
    #[serde(skip)]
    pub(super) meetings: Meetings,
}

/// What a step needs and forgets.
#[derive(Default)]
struct Workspace(PhysicsPipeline, CCDSolver);

impl Clone for Workspace {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl std::fmt::Debug for Rigid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rigid").field("bodies", &self.bodies.len()).finish_non_exhaustive()
    }
}

/// Farthest that a body goes in a pass, over the size of the smallest free one: contacts are found where bodies are at its
/// start, and a way much longer turns round corners.
const PASSING: f32 = 0.5;
/// The same where anything bounces: what meets two others in one pass shares its energy badly.
const BOUNCING: f32 = 0.02;
/// How near contacts are known there, over the same: what meets in a pass must be near before it, from both sides.
const FORESEEN: f32 = 5.0 * BOUNCING;
/// Most passes in a step, for the sake of time.
const MOST_PASSES: f32 = 32.0;
/// Way of a body in a pass, over half its thinnest side, from which it could get through another unseen.
const THROUGH: f32 = 0.25;
/// How far ahead contacts are looked for then [m]: as far as velocities lead, for no pass is so long.
const AHEAD: f32 = 1e3;
/// Rounds of the solver in a pass for what hangs on joints, beyond the usual four. A round of τ turns velocities after bodies
/// have moved along their tangents: a swing loses the share (ωτ)² of its energy, ω²τ in a second.
const JOINTED: usize = 28;
/// Sweeps over all joints and contacts of them in a round, beyond the usual one: a jolt that has not spread along a chain by its
/// end comes back as energy.
const SWEEPS: usize = 7;
/// The same where a joint has limits. To meet one is a jolt for the whole chain, and the solver begins each round from nothing: with
/// seven sweeps a chain of five could gain 15 % of its energy there.
const LIMITED: usize = 31;
/// Sweeps after each round that take out the velocities which only put places right, there: one does not reach along a chain.
const STEADIED: usize = 8;
/// Sweeps over all contacts in a round where what holds is not what slides: a contact that has not found its load yet would let go.
const HELD: usize = 8;

/// Motor strength: large enough to keep its speed under water.
const MOTOR: f32 = 1e3;

fn has_limits(scene: &Scene) -> bool {
    scene.joint.iter().any(|joint| joint.limits.is_some())
}

impl Rigid {
    /// The objects of a scene; `inertia` is that of each free one, its mass in place of its volume.
    pub fn new(scene: &Scene, inertia: &[Option<MassProperties>]) -> Self {
        let bounces =
            |o: &Object| o.restitution > 0.0 || scene.changes(&format!("object.{}.restitution", o.name));
        let bouncy = scene.object.iter().any(bounces);
        let holds = scene.object.iter().any(grips::differs);
        let usual = IntegrationParameters::default();
        let mut rigid = Self {
            handles: Vec::new(),
            extents: scene.object.iter().map(|o| Extent::new(o, scene)).collect(),
            bouncy,
            holds,
            parameters: IntegrationParameters {
                length_unit: length_unit(&scene.object, scene),
                // It would be so many length units a second: one small body would hold back all others.
                normalized_max_linear_velocity: f32::MAX,
                normalized_prediction_distance: if bouncy {
                    FORESEEN
                } else {
                    usual.normalized_prediction_distance
                },
                num_internal_stabilization_iterations: if has_limits(scene) {
                    STEADIED
                } else {
                    usual.num_internal_stabilization_iterations
                },
                num_internal_pgs_iterations: if holds { HELD } else { usual.num_internal_pgs_iterations },
                ..usual
            },
            islands: IslandManager::new(),
            broad_phase: DefaultBroadPhase::default(),
            narrow_phase: NarrowPhase::new(),
            bodies: RigidBodySet::new(),
            colliders: ColliderSet::new(),
            joints: ImpulseJointSet::new(),
            ties: Vec::new(),
            multibody_joints: MultibodyJointSet::new(),
            soft_bodies: SoftBodySet::default(),
            workspace: Workspace::default(),
            meetings: Meetings::default(),
        };
        for (object, inertia) in scene.object.iter().zip(inertia) {
            rigid.add(object, inertia.as_ref(), scene);
        }
        let world = rigid.bodies.insert(RigidBodyBuilder::fixed());
        for joint in &scene.joint {
            rigid.join(joint, scene, world);
        }
        for spring in &scene.spring {
            rigid.hang(spring, scene, world);
        }
        rigid
    }

    /// Adds an object while others are under way; `inertia` if it is free.
    pub fn admit(&mut self, object: &Object, inertia: Option<&MassProperties>, scene: &Scene) {
        self.extents.push(Extent::new(object, scene));
        self.parameters.length_unit = self.parameters.length_unit.min(length_unit([object], scene));
        if object.restitution > 0.0 {
            self.let_bounce();
        }
        if grips::differs(object) && !std::mem::replace(&mut self.holds, true) {
            self.parameters.num_internal_pgs_iterations = HELD;
            self.ask();
        }
        self.add(object, inertia, scene);
    }

    /// From now on something gives back speed.
    pub fn let_bounce(&mut self) {
        if std::mem::replace(&mut self.bouncy, true) {
            return;
        }
        self.parameters.normalized_prediction_distance = FORESEEN;
        self.ask();
    }

    /// From now on the solver asks what to do with contacts.
    fn ask(&mut self) {
        for (_, collider) in self.colliders.iter_mut() {
            collider.set_active_hooks(ActiveHooks::MODIFY_SOLVER_CONTACTS);
        }
    }

    /// Puts an object where it is by now.
    pub fn place(&mut self, object: usize, placement: &Placement) {
        if let Some(body) = self.bodies.get_mut(self.handles[object]) {
            body.set_position(pose(placement), false);
        }
    }

    /// Wakes an object.
    pub fn wake(&mut self, object: usize) {
        if let Some(body) = self.bodies.get_mut(self.handles[object]) {
            body.wake_up(true);
        }
    }

    fn add(&mut self, object: &Object, inertia: Option<&MassProperties>, scene: &Scene) {
        let builder = match object.motion {
            Motion::Fixed => RigidBodyBuilder::fixed(),
            Motion::Moving => RigidBodyBuilder::kinematic_position_based(),
            Motion::Free => RigidBodyBuilder::dynamic(),
        };
        let mut builder = builder.pose(pose(&object.placement())).enabled(object.enabled);
        if scene.planar() {
            // Nothing pushes across the plane. To lock that way would leave friction with one direction, which the solver takes for none.
            builder = builder.enabled_rotations(false, false, true);
        }
        if let Some(inertia) = inertia {
            builder = builder
                .linvel(object.velocity.into())
                .angvel(Vec3::from(object.spin.map(f32::to_radians)))
                .additional_mass_properties(rapier3d::dynamics::MassProperties::with_inertia_matrix(
                    inertia.centre.as_vec3(),
                    inertia.mass as f32,
                    inertia.tensor.as_mat3(),
                ));
        }
        let body = self.bodies.insert(builder);
        self.handles.push(body);
        for (pose, shape) in rigid_shapes::pieces(&object.shape, object.motion, &scene.meshes, scene.planar())
        {
            let collider = ColliderBuilder::new(shape)
                .position(pose)
                .density(0.0)
                .friction(object.grip)
                .user_data(grips::keep(object))
                .restitution(object.restitution)
                .restitution_combine_rule(CoefficientCombineRule::Max);
            let collider = match self.bouncy || self.holds {
                true => collider.active_hooks(ActiveHooks::MODIFY_SOLVER_CONTACTS),
                false => collider,
            };
            self.colliders.insert_with_parent(collider, body, &mut self.bodies);
        }
    }

    fn join(&mut self, joint: &Joint, scene: &Scene, world: RigidBodyHandle) {
        let find = |name: &str| scene.object.iter().position(|o| o.name == name);
        let Some(object) = find(&joint.object) else { return };
        let to = joint.to.as_deref().and_then(find);
        let place = |o: Option<usize>| o.map_or(Placement::ORIGIN, |o| scene.object[o].placement());
        let Lock { turn, locked, axis } = Lock::new(joint, scene.planar());
        let frame = |o| {
            let place = place(o);
            Pose::from_parts(place.to_local(joint.at.into()), place.rotation.inverse() * turn)
        };
        let units = |x: f32| if joint.kind == JointKind::Hinge { x.to_radians() } else { x };
        let mut built = GenericJointBuilder::new(locked)
            .local_frame1(frame(to))
            .local_frame2(frame(Some(object)))
            .contacts_enabled(false);
        if let Some(limits) = joint.limits {
            built = built.limits(axis, limits.map(units));
        }
        if let Some(speed) = joint.speed {
            built = built.motor_velocity(axis, units(speed), MOTOR);
        }
        let other = to.map_or(world, |o| self.handles[o]);
        self.take_care([other, self.handles[object]], scene);
        self.joints.insert(other, self.handles[object], built.build(), true);
    }

    /// Lets the solver do more for what hangs on something.
    fn take_care(&mut self, of: [RigidBodyHandle; 2], scene: &Scene) {
        let sweeps = if has_limits(scene) { LIMITED } else { SWEEPS };
        for handle in of {
            if let Some(body) = self.bodies.get_mut(handle) {
                body.set_additional_solver_iterations(JOINTED);
                body.set_additional_pgs_iterations(sweeps);
            }
        }
    }

    fn hang(&mut self, spring: &Spring, scene: &Scene, world: RigidBodyHandle) {
        let Some([(object, at), (to, to_at)]) = spring.ends(&scene.object) else { return };
        let handle = |o: Option<usize>| o.map_or(world, |o| self.handles[o]);
        let (own, other) = (handle(object), handle(to));
        self.take_care([other, own], scene);
        // The solver does so in its first pass: too late for how stiff a spring is.
        for body in [own, other] {
            if let Some(body) = self.bodies.get_mut(body) {
                body.recompute_mass_properties_from_colliders(&self.colliders);
            }
        }
        self.tie([(other, to_at), (own, at)]);
    }

    /// The time of a round of the solver for what hangs on something, in a pass of `dt` [s].
    pub(super) fn round(&self, dt: f32) -> f32 {
        dt / (self.parameters.num_solver_iterations + JOINTED) as f32
    }

    /// Whether a body is asleep: at rest for some time, and untouched.
    pub fn is_asleep(&self, object: usize) -> bool {
        self.bodies.get(self.handles[object]).is_some_and(|b| b.is_sleeping())
    }

    /// Takes an object away, or brings it back.
    pub fn enable(&mut self, object: usize, enabled: bool) {
        if let Some(body) = self.bodies.get_mut(self.handles[object])
            && body.is_enabled() != enabled
        {
            body.set_enabled(enabled);
        }
    }

    /// Says how much speed an object gives back.
    pub fn set_restitution(&mut self, object: usize, restitution: f32) {
        let Some(body) = self.bodies.get(self.handles[object]) else { return };
        for &handle in body.colliders() {
            // To touch a collider costs time.
            if self.colliders.get(handle).is_some_and(|c| c.restitution() != restitution)
                && let Some(collider) = self.colliders.get_mut(handle)
            {
                collider.set_restitution(restitution);
            }
        }
    }

    /// Sets the velocity of a free body's centre of mass [m/s] and its spin [rad/s].
    pub fn set_velocity(&mut self, object: usize, velocity: Vec3, spin: Vec3, wake: bool) {
        if let Some(body) = self.bodies.get_mut(self.handles[object]) {
            body.set_linvel(velocity, wake);
            body.set_angvel(spin, wake);
        }
    }

    /// Sets the force [N] and the torque [N·m] that act on a free body throughout the next step, besides gravity. They must come as
    /// gravity does: a step is solved in n parts, in which a body whose velocity changes evenly by g dt moves on by (n + 1)/2n g dt² only,
    /// and one that is given the same in one blow by all of it. A body whose weight liquid carries would sink slower than its velocity by
    /// (n − 1)/2n g dt if the one came evenly and the other in a blow.
    pub fn set_force(&mut self, object: usize, push: Impulse) {
        if let Some(body) = self.bodies.get_mut(self.handles[object]) {
            body.reset_forces(false);
            body.reset_torques(false);
            body.add_force(push.linear.as_vec3(), false);
            body.add_torque(push.angular.as_vec3(), false);
        }
    }

    /// Says at which rate the air slows a free body [1/s], and whether it may sleep: what is pulled slowly would stop.
    pub fn set_slowing(&mut self, object: usize, rate: f32, may_sleep: bool) {
        if let Some(body) = self.bodies.get_mut(self.handles[object]) {
            body.set_linear_damping(rate);
            let usual =
                if may_sleep { RigidBodyActivation::active() } else { RigidBodyActivation::cannot_sleep() };
            let activation = body.activation_mut();
            activation.normalized_linear_threshold = usual.normalized_linear_threshold;
            activation.angular_threshold = usual.angular_threshold;
        }
    }

    /// Says where a moving object goes in the next step, and with what velocity [m/s] and spin [rad/s].
    pub fn lead(&mut self, object: usize, to: &Placement, velocity: Vec3, spin: Vec3) {
        if let Some(body) = self.bodies.get_mut(self.handles[object]) {
            body.set_linvel(velocity, false);
            body.set_angvel(spin, false);
            body.set_next_kinematic_position(pose(to));
        }
    }

    /// Advances all bodies, in as many passes as it takes, with gravity, contacts, joints and springs among them.
    pub fn step(&mut self, gravity: Vec3, dt: f32, springs: &[Spring]) {
        let passes = self.passes(gravity, dt, self.spring_passes(springs, dt));
        self.tune_springs(springs, dt / passes as f32);
        let goals = self.goals();
        for k in 1..=passes {
            let part = k as f32 / passes as f32;
            for &(handle, from, to) in &goals {
                if let Some(body) = self.bodies.get_mut(handle) {
                    body.set_next_kinematic_position(if k == passes {
                        to
                    } else {
                        between(&from, &to, part)
                    });
                }
            }
            self.pass(gravity, dt / passes as f32);
        }
    }

    /// How many passes a step is made of, so that no body goes too far in one; and whether contacts must be looked for ahead.
    fn passes(&mut self, gravity: Vec3, dt: f32, least: f32) -> u32 {
        let fall = dt * gravity.length();
        let way = |body: &RigidBody, extent: &Extent| {
            let fall = if body.is_dynamic() && !body.is_sleeping() { fall } else { 0.0 };
            dt * (body.linvel().length() + fall + extent.reach * body.angvel().length())
        };
        let all = self.handles.iter().zip(&self.extents);
        let moving = all.filter_map(|(&h, extent)| Some((self.bodies.get(h)?, extent)));
        let moving = moving.filter(|(b, _)| b.is_enabled() && !b.is_fixed());
        let ways: Vec<(f32, f32)> = moving.map(|(b, e)| (way(b, e), e.thin)).collect();
        let farthest = ways.iter().fold(0.0, |far: f32, (way, _)| far.max(*way));
        let share = if self.bouncy { BOUNCING } else { PASSING };
        let passes =
            (farthest / (share * self.parameters.length_unit)).ceil().max(least).clamp(1.0, MOST_PASSES);
        let fast = ways.iter().any(|(way, thin)| *way > THROUGH * thin * passes);
        for (_, body) in self.bodies.iter_mut() {
            body.set_soft_ccd_prediction(if fast { AHEAD } else { 0.0 });
        }
        passes as u32
    }

    /// Where moving objects are and where they go in this step.
    fn goals(&self) -> Vec<(RigidBodyHandle, Pose, Pose)> {
        let goal = |h: &RigidBodyHandle| {
            let body = self.bodies.get(*h).filter(|b| b.is_kinematic())?;
            Some((*h, *body.position(), *body.next_position()))
        };
        self.handles.iter().filter_map(goal).collect()
    }

    /// A part of a step.
    fn pass(&mut self, gravity: Vec3, dt: f32) {
        self.parameters.dt = dt;
        let bounce = Bounce { gravity, dt, rounds: self.parameters.num_solver_iterations };
        let (bounce, fall) = (self.bouncy.then_some(bounce), gravity.length() * dt);
        let hooks = Hooks { bounce, length_unit: self.parameters.length_unit, fall };
        let before = self.moves();
        let mut ahead = Vec::new();
        if let Some(bounce) = &hooks.bounce {
            ahead = bounce.ahead(&self.narrow_phase, &self.colliders, &mut self.bodies);
        }
        let Workspace(pipeline, ccd) = &mut self.workspace;
        pipeline.step(
            gravity,
            &self.parameters,
            &mut self.islands,
            &mut self.broad_phase,
            &mut self.narrow_phase,
            &mut self.bodies,
            &mut self.colliders,
            &mut self.joints,
            &mut self.multibody_joints,
            &mut self.soft_bodies,
            ccd,
            &hooks,
            &(),
        );
        self.note_impacts(&before, ahead, dt, 2.0 * gravity.length() * dt);
    }

    /// What is wrong with a state that was read, beside that at the start of the same scene.
    pub fn unfit_beside(&self, start: &Rigid) -> Option<&'static str> {
        let found = (&self.colliders, &self.islands, &self.broad_phase, &self.narrow_phase);
        // What has no end has an infinite box.
        if !digest::is_finite(&(&self.bodies, &self.joints)) || !digest::is_number(&found) {
            return Some("not all numbers of its objects are numbers");
        }
        let usual = |rigid: &Rigid| IntegrationParameters { dt: 1.0, ..rigid.parameters };
        let as_built = self.handles == start.handles
            && (self.bouncy, self.holds) == (start.bouncy, start.holds)
            && self.ties == start.ties
            && digest::same(&self.extents, &start.extents)
            && digest::same(&usual(self), &usual(start))
            && digest::same(&self.multibody_joints, &start.multibody_joints)
            && digest::same(&self.soft_bodies, &start.soft_bodies);
        let sizes = |r: &Rigid| [r.bodies.len(), r.colliders.len(), r.joints.len()];
        if !as_built || sizes(self) != sizes(start) {
            return Some("its solver is not that of its objects");
        }
        let bodies = self.bodies.iter().zip(start.bodies.iter()).all(|((h, a), (i, b))| {
            h == i && a.body_type() == b.body_type() && a.colliders() == b.colliders()
        });
        let colliders = self.colliders.iter().zip(start.colliders.iter()).all(|((h, a), (i, b))| {
            let shapes = digest::same(a.shared_shape(), b.shared_shape());
            let placed = a.parent() == b.parent() && a.position_wrt_parent() == b.position_wrt_parent();
            h == i && shapes && placed && a.user_data == b.user_data
        });
        let joints = self.joints.iter().zip(start.joints.iter()).all(|((h, a), (i, b))| {
            h == i
                && a.body1() == b.body1()
                && a.body2() == b.body2()
                && a.data.locked_axes == b.data.locked_axes
                && a.data.coupled_axes == b.data.coupled_axes
        });
        let holds = bodies && colliders && joints && self.has_a_tree();
        (!holds).then_some("its solver holds what is not there")
    }

    /// Whether the tree of boxes is a tree, and not a net without an end.
    fn has_a_tree(&self) -> bool {
        let (dispatcher, filter) = (self.narrow_phase.query_dispatcher(), QueryFilter::default());
        let query = self.broad_phase.as_query_pipeline(dispatcher, &self.bodies, &self.colliders, filter);
        let (mut left, mut leaves) = (2 * self.colliders.len() + 2, 0);
        let look = AssertUnwindSafe(|| {
            query.bvh.traverse(|node| {
                left = left.saturating_sub(1);
                leaves += node.is_leaf() as usize;
                if left == 0 { TraversalAction::EarlyExit } else { TraversalAction::Continue }
            });
            if left > 0 && leaves > 1 {
                query.bvh.assert_well_formed_topology_only();
            }
            left > 0 && leaves <= self.colliders.len()
        });
        catch_unwind(look).unwrap_or(false)
    }

    /// How far the ends of each joint are apart where it should hold them together, and the size of what it holds [m].
    pub fn gaps(&self) -> impl Iterator<Item = (f32, f32)> + '_ {
        self.joints.iter().map(|(_, joint)| {
            let ends = self.bodies.get(joint.body1()).zip(self.bodies.get(joint.body2()));
            let Some((a, b)) = ends.filter(|(a, b)| a.is_enabled() && b.is_enabled()) else {
                return (0.0, 1.0);
            };
            let (frame, data) = (*a.position() * joint.data.local_frame1, &joint.data);
            let apart = (*b.position() * data.local_frame2).translation - frame.translation;
            let apart = frame.rotation.inverse() * apart;
            let axes = [JointAxesMask::LIN_X, JointAxesMask::LIN_Y, JointAxesMask::LIN_Z];
            let held = (0..3).filter(|&c| data.locked_axes.contains(axes[c])).map(|c| apart[c] * apart[c]);
            let held: f32 = held.sum();
            let size = self.handles.iter().position(|h| *h == joint.body2()).map(|i| self.extents[i].reach);
            (held.sqrt(), size.unwrap_or(1.0))
        })
    }

    /// Where a body is, the velocity of its centre of mass [m/s] and its spin [rad/s].
    pub fn state(&self, object: usize) -> Option<(Placement, Vec3, Vec3)> {
        let body = self.bodies.get(self.handles[object])?;
        let pose = body.position();
        let placement = Placement { at: pose.translation, rotation: pose.rotation };
        Some((placement, body.linvel(), body.angvel()))
    }
}

/// How large an object is.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Extent {
    /// Farthest point from its origin [m]; 0 of what has no end.
    reach: f32,
    /// Half its thinnest side [m].
    thin: f32,
}

impl Extent {
    fn new(object: &Object, scene: &Scene) -> Self {
        let sdf = super::Sdf::new(&object.shape, &scene.meshes, false);
        match sdf.bounds() {
            Some((low, high)) => {
                let side = high - low;
                let side = if scene.planar() { side.with_z(f32::INFINITY) } else { side };
                Self { reach: low.abs().max(high.abs()).length(), thin: 0.5 * side.min_element() }
            }
            None => Self { reach: 0.0, thin: f32::INFINITY },
        }
    }
}

/// A pose on the way from one to another that is not far.
fn between(from: &Pose, to: &Pose, part: f32) -> Pose {
    let at = from.translation.lerp(to.translation, part);
    Pose::from_parts(at, from.rotation.lerp(to.rotation, part))
}

/// A typical length of the free objects [m]: rapier's tolerances are for things about a metre long.
fn length_unit<'o>(objects: impl IntoIterator<Item = &'o Object>, scene: &Scene) -> f32 {
    let free = objects.into_iter().filter(|o| o.motion == Motion::Free);
    let sizes = free.filter_map(|o| {
        let (low, high) = super::Sdf::new(&o.shape, &scene.meshes, false).bounds()?;
        Some((high - low).max_element())
    });
    sizes.fold(f32::INFINITY, f32::min).clamp(0.01, 10.0)
}
