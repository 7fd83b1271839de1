//! Everything that a ray can meet in one picture.

use super::balls::Balls;
use super::material::{Kind, Material};
use super::mesh::{Facing, Mesh, Spot};
use super::optics::{fresnel, passed};
use super::ray::Ray;
use super::tree::{Asked, Tree, Unit};
use crate::lanes::{Eight, Work, with_widest};
use glam::{Quat, Vec3, Vec3A};
use obvhs::aabb::Aabb;
use ondine::scene::Placement;
use std::sync::Arc;

/// Tiles from the eye at which they have faded: further out they would only glitter.
const FADED_TILES: f32 = 36.0;

/// How much darker the darker tiles are.
const TILE_SHADE: f32 = 0.2;

/// A surface in the form that rays ask for.
#[derive(Clone, Debug)]
pub enum Body {
    /// Triangles.
    Mesh(Arc<Mesh>),
    /// Balls.
    Balls(Arc<Balls>),
}

/// A body in its place.
#[derive(Clone, Debug)]
pub struct Thing {
    /// The body, in its own frame.
    pub body: Body,
    /// Where it stands.
    pub placement: Placement,
    /// Number of its material.
    pub material: u16,
    /// Whether only the eye sees it: a drawn line, which throws no shadow and is not mirrored.
    pub drawn: bool,
}

/// Endless ground or wall, seen from the side that its normal points to.
#[derive(Clone, Copy, Debug)]
pub struct Plane {
    /// A point of it.
    pub at: Vec3A,
    /// Away from the ground.
    pub normal: Vec3A,
    /// Number of its material.
    pub material: u16,
    /// Side of its tiles [m].
    pub tile: f32,
    /// How far from the eye it has half gone into the horizon [m].
    pub haze: f32,
}

/// Where a ray ends.
#[derive(Clone, Copy, Debug)]
pub struct Hit {
    /// How far [m].
    pub distance: f32,
    /// What the surface is like there.
    pub facing: Facing,
    /// Number of its material.
    pub material: u16,
    /// Linear light.
    pub color: Vec3A,
    /// Share of it that has gone into the horizon.
    pub haze: f32,
}

/// Everything that a ray can meet.
#[derive(Clone, Debug)]
pub struct Stage {
    things: Vec<Thing>,
    planes: Vec<Plane>,
    materials: Vec<Material>,
    tree: Option<(Tree, Unit)>,
    /// Size of the scene [m].
    reach: f32,
}

impl Stage {
    /// A stage of things and planes; `reach` is the size of the scene [m].
    pub fn new(things: Vec<Thing>, planes: Vec<Plane>, materials: Vec<Material>, reach: f32) -> Self {
        let things: Vec<Thing> = things.into_iter().filter(Thing::is_sound).collect();
        let boxes: Vec<(Vec3, Vec3)> = things.iter().map(Thing::bounds).collect();
        let whole = boxes.iter().copied().reduce(|(a, b), (c, d)| (a.min(c), b.max(d)));
        let Some(whole) = whole else { return Self { things, planes, materials, tree: None, reach } };
        let unit = Unit::of(whole);
        let scaled = |(low, high): &(Vec3, Vec3)| Aabb::new(unit.point(*low), unit.point(*high));
        let (tree, order) = Tree::new(&boxes.iter().map(scaled).collect::<Vec<_>>(), Asked::Alone);
        let things = order.iter().map(|&i| things[i as usize].clone()).collect();
        Self { things, planes, materials, tree: Some((tree, unit)), reach }
    }

    /// A material by its number.
    pub fn material(&self, number: u16) -> &Material {
        &self.materials[number as usize]
    }

    /// How far from a surface rays start that leave it, so as not to meet it again [m].
    pub fn gap(&self, point: Vec3A, distance: f32) -> f32 {
        2e-5 * self.reach + 2e-6 * (distance + point.abs().max_element())
    }

    /// Where a ray first meets something; one that comes straight from the eye sees what is drawn too.
    pub fn nearest(&self, ray: &Ray, straight: bool) -> Option<Hit> {
        if !ray.is_sound() {
            return None;
        }
        let plane = self.planes.iter().filter_map(|plane| Some((plane.met(ray)?, plane)));
        let plane = plane.min_by(|a, b| a.0.total_cmp(&b.0));
        let most = plane.map_or(1e9, |(distance, _)| distance);
        with_widest(Nearest { stage: self, ray, most, straight })
            .or_else(|| plane.map(|(distance, plane)| self.on_plane(ray, distance, plane)))
    }

