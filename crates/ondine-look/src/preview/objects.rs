//! Rigid objects: where rays meet them, and which points they hold.

use super::sphere_tracing;
use super::visibility::{Band, Primitive, Tile, VisibilityBuffer};
use super::wireframe::{self, Edge};
use crate::camera::{View, ViewRay, corners};
use crate::color::linear;
use glam::Vec3;
use ondine::objects::{Sdf, thinnest};
use ondine::scene::{Object, Placement, Shape};
use ondine::{Frame, Scene};
use rayon::prelude::*;
use std::ops::Range;

/// What there is to draw of an object, wherever it stands. Made once for all pictures of a scene.
#[derive(Clone, Debug)]
pub struct DrawnObject {
    geometry: Geometry,
    /// Corners of the box about what is drawn, in the object's own frame.
    bounds: Option<(Vec3, Vec3)>,
    /// Thin lines over it, in the object's own frame.
    edges: Vec<Edge>,
    /// Linear light.
    color: Vec3,
}

/// What is drawn of an object.
#[derive(Clone, Debug)]
enum Geometry {
    /// A plane through the origin, seen from the side that its normal points to.
    Plane(Vec3),
    /// The inner bottom of a container, so that what lies in it does not hover.
    Floor { half: Vec3, round: bool },
    /// A surface.
    Surface(Sdf),
    /// None at all: what is around a mould would hide what is in it.
    Nothing,
}

/// An object as it is drawn in one picture.
#[derive(Clone, Copy, Debug)]
pub struct Instance<'a> {
    object: &'a DrawnObject,
    placement: Placement,
}

/// The objects of a scene.
pub fn of_scene(scene: &Scene) -> Vec<DrawnObject> {
    scene.all_objects().map(|object| DrawnObject::new(object, scene)).collect()
}

/// Those that are there and to be seen in a frame, where they are then.
pub fn of_frame<'a>(objects: &'a [DrawnObject], frame: &Frame) -> Vec<Instance<'a>> {
    let present = objects.iter().zip(&frame.objects).filter(|(_, pose)| pose.enabled && pose.visible);
    present.map(|(object, pose)| Instance { object, placement: pose.placement }).collect()
}

/// Draws what rays meet.
pub fn draw<'a>(
    instances: impl IntoIterator<Item = (usize, &'a Instance<'a>)>,
    view: &View,
    buffer: &mut VisibilityBuffer,
) {
    for (index, instance) in instances {
        // Rays in the object's own frame, turned once for all.
        let local = view.seen_from(&instance.placement);
        let depths = sphere_tracing::depth_range(&local, instance.object.bounds);
        let (columns, rows) = instance.object.window(&local, buffer);
        buffer.par_bands_mut(rows).for_each(|mut band| {
            for tile in band.tiles(columns.clone()) {
                instance.object.draw(&local, depths.clone(), tile, &mut band, Primitive::Object(index));
            }
        });
    }
}

/// Draws the cut through the plane z = 0, which the view looks straight onto.
pub fn draw_cut(instances: &[Instance], view: &View, buffer: &mut VisibilityBuffer) {
    let depth = view.depth(Vec3::ZERO);
    for (index, instance) in instances.iter().enumerate() {
        let local = view.seen_from(&instance.placement);
        let (columns, rows) = instance.object.window(&local, buffer);
        buffer.par_bands_mut(rows).for_each(|mut band| {
            for tile in band.tiles(columns.clone()) {
                band.each(&tile, |(x, y), sample| {
                    if instance.object.holds(local.ray(x, y).at(depth)) {
                        sample.put(depth, Primitive::Object(index));
                    }
                });
            }
        });
    }
}

/// The finest that is seen of a body, in its longest side.
const FINEST: f32 = 0.004;

