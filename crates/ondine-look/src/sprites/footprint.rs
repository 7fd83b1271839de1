//! Where an impostor is in the picture, and what it does to a pixel.

use super::Impostor;
use super::paint::{Bearings, Paint};
use super::patterns::across;
use super::texture::{Level, texture};
use crate::camera::View;
use glam::{Vec2, Vec3, Vec4};
use ondine::scene::{Sprite, SpriteBlend};
use std::f32::consts::PI;
use std::ops::Range;

/// The least half width that is drawn [pixels]: what is smaller is drawn so large, and fainter for it. Patterns are looked at once a pixel: the texels
/// of the coarsest texture are as large as that then, and no light is lost between them.
const LEAST: f32 = 2.0;
const LEAST_STREAK: f32 = 1.2;
const LEAST_BALL: f32 = 0.75;

/// Depth within which a ball goes behind something, in its radius.
const BALL_EDGE: f32 = 0.05;

/// An impostor in the picture: a disc, or a line with round ends.
#[derive(Clone, Copy, Debug)]
pub struct Footprint {
    /// Places of the particle and of the end of its streak [pixels].
    head: Vec2,
    tail: Vec2,
    /// Half the width there [pixels].
    radii: [f32; 2],
    /// Distances along the line of sight [m].
    depths: [f32; 2],
    /// How far it goes towards the camera [m].
    thickness: f32,
    /// One over the depth over which it goes behind something [1/m].
    sharpness: f32,
    turn: Vec2,
    opacity: f32,
    variant: u32,
    sprite: Sprite,
    additive: bool,
    paint: Paint,
}

/// What an impostor does at a place of the picture.
struct Touch {
    coverage: f32,
    light: Vec4,
    /// Depth of its nearest point there [m].
    front: f32,
}

impl Footprint {
    /// An impostor as a view has it, unless it is out of sight. `blur` is how much wider a lens shows it at a depth, on each side [m].
    pub fn of(impostor: &Impostor, paint: Paint, view: &View, blur: impl Fn(f32) -> f32) -> Option<Self> {
        let Impostor { position, radius, turn, opacity, variant, look, .. } = *impostor;
        let head = view.project(position)?;
        // What comes to the camera fades before it fills the picture.
        let near = ((head.depth - radius) / radius).min(1.0);
        let least = match look.sprite {
            Sprite::Streak => LEAST_STREAK,
            Sprite::Ball => LEAST_BALL,
            _ => LEAST,
        };
        let clipped = view.clip(position, impostor.tail).and_then(|(_, end)| view.project(end));
        let tail = clipped.unwrap_or(head);
        let wide = radius + blur(head.depth);
        let radii = [head, tail].map(|point| (wide * point.scale).max(least));
        let [head_at, tail_at] = [head, tail].map(|point| Vec2::new(point.x, point.y));
        let thinned = thinned(radius * head.scale, radii[0], head_at.distance(tail_at));
        let depth = match look.sprite {
            // They are half behind what goes through their middles.
            Sprite::Puff | Sprite::Flame => 2.0 * radius,
            Sprite::Ball => BALL_EDGE * radius,
            // Flat ones show where their middles do.
            _ => radius,
        };
        let footprint = Self {
            head: head_at,
            tail: tail_at,
            radii,
            depths: [head.depth, tail.depth],
            thickness: radius,
            sharpness: depth.recip(),
            turn,
            opacity: opacity * near * thinned,
            variant,
            sprite: look.sprite,
            additive: look.blend == SpriteBlend::Additive,
            paint,
        };
        let (columns, rows) = footprint.window(view.size());
        (footprint.opacity > 0.0 && !columns.is_empty() && !rows.is_empty()).then_some(footprint)
    }

    /// What decides which is drawn first: the farther.
    pub fn depth(&self) -> f32 {
        self.depths[0]
    }

    /// The columns and rows of a picture that it may touch.
    pub fn window(&self, (width, height): (usize, usize)) -> (Range<usize>, Range<usize>) {
        let reach = self.reach();
        let (low, high) = (self.head.min(self.tail) - reach, self.head.max(self.tail) + reach);
        (pixels(low.x, high.x, width), pixels(low.y, high.y, height))
    }

    /// How far it goes from its line [pixels].
    fn reach(&self) -> f32 {
        let wide = self.radii[0].max(self.radii[1]);
        match self.sprite {
            Sprite::Streak => wide,
            Sprite::Ball => wide + 0.5,
            _ => wide * self.level().reach(),
        }
    }

