//! Where balls touch each other and colliders, or may before the end of a step.
//!
//! Pairs are found in the cells of a grid as wide as the largest two balls and their ways together, so that a pair stands in one cell or in
//! two next to each other. A contact belongs to the slab, two cells thick, that its first ball is in: slabs that are not next to each other
//! share no ball, and all of every other slab can be worked on at once.

use super::ball::Ball;
use crate::cells::BlockShape;
use crate::contact::impact::Party;
use crate::contact::sweep::Touch;
use crate::neighbours::Grid;
use crate::objects::Collider;
use crate::step::Step;
use glam::Vec3;

/// How far apart two balls, or a ball and a collider, may be to count as near, over the smaller radius: beyond what their velocities say.
const SLACK: f32 = 0.05;

/// What a ball touches: the place of another one, or a [`Plane`].
pub trait Other: Copy {
    /// The place of the ball that a contact is kept with, and −1 if that is the other one: its impulses are the opposite.
    fn owner(&self, ball: u32, balls: &[Ball]) -> (u32, f32);
    /// What a contact is called by the ball that it is kept with.
    fn name(&self, ball: u32, balls: &[Ball], colliders: &[Collider]) -> u64;
    /// Velocity of the other [m/s].
    fn velocity(&self, balls: &[Ball]) -> Vec3;
    /// Who it is in an impact.
    fn party(&self, balls: &[Ball], colliders: &[Collider]) -> Party;
}

/// A plane of a collider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Which of the step's colliders.
    pub collider: u32,
    /// Which of its faces.
    pub face: u32,
    /// A point of it, where it is at the end of the step [m].
    pub foot: Vec3,
    /// Velocity of the collider there [m/s].
    pub velocity: Vec3,
}

/// From here on no number is that of a ball.
const OBJECTS: u64 = 1 << 63;

impl Other for u32 {
    fn owner(&self, ball: u32, balls: &[Ball]) -> (u32, f32) {
        if balls[*self as usize].id < balls[ball as usize].id { (*self, -1.0) } else { (ball, 1.0) }
    }

    fn name(&self, ball: u32, balls: &[Ball], _: &[Collider]) -> u64 {
        balls[*self as usize].id.max(balls[ball as usize].id) as u64
    }

    fn velocity(&self, balls: &[Ball]) -> Vec3 {
        balls[*self as usize].velocity
    }

    fn party(&self, balls: &[Ball], _: &[Collider]) -> Party {
        balls[*self as usize].party()
    }
}

impl Other for Plane {
    fn owner(&self, ball: u32, _: &[Ball]) -> (u32, f32) {
        (ball, 1.0)
    }

    fn name(&self, _: u32, _: &[Ball], colliders: &[Collider]) -> u64 {
        let object = colliders[self.collider as usize].object.unwrap_or(0);
        OBJECTS | (object as u64) << 32 | self.face as u64
    }

    fn velocity(&self, _: &[Ball]) -> Vec3 {
        self.velocity
    }

    fn party(&self, _: &[Ball], colliders: &[Collider]) -> Party {
        Party::Object(colliders[self.collider as usize].object.unwrap_or_default())
    }
}

/// Two things that touch, or may before the end of the step.
#[derive(Clone, Copy, Debug)]
pub struct Contact<O> {
    /// The place of the ball.
    pub ball: u32,
    /// What it touches.
    pub other: O,
    /// From the other to the ball, of length 1.
    pub normal: Vec3,
    /// The impulse along the normal in the last substep [kg·m/s].
    pub along: f32,
    /// The impulse across it [kg·m/s].
    pub across: Vec3,
    /// Mass that an impulse along the normal moves [kg].
    pub mass: f32,
    /// The angular impulse of rolling resistance [kg·m²/s].
    pub rolling: Vec3,
    /// Mass that an impulse across the normal moves [kg].
    pub mass_across: f32,
    /// What an impact gives back of the speed.
    pub restitution: f32,
    /// Coulomb's coefficient.
    pub friction: f32,
    /// Rolling resistance: the lever of the normal force [m].
    pub lever: f32,
    /// How fast the two closed as the step began [m/s], if they did not touch before.
    pub closing: f32,
    /// Whether they have touched in the step.
    pub met: bool,
    /// Whether they have bounced in the substep.
    pub bounced: bool,
}