impl DrawnObject {
    fn new(object: &Object, scene: &Scene) -> Self {
        let sdf = Sdf::new(&object.shape, &scene.meshes, scene.planar());
        let (geometry, bounds) = match object.shape {
            Shape::HalfSpace { normal } => (Geometry::Plane(Vec3::from(normal).normalize_or(Vec3::Y)), None),
            Shape::Container { size, .. } => floor(0.5 * Vec3::from(size), false),
            Shape::RoundContainer { radius, height, .. } => {
                floor(Vec3::new(radius, 0.5 * height, radius), true)
            }
            Shape::Mould { .. } => (Geometry::Nothing, Some((Vec3::ZERO, Vec3::ZERO))),
            _ => {
                let bounds = sdf.bounds();
                let longest = bounds.map_or(0.0, |(low, high)| (high - low).max_element());
                let thin = may_be_thin(&object.shape).then(|| thinnest(&sdf)).flatten();
                let finest = (FINEST * longest).min(0.25 * thin.unwrap_or(f32::INFINITY));
                (Geometry::Surface(sdf.charted(finest)), bounds)
            }
        };
        let edges = wireframe::edges_of(&object.shape, scene.planar());
        Self { geometry, bounds, edges, color: linear(object.color) }
    }

    /// The samples that may see it: those about its corners, or all.
    fn window(&self, view: &View, buffer: &VisibilityBuffer) -> (Range<usize>, Range<usize>) {
        let everywhere = (0..buffer.size().0, 0..buffer.size().1);
        let Some(bounds) = self.bounds else { return everywhere };
        let (mut low, mut high) = ((f32::INFINITY, f32::INFINITY), (f32::NEG_INFINITY, f32::NEG_INFINITY));
        for corner in corners(bounds, &Placement::ORIGIN) {
            let Some(point) = view.project(corner) else { return everywhere };
            low = (low.0.min(point.x), low.1.min(point.y));
            high = (high.0.max(point.x), high.1.max(point.y));
        }
        buffer.window(low, high)
    }

    /// Draws a tile of samples: cones for all of it and for each quarter of a quarter go ahead of the rays of samples.
    fn draw(&self, view: &View, depths: Range<f32>, tile: Tile, band: &mut Band, primitive: Primitive) {
        let Some(start) = self.march_cone(view, &tile, depths.clone()) else { return };
        for small in tile.tiles(tile.side().div_ceil(4)) {
            let Some(start) = self.march_cone(view, &small, start..depths.end) else { continue };
            band.each(&small, |(x, y), sample| {
                let depths = start..depths.end.min(sample.depth());
                if let Some(depth) = self.intersect(view, &view.ray(x, y), depths) {
                    sample.put(depth, primitive);
                }
            });
        }
    }

    /// Where to start on all rays of a tile; None if none of them meets it.
    fn march_cone(&self, view: &View, tile: &Tile, depths: Range<f32>) -> Option<f32> {
        let (x, y) = tile.middle();
        match &self.geometry {
            Geometry::Plane(_) | Geometry::Floor { .. } => Some(depths.start),
            Geometry::Surface(sdf) => {
                sphere_tracing::march_cone(sdf, view, &view.ray(x, y), tile.side(), depths)
            }
            Geometry::Nothing => None,
        }
    }

    /// Depth at which a ray of its own frame comes in from outside.
    #[inline]
    fn intersect(&self, view: &View, ray: &ViewRay, depths: Range<f32>) -> Option<f32> {
        let depth = match &self.geometry {
            Geometry::Plane(normal) => plane(ray.origin, ray.direction, *normal)?,
            Geometry::Floor { half, round } => {
                let depth = plane(ray.origin + Vec3::Y * half.y, ray.direction, Vec3::Y)?;
                let at = ray.at(depth);
                let inside = match round {
                    true => at.x.hypot(at.z) < half.x,
                    false => at.x.abs() < half.x && at.z.abs() < half.z,
                };
                inside.then_some(depth)?
            }
            Geometry::Surface(sdf) => return sphere_tracing::march(sdf, view, ray, depths),
            Geometry::Nothing => return None,
        };
        (depth > 0.0 && depth < depths.end).then_some(depth)
    }