    fn level(&self) -> &'static Level {
        texture(self.sprite, self.variant).level(self.radii[0])
    }

    /// Draws its part of a row of the picture; red, green, blue and what shines through. `before` has depths of what else each pixel shows [m].
    pub fn draw(&self, y: usize, bearings: &Bearings, before: &[Vec4], row: &mut [Vec4]) {
        let columns = self.columns(y as f32 + 0.5, row.len());
        match self.sprite {
            Sprite::Streak => self.blend(columns, y, before, row, |p| self.on_streak(p)),
            Sprite::Ball => self.blend(columns, y, before, row, |p| self.on_ball(p, bearings)),
            Sprite::Puff => {
                let level = self.level();
                self.blend(columns, y, before, row, |p| self.on_puff(p, level, bearings));
            }
            _ => {
                let level = self.level();
                self.blend(columns, y, before, row, |p| self.on_pattern(p, level));
            }
        }
    }

    /// The columns of a row that it may touch.
    fn columns(&self, y: f32, width: usize) -> Range<usize> {
        let (reach, way) = (self.reach(), self.head - self.tail);
        // The part of its line that is near enough to the row.
        let [a, b] = match way.y.abs() > 1e-6 {
            true => [-reach, reach].map(|off| ((y + off - self.tail.y) / way.y).clamp(0.0, 1.0)),
            false => [0.0, 1.0],
        };
        let (a, b) = (self.tail.x + a * way.x, self.tail.x + b * way.x);
        pixels(a.min(b) - reach, a.max(b) + reach, width)
    }

    #[inline(always)]
    fn blend(
        &self,
        columns: Range<usize>,
        y: usize,
        before: &[Vec4],
        row: &mut [Vec4],
        touch: impl Fn(Vec2) -> Touch,
    ) {
        let pixels = row[columns.clone()].iter_mut().zip(&before[columns.clone()]);
        for (x, (pixel, depths)) in columns.zip(pixels) {
            let Touch { coverage, light, front } = touch(Vec2::new(x as f32 + 0.5, y as f32 + 0.5));
            if coverage <= 0.0 {
                continue;
            }
            let seen = ((*depths - front) * self.sharpness).clamp(Vec4::ZERO, Vec4::ONE);
            let alpha = (self.opacity * coverage * 0.25 * seen.element_sum()).min(1.0);
            let kept = if self.additive { 1.0 } else { 1.0 - alpha };
            *pixel = *pixel * kept + light * alpha;
        }
    }

    /// From pixels to the disc of radius 1 about the particle, y up.
    #[inline]
    fn local(&self, p: Vec2) -> Vec2 {
        (p - self.head) * Vec2::new(1.0, -1.0) / self.radii[0]
    }

    #[inline]
    fn on_pattern(&self, p: Vec2, level: &Level) -> Touch {
        // Turned back, as the pattern stands.
        let coverage = level.at(Vec2::new(self.turn.x, -self.turn.y).rotate(self.local(p)));
        Touch { coverage, light: self.paint.flat(), front: self.depths[0] - self.thickness }
    }

    #[inline]
    fn on_puff(&self, p: Vec2, level: &Level, bearings: &Bearings) -> Touch {
        let light = self.paint.on_puff(normal(self.local(p)), bearings);
        Touch { light, ..self.on_pattern(p, level) }
    }

    #[inline]
    fn on_ball(&self, p: Vec2, bearings: &Bearings) -> Touch {
        let local = self.local(p);
        // An edge as wide as a pixel.
        let coverage = ((1.0 - local.length()) * self.radii[0] + 0.5).clamp(0.0, 1.0);
        let normal = normal(local);
        let front = self.depths[0] - self.thickness * normal.z;
        Touch { coverage, light: self.paint.on_ball(normal, bearings), front }
    }

    /// A line that fades from the particle to where it came from. One that has no length is a disc.
    #[inline]
    fn on_streak(&self, p: Vec2) -> Touch {
        let way = self.head - self.tail;
        let square = way.length_squared();
        let t = if square > 0.0 { ((p - self.tail).dot(way) / square).clamp(0.0, 1.0) } else { 1.0 };
        let mix = |[head, tail]: [f32; 2]| tail + (head - tail) * t;
        let (radius, length) = (mix(self.radii), square.sqrt());
        let aside = (p - self.tail - way * t).length_squared() / (radius * radius);
        let fade = (t * length + radius) / (length + radius);
        let front = mix(self.depths) - self.thickness;
        Touch { coverage: across(aside) * fade, light: self.paint.flat(), front }
    }
}

/// The direction that a ball faces at a place of its disc, as the view has it.
fn normal(local: Vec2) -> Vec3 {
    local.clamp_length_max(1.0).extend((1.0 - local.length_squared()).max(0.0).sqrt())
}

/// How much fainter something is that is drawn with another half width than its own, so that its light stays the same.
fn thinned(own: f32, drawn: f32, length: f32) -> f32 {
    // A soft line and a soft disc.
    let area = |radius: f32| 16.0 / 15.0 * radius * length + PI / 3.0 * radius * radius;
    area(own) / area(drawn)
}

/// The pixels whose middles are between two places of a line of pixels.
fn pixels(low: f32, high: f32, end: usize) -> Range<usize> {
    // A cast from float saturates.
    let first = ((low - 0.5).ceil() as usize).min(end);
    first..(((high - 0.5).floor() + 1.0).max(0.0) as usize).clamp(first, end)
}