impl<O: Other> Contact<O> {
    fn new(ball: u32, other: O, normal: Vec3, surface: ContactCoefficients, lever: f32) -> Self {
        let ContactCoefficients { friction, restitution, .. } = surface;
        Self {
            ball,
            other,
            normal,
            along: 0.0,
            across: Vec3::ZERO,
            mass: 0.0,
            rolling: Vec3::ZERO,
            mass_across: 0.0,
            restitution,
            friction,
            lever,
            closing: 0.0,
            met: false,
            bounced: false,
        }
    }

    /// How fast the ball and what it touches close as a step begins [m/s].
    pub fn closes(&self, balls: &[Ball]) -> f32 {
        (self.other.velocity(balls) - balls[self.ball as usize].velocity).dot(self.normal)
    }
}

/// The contacts of one part of a slab.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// Of balls with each other.
    pub pairs: Vec<Contact<u32>>,
    /// Of balls with colliders.
    pub walls: Vec<Contact<Plane>>,
}

impl Part {
    /// Forgets them.
    pub fn clear(&mut self) {
        self.pairs.clear();
        self.walls.clear();
    }
}

/// Cells from one end of a slab to the other.
pub const THICK: i32 = 2;

/// How two surfaces rub, bounce and roll on each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactCoefficients {
    /// Coulomb's coefficient.
    pub friction: f32,
    /// What an impact gives back of the speed.
    pub restitution: f32,
    /// Rolling resistance over the radius.
    pub rolling: f32,
}

impl ContactCoefficients {
    /// That of two surfaces together, as among objects: the mean of friction, the bouncier; and the one that rolls worse.
    pub fn with(self, other: ContactCoefficients) -> ContactCoefficients {
        ContactCoefficients {
            friction: 0.5 * (self.friction + other.friction),
            restitution: self.restitution.max(other.restitution),
            rolling: self.rolling.max(other.rolling),
        }
    }
}

/// What is looked at to find contacts.
pub struct Search<'a> {
    /// The balls in the order of the grid.
    pub balls: &'a [Ball],
    /// The surface of each set of balls.
    pub surfaces: &'a [ContactCoefficients],
    /// Those of the colliders.
    pub colliders: &'a [Collider],
    /// Length of the step [s].
    pub dt: f32,
    /// Gravity [m/s²].
    pub gravity: Vec3,
    /// Mean velocity of all balls [m/s]: what falls together does not meet for that.
    mean: Vec3,
}

impl<'a> Search<'a> {
    /// Among some balls, of sets with surfaces, in a step.
    pub fn new(balls: &'a [Ball], surfaces: &'a [ContactCoefficients], step: &'a Step) -> Self {
        let Step { dt, gravity, colliders, .. } = *step;
        let mean = balls.iter().map(|ball| ball.velocity).sum::<Vec3>() / balls.len().max(1) as f32;
        Self { balls, surfaces, colliders, dt, gravity, mean }
    }

    /// How far a ball may come in the step [m].
    pub fn way(&self, ball: &Ball) -> f32 {
        self.dt * ball.velocity.length() + self.slack(ball.radius)
    }

    /// How far a ball may come among the others [m].
    pub fn way_among(&self, ball: &Ball) -> f32 {
        self.dt * ball.velocity.distance(self.mean) + self.slack(ball.radius)
    }

    /// What velocities do not tell [m].
    fn slack(&self, radius: f32) -> f32 {
        self.dt * self.dt * self.gravity.length() + SLACK * radius
    }

