//! The light that comes to the eye along a ray.
//!
//! A ray is followed backwards from the eye. Where it ends on something that scatters, the sun and a lamp are looked
//! for at once, and one more ray asks for the rest of the sky. At the first clear surface both the mirrored and the bent
//! way are followed, later ones are chosen by chance. What light does after the last scattering that is followed is
//! guessed from the sky, in the same way for every quality. Rays towards lights go straight through clear things: there are no caustics.

use super::gloss::{self, MIRROR};
use super::lamps::Panel;
use super::material::{Kind, WRAP};
use super::optics::{fresnel, mean_fresnel, metal, passed, reflected, refracted};
use super::ray::{Ray, about, beside};
use super::sampling::{Deal, Sampler, cosine};
use super::sky::Sky;
use super::stage::{Hit, Stage};
use super::tank::Tank;
use glam::Vec3A;
use std::f32::consts::{FRAC_1_PI, PI};

/// Light that came over a mirror or a scattering is not brighter than this: single sparks of chance are no light.
const BRIGHTEST: f32 = 5.0;
/// Light seen at once is not brighter than this.
const BLAZE: f32 = 20.0;
/// Shares of light below this are followed by chance, and count for more then: the mean is the same, at less work.
const FAINT: f32 = 0.1;
/// Share of the sky below which its reflection is taken from it at once, whatever may stand before it.
const FAINT_SKY: f32 = 0.06;
/// Surfaces that a ray passes without being mirrored or scattered, at most: a bound where meshes are broken.
const MOST_STEPS: usize = 48;
/// Share of the sky's light that reaches the inside of things, where nothing is followed any more.
const INSIDE: f32 = 0.6;
/// Times that light is mirrored or let through on its way, at most. This and the next are the same for every quality: few
/// samples make a picture grainy, never darker.
const MIRRORS: u32 = 16;
/// Times that it is scattered on its way, at most.
const BOUNCES: u32 = 4;

/// What a ray can meet, and what lights it.
#[derive(Clone, Copy, Debug)]
pub struct Tracer<'a> {
    /// Things and ground.
    pub stage: &'a Stage,
    /// Daylight.
    pub sky: &'a Sky,
    /// Lamps.
    pub lamps: &'a [Panel],
    /// Panes of glass.
    pub tanks: &'a [Tank],
}

/// What a sample sees.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sample {
    /// Light of the first surface that scatters, seen directly, through clear things or in a mirror.
    pub scattered: Vec3A,
    /// The part of it that only some samples ask for, each for several.
    pub soft: Vec3A,
    /// All other light.
    pub other: Vec3A,
    /// Colour of that surface as it comes to the eye: what is swallowed and mirrored on the way is left out.
    pub albedo: Vec3A,
    /// The surface that is met first.
    pub first: Met,
    /// The surface that scatters first.
    pub matte: Met,
}

/// A surface as a sample meets it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Met {
    /// Its direction towards the ray; 0 for the sky.
    pub normal: Vec3A,
    /// Where it is [m].
    pub place: Vec3A,
}

/// A part of a way.
#[derive(Clone, Copy, Debug)]
struct Leg {
    ray: Ray,
    /// What the eye gets of its light.
    share: Vec3A,
    /// Number of the clear material that it is in.
    medium: Option<u16>,
    mirrors: u32,
    bounces: u32,
    /// Whether it would see the sun and lamps if it met them; if not they have been looked for.
    sees_lights: bool,
    /// Whether it is the way that is followed first, not one that was left aside, and came over no rough mirror: what is at
    /// its end is the same for neighbouring pixels then.
    main: bool,
    /// Whether its light was scattered by the first surface that scatters.
    scattered: bool,
    /// Whether it stands for those of other samples as well.
    dealt: bool,
}

/// A point of a surface that scatters or reflects.
struct Surface {
    /// A little before it, for rays to start.
    point: Vec3A,
    /// Towards the side that the ray came from.
    normal: Vec3A,
    /// The same of the triangle.
    flat: Vec3A,
    /// Where the ray came from.
    eye: Vec3A,
    color: Vec3A,
    kind: Kind,
}