    fn on_plane(&self, ray: &Ray, distance: f32, plane: &Plane) -> Hit {
        let facing = Facing { flat: plane.normal, smooth: plane.normal, color: None };
        let shade = 1.0 - TILE_SHADE * plane.checker(ray.at(distance)) * plane.clearness(distance);
        let far = distance / plane.haze;
        let color = self.material(plane.material).color * shade;
        Hit { distance, facing, material: plane.material, color, haze: far * far / (1.0 + far * far) }
    }

    /// Whether something that is not clear stands in a ray's way within a distance.
    pub fn is_solid_within(&self, ray: &Ray, most: f32) -> bool {
        if !ray.is_sound() || self.planes.iter().any(|p| p.met(ray).is_some_and(|d| d < most)) {
            return true;
        }
        with_widest(Solid { stage: self, ray, most })
    }

    /// What arrives of light that comes along a ray from a distance, by colour: nothing where something solid stands in
    /// its way. Clear things take from it what they swallow and reflect, and do not bend it: there are no caustics.
    pub fn passes(&self, ray: &Ray, most: f32) -> Vec3A {
        if !ray.is_sound() || self.planes.iter().any(|p| p.met(ray).is_some_and(|d| d < most)) {
            return Vec3A::ZERO;
        }
        with_widest(Passing { stage: self, ray, most: most.min(1e9) })
    }
}

/// Where a ray first meets a thing.
struct Nearest<'a> {
    stage: &'a Stage,
    ray: &'a Ray,
    most: f32,
    straight: bool,
}

impl Work for Nearest<'_> {
    type Out = Option<Hit>;

    #[inline(always)]
    fn done_with<V: Eight>(self) -> Option<Hit> {
        let Self { stage, ray, most, straight } = self;
        let (tree, unit) = stage.tree.as_ref()?;
        let mut best: Option<(usize, Spot)> = None;
        tree.nearest::<V>(
            unit.ray(ray, most),
            #[inline(always)]
            |scaled, i| {
                if stage.things[i].drawn && !straight {
                    return f32::INFINITY;
                }
                match stage.things[i].nearest::<V>(ray, unit.metres(scaled.tmax)) {
                    Some(spot) => {
                        best = Some((i, spot));
                        unit.length(spot.distance)
                    }
                    None => f32::INFINITY,
                }
            },
        );
        let (i, spot) = best?;
        let thing = &stage.things[i];
        let facing = thing.facing(ray, &spot);
        let color = facing.color.unwrap_or(stage.material(thing.material).color);
        Some(Hit { distance: spot.distance, facing, material: thing.material, color, haze: 0.0 })
    }
}

/// Whether a thing that is not clear stands in a ray's way.
struct Solid<'a> {
    stage: &'a Stage,
    ray: &'a Ray,
    most: f32,
}

impl Work for Solid<'_> {
    type Out = bool;

    #[inline(always)]
    fn done_with<V: Eight>(self) -> bool {
        let Self { stage, ray, most } = self;
        let Some((tree, unit)) = stage.tree.as_ref() else { return false };
        tree.until::<V>(
            unit.ray(ray, most),
            #[inline(always)]
            |_, i| {
                let thing = &stage.things[i];
                !thing.drawn && !stage.material(thing.material).is_clear() && thing.blocks::<V>(ray, most)
            },
        )
    }
}

/// What things let through of light that comes along a ray.
struct Passing<'a> {
    stage: &'a Stage,
    ray: &'a Ray,
    most: f32,
}