    /// Whether a cut shows a point of its own frame as solid. About containers everything is, but their edges
    /// say it better than a dark sky.
    #[inline]
    fn holds(&self, p: Vec3) -> bool {
        match &self.geometry {
            Geometry::Plane(normal) => p.dot(*normal) < 0.0,
            Geometry::Surface(sdf) => sdf.distance(p) < 0.0,
            Geometry::Floor { .. } | Geometry::Nothing => false,
        }
    }
}

/// Whether a shape may be thinner than its parts.
fn may_be_thin(shape: &Shape) -> bool {
    matches!(shape, Shape::Difference(_) | Shape::Intersection(_))
}

fn floor(half: Vec3, round: bool) -> (Geometry, Option<(Vec3, Vec3)>) {
    (Geometry::Floor { half, round }, Some((-half, half)))
}

impl Instance<'_> {
    /// Linear light.
    pub fn color(&self) -> Vec3 {
        self.object.color
    }

    /// Whether it goes on without end, into the haze.
    pub fn is_endless(&self) -> bool {
        matches!(self.object.geometry, Geometry::Plane(_))
    }

    /// Whether it is flat, and shows its size by a checker.
    pub fn is_checkered(&self) -> bool {
        matches!(self.object.geometry, Geometry::Plane(_) | Geometry::Floor { .. })
    }

    /// Whether it casts shadows on other things. Half-spaces and containers have the liquid on their lit side.
    pub fn casts_shadow(&self) -> bool {
        matches!(self.object.geometry, Geometry::Surface(_))
    }

    /// The direction away from it at a point near its surface.
    pub fn normal(&self, p: Vec3) -> Vec3 {
        let normal = match &self.object.geometry {
            Geometry::Plane(normal) => *normal,
            Geometry::Floor { .. } | Geometry::Nothing => Vec3::Y,
            Geometry::Surface(sdf) => sdf.nearest(self.placement.to_local(p)).normal,
        };
        self.placement.to_world_direction(normal)
    }

    /// The lines over it.
    pub fn edges(&self) -> impl Iterator<Item = Edge> + '_ {
        self.object.edges.iter().map(|(a, b)| (self.placement.to_world(*a), self.placement.to_world(*b)))
    }
}