impl Tracer<'_> {
    /// The light that comes along a ray to its start.
    pub fn sample(&self, ray: Ray, sampler: &mut Sampler) -> Sample {
        let mut sample = Sample::default();
        let first = Leg {
            ray,
            share: Vec3A::ONE,
            medium: None,
            mirrors: 0,
            bounces: 0,
            sees_lights: true,
            main: true,
            scattered: false,
            dealt: false,
        };
        let (mut aside, mut other) = (None, sampler.aside());
        self.follow(first, sampler, &mut sample, &mut aside);
        if let Some(leg) = aside.take() {
            self.follow(leg, &mut other, &mut sample, &mut aside);
        }
        sample
    }

    fn follow(&self, mut leg: Leg, sampler: &mut Sampler, sample: &mut Sample, aside: &mut Option<Leg>) {
        for _ in 0..MOST_STEPS {
            if !leg.is_worth_it(sampler) {
                return;
            }
            let hit = self.stage.nearest(&leg.ray, leg.is_first());
            let distance = hit.map_or(f32::INFINITY, |hit| hit.distance);
            if leg.is_first() {
                self.look_through_panes(&mut leg, distance, sample);
            }
            if leg.sees_lights
                && let Some(light) = self.lamp_before(&leg.ray, distance)
            {
                return leg.bring(light, sample);
            }
            let Some(hit) = hit else {
                let sees = leg.sees_lights;
                let light =
                    if sees { self.sky.light_and_sun(leg.ray.along) } else { self.sky.light(leg.ray.along) };
                return leg.bring(light, sample);
            };
            self.go_to(&mut leg, &hit, sample);
            let on = match self.stage.material(hit.material).kind {
                Kind::Clear { .. } => self.cross(&mut leg, &hit, sampler, sample, aside),
                Kind::Metal { .. } => self.glance(&mut leg, &hit, sampler, sample),
                _ => self.scatter(&mut leg, &hit, sampler, sample, aside),
            };
            if !on {
                return;
            }
            if leg.mirrors > MIRRORS {
                return leg.bring(INSIDE * self.sky.ambient(Vec3A::Y), sample);
            }
        }
    }

    fn look_through_panes(&self, leg: &mut Leg, distance: f32, sample: &mut Sample) {
        for tank in self.tanks {
            let (through, added) = tank.veil(&leg.ray, distance, self.sky);
            leg.bring(added, sample);
            leg.share *= through;
        }
    }

    fn lamp_before(&self, ray: &Ray, distance: f32) -> Option<Vec3A> {
        let met = self.lamps.iter().filter_map(|lamp| lamp.met(ray)).filter(|(d, _)| *d < distance);
        met.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, light)| light)
    }

    /// What happens on the way to a surface, and what it gives off itself.
    fn go_to(&self, leg: &mut Leg, hit: &Hit, sample: &mut Sample) {
        if let Some(Kind::Clear { absorption, .. }) = leg.medium.map(|m| self.stage.material(m).kind) {
            leg.share *= passed(absorption, hit.distance);
        }
        if leg.is_first() {
            sample.first = leg.meets(hit);
        }
        if hit.haze > 0.0 {
            leg.bring(hit.haze * self.sky.distant(leg.ray.along), sample);
            leg.share *= 1.0 - hit.haze;
        }
        let glow = self.stage.material(hit.material).glow;
        if glow != Vec3A::ZERO {
            leg.bring(glow, sample);
        }
    }

    /// At a clear surface. Always goes on.
    fn cross(
        &self,
        leg: &mut Leg,
        hit: &Hit,
        sampler: &mut Sampler,
        sample: &mut Sample,
        aside: &mut Option<Leg>,
    ) -> bool {
        let Kind::Clear { width, index, absorption, contact } = self.stage.material(hit.material).kind else {
            return false;
        };
        if self.passes_unseen(leg, hit, contact) {
            return true;
        }
        let along = leg.ray.along;
        let entering = along.dot(hit.facing.flat) < 0.0;
        let point = leg.ray.at(hit.distance);
        if !entering && leg.medium.is_none() {
            // The eye was inside from the start.
            leg.share *= passed(absorption, hit.distance);
        }
        let side = if entering { 1.0 } else { -1.0 };
        let flat = hit.facing.flat * side;
        let smooth = self.smooth_against_panes(point, hit.facing.smooth, contact) * side;
        let smooth = if along.dot(smooth) < 0.0 { smooth } else { flat };
        let normal = rough(smooth, -along, width, sampler);
        let around = leg.medium.filter(|m| *m != hit.material).map_or(1.0, |m| self.index(m));
        let ratio = if entering { index / around } else { 1.0 / index };
        let gap = self.stage.gap(point, hit.distance);
        let mirrored = Leg {
            ray: Ray { from: point + flat * gap, along: upwards(reflected(along, normal), flat) },
            mirrors: leg.mirrors + 1,
            main: leg.main && width < MIRROR,
            ..*leg
        };
        let bent = refracted(along, normal, ratio).map(|along| Leg {
            ray: Ray { from: point - flat * gap, along },
            medium: entering.then_some(hit.material),
            ..mirrored
        });
        let share = fresnel(-along.dot(normal), ratio);
        *leg = match bent {
            None => mirrored,
            Some(bent) if leg.is_first() && aside.is_none() => {
                let other = Leg { share: leg.share * share, main: false, ..mirrored };
                *aside = self.worth_following(other, share, sample);
                Leg { share: leg.share * (1.0 - share), ..bent }
            }
            Some(bent) => match sampler.one() < share {
                true => mirrored,
                false => bent,
            },
        };
        true
    }

    /// Goes on straight where a clear surface is none: drops within the mass that they belong to have no surface, and
    /// liquid has none against what it wets.
    fn passes_unseen(&self, leg: &mut Leg, hit: &Hit, contact: f32) -> bool {
        let along = leg.ray.along;
        let cos = along.dot(hit.facing.flat);
        let point = leg.ray.at(hit.distance);
        let ahead = Ray { from: point + along * self.stage.gap(point, hit.distance), along };
        let unseen = match cos < 0.0 {
            true => leg.medium == Some(hit.material),
            false => contact > 0.0 && self.stage.is_solid_within(&ahead, contact / cos.abs().max(0.2)),
        };
        if unseen {
            leg.medium = Some(hit.material);
            leg.ray = ahead;
        }
        unseen
    }

    /// A mirrored leg, unless it is a faint reflection of the sky, which is brought to the eye at once.
    fn worth_following(&self, mirrored: Leg, share: f32, sample: &mut Sample) -> Option<Leg> {
        if share < FAINT_SKY && mirrored.ray.along.y > 0.0 {
            mirrored.bring(self.sky.light_and_sun(mirrored.ray.along), sample);
            return None;
        }
        Some(mirrored)
    }

    fn index(&self, material: u16) -> f32 {
        match self.stage.material(material).kind {
            Kind::Clear { index, .. } => index,
            _ => 1.0,
        }
    }

    /// Liquid is as flat as the pane that it lies against, whatever its mesh says.
    fn smooth_against_panes(&self, point: Vec3A, smooth: Vec3A, contact: f32) -> Vec3A {
        let panes = self.tanks.iter().filter_map(|tank| tank.pane_near(point, smooth, contact));
        panes.fold(smooth, |_, pane| pane)
    }

    /// At a metal. Whether it goes on.
    fn glance(&self, leg: &mut Leg, hit: &Hit, sampler: &mut Sampler, sample: &mut Sample) -> bool {
        let surface = self.surface(leg, hit);
        let Kind::Metal { width } = surface.kind else { return false };
        let (_, gloss) = self.lights(&surface, sampler);
        leg.bring(gloss, sample);
        let facet = rough(surface.normal, surface.eye, width, sampler);
        let along = reflected(-surface.eye, facet);
        let weight = surface.remains(along, width) * metal(surface.eye.dot(facet), surface.color);
        self.turn(leg, &surface, along, weight, width);
        true
    }

    /// Sends a leg on by reflection.
    fn turn(&self, leg: &mut Leg, surface: &Surface, along: Vec3A, weight: Vec3A, width: f32) {
        leg.ray = Ray { from: surface.point, along: upwards(along, surface.flat) };
        leg.share *= weight;
        leg.mirrors += 1;
        leg.sees_lights = width < MIRROR;
        leg.main &= width < MIRROR;
    }

    /// At a surface that scatters. Whether it goes on.
    fn scatter(
        &self,
        leg: &mut Leg,
        hit: &Hit,
        sampler: &mut Sampler,
        sample: &mut Sample,
        aside: &mut Option<Leg>,
    ) -> bool {
        let surface = self.surface(leg, hit);
        let first = leg.is_first();
        let mut under = 1.0;
        let (even, gloss) = self.lights(&surface, sampler);
        leg.bring(gloss, sample);
        if let Kind::Coated { width, index } | Kind::Skin { width, index } = surface.kind {
            under = 1.0 - fresnel(surface.eye.dot(surface.normal), index);
            if first && aside.is_none() {
                let facet = rough(surface.normal, surface.eye, width, sampler);
                let along = reflected(-surface.eye, facet);
                let weight = surface.remains(along, width) * fresnel(surface.eye.dot(facet), index);
                let mut mirrored = Leg { main: false, ..*leg };
                self.turn(&mut mirrored, &surface, along, Vec3A::splat(weight), width);
                *aside = Some(mirrored);
            }
        }
        if leg.main && leg.bounces == 0 {
            sample.albedo = leg.share * surface.color;
            sample.matte = leg.meets(hit);
            leg.scattered = true;
        }
        leg.bring(even, sample);
        leg.share *= surface.color * under;
        if leg.bounces >= BOUNCES {
            leg.bring(INSIDE * self.sky.ambient(surface.normal), sample);
            return false;
        }
        if !self.looks_around(leg, hit, surface.color * under, sampler) {
            return false;
        }
        let along = upwards(about(surface.normal, cosine(sampler.pair())), surface.flat);
        leg.ray = Ray { from: surface.point, along };
        leg.bounces += 1;
        leg.medium = None;
        leg.sees_lights = false;
        true
    }

    /// Whether to ask for light that comes to a surface from others and the sky. It is soft, and smoothed along the surface
    /// well where that is flat: there every other sample is enough and counts twice. The same goes for what is behind clear
    /// things, where ways are long, and for what is flat there every fourth is enough. What comes over several surfaces is
    /// little, and followed as often as much of it is left.
    fn looks_around(&self, leg: &mut Leg, hit: &Hit, color: Vec3A, sampler: &mut Sampler) -> bool {
        if leg.bounces > 0 {
            return leg.goes_on(color.max_element(), sampler);
        }
        let (flat, behind) = (hit.facing.flat == hit.facing.smooth, leg.mirrors > 0);
        if !leg.scattered || !(flat || behind) {
            return true;
        }
        let of = if flat && behind { Deal::Four } else { Deal::Two };
        leg.share *= of.count();
        leg.dealt = true;
        sampler.has_turn(of)
    }

    fn surface(&self, leg: &Leg, hit: &Hit) -> Surface {
        let along = leg.ray.along;
        let side = -along.dot(hit.facing.flat).signum();
        let flat = hit.facing.flat * side;
        let smooth = hit.facing.smooth * side;
        let normal = if smooth.dot(along) < 0.0 { smooth } else { flat };
        let place = leg.ray.at(hit.distance);
        let point = place + flat * self.stage.gap(place, hit.distance);
        let kind = self.stage.material(hit.material).kind;
        Surface { point, normal, flat, eye: -along, color: hit.color, kind }
    }

    /// Light of the sun and a lamp that a surface sends to the eye: scattered, and reflected.
    fn lights(&self, surface: &Surface, sampler: &mut Sampler) -> (Vec3A, Vec3A) {
        let (mut even, mut gloss) = (Vec3A::ZERO, Vec3A::ZERO);
        let mut take = |ray: Ray, distance: f32, light: Vec3A| {
            let (e, g) = surface.answer(ray.along);
            if e.max_element() + g.max_element() > 0.0 {
                let passed = self.stage.passes(&surface.shadow_ray(ray), distance) * light;
                even += e * passed;
                gloss += g * passed;
            }
        };
        if let Some(sun) = self.sky.sun() {
            take(sun.ray(surface.point, sampler.pair()), f32::INFINITY, PI * sun.strength());
        }
        if !self.lamps.is_empty() {
            let count = self.lamps.len();
            let lamp = &self.lamps[((sampler.one() * count as f32) as usize).min(count - 1)];
            if let Some(glimpse) = lamp.glimpse(surface.point, sampler.pair()) {
                take(glimpse.ray, glimpse.distance * 0.999, glimpse.light * count as f32);
            }
        }
        (even, gloss)
    }
}

