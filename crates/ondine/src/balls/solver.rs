//! Balls that bounce, pile up and roll: contacts are solved together, a little at a time.
//!
//! Source: 004 "Animation rigide de sphères" for impulses and bounces; for piles the soft step of today's rigid solvers (sequential impulses
//! in small substeps, each contact a stiff damped spring solved implicitly, warm started, relaxed without the spring's push).
//! Per substep h, with m_n the mass that a contact moves along its normal and s the gap:
//!
//! - impacts: what approaches faster than ε and would touch within h gets j = (1+β) m_n v_n, and friction within μ j, at the instant of
//!   touching, t = s/v_n: positions follow by (v − v') t. So bounces of any speed are met at their own time, unequal masses exchange
//!   exactly what 004 says, and a row of balls hands an impact on, contact after contact, in some passes.
//! - pressing: j += −m_n a₂/(1+a₂) (v_n + b s) − j/(1+a₂), b = ω/(2ζ+hω), a₂ = hω(2ζ+hω), j ≥ 0; of a gap that is open, v_n ≥ −s/h.
//! - friction: the impulse that stops the sliding, 1/m_t = (1 + m r²/I)(1/m₁ + 1/m₂), within the cone μ j; rolling resistance within a
//!   lever times j.
//! - positions, then the same without b, so that nothing keeps the speed by which it was pushed out.
//!
//! Sliding is taken relative to the surfaces, so that a ball that slides begins to roll. With the rims' velocities u = r ω it is
//! v₁ − v₂ − (u₁ + u₂) × n, and an impulse j changes both rims by −(m r²/I) n × j over the ball's own mass.

use super::ball::{Ball, gyration};
use super::contact::{Contact, Other, Plane};
use super::mover::Mover;
use super::partner::Partner;
use crate::step::Step;
use glam::Vec3;

/// Substeps of a step of balls whose masses are so unlike, the heaviest over the lightest.
pub fn substeps(ratio: f32) -> u32 {
    match ratio {
        r if r < 50.0 => 4,
        r if r < 500.0 => 8,
        _ => 16,
    }
}

/// Natural frequency of contacts over the substeps a second. A ball of n others on it sinks in by n g/ω², over twice that.
const STIFF: f32 = std::f32::consts::TAU * 0.25;
/// Damping ratio of contacts.
const DAMPING: f32 = 10.0;
/// Farthest that a contact gives way to a load that stays, over the radius; and the load, in weights, up to which that holds. Beyond it is as soft
/// as it must be: what is firm under a thousand times its own weight is thrown out.
const SINKS: f32 = 0.005;
const LOAD: f32 = 100.0;
/// Fastest that overlaps are undone, over the radius [1/s]: what is put into each other must not explode.
const PUSH_OUT: f32 = 30.0;
/// Speed of an impact below which nothing bounces, over what gravity gives in a substep: such contacts rest.
const RESTING: f32 = 2.0;

/// The numbers of a substep.
#[derive(Clone, Copy, Debug)]
pub struct Soft {
    /// Its length [s].
    pub h: f32,
    /// Length of the step that it belongs to [s].
    dt: f32,
    /// One over it [1/s].
    per_h: f32,
    /// Time from its start to the end of the step [s].
    left: f32,
    gravity: Vec3,
    /// What gravity gives in it [m/s].
    weight: f32,
    /// Speed of impacts that bounce [m/s].
    bounces: f32,
    /// b [1/s].
    rate: f32,
    /// a₂/(1+a₂).
    mass: f32,
    /// 1/(1+a₂).
    impulse: f32,
    planar: bool,
    /// m r²/I.
    gyration: f32,
}

impl Soft {
    /// Of substep number `n` of so many of a step.
    pub fn new(n: u32, substeps: u32, step: &Step) -> Self {
        let Step { dt, gravity, .. } = *step;
        let h = dt / substeps as f32;
        let left = (substeps - n) as f32 * h;
        let w = STIFF / h;
        let a1 = 2.0 * DAMPING + h * w;
        let a2 = h * w * a1;
        let (mass, impulse) = (a2 / (1.0 + a2), 1.0 / (1.0 + a2));
        Self {
            h,
            dt,
            per_h: 1.0 / h,
            left,
            gravity,
            weight: gravity.length() * h,
            bounces: RESTING * gravity.length() * h,
            rate: w / a1,
            mass,
            impulse,
            planar: step.planar,
            gyration: gyration(step.planar),
        }
    }
}