    /// The contacts of a block: of its balls with each other and with those of cells behind theirs, and with some colliders. Each goes to
    /// the part of the block that its first ball is in, along an axis.
    pub fn contacts(&self, grid: &Grid, block: usize, axis: usize, near: &[usize], parts: &mut [Part]) {
        let mut cells = Vec::new();
        grid.list_cells(block, &mut cells);
        let BlockShape { side, halo, .. } = grid.shape;
        let (wide, tall) = (side[0] + 2 * halo[0], side[1] + 2 * halo[1]);
        let cell = |x: i32, y: i32, z: i32| {
            cells[(((z + halo[2]) * wide + x + halo[0]) * tall + y + halo[1]) as usize].clone()
        };
        for (z, y, x) in
            (0..side[2]).flat_map(|z| (0..side[1]).flat_map(move |y| (0..side[0]).map(move |x| (z, y, x))))
        {
            let own = cell(x, y, z);
            if own.is_empty() {
                continue;
            }
            let Part { pairs, walls } = &mut parts[([x, y, z][axis] / THICK) as usize];
            for i in own.clone() {
                (i + 1..own.end).for_each(|j| pairs.extend(self.pair(i, j)));
            }
            for [dx, dy, dz] in BEHIND.into_iter().filter(|d| d[2] <= halo[2]) {
                let other = cell(x + dx, y + dy, z + dz);
                own.clone().for_each(|i| pairs.extend(other.clone().filter_map(|j| self.pair(i, j))));
            }
            for &number in near {
                own.clone().for_each(|i| self.walls(i as usize, number, walls));
            }
        }
    }

    /// The contact of two balls, if they are near.
    #[inline(always)]
    fn pair(&self, i: u32, j: u32) -> Option<Contact<u32>> {
        let (a, b) = (&self.balls[i as usize], &self.balls[j as usize]);
        let (apart, radii) = (a.at - b.at, a.radius + b.radius);
        // How far apart they may be, and still meet: most are farther, whatever their speeds.
        let (square, slack) = (apart.length_squared(), radii + self.slack(radii));
        let open = square - slack * slack;
        if open > 0.0 {
            let way = self.dt * self.dt * (a.velocity - b.velocity).length_squared();
            // slack + √way < √square
            let rest = open - way;
            if rest > 0.0 && rest * rest > 4.0 * slack * slack * way {
                return None;
            }
        }
        let distance = square.sqrt();
        // Two in one place part along an axis.
        let normal = if distance > 1e-6 * radii { apart / distance } else { Vec3::Y };
        let surface = self.surfaces[a.set as usize].with(self.surfaces[b.set as usize]);
        let lever = surface.rolling * a.radius * b.radius / radii;
        Some(Contact::new(i, j, normal, surface, lever))
    }

    /// The contacts of the ball at a place with a collider.
    fn walls(&self, place: usize, number: usize, found: &mut Vec<Contact<Plane>>) {
        let (ball, collider) = (&self.balls[place], &self.colliders[number]);
        let reach = ball.radius + self.way(ball);
        let surface = self.surfaces[ball.set as usize].with(surface_of(collider));
        let mut add = |face: u32, normal: Vec3, foot: Vec3| {
            let velocity = collider.velocity_at(foot, Vec3::ZERO, self.dt);
            let other = Plane { collider: number as u32, face, foot, velocity };
            found.push(Contact::new(place as u32, other, normal, surface, surface.rolling * ball.radius));
        };
        if collider.sdf().is_outside_in() {
            collider.walls(ball.at, reach, |wall| {
                let foot = ball.at - wall.near.distance * wall.near.normal;
                add(wall.face, wall.near.normal, foot);
            });
            return;
        }
        let end = ball.at + self.dt * ball.velocity + 0.5 * self.dt * self.dt * self.gravity;
        let Some(touch) = Touch::of(collider, reach, ball.at, end, ball.radius) else { return };
        // By where it is met on the way, and by where it ends.
        let mut faces = 0u64;
        for point in [touch.point, touch.way.end] {
            collider.sdf().touches(point, reach, |face, near| {
                let is_new = faces >> face.min(63) & 1 == 0;
                faces |= 1 << face.min(63);
                if is_new {
                    let normal = collider.placement.to_world_direction(near.normal);
                    add(face, normal, collider.placement.to_world(point - near.distance * near.normal));
                }
            });
        }
    }
}

/// The half of the cells around one that come after it.
const BEHIND: [[i32; 3]; 13] = [
    [1, 0, 0],
    [-1, 1, 0],
    [0, 1, 0],
    [1, 1, 0],
    [-1, -1, 1],
    [0, -1, 1],
    [1, -1, 1],
    [-1, 0, 1],
    [0, 0, 1],
    [1, 0, 1],
    [-1, 1, 1],
    [0, 1, 1],
    [1, 1, 1],
];

/// How an object's surface meets balls.
fn surface_of(collider: &Collider) -> ContactCoefficients {
    ContactCoefficients { friction: collider.grip, restitution: collider.restitution, rolling: 0.0 }
}
