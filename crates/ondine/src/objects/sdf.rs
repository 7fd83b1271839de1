//! A shape made ready for the one question that everything asks of it: how far, and which way is out?
//!
//! Source: thesis 000 chapter 6, where "distance" is negative inside an object and the normal is its gradient.
//! Distances of blends are not exact away from the surface: they never exceed the true distance and their slope never
//! exceeds 1, which is what sweeping along a path and pushing out need.

use super::blend::{Blended, By};
use super::chart::{Chart, Spot};
use super::{DistanceField, End, MassProperties, Meshes, Nearest, Wall, models, primitives};
use crate::scene::{Blend, Shape};
use glam::Vec3;
use std::sync::Arc;

/// Half-lengths across the plane of a planar scene, and above an open container: nothing reaches that far.
const ACROSS: f32 = 1e9;

/// Which way the faces of a container look, in order of their numbers.
const FACES: [Vec3; 6] = [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z];

/// Cells along the longest side of what is weighed.
const RESOLUTION: u32 = 64;

/// A shape in its own frame.
#[derive(Clone, Debug)]
pub struct Sdf {
    kind: Primitive,
    /// Corners of the box that holds it, if anything can.
    bounds: Bounds,
    /// Distance of the farthest corner of that box from the origin [m], without end if there is none.
    radius: f32,
    /// Whether it is met in the plane z = 0 only, where nothing may be pushed out of.
    planar: bool,
    /// Its surface, measured once and for all.
    chart: Option<Arc<Chart>>,
}

/// Corners of a box, if there is one.
pub type Bounds = Option<(Vec3, Vec3)>;

#[derive(Clone, Debug)]
enum Primitive {
    HalfSpace(Vec3),
    Block(Vec3),
    Container {
        half: Vec3,
        open: bool,
    },
    RoundContainer {
        radius: f32,
        half_height: f32,
        open: bool,
    },
    Ball(f32),
    Capsule {
        radius: f32,
        half_height: f32,
    },
    Cylinder {
        radius: f32,
        half_height: f32,
    },
    Cone {
        radius: f32,
        half_height: f32,
    },
    Torus {
        radius: f32,
        tube: f32,
    },
    Field(Arc<DistanceField>),
    Blend(Box<Blended>),
    Mould(Box<Sdf>),
    /// A shape without its skin of some thickness [m].
    Core(Arc<Sdf>, f32),
    Nothing,
}

impl Sdf {
    /// The shape with its skin, if it is one without.
    pub fn with_skin(&self) -> &Sdf {
        if let Primitive::Core(sdf, _) = &self.kind { sdf } else { self }
    }

    /// The signed distance of a shape. A mesh that has not been read is nowhere; [`Scene::faults`] tells of it.
    ///
    /// [`Scene::faults`]: crate::Scene::faults
    pub fn new(shape: &Shape, meshes: &Meshes, planar: bool) -> Sdf {
        let half = |size: &[f32; 3]| {
            let half = 0.5 * Vec3::from(*size);
            if planar { half.with_z(ACROSS) } else { half }
        };
        let kind = match shape {
            Shape::HalfSpace { normal } => Primitive::HalfSpace(Vec3::from(*normal).normalize_or(Vec3::Y)),
            Shape::Box { size } => Primitive::Block(half(size)),
            Shape::Container { size, open } => Primitive::Container { half: half(size), open: *open },
            &Shape::RoundContainer { radius, height, open } => {
                Primitive::RoundContainer { radius, half_height: 0.5 * height, open }
            }
            Shape::Sphere { radius } => Primitive::Ball(*radius),
            &Shape::Capsule { radius, height } => Primitive::Capsule { radius, half_height: 0.5 * height },
            &Shape::Cylinder { radius, height } => Primitive::Cylinder { radius, half_height: 0.5 * height },
            &Shape::Cone { radius, height } => Primitive::Cone { radius, half_height: 0.5 * height },
            &Shape::Torus { radius, tube } => Primitive::Torus { radius, tube },
            Shape::Mesh(file) => match meshes.get(file) {
                Some(mesh) => Primitive::Field(mesh.field.clone()),
                None => Primitive::Nothing,
            },
            Shape::Union(blend) => Primitive::blend(By::Union, blend, meshes, planar),
            Shape::Difference(blend) => Primitive::blend(By::Difference, blend, meshes, planar),
            Shape::Intersection(blend) => Primitive::blend(By::Intersection, blend, meshes, planar),
            Shape::Mould { of } => Primitive::Mould(Box::new(Sdf::new(of, meshes, planar))),
            Shape::Model { of, height } => return Sdf::new(&models::shape(*of, *height), meshes, planar),
        };
        Self::of(kind, planar)
    }