/// What is done in a visit to a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Visit {
    /// Impacts bounce.
    Bounce,
    /// The impulses of the last substep act.
    Warm,
    /// Impulses that keep things apart, and push out what overlaps.
    Press,
    /// The same without the pushing out.
    Relax,
}

/// The other side of a contact.
pub trait Side {
    /// Its velocity where it is touched, but for its rim [m/s].
    fn velocity(&self) -> Vec3;
    /// Velocity of its rim [m/s].
    fn rim(&self) -> Vec3 {
        Vec3::ZERO
    }
    /// Its spin [rad/s].
    fn spin(&self) -> Vec3 {
        Vec3::ZERO
    }
    /// At most, one over its moment of inertia [1/(kg m²)].
    fn per_inertia(&self, _planar: bool) -> f32 {
        0.0
    }
    /// Takes an impulse where it is touched, and its twist.
    fn push(&mut self, _impulse: Vec3, _twist: Vec3) {}
    /// Takes an angular impulse.
    fn turn(&mut self, _impulse: Vec3, _planar: bool) {}
    /// The distance to a ball now [m], negative where they overlap; of two balls the normal follows.
    fn gap(&self, ball: &Mover, normal: &mut Vec3, soft: &Soft) -> f32 {
        self.gap_along(ball, *normal, soft)
    }
    /// The same along a normal that was right a moment ago.
    fn gap_along(&self, ball: &Mover, normal: Vec3, soft: &Soft) -> f32;
    /// Something held it.
    fn hold(&mut self) {}
    /// Moves it, if it is a ball.
    fn shift(&mut self, _way: Vec3) {}
    /// The acceleration that a ball has beside it.
    fn fall(&self, gravity: Vec3) -> Vec3 {
        gravity
    }
}

impl Side for &mut Mover {
    #[inline(always)]
    fn velocity(&self) -> Vec3 {
        self.velocity
    }
    #[inline(always)]
    fn rim(&self) -> Vec3 {
        self.rim
    }
    fn spin(&self) -> Vec3 {
        Mover::spin(self)
    }
    fn per_inertia(&self, planar: bool) -> f32 {
        Mover::per_inertia(self, planar)
    }
    #[inline(always)]
    fn push(&mut self, impulse: Vec3, twist: Vec3) {
        Mover::push(self, impulse, twist);
    }
    fn turn(&mut self, impulse: Vec3, planar: bool) {
        self.rim += self.radius * Mover::per_inertia(self, planar) * impulse;
    }
    #[inline(always)]
    fn gap(&self, ball: &Mover, normal: &mut Vec3, _: &Soft) -> f32 {
        let apart = ball.at - self.at;
        let (distance, radii) = (apart.length(), ball.radius + self.radius);
        if distance > 1e-6 * radii {
            *normal = apart / distance;
        }
        distance - radii
    }
    #[inline(always)]
    fn gap_along(&self, ball: &Mover, normal: Vec3, _: &Soft) -> f32 {
        (ball.at - self.at).dot(normal) - ball.radius - self.radius
    }
    #[inline(always)]
    fn hold(&mut self) {
        self.is_held = true;
    }
    #[inline(always)]
    fn shift(&mut self, way: Vec3) {
        self.at += way;
    }
    fn fall(&self, _: Vec3) -> Vec3 {
        // Both fall.
        Vec3::ZERO
    }
}

/// What nothing moves.
impl Side for Plane {
    #[inline(always)]
    fn velocity(&self) -> Vec3 {
        self.velocity
    }
    #[inline(always)]
    fn gap_along(&self, ball: &Mover, normal: Vec3, soft: &Soft) -> f32 {
        normal.dot(ball.at - self.foot) + normal.dot(self.velocity) * soft.left - ball.radius
    }
}

/// A free object, and the plane of it that is touched.
pub struct Leaning<'a> {
    /// The object.
    pub body: &'a mut Partner,
    /// The plane.
    pub plane: Plane,
}

impl Leaning<'_> {
    /// Where it is touched from its centre.
    fn arm(&self) -> Vec3 {
        self.plane.foot - self.body.centre
    }
}

