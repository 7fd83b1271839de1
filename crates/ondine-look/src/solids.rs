//! Rigid objects: where a line of sight meets them, and which points they hold.

use crate::lines::{self, Edge};
use crate::seen::{Band, Seen, Square, Thing};
use crate::shading::linear;
use crate::trace;
use crate::view::{Ray, View};
use glam::Vec3;
use ondine::objects::{Form, thinnest};
use ondine::scene::{Object, Placement, Shape};
use ondine::{Frame, Scene};
use rayon::prelude::*;
use std::ops::Range;

/// What there is to draw of an object, wherever it stands. Made once for all pictures of a scene.
#[derive(Clone, Debug)]
pub struct Prop {
    look: Look,
    /// Corners of the box about what is drawn, in the object's own frame.
    bounds: Option<(Vec3, Vec3)>,
    /// Thin lines over it, in the object's own frame.
    edges: Vec<Edge>,
    /// Linear light.
    color: Vec3,
}

/// How an object is drawn.
#[derive(Clone, Debug)]
enum Look {
    /// A plane through the origin, seen from the side that its normal points to.
    Plane(Vec3),
    /// The inner bottom of a container, so that what lies in it does not hover.
    Floor { half: Vec3, round: bool },
    /// A surface.
    Body(Form),
    /// No surface at all: what is around a mould would hide what is in it.
    Clear,
}

/// An object as it is drawn in one picture.
#[derive(Clone, Copy, Debug)]
pub struct Solid<'a> {
    prop: &'a Prop,
    placement: Placement,
}

/// The objects of a scene.
pub fn of_scene(scene: &Scene) -> Vec<Prop> {
    scene.object.iter().map(|object| Prop::new(object, scene)).collect()
}

/// Those that are there and to be seen in a frame, where they are then.
pub fn of_frame<'a>(props: &'a [Prop], frame: &Frame) -> Vec<Solid<'a>> {
    let present = props.iter().zip(&frame.objects).filter(|(_, pose)| pose.enabled && pose.visible);
    present.map(|(prop, pose)| Solid { prop, placement: pose.placement }).collect()
}

/// Draws what the lines of sight meet.
pub fn draw<'a>(solids: impl IntoIterator<Item = (usize, &'a Solid<'a>)>, view: &View, seen: &mut Seen) {
    for (index, solid) in solids {
        // Rays in the solid's own frame, turned once for all.
        let local = view.seen_from(&solid.placement);
        let span = trace::span(&local, solid.prop.bounds);
        let (columns, rows) = solid.prop.window(&local, seen);
        seen.par_bands_mut(rows).for_each(|mut band| {
            for square in band.squares(columns.clone()) {
                solid.prop.draw(&local, span.clone(), square, &mut band, Thing::Solid(index));
            }
        });
    }
}

/// Draws the cut through the plane z = 0, which the view looks straight onto.
pub fn draw_cut(solids: &[Solid], view: &View, seen: &mut Seen) {
    let depth = view.depth(Vec3::ZERO);
    for (index, solid) in solids.iter().enumerate() {
        let local = view.seen_from(&solid.placement);
        let (columns, rows) = solid.prop.window(&local, seen);
        seen.par_bands_mut(rows).for_each(|mut band| {
            for square in band.squares(columns.clone()) {
                band.each(&square, |(x, y), cell| {
                    if solid.prop.holds(local.ray(x, y).at(depth)) {
                        cell.put(depth, Thing::Solid(index));
                    }
                });
            }
        });
    }
}

/// The corners of a box, in the world. Corner i is on the high side of x, y and z where bits 0, 1 and 2 of i are set.
pub fn corners((low, high): (Vec3, Vec3), placement: &Placement) -> [Vec3; 8] {
    std::array::from_fn(|i| {
        let pick = |bit: usize| if i >> bit & 1 == 1 { high[bit] } else { low[bit] };
        placement.to_world(Vec3::new(pick(0), pick(1), pick(2)))
    })
}

/// The finest that is seen of a body, in its longest side.
const FINEST: f32 = 0.004;

impl Prop {
    fn new(object: &Object, scene: &Scene) -> Self {
        let form = Form::new(&object.shape, &scene.meshes, scene.planar());
        let (look, bounds) = match object.shape {
            Shape::HalfSpace { normal } => (Look::Plane(Vec3::from(normal).normalize_or(Vec3::Y)), None),
            Shape::Container { size, .. } => floor(0.5 * Vec3::from(size), false),
            Shape::RoundContainer { radius, height, .. } => {
                floor(Vec3::new(radius, 0.5 * height, radius), true)
            }
            Shape::Mould { .. } => (Look::Clear, Some((Vec3::ZERO, Vec3::ZERO))),
            _ => {
                let bounds = form.bounds();
                let longest = bounds.map_or(0.0, |(low, high)| (high - low).max_element());
                let thin = may_be_thin(&object.shape).then(|| thinnest(&form)).flatten();
                let finest = (FINEST * longest).min(0.25 * thin.unwrap_or(f32::INFINITY));
                (Look::Body(form.charted(finest)), bounds)
            }
        };
        let edges = lines::edges_of(&object.shape, scene.planar());
        Self { look, bounds, edges, color: linear(object.color) }
    }

    /// The samples that may see it: those about its corners, or all.
    fn window(&self, view: &View, seen: &Seen) -> (Range<usize>, Range<usize>) {
        let everywhere = (0..seen.size().0, 0..seen.size().1);
        let Some(bounds) = self.bounds else { return everywhere };
        let (mut low, mut high) = ((f32::INFINITY, f32::INFINITY), (f32::NEG_INFINITY, f32::NEG_INFINITY));
        for corner in corners(bounds, &Placement::ORIGIN) {
            let Some(spot) = view.project(corner) else { return everywhere };
            low = (low.0.min(spot.x), low.1.min(spot.y));
            high = (high.0.max(spot.x), high.1.max(spot.y));
        }
        seen.window(low, high)
    }