    fn of(kind: Primitive, planar: bool) -> Sdf {
        let bounds = kind.bounds();
        let radius = bounds.map_or(f32::INFINITY, |(low, high)| low.abs().max(high.abs()).length());
        Self { bounds, radius, kind, planar, chart: None }
    }

    /// The same with a chart for particles of a radius [m]: worth the while for blends, of which much is asked.
    pub fn charted(mut self, radius: f32) -> Sdf {
        match &mut self.kind {
            Primitive::Blend(_) if !self.planar => self.chart = Chart::new(self.bounds, radius).map(Arc::new),
            Primitive::Mould(sdf) => **sdf = sdf.clone().charted(radius),
            _ => (),
        }
        self
    }

    /// What is left of a shape when a skin of some thickness [m] is taken off.
    pub fn core(sdf: &Arc<Sdf>, skin: f32) -> Sdf {
        Self {
            bounds: sdf.bounds,
            radius: sdf.radius,
            kind: Primitive::Core(sdf.clone(), skin),
            planar: sdf.planar,
            chart: None,
        }
    }

    /// What of a shape can be filled: the room in a container or a mould, else the shape itself.
    pub fn room(self) -> Sdf {
        let kind = match self.kind {
            Primitive::Container { half, .. } => Primitive::Block(half),
            Primitive::RoundContainer { radius, half_height, .. } => {
                Primitive::Cylinder { radius, half_height }
            }
            Primitive::Mould(sdf) => return *sdf,
            other => other,
        };
        Sdf::of(kind, self.planar)
    }

    /// Signed distance [m], negative inside.
    #[inline]
    pub fn distance(&self, p: Vec3) -> f32 {
        match &self.kind {
            Primitive::Container { half, open } if room(p, *half, *open) > 0.0 => room(p, *half, *open),
            _ => self.nearest(p).distance,
        }
    }

    /// The nearest point of the surface. In the plane, the way there without what leads out of it.
    #[inline]
    pub fn nearest(&self, p: Vec3) -> Nearest {
        let charted = self.spot(p).and_then(|spot| spot.nearest());
        charted.unwrap_or_else(|| self.measure(p))
    }

    /// The nearest point of the surface, if it is nearer than `reach`.
    #[inline]
    pub fn nearest_within(&self, p: Vec3, reach: f32) -> Option<Nearest> {
        let spot = self.spot(p);
        let at_least = match &self.kind {
            Primitive::Container { half, open } => room(p, *half, *open),
            _ => spot.as_ref().map_or_else(|| from_box(self.bounds, p), Spot::at_least),
        };
        if at_least >= reach {
            return None;
        }
        let near = spot.and_then(|spot| spot.nearest()).unwrap_or_else(|| self.measure(p));
        (near.distance < reach).then_some(near)
    }

    /// The same, not by a chart.
    pub(super) fn measured(&self, p: Vec3) -> Nearest {
        self.measure(p)
    }

    /// Whether it is met in the plane only.
    pub(super) fn is_planar(&self) -> bool {
        self.planar
    }

    /// The blend that it is, if it is one.
    pub(super) fn parts(&self) -> Option<&Blended> {
        match &self.kind {
            Primitive::Blend(blend) => Some(blend),
            _ => None,
        }
    }