impl Work for Passing<'_> {
    type Out = Vec3A;

    #[inline(always)]
    fn done_with<V: Eight>(self) -> Vec3A {
        let Self { stage, ray, most } = self;
        let Some((tree, unit)) = stage.tree.as_ref() else { return Vec3A::ONE };
        let (mut through, mut swallowed) = (1.0, Vec3A::ZERO);
        let blocked = tree.until::<V>(
            unit.ray(ray, most),
            #[inline(always)]
            |_, i| {
                let thing = &stage.things[i];
                let Kind::Clear { index, absorption, .. } = stage.material(thing.material).kind else {
                    return !thing.drawn && thing.blocks::<V>(ray, most);
                };
                // Ways inside add up from their ends, in whatever order these come.
                thing.crossings::<V>(
                    ray,
                    most,
                    #[inline(always)]
                    |distance, cos| {
                        swallowed += absorption * distance.copysign(cos);
                        through *= 1.0 - fresnel(cos.abs(), index);
                    },
                );
                false
            },
        );
        if blocked { Vec3A::ZERO } else { through * passed(swallowed.max(Vec3A::ZERO), 1.0) }
    }
}

impl Thing {
    fn is_sound(&self) -> bool {
        let Placement { at, rotation } = self.placement;
        at.abs().max_element() < 1e9 && rotation.is_finite() && rotation.length_squared() > 0.5
    }

    /// Corners of the box around it, in the world [m].
    fn bounds(&self) -> (Vec3, Vec3) {
        let (low, high) = match &self.body {
            Body::Mesh(mesh) => mesh.bounds(),
            Body::Balls(balls) => balls.bounds(),
        };
        self.placement.box_around(low, high)
    }

    #[inline(always)]
    fn local(&self, ray: &Ray) -> Ray {
        let Placement { at, rotation } = self.placement;
        let from = ray.from - Vec3A::from(at);
        if rotation == Quat::IDENTITY {
            return Ray { from, along: ray.along };
        }
        let back = rotation.inverse();
        Ray { from: back * from, along: back * ray.along }
    }

    #[inline(always)]
    fn nearest<V: Eight>(&self, ray: &Ray, most: f32) -> Option<Spot> {
        match &self.body {
            Body::Mesh(mesh) => mesh.nearest::<V>(&self.local(ray), most),
            Body::Balls(balls) => balls.nearest::<V>(&self.local(ray), most),
        }
    }

    #[inline(always)]
    fn blocks<V: Eight>(&self, ray: &Ray, most: f32) -> bool {
        match &self.body {
            Body::Mesh(mesh) => mesh.blocks::<V>(&self.local(ray), most),
            Body::Balls(balls) => balls.blocks::<V>(&self.local(ray), most),
        }
    }

    #[inline(always)]
    fn crossings<V: Eight>(&self, ray: &Ray, most: f32, each: impl FnMut(f32, f32)) {
        match &self.body {
            Body::Mesh(mesh) => mesh.crossings::<V>(&self.local(ray), most, each),
            Body::Balls(balls) => balls.crossings::<V>(&self.local(ray), most, each),
        }
    }

    #[inline(always)]
    fn facing(&self, ray: &Ray, spot: &Spot) -> Facing {
        let local = self.local(ray);
        let facing = match &self.body {
            Body::Mesh(mesh) => mesh.facing(&local, spot),
            Body::Balls(balls) => balls.facing(&local, spot),
        };
        let turned = |n: Vec3A| self.placement.rotation * n;
        Facing { flat: turned(facing.flat), smooth: turned(facing.smooth), ..facing }
    }
}

impl Plane {
    /// How far a ray goes until it meets the front of the plane.
    fn met(&self, ray: &Ray) -> Option<f32> {
        let towards = ray.along.dot(self.normal);
        let distance = (self.at - ray.from).dot(self.normal) / towards;
        (towards < 0.0 && distance > 0.0 && distance < 1e9).then_some(distance)
    }

    /// 1 on the darker tiles, 0 on the others, in the two axes that the plane runs along most.
    fn checker(&self, p: Vec3A) -> f32 {
        let n = self.normal.abs();
        let (a, b) = if n.y >= n.max_element() {
            (p.x, p.z)
        } else if n.x >= n.z {
            (p.z, p.y)
        } else {
            (p.x, p.y)
        };
        let odd = |x: f32| (x / self.tile).floor().rem_euclid(2.0);
        (odd(a) - odd(b)).abs()
    }

    /// How much of the tiles is seen from a distance.
    fn clearness(&self, distance: f32) -> f32 {
        (1.0 - distance / (FADED_TILES * self.tile)).clamp(0.0, 1.0)
    }
}