impl Leg {
    /// Whether it comes straight from the eye.
    fn is_first(&self) -> bool {
        self.mirrors + self.bounces == 0
    }

    fn meets(&self, hit: &Hit) -> Met {
        let normal = hit.facing.smooth * -self.ray.along.dot(hit.facing.flat).signum();
        Met { normal, place: self.ray.at(hit.distance) }
    }

    /// Whether chance has it go on, as often as told; it stands for those that do not.
    fn goes_on(&mut self, chance: f32, sampler: &mut Sampler) -> bool {
        let chance = chance.min(1.0);
        self.share /= chance.max(1e-6);
        chance > 0.0 && sampler.one() < chance
    }

    /// Whether to follow it: a faint one only by chance.
    fn is_worth_it(&mut self, sampler: &mut Sampler) -> bool {
        let peak = self.share.max_element();
        peak >= FAINT || self.goes_on(peak / FAINT, sampler)
    }

    /// Brings light to the eye.
    fn bring(&self, light: Vec3A, sample: &mut Sample) {
        let light = self.share * light;
        let most = if self.is_first() { BLAZE } else { BRIGHTEST };
        let peak = light.max_element();
        let light = if peak > most { light * (most / peak) } else { light };
        // Not a number is no light.
        if peak >= 0.0 {
            *(if self.scattered { &mut sample.scattered } else { &mut sample.other }) += light;
            if self.scattered && self.dealt {
                sample.soft += light;
            }
        }
    }
}