impl Side for Leaning<'_> {
    fn velocity(&self) -> Vec3 {
        self.body.velocity_at(self.arm())
    }
    fn spin(&self) -> Vec3 {
        self.body.spin
    }
    fn per_inertia(&self, _: bool) -> f32 {
        self.body.per_inertia
    }
    fn push(&mut self, impulse: Vec3, _: Vec3) {
        self.body.push(impulse, self.arm());
    }
    fn turn(&mut self, impulse: Vec3, _: bool) {
        self.body.turn(impulse);
    }
    fn gap_along(&self, ball: &Mover, normal: Vec3, soft: &Soft) -> f32 {
        // From where it was at the start of the step, by the way that it has come since then.
        let Plane { foot, velocity, .. } = self.plane;
        let now = foot - soft.dt * velocity + self.body.way_at(self.arm());
        normal.dot(ball.at - now) - ball.radius
    }
}

impl<O> Contact<O> {
    /// Finds the masses that its impulses move; `others` are one over those of the other side, along and across the normal [1/kg].
    pub fn weigh(&mut self, ball: &Ball, others: [f32; 2], planar: bool) {
        let turning = 1.0 + gyration(planar);
        self.mass = 1.0 / (ball.per_mass + others[0]);
        self.mass_across = 1.0 / (turning * ball.per_mass + others[1]);
    }
}

/// One over the masses of a ball as the other side of a contact, along and across the normal [1/kg].
pub fn per_masses(ball: &Ball, planar: bool) -> [f32; 2] {
    [ball.per_mass, (1.0 + gyration(planar)) * ball.per_mass]
}

/// A contact with both its sides at hand.
pub struct Pair<'a, O, S> {
    /// The contact.
    pub c: &'a mut Contact<O>,
    /// The ball.
    pub a: &'a mut Mover,
    /// What it touches.
    pub b: S,
    /// The numbers of the substep.
    pub soft: &'a Soft,
}