    #[inline(always)]
    fn spot(&self, p: Vec3) -> Option<Spot<'_>> {
        self.chart.as_ref().and_then(|chart| chart.look(p, |p| self.measure(p)))
    }

    #[inline]
    fn measure(&self, p: Vec3) -> Nearest {
        // Floors are everywhere, and cheaper to measure than to call for.
        if let Primitive::HalfSpace(normal) = &self.kind
            && !self.planar
        {
            return primitives::half_space(p, *normal);
        }
        let near = self.measure_in_space(p);
        match self.planar && near.normal.z != 0.0 {
            true => Nearest { normal: near.normal.with_z(0.0).normalize_or(Vec3::Y), ..near },
            false => near,
        }
    }

    fn measure_in_space(&self, p: Vec3) -> Nearest {
        match &self.kind {
            Primitive::HalfSpace(normal) => primitives::half_space(p, *normal),
            Primitive::Block(half) => primitives::block(p, *half),
            Primitive::Container { half, open } => container(p, *half, *open),
            &Primitive::RoundContainer { radius, half_height, open } => {
                round_container(p, radius, half_height, open)
            }
            Primitive::Ball(radius) => primitives::ball(p, *radius),
            &Primitive::Capsule { radius, half_height } => primitives::capsule(p, radius, half_height),
            &Primitive::Cylinder { radius, half_height } => primitives::cylinder(p, radius, half_height),
            &Primitive::Cone { radius, half_height } => primitives::cone(p, radius, half_height),
            &Primitive::Torus { radius, tube } => primitives::torus(p, radius, tube),
            Primitive::Field(field) => field.nearest(p),
            Primitive::Blend(blend) => blend.nearest(p),
            Primitive::Mould(sdf) => sdf.nearest(p).reversed(),
            Primitive::Core(sdf, skin) => {
                let near = sdf.nearest(p);
                Nearest::flat(near.distance + skin, near.normal)
            }
            Primitive::Nothing => Nearest::flat(ACROSS, Vec3::Y),
        }
    }

    /// Every wall within `reach` of an outside point. Containers have several, others one.
    #[inline(always)]
    pub fn walls(&self, p: Vec3, reach: f32, mut wall: impl FnMut(Wall)) {
        match &self.kind {
            Primitive::HalfSpace(normal) if !self.planar => {
                let near = primitives::half_space(p, *normal);
                if near.distance < reach {
                    wall(Wall::plane(0, near));
                }
            }
            Primitive::Container { half, open } => {
                for (face, normal) in FACES.into_iter().enumerate() {
                    let (c, is_far) = (face / 2, face % 2 == 1);
                    let distance = if is_far { half[c] - p[c] } else { half[c] + p[c] };
                    if distance < reach && !(*open && normal == Vec3::NEG_Y) {
                        wall(Wall::plane(face as u32, Nearest::flat(distance, normal)));
                    }
                }
            }
            &Primitive::RoundContainer { radius, half_height, open } => {
                let across = (p.x * p.x + p.z * p.z).sqrt();
                if radius - across < reach && across > 0.0 {
                    let normal = Vec3::new(-p.x / across, 0.0, -p.z / across);
                    let near = Nearest { distance: radius - across, normal, bend: -1.0 / across };
                    wall(Wall::only(near, if self.planar { 0.0 } else { 1.0 }));
                }
                let (bottom, top) = (half_height + p.y, half_height - p.y);
                if bottom < reach {
                    wall(Wall::plane(1, Nearest::flat(bottom, Vec3::Y)));
                }
                if top < reach && !open {
                    wall(Wall::plane(2, Nearest::flat(top, Vec3::NEG_Y)));
                }
            }
            _ => {
                if let Some(near) = self.nearest_within(p, reach) {
                    wall(Wall { ends: self.ends(p, reach), ..Wall::only(near, self.ways()) });
                }
            }
        }
    }

    /// In how many ways the surface bends, as far as that is the same everywhere: what changes along it would push without an energy. So
    /// the round ends of a rod count as its side does, and blends and fields, whose bend is a guess, as flat. In the plane
    /// nothing bends around y.
    fn ways(&self) -> f32 {
        match (&self.kind, self.planar) {
            (Primitive::Ball(_), false) => 2.0,
            (Primitive::Ball(_), true) | (Primitive::Torus { .. }, _) => 1.0,
            (Primitive::Capsule { .. } | Primitive::Cylinder { .. } | Primitive::Cone { .. }, false) => 1.0,
            _ => 0.0,
        }
    }

    /// The edges within `reach`, along the wall, of an outside point.
    fn ends(&self, p: Vec3, reach: f32) -> [Option<End>; 2] {
        match self.kind {
            Primitive::Block(half) if self.planar => {
                primitives::block_ends(p, half.with_z(f32::INFINITY), reach)
            }
            Primitive::Block(half) => primitives::block_ends(p, half, reach),
            Primitive::Cylinder { radius, half_height } if self.planar => {
                primitives::block_ends(p, Vec3::new(radius, half_height, f32::INFINITY), reach)
            }
            Primitive::Cylinder { radius, half_height } => {
                primitives::cylinder_ends(p, radius, half_height, reach)
            }
            _ => [None; 2],
        }
    }

    /// A distance that is surely not more than the true one, at the price of looking at a box. Within it, unless there is
    /// a chart, anything may be.
    #[inline(always)]
    pub fn at_least(&self, p: Vec3) -> f32 {
        self.spot(p).map_or_else(|| from_box(self.bounds, p), |spot| spot.at_least())
    }

    /// Whether every straight line out of the collider stays out: then a particle that ends outside never was inside.
    pub fn is_outside_in(&self) -> bool {
        matches!(
            self.kind,
            Primitive::HalfSpace(_) | Primitive::Container { .. } | Primitive::RoundContainer { .. }
        )
    }

    /// Thickness of the thinnest part [m], where it can be told from the shape.
    pub fn thickness(&self) -> f32 {
        match &self.kind {
            Primitive::Block(half) => 2.0 * half.min_element(),
            Primitive::Ball(radius) | Primitive::Capsule { radius, .. } => 2.0 * radius,
            Primitive::Cylinder { radius, half_height } => 2.0 * half_height.min(*radius),
            Primitive::Torus { tube, .. } => 2.0 * tube,
            _ => f32::INFINITY,
        }
    }

    /// Volume, centre and inertia tensor at a density of 1, if it has an end; in the plane, of the slice one metre thick.
    pub fn inertia(&self, planar: bool) -> Option<MassProperties> {
        let (low, high) = self.bounds?;
        let distance = |p: Vec3| self.distance(p);
        Some(match (&self.kind, planar) {
            (Primitive::Block(half), true) => MassProperties::rectangle(2.0 * half.x, 2.0 * half.y),
            (Primitive::Block(half), false) => MassProperties::cuboid(2.0 * *half),
            (Primitive::Ball(radius), true) => MassProperties::disc(*radius),
            (Primitive::Ball(radius), false) => MassProperties::sphere(*radius),
            (_, true) => MassProperties::of_slice(&distance, low, high, RESOLUTION),
            (&Primitive::Capsule { radius, half_height }, _) => {
                MassProperties::capsule(radius, 2.0 * half_height)
            }
            (&Primitive::Cylinder { radius, half_height }, _) => {
                MassProperties::cylinder(radius, 2.0 * half_height)
            }
            (&Primitive::Cone { radius, half_height }, _) => MassProperties::cone(radius, 2.0 * half_height),
            (&Primitive::Torus { radius, tube }, _) => MassProperties::torus(radius, tube),
            _ => MassProperties::of_distance(&distance, low, high, RESOLUTION),
        })
    }

    /// Volume [m³]; in the plane, area [m²]. Without end where it has none.
    pub fn volume(&self, planar: bool) -> f64 {
        self.inertia(planar).map_or(f64::INFINITY, |i| i.mass)
    }

    /// The normal of a half-space, if it is one.
    pub fn plane(&self) -> Option<Vec3> {
        if let Primitive::HalfSpace(normal) = self.kind { Some(normal) } else { None }
    }

    /// Whether it is a plain block, which is filled row by row.
    pub fn is_block(&self) -> bool {
        matches!(self.kind, Primitive::Block(_))
    }

    /// Corners of the box that holds it, in its own frame, if anything can.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Radius of a ball around its origin that holds it [m], without end if none does.
    pub fn radius(&self) -> f32 {
        self.radius
    }
}