    /// Draws a square of samples: rays for all of it and for each quarter of a quarter go ahead of those of samples.
    fn draw(&self, view: &View, span: Range<f32>, square: Square, band: &mut Band, thing: Thing) {
        let Some(start) = self.ahead(view, &square, span.clone()) else { return };
        for small in square.squares(square.side().div_ceil(4)) {
            let Some(start) = self.ahead(view, &small, start..span.end) else { continue };
            band.each(&small, |(x, y), cell| {
                let span = start..span.end.min(cell.depth());
                if let Some(depth) = self.meet(view, &view.ray(x, y), span) {
                    cell.put(depth, thing);
                }
            });
        }
    }

    /// Where to start on all rays of a square; None if none of them meets it.
    fn ahead(&self, view: &View, square: &Square, span: Range<f32>) -> Option<f32> {
        let (x, y) = square.middle();
        match &self.look {
            Look::Plane(_) | Look::Floor { .. } => Some(span.start),
            Look::Body(form) => trace::ahead(form, view, &view.ray(x, y), square.side(), span),
            Look::Clear => None,
        }
    }

    /// Depth at which a ray of its own frame comes in from outside.
    #[inline]
    fn meet(&self, view: &View, ray: &Ray, span: Range<f32>) -> Option<f32> {
        let depth = match &self.look {
            Look::Plane(normal) => plane(ray.from, ray.direction, *normal)?,
            Look::Floor { half, round } => {
                let depth = plane(ray.from + Vec3::Y * half.y, ray.direction, Vec3::Y)?;
                let at = ray.at(depth);
                let inside = match round {
                    true => at.x.hypot(at.z) < half.x,
                    false => at.x.abs() < half.x && at.z.abs() < half.z,
                };
                inside.then_some(depth)?
            }
            Look::Body(form) => return trace::meet(form, view, ray, span),
            Look::Clear => return None,
        };
        (depth > 0.0 && depth < span.end).then_some(depth)
    }

    /// Whether a cut shows a point of its own frame as solid. About containers everything is, but their outline
    /// says it better than a dark sky.
    #[inline]
    fn holds(&self, p: Vec3) -> bool {
        match &self.look {
            Look::Plane(normal) => p.dot(*normal) < 0.0,
            Look::Body(form) => form.distance(p) < 0.0,
            Look::Floor { .. } | Look::Clear => false,
        }
    }
}

/// Whether a shape may be thinner than its parts.
fn may_be_thin(shape: &Shape) -> bool {
    matches!(shape, Shape::Difference(_) | Shape::Intersection(_))
}

fn floor(half: Vec3, round: bool) -> (Look, Option<(Vec3, Vec3)>) {
    (Look::Floor { half, round }, Some((-half, half)))
}

impl Solid<'_> {
    /// Linear light.
    pub fn color(&self) -> Vec3 {
        self.prop.color
    }

    /// Whether it goes on without end, into the haze.
    pub fn is_endless(&self) -> bool {
        matches!(self.prop.look, Look::Plane(_))
    }

    /// Whether it is flat, and shows its size by tiles.
    pub fn is_tiled(&self) -> bool {
        matches!(self.prop.look, Look::Plane(_) | Look::Floor { .. })
    }

    /// Whether it throws shadows on other things. Half-spaces and containers have the liquid on their lit side.
    pub fn throws_shadow(&self) -> bool {
        matches!(self.prop.look, Look::Body(_))
    }

    /// The direction away from it at a point near its surface.
    pub fn normal(&self, p: Vec3) -> Vec3 {
        let normal = match &self.prop.look {
            Look::Plane(normal) => *normal,
            Look::Floor { .. } | Look::Clear => Vec3::Y,
            Look::Body(form) => form.nearest(self.placement.to_local(p)).normal,
        };
        self.placement.to_world_direction(normal)
    }

    /// The lines over it.
    pub fn edges(&self) -> impl Iterator<Item = Edge> + '_ {
        self.prop.edges.iter().map(|(a, b)| (self.placement.to_world(*a), self.placement.to_world(*b)))
    }
}

fn plane(o: Vec3, d: Vec3, normal: Vec3) -> Option<f32> {
    let (height, fall) = (o.dot(normal), d.dot(normal));
    (height > 0.0 && fall < 0.0).then(|| -height / fall)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Lens;
    use ondine::Pose;
    use ondine::scene::{Blend, Model, Part};

    /// What a view of one sample from 10 m above the object sees there.
    fn straight_down(shape: &Shape, aside: Vec3) -> Option<(f32, Vec3)> {
        let scene = Scene { object: vec![Object::new("it", shape.clone(), [0.0; 3])], ..Scene::default() };
        let props = of_scene(&scene);
        let solid = Solid { prop: &props[0], placement: Placement::new([0.0, 1.0, 0.0], [0.0, 90.0, 0.0]) };
        let eye = Vec3::new(0.0, 11.0, 0.0) + aside;
        let view = View::new(eye, Vec3::NEG_Y, Lens::Parallel(1e4), (1, 1));
        let mut seen = Seen::nothing((1, 1));
        draw([(0, &solid)], &view, &mut seen);
        let depth = seen.depth(0, 0);
        depth.is_finite().then(|| (depth, solid.normal(eye - Vec3::Y * (depth - 1e-3))))
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
        let props = of_scene(&scene);
        let solids = of_frame(&props, &frame);
        assert_eq!(solids.len(), 1);
        assert_eq!(solids[0].placement.at, Vec3::new(5.0, 0.0, 0.0), "where the frame has it");
    }
}