fn plane(o: Vec3, d: Vec3, normal: Vec3) -> Option<f32> {
    let (height, fall) = (o.dot(normal), d.dot(normal));
    (height > 0.0 && fall < 0.0).then(|| -height / fall)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::Projection;
    use ondine::Pose;
    use ondine::scene::{Blend, Model, Part};

    /// What a view of one sample from 10 m above the object sees there.
    fn straight_down(shape: &Shape, aside: Vec3) -> Option<(f32, Vec3)> {
        let scene = Scene { object: vec![Object::new("it", shape.clone(), [0.0; 3])], ..Scene::default() };
        let objects = of_scene(&scene);
        let instance =
            Instance { object: &objects[0], placement: Placement::new([0.0, 1.0, 0.0], [0.0, 90.0, 0.0]) };
        let position = Vec3::new(0.0, 11.0, 0.0) + aside;
        let view = View::new(position, Vec3::NEG_Y, Projection::Orthographic(1e4), (1, 1));
        let mut buffer = VisibilityBuffer::new((1, 1));
        draw([(0, &instance)], &view, &mut buffer);
        let depth = buffer.depth(0, 0);
        depth.is_finite().then(|| (depth, instance.normal(position - Vec3::Y * (depth - 1e-3))))
    }

    fn blend() -> Blend {
        let block = Part::new(Shape::Box { size: [1.0, 2.0, 4.0] }, [0.0; 3]);
        Blend { of: vec![block, Part::new(Shape::Sphere { radius: 0.5 }, [0.0, 1.0, 0.0])], smooth: 0.0 }
    }

    #[test]
    fn a_ray_from_above_meets_the_top_of_each_shape() {
        let tops = [
            (Shape::HalfSpace { normal: [0.0, 2.0, 0.0] }, 10.0),
            (Shape::Box { size: [1.0, 2.0, 4.0] }, 9.0),
            (Shape::Container { size: [1.0, 2.0, 4.0], open: true }, 11.0),
            (Shape::RoundContainer { radius: 1.0, height: 2.0, open: false }, 11.0),
            (Shape::Sphere { radius: 3.0 }, 7.0),
            (Shape::Capsule { radius: 0.5, height: 2.0 }, 8.5),
            (Shape::Cylinder { radius: 0.5, height: 2.0 }, 9.0),
            (Shape::Union(blend()), 8.5),
            (Shape::Difference(blend()), 9.5),
            (Shape::Intersection(blend()), 9.0),
            (Shape::Model { of: Model::Stool, height: 2.0 }, 9.0),
        ];
        for (shape, depth) in tops {
            let (met, normal) =
                straight_down(&shape, Vec3::ZERO).unwrap_or_else(|| panic!("{shape:?} is missed"));
            assert!((met - depth).abs() < 1e-3, "{shape:?} at {met}");
            assert!(normal.distance(Vec3::Y) < 1e-3, "{shape:?} faces {normal}");
        }
    }

    #[test]
    fn a_ray_from_above_meets_slopes_and_rings() {
        let cone = Shape::Cone { radius: 1.0, height: 2.0 };
        let (met, normal) = straight_down(&cone, 0.5 * Vec3::X).expect("a slope");
        assert!((met - 10.0).abs() < 1e-3 && (normal.y - 0.2f32.sqrt()).abs() < 1e-3, "{met} {normal}");
        let ring = Shape::Torus { radius: 1.0, tube: 0.25 };
        let (met, normal) = straight_down(&ring, Vec3::X).expect("a ring");
        assert!((met - 9.75).abs() < 1e-3 && normal.distance(Vec3::Y) < 1e-2, "{met} {normal}");
        assert!(straight_down(&ring, Vec3::ZERO).is_none(), "one sees through a ring");
        let mould = Shape::Mould { of: Box::new(ring) };
        assert!(straight_down(&mould, Vec3::X).is_none(), "moulds are clear");
    }

    #[test]
    fn rotation_turns_the_shape() {
        // A quarter turn about y swaps the sides along x and z.
        let block = Shape::Box { size: [1.0, 2.0, 4.0] };
        assert!(straight_down(&block, 1.8 * Vec3::X).is_some());
        assert!(straight_down(&block, 2.2 * Vec3::X).is_none());
    }

    #[test]
    fn a_ray_from_inside_sees_through() {
        let inside = Vec3::new(0.1, -9.9, 0.0);
        assert!(straight_down(&Shape::Sphere { radius: 1.0 }, inside).is_none());
        assert!(straight_down(&Shape::Box { size: [1.0; 3] }, inside).is_none());
        assert!(straight_down(&Shape::Cylinder { radius: 1.0, height: 1.0 }, inside).is_none());
    }

    #[test]
    fn what_is_taken_away_or_hidden_is_not_drawn() {
        let object = Object::new("ball", Shape::Sphere { radius: 1.0 }, [0.0; 3]);
        let scene = Scene { object: vec![object; 3], ..Scene::default() };
        let pose = |enabled, visible| Pose {
            name: "ball".into(),
            enabled,
            visible,
            placement: Placement::new([5.0, 0.0, 0.0], [0.0; 3]),
            velocity: [0.0; 3],
            spin: [0.0; 3],
        };
        let objects = vec![pose(true, false), pose(true, true), pose(false, true)];
        let frame = Frame { index: 0, time: 0.0, particles: Vec::new(), objects };
        let drawn = of_scene(&scene);
        let instances = of_frame(&drawn, &frame);
        assert_eq!(instances.len(), 1);
        assert_eq!(instances[0].placement.at, Vec3::new(5.0, 0.0, 0.0), "where the frame has it");
    }
}