impl Surface {
    /// Shares of light from a direction that go to the eye, times the cosine: scattered, and reflected.
    fn answer(&self, light: Vec3A) -> (Vec3A, Vec3A) {
        let cos = self.normal.dot(light);
        let seen = self.normal.dot(self.eye).max(1e-3);
        let matte = self.color * (FRAC_1_PI * cos.max(0.0));
        match self.kind {
            Kind::Matte => (matte, Vec3A::ZERO),
            Kind::Metal { width } if width >= MIRROR && cos > 0.0 => {
                let half = (self.eye + light).normalize_or(self.normal);
                (Vec3A::ZERO, metal(half.dot(light), self.color) * self.reflection(light, width))
            }
            Kind::Metal { .. } | Kind::Clear { .. } => (Vec3A::ZERO, Vec3A::ZERO),
            Kind::Coated { width, index } => {
                let under =
                    (1.0 - fresnel(seen, index)) * (1.0 - fresnel(cos, index)) / (1.0 - mean_fresnel(index));
                (matte * under, self.coat(light, width, index))
            }
            Kind::Skin { width, index } => {
                let reach =
                    (Vec3A::splat(cos) + WRAP).max(Vec3A::ZERO) / ((Vec3A::ONE + WRAP) * (Vec3A::ONE + WRAP));
                let even = self.color * reach * (FRAC_1_PI * (1.0 - fresnel(seen, index)));
                (even, self.coat(light, width, index))
            }
        }
    }

