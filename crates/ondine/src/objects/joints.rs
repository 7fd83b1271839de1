//! What joints take away from the ways that bodies can go.

use crate::scene::{Joint, JointKind};
use glam::{Quat, Vec2, Vec3};
use rapier3d::prelude::{JointAxesMask, JointAxis};

/// What a joint takes away.
pub struct Lock {
    /// How its frame is turned from the world's.
    pub turn: Quat,
    /// Axes of that frame along and about which nothing moves.
    pub locked: JointAxesMask,
    /// Its own axis in that frame: the one with limits and a motor.
    pub axis: JointAxis,
}

impl Lock {
    /// That of a joint in the plane or in space.
    pub fn new(joint: &Joint, planar: bool) -> Self {
        if planar { Self::in_plane(joint) } else { Self::in_space(joint) }
    }

    /// The axis of a joint is the x of its frame.
    fn in_space(joint: &Joint) -> Self {
        let along = Vec3::from(joint.axis).normalize_or(Vec3::Z);
        let (locked, axis) = match joint.kind {
            JointKind::Hinge => (JointAxesMask::LOCKED_REVOLUTE_AXES, JointAxis::AngX),
            JointKind::Ball => (JointAxesMask::LOCKED_SPHERICAL_AXES, JointAxis::AngX),
            JointKind::Slider => (JointAxesMask::LOCKED_PRISMATIC_AXES, JointAxis::LinX),
            JointKind::Weld => (JointAxesMask::LOCKED_FIXED_AXES, JointAxis::LinX),
        };
        Self { turn: Quat::from_rotation_arc(Vec3::X, along), locked, axis }
    }

    /// Planar bodies have no way along z nor about x and y. To lock these once more would divide by what is left of their
    /// inverse masses, which is round-off, not zero: so the frame keeps its z exactly across the plane, and only what can
    /// move is locked.
    fn in_plane(joint: &Joint) -> Self {
        let point = JointAxesMask::LIN_X | JointAxesMask::LIN_Y;
        let (locked, axis) = match joint.kind {
            JointKind::Hinge | JointKind::Ball => (point, JointAxis::AngZ),
            JointKind::Slider => (JointAxesMask::LIN_Y | JointAxesMask::ANG_Z, JointAxis::LinX),
            JointKind::Weld => (point | JointAxesMask::ANG_Z, JointAxis::LinX),
        };
        let turn = match joint.kind {
            JointKind::Slider => turn_to(Vec2::new(joint.axis[0], joint.axis[1]).normalize_or(Vec2::X)),
            // About −z turns are counted the other way.
            JointKind::Hinge if joint.axis[2] < 0.0 => Quat::from_xyzw(1.0, 0.0, 0.0, 0.0),
            JointKind::Hinge | JointKind::Ball | JointKind::Weld => Quat::IDENTITY,
        };
        Self { turn, locked, axis }
    }
}

/// The rotation about z from x to `along`, without a bit across the plane: tan(φ/2) = y / (1 + x) = (1 − x) / y.
fn turn_to(along: Vec2) -> Quat {
    let Vec2 { x, y } = along;
    let half = if x < 0.0 { Vec2::new(y, 1.0 - x) } else { Vec2::new(1.0 + x, y) }.normalize();
    Quat::from_xyzw(0.0, 0.0, half.y, half.x)
}