impl Primitive {
    fn blend(by: By, blend: &Blend, meshes: &Meshes, planar: bool) -> Self {
        let blended = Blended::new(by, blend, meshes, planar);
        blended.map_or(Primitive::Nothing, |blended| Primitive::Blend(Box::new(blended)))
    }

    fn bounds(&self) -> Bounds {
        let half = match self {
            Primitive::HalfSpace(_)
            | Primitive::Container { .. }
            | Primitive::RoundContainer { .. }
            | Primitive::Mould(_) => {
                return None;
            }
            Primitive::Block(half) => *half,
            Primitive::Ball(radius) => Vec3::splat(*radius),
            &Primitive::Capsule { radius, half_height } => Vec3::new(radius, radius + half_height, radius),
            &(Primitive::Cylinder { radius, half_height } | Primitive::Cone { radius, half_height }) => {
                Vec3::new(radius, half_height, radius)
            }
            &Primitive::Torus { radius, tube } => Vec3::new(radius + tube, tube, radius + tube),
            Primitive::Field(field) => return Some(field.bounds()),
            Primitive::Blend(blend) => return blend.bounds(),
            Primitive::Core(sdf, _) => return sdf.bounds,
            Primitive::Nothing => Vec3::ZERO,
        };
        Some((-half, half))
    }
}

/// Distance from a box, where there is one and the point is not in it; otherwise anything may be.
#[inline(always)]
pub(super) fn from_box(bounds: Bounds, p: Vec3) -> f32 {
    let Some((low, high)) = bounds else { return f32::NEG_INFINITY };
    let beyond = (low - p).max(p - high);
    if beyond.max_element() > 0.0 { beyond.max(Vec3::ZERO).length() } else { f32::NEG_INFINITY }
}

/// The distance of a point in a container from its walls; not more than 0 for others.
#[inline(always)]
fn room(p: Vec3, half: Vec3, open: bool) -> f32 {
    let room = half - p.abs();
    if open && p.y > 0.0 { room.with_y(ACROSS) } else { room }.min_element()
}

fn container(p: Vec3, half: Vec3, open: bool) -> Nearest {
    // Without a top the inside goes on upwards: a taller box around a lower point.
    let (p, half) = match open && p.y > 0.0 {
        true => (p.with_y(0.0), half.with_y(ACROSS)),
        false => (p, half),
    };
    primitives::block(p, half).reversed()
}

fn round_container(p: Vec3, radius: f32, half_height: f32, open: bool) -> Nearest {
    let (p, half_height) = match open && p.y > 0.0 {
        true => (p.with_y(0.0), ACROSS),
        false => (p, half_height),
    };
    primitives::cylinder(p, radius, half_height).reversed()
}