impl<O: Other, S: Side> Pair<'_, O, S> {
    /// Velocity of the ball's surface relative to the other's [m/s].
    #[inline(always)]
    fn sliding(&self) -> Vec3 {
        self.a.velocity - self.b.velocity() - (self.a.rim + self.b.rim()).cross(self.c.normal)
    }

    /// The distance between both now [m], negative where they overlap.
    #[inline(always)]
    fn gap(&mut self) -> f32 {
        // What has bounced stands where it must to end right: until it has moved on, the two may even have changed sides.
        match self.c.bounced {
            true => self.b.gap_along(self.a, self.c.normal, self.soft),
            false => self.b.gap(self.a, &mut self.c.normal, self.soft),
        }
    }

    /// Gives the ball an impulse where they touch, and the other its opposite.
    #[inline(always)]
    fn push(&mut self, impulse: Vec3) {
        let twist = self.soft.gyration * self.c.normal.cross(impulse);
        self.a.push(impulse, twist);
        self.b.push(-impulse, twist);
    }

    /// Does what a visit is for. Whether they bounced.
    #[inline(always)]
    pub fn visit(&mut self, what: Visit) -> bool {
        match what {
            Visit::Bounce => return self.bounce(),
            Visit::Warm => self.warm(),
            Visit::Press => self.press(),
            Visit::Relax => self.relax(),
        }
        false
    }

    /// An impact, if there is one: both bounce at the instant at which they touch. Whether there was.
    fn bounce(&mut self) -> bool {
        if self.c.restitution == 0.0 || self.sliding().dot(self.c.normal) >= 0.0 {
            return false;
        }
        let gap = self.gap();
        let slide = self.sliding();
        let Some((time, speed)) = self.touching(gap, slide.dot(self.c.normal)) else { return false };
        let before = [self.a.velocity, self.b.velocity()];
        let along = -(1.0 + self.c.restitution) * self.c.mass * speed;
        let rubbed = -self.c.mass_across * (slide - slide.dot(self.c.normal) * self.c.normal);
        let impulse = along * self.c.normal + rubbed.clamp_length_max(self.c.friction * along);
        self.push(impulse);
        (self.c.along, self.c.across, self.c.rolling) = (0.0, Vec3::ZERO, Vec3::ZERO);
        (self.c.met, self.c.bounced) = (true, true);
        // As if they had gone with the new velocities from the instant of touching on only.
        self.a.at += time * (before[0] - self.a.velocity);
        self.b.shift(time * (before[1] - self.b.velocity()));
        true
    }

    /// When in the substep the two touch [s], and at what speed, if they do and it is enough to bounce. `speed` is that at the end of the
    /// substep, gravity included, which has acted on the ball alone if the other is no ball.
    fn touching(&self, gap: f32, speed: f32) -> Option<(f32, f32)> {
        let Soft { h, gravity, bounces, .. } = *self.soft;
        let fall = self.b.fall(gravity).dot(self.c.normal);
        let first = speed - h * fall;
        let square = first * first - 2.0 * fall * gap.max(0.0);
        let time = if gap > 0.0 { 2.0 * gap / (square.max(0.0).sqrt() - first) } else { 0.0 };
        let touches = square >= 0.0 && (0.0..=h).contains(&time);
        let then = first + time * fall;
        (touches && then < -bounces).then_some((time, then))
    }

    /// Begins with what the last substep ended with.
    #[inline(always)]
    fn warm(&mut self) {
        let Contact { normal, along, across, rolling, .. } = *self.c;
        if along > 0.0 {
            // What was across the normal then may not quite be now.
            let across = across - across.dot(normal) * normal;
            self.c.across = across;
            self.push(along * normal + across);
            if self.c.lever > 0.0 {
                self.turn(rolling);
            }
        }
    }

    /// The impulses that keep the two apart, push out what overlaps, and stop sliding and rolling, as far as they can.
    #[inline(always)]
    fn press(&mut self) {
        let (gap, soft) = (self.gap(), self.soft);
        let (bias, mass, impulse) = if gap > 0.0 {
            (gap * soft.per_h, 1.0, 0.0)
        } else {
            let weight = self.c.mass * soft.weight;
            let firm = SINKS * self.a.radius * self.c.mass * soft.rate
                / self.c.along.clamp(weight, LOAD * weight).max(f32::MIN_POSITIVE);
            ((soft.rate * gap).max(-PUSH_OUT * self.a.radius), soft.mass, soft.impulse.min(firm))
        };
        self.solve(bias, mass, impulse);
    }

    /// The same without the pushing out.
    #[inline(always)]
    fn relax(&mut self) {
        self.c.bounced = false;
        // What was let go in this substep is not stopped for the next.
        if self.c.along == 0.0 {
            return;
        }
        let gap = self.b.gap_along(self.a, self.c.normal, self.soft);
        self.solve(gap.max(0.0) * self.soft.per_h, 1.0, 0.0);
    }

    /// j += −m_n (mass) (v_n + bias) − (impulse) j, j ≥ 0; then friction.
    #[inline(always)]
    fn solve(&mut self, bias: f32, mass: f32, impulse: f32) {
        let slide = self.sliding();
        let speed = slide.dot(self.c.normal);
        let before = self.c.along;
        let wanted = before - self.c.mass * mass * (speed + bias) - impulse * before;
        self.c.along = wanted.max(0.0);
        if self.c.along > 0.0 || before > 0.0 {
            self.c.met = true;
            self.rub(slide - speed * self.c.normal, (self.c.along - before) * self.c.normal);
            self.a.is_held = true;
            self.b.hold();
        }
    }

    /// Friction against a sliding across the normal, which an impulse along the normal does not change; that one is given with it.
    #[inline(always)]
    fn rub(&mut self, slide: Vec3, pressed: Vec3) {
        let before = self.c.across;
        let wanted = before - self.c.mass_across * slide;
        self.c.across = wanted.clamp_length_max(self.c.friction * self.c.along);
        self.push(pressed + self.c.across - before);
        if self.c.lever > 0.0 {
            let before = self.c.rolling;
            let planar = self.soft.planar;
            let mass = 1.0 / (self.a.per_inertia(planar) + self.b.per_inertia(planar));
            let wanted = before - mass * (self.a.spin() - self.b.spin());
            self.c.rolling = wanted.clamp_length_max(self.c.lever * self.c.along);
            self.turn(self.c.rolling - before);
        }
    }

    /// Gives the ball an angular impulse, and the other its opposite.
    fn turn(&mut self, impulse: Vec3) {
        let planar = self.soft.planar;
        (&mut *self.a).turn(impulse, planar);
        self.b.turn(-impulse, planar);
    }
}
