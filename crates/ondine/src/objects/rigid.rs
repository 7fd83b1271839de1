//! Rigid bodies among themselves: rapier, with liquids left to the caller.

use super::Inertia;
use super::colliders::{self, pose};
use crate::scene::{Joint, JointKind, Motion, Object, Placement, Scene};
use glam::{Quat, Vec3};
use rapier3d::math::Pose;
use rapier3d::prelude::*;
use serde::{Deserialize, Serialize};

/// The objects of a scene as rapier has them, in the order of the scene.
#[derive(Clone, Serialize, Deserialize)]
pub struct Rigid {
    handles: Vec<RigidBodyHandle>,
    parameters: IntegrationParameters,
    islands: IslandManager,
    broad_phase: DefaultBroadPhase,
    narrow_phase: NarrowPhase,
    bodies: RigidBodySet,
    colliders: ColliderSet,
    joints: ImpulseJointSet,
    multibody_joints: MultibodyJointSet,
    soft_bodies: SoftBodySet,
    #[serde(skip)]
    workspace: Workspace,
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

/// Motor strength: large enough to keep its speed under water.
const MOTOR: f32 = 1e3;

impl Rigid {
    /// The objects of a scene; `inertia` is that of each free one, its mass in place of its volume.
    pub fn new(scene: &Scene, inertia: &[Option<Inertia>]) -> Self {
        let mut rigid = Self {
            handles: Vec::new(),
            parameters: IntegrationParameters { length_unit: length_unit(scene), ..Default::default() },
            islands: IslandManager::new(),
            broad_phase: DefaultBroadPhase::default(),
            narrow_phase: NarrowPhase::new(),
            bodies: RigidBodySet::new(),
            colliders: ColliderSet::new(),
            joints: ImpulseJointSet::new(),
            multibody_joints: MultibodyJointSet::new(),
            soft_bodies: SoftBodySet::default(),
            workspace: Workspace::default(),
        };
        for (object, inertia) in scene.object.iter().zip(inertia) {
            rigid.add(object, inertia.as_ref(), scene);
        }
        let world = rigid.bodies.insert(RigidBodyBuilder::fixed());
        for joint in &scene.joint {
            rigid.join(joint, scene, world);
        }
        rigid
    }

    fn add(&mut self, object: &Object, inertia: Option<&Inertia>, scene: &Scene) {
        let builder = match object.motion {
            Motion::Fixed => RigidBodyBuilder::fixed(),
            Motion::Moving => RigidBodyBuilder::kinematic_position_based(),
            Motion::Free => RigidBodyBuilder::dynamic(),
        };
        let mut builder = builder.pose(pose(&object.placement())).enabled(object.enabled);
        if scene.planar() {
            builder = builder.enabled_translations(true, true, false).enabled_rotations(false, false, true);
        }
        if let Some(inertia) = inertia {
            builder = builder
                .linvel(object.velocity.into())
                .angvel(Vec3::from(object.spin.map(f32::to_radians)))
                .additional_mass_properties(MassProperties::with_inertia_matrix(
                    inertia.centre.as_vec3(),
                    inertia.volume as f32,
                    inertia.tensor.as_mat3(),
                ));
        }
        let body = self.bodies.insert(builder);
        self.handles.push(body);
        for (pose, shape) in colliders::pieces(&object.shape, object.motion, &scene.meshes, scene.planar()) {
            let collider = ColliderBuilder::new(shape)
                .position(pose)
                .density(0.0)
                .friction(object.grip)
                .restitution(object.restitution);
            self.colliders.insert_with_parent(collider, body, &mut self.bodies);
        }
    }

    fn join(&mut self, joint: &Joint, scene: &Scene, world: RigidBodyHandle) {
        let find = |name: &str| scene.object.iter().position(|o| o.name == name);
        let Some(object) = find(&joint.object) else { return };
        let to = joint.to.as_deref().and_then(find);
        let place = |o: Option<usize>| o.map_or(Placement::ORIGIN, |o| scene.object[o].placement());
        let frame = |o| {
            let place = place(o);
            let axis = Vec3::from(joint.axis).normalize_or(Vec3::Z);
            // The axis of a joint is the x of its frame.
            let turn = Quat::from_rotation_arc(Vec3::X, axis);
            Pose::from_parts(place.to_local(joint.at.into()), place.rotation.inverse() * turn)
        };
        let (locked, axis) = match joint.kind {
            JointKind::Hinge => (JointAxesMask::LOCKED_REVOLUTE_AXES, JointAxis::AngX),
            JointKind::Ball => (JointAxesMask::LOCKED_SPHERICAL_AXES, JointAxis::AngX),
            JointKind::Slider => (JointAxesMask::LOCKED_PRISMATIC_AXES, JointAxis::LinX),
            JointKind::Weld => (JointAxesMask::LOCKED_FIXED_AXES, JointAxis::LinX),
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
        self.joints.insert(other, self.handles[object], built.build(), true);
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

    /// Sets the velocity of a free body's centre of mass [m/s] and its spin [rad/s].
    pub fn set_velocity(&mut self, object: usize, velocity: Vec3, spin: Vec3, wake: bool) {
        if let Some(body) = self.bodies.get_mut(self.handles[object]) {
            body.set_linvel(velocity, wake);
            body.set_angvel(spin, wake);
        }
    }

    /// Says where a moving object goes in the next step.
    pub fn lead(&mut self, object: usize, to: &Placement) {
        if let Some(body) = self.bodies.get_mut(self.handles[object]) {
            body.set_next_kinematic_position(pose(to));
        }
    }

    /// Advances all bodies, with gravity, contacts and joints among them.
    pub fn step(&mut self, gravity: Vec3, dt: f32) {
        self.parameters.dt = dt;
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
            &(),
            &(),
        );
    }

    /// Where a body is, the velocity of its centre of mass [m/s] and its spin [rad/s].
    pub fn state(&self, object: usize) -> Option<(Placement, Vec3, Vec3)> {
        let body = self.bodies.get(self.handles[object])?;
        let pose = body.position();
        let placement = Placement { at: pose.translation, rotation: pose.rotation };
        Some((placement, body.linvel(), body.angvel()))
    }
}

/// A typical length of the free objects [m]: rapier's tolerances are for things about a metre long.
fn length_unit(scene: &Scene) -> f32 {
    let free = scene.object.iter().filter(|o| o.motion == Motion::Free);
    let sizes = free.filter_map(|o| {
        let (low, high) = super::Form::new(&o.shape, &scene.meshes, false).bounds()?;
        Some((high - low).max_element())
    });
    sizes.fold(f32::INFINITY, f32::min).clamp(0.01, 10.0)
}