    fn coat(&self, light: Vec3A, width: f32, index: f32) -> Vec3A {
        if width < MIRROR || self.normal.dot(light) <= 0.0 {
            return Vec3A::ZERO;
        }
        let half = (self.eye + light).normalize_or(self.normal);
        Vec3A::splat(fresnel(half.dot(light), index) * self.reflection(light, width))
    }

    fn local(&self, direction: Vec3A) -> Vec3A {
        let (right, up) = beside(self.normal);
        Vec3A::new(direction.dot(right), direction.dot(up), direction.dot(self.normal))
    }

    fn reflection(&self, light: Vec3A, width: f32) -> f32 {
        gloss::reflection(self.local(self.eye), self.local(light), width)
    }

    fn remains(&self, light: Vec3A, width: f32) -> f32 {
        if width < MIRROR { 1.0 } else { gloss::remains(self.local(self.eye), self.local(light), width) }
    }

    /// A ray to a light, which for skin may start on the far side of an edge: it goes along the edge then.
    fn shadow_ray(&self, ray: Ray) -> Ray {
        let below = -ray.along.dot(self.flat);
        match self.kind {
            Kind::Skin { .. } if below > -0.05 => {
                let along = (ray.along + self.flat * (below + 0.05)).normalize_or(self.flat);
                Ray { along, ..ray }
            }
            _ => ray,
        }
    }
}

/// The normal of a facet that is seen from `eye`.
fn rough(normal: Vec3A, eye: Vec3A, width: f32, sampler: &mut Sampler) -> Vec3A {
    if width < MIRROR {
        return normal;
    }
    let (right, up) = beside(normal);
    let local = Vec3A::new(eye.dot(right), eye.dot(up), eye.dot(normal).max(1e-3));
    let facet = gloss::facet(local, width, sampler.pair());
    right * facet.x + up * facet.y + normal * facet.z
}

/// A direction that a smooth normal has sent behind the true surface, brought back before it.
fn upwards(along: Vec3A, flat: Vec3A) -> Vec3A {
    let below = along.dot(flat);
    if below > 0.0 { along } else { (along + flat * (0.01 - below)).normalize_or(flat) }
}
