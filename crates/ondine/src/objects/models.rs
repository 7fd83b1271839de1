//! Ready-made figures, as blends of simple shapes.
//!
//! Each is described at a height of 1, from y = −0.5 to 0.5, and then enlarged. What has flat soles keeps everything
//! else a blend's width above the ground: where flat faces lie in one plane, a smooth union swells out of it. Parts
//! overlap rather than touch: a seam would be a surface inside.

use crate::scene::{Blend, Model, Part, Shape};

/// A model as a blend, `height` high [m].
pub fn shape(model: Model, height: f32) -> Shape {
    let whole = match model {
        Model::Rabbit => rabbit(),
        Model::Figure => figure(),
        Model::Stool => stool(),
        Model::Cup => cup(),
        Model::Teapot => teapot(),
    };
    enlarged(&whole, height)
}

fn rabbit() -> Shape {
    let body =
        [ball(0.205, [-0.11, -0.28, 0.0]), ball(0.175, [-0.01, -0.20, 0.0]), ball(0.135, [0.08, -0.09, 0.0])];
    let head = [
        ball(0.115, [0.135, 0.125, 0.0]),
        limb(0.062, [0.20, 0.085, 0.0], [0.245, 0.075, 0.0]),
        ball(0.058, [0.185, 0.060, 0.055]),
        ball(0.058, [0.185, 0.060, -0.055]),
    ];
    let tail = [ball(0.068, [-0.325, -0.33, 0.0])];
    let legs = both_sides(|side| {
        let hind = vec![
            ball(0.140, [-0.07, -0.32, side * 0.12]),
            limb(0.048, [-0.10, -0.452, side * 0.150], [0.06, -0.452, side * 0.165]),
        ];
        let fore = vec![
            limb(0.047, [0.12, -0.15, side * 0.070], [0.155, -0.41, side * 0.065]),
            limb(0.044, [0.155, -0.456, side * 0.065], [0.215, -0.456, side * 0.065]),
        ];
        vec![part(union(0.04, hind)), part(union(0.03, fore))]
    });
    let ears = both_sides(|side| vec![part(ear(side))]);
    let soft = [&body[..], &[part(union(0.05, head.to_vec()))], &tail, &legs, &ears].concat();
    let eyes = both_sides(|side| vec![ball(0.020, [0.207, 0.146, side * 0.076])]);
    union(0.006, [&[part(union(0.05, soft))], &eyes[..]].concat())
}

/// A leaf, wider than thick.
fn ear(side: f32) -> Shape {
    let (base, tip) = ([0.115, 0.19, side * 0.045], [0.050, 0.468, side * 0.110]);
    let along = |t: f32, aside: f32| {
        let at = |i: usize| base[i] + t * (tip[i] - base[i]);
        [at(0), at(1), at(2) + aside]
    };
    let edges = both_sides(|edge| vec![limb(0.028, along(0.40, edge * 0.022), along(0.92, edge * 0.002))]);
    union(0.04, [&[limb(0.028, base, tip)], &edges[..]].concat())
}

fn figure() -> Shape {
    let trunk = vec![
        limb(0.078, [-0.060, 0.245, 0.0], [0.060, 0.245, 0.0]),
        ball(0.055, [0.050, 0.250, 0.035]),
        ball(0.055, [-0.050, 0.250, 0.035]),
        limb(0.070, [-0.015, 0.060, 0.0], [-0.030, 0.190, 0.0]),
        limb(0.070, [0.015, 0.060, 0.0], [0.030, 0.190, 0.0]),
        limb(0.070, [-0.040, 0.030, 0.0], [0.040, 0.030, 0.0]),
    ];
    let head = vec![
        ball(0.055, [0.0, 0.444, -0.002]),
        limb(0.043, [0.0, 0.402, 0.012], [0.0, 0.430, 0.012]),
        limb(0.037, [0.0, 0.310, -0.004], [0.0, 0.390, 0.0]),
    ];
    let limbs = both_sides(|side| vec![part(arm(side)), part(leg(side))]);
    union(0.035, [&[part(union(0.035, trunk)), part(union(0.015, head))], &limbs[..]].concat())
}

fn arm(side: f32) -> Shape {
    let (elbow, wrist) = ([side * 0.270, 0.185, -0.010], [side * 0.385, 0.125, 0.015]);
    let parts = vec![
        ball(0.053, [side * 0.130, 0.275, 0.0]),
        limb(0.041, [side * 0.150, 0.270, 0.0], elbow),
        limb(0.036, elbow, wrist),
        ball(0.041, [side * 0.418, 0.108, 0.022]),
    ];
    union(0.02, parts)
}

fn leg(side: f32) -> Shape {
    let (hip, knee) = ([side * 0.062, 0.010, 0.0], [side * 0.104, -0.205, 0.012]);
    let parts = vec![
        limb(0.054, hip, [side * 0.082, -0.090, 0.006]),
        limb(0.044, hip, knee),
        limb(0.041, knee, [side * 0.122, -0.300, -0.006]),
        limb(0.037, knee, [side * 0.142, -0.425, -0.012]),
        part(foot(side)),
    ];
    union(0.025, parts)
}

/// Flat below: discs under heel and ball, and a block between them.
fn foot(side: f32) -> Shape {
    let (heel, toes) = ([side * 0.145, -0.475, -0.025], [side * 0.160, -0.475, 0.080]);
    let between = Part {
        rotate: [0.0, side * 8.0, 0.0],
        ..Part::new(Shape::Box { size: [0.072, 0.05, 0.105] }, [side * 0.1525, -0.475, 0.0275])
    };
    union(0.0, vec![disc(0.036, 0.05, heel), disc(0.042, 0.05, toes), between])
}

fn stool() -> Shape {
    let seat = [disc(0.30, 0.07, [0.0, 0.465, 0.0]), ring(0.30, 0.035, [0.0, 0.465, 0.0])];
    let ring = ring(0.245, 0.028, [0.0, -0.13, 0.0]);
    let legs = [90.0f32, 210.0, 330.0].into_iter().flat_map(|degrees| {
        let (sin, cos) = libm::sincosf(degrees.to_radians());
        let at = |out: f32, y: f32| [out * cos, y, out * sin];
        [limb(0.037, at(0.16, 0.42), at(0.295, -0.435)), disc(0.043, 0.04, at(0.30, -0.48))]
    });
    union(0.025, [part(union(0.0, seat.to_vec())), ring].into_iter().chain(legs).collect())
}

fn cup() -> Shape {
    let (outer, wall, foot) = (0.38, 0.06, 0.05);
    let (low, high) = (-0.5 + foot, 0.5 - 0.5 * wall);
    let clay = vec![
        disc(outer, high - low, [0.0, 0.5 * (low + high), 0.0]),
        disc(outer - foot, 2.0 * foot, [0.0, low, 0.0]),
        ring(outer - foot, foot, [0.0, low, 0.0]),
        ring(outer - 0.5 * wall, 0.5 * wall, [0.0, high, 0.0]),
    ];
    let hollow = disc(outer - wall, 1.0, [0.0, wall, 0.0]);
    let bowl = difference(vec![part(union(0.0, clay)), hollow]);
    // Its ends stay in the wall.
    let loop_ = upright(ring(0.21, 0.048, [outer + 0.05, 0.0, 0.0]));
    let handle = difference(vec![loop_, disc(outer - 0.5 * wall, 1.0, [0.0; 3])]);
    union(0.03, vec![part(bowl), part(handle)])
}

fn teapot() -> Shape {
    let (wall, middle) = (0.05, [0.0, -0.13, 0.0]);
    // Rings wider than their hole: a ball, flattened.
    let clay = vec![
        ring(0.12, 0.31, middle),
        disc(0.24, 0.08, [0.0, -0.46, 0.0]),
        ring(0.08, 0.15, [0.0, 0.155, 0.0]),
        limb(0.035, [0.0, 0.28, 0.0], [0.0, 0.40, 0.0]),
        ball(0.062, [0.0, 0.438, 0.0]),
        upright(ring(0.20, 0.045, [-0.44, -0.10, 0.0])),
        limb(0.110, [0.32, -0.25, 0.0], [0.445, -0.19, 0.0]),
        limb(0.100, [0.445, -0.19, 0.0], [0.545, -0.06, 0.0]),
        rod(0.090, [0.535, -0.08, 0.0], [0.675, 0.20, 0.0]),
    ];
    let hollow = [
        part(union(0.05, clay)),
        ring(0.12, 0.31 - wall, middle),
        limb(0.055, [0.20, -0.28, 0.0], [0.445, -0.19, 0.0]),
        limb(0.050, [0.445, -0.19, 0.0], [0.545, -0.06, 0.0]),
        rod(0.042, [0.535, -0.08, 0.0], [0.705, 0.26, 0.0]),
    ];
    difference(hollow.to_vec())
}

fn part(shape: Shape) -> Part {
    Part::new(shape, [0.0; 3])
}

fn ball(radius: f32, at: [f32; 3]) -> Part {
    Part::new(Shape::Sphere { radius }, at)
}

/// A rod with round ends about two points.
fn limb(radius: f32, from: [f32; 3], to: [f32; 3]) -> Part {
    let (at, rotate, height) = between(from, to);
    Part { rotate, ..Part::new(Shape::Capsule { radius, height }, at) }
}

/// A rod with flat ends at two points.
fn rod(radius: f32, from: [f32; 3], to: [f32; 3]) -> Part {
    let (at, rotate, height) = between(from, to);
    Part { rotate, ..Part::new(Shape::Cylinder { radius, height }, at) }
}

fn disc(radius: f32, height: f32, at: [f32; 3]) -> Part {
    Part::new(Shape::Cylinder { radius, height }, at)
}

fn ring(radius: f32, tube: f32, at: [f32; 3]) -> Part {
    Part::new(Shape::Torus { radius, tube }, at)
}

/// On edge, its axis along z.
fn upright(part: Part) -> Part {
    Part { rotate: [90.0, 0.0, 0.0], ..part }
}

fn union(smooth: f32, of: Vec<Part>) -> Shape {
    Shape::Union(Blend { of, smooth })
}

fn difference(of: Vec<Part>) -> Shape {
    Shape::Difference(Blend { of, smooth: 0.0 })
}

/// The same on both sides of the middle.
fn both_sides(parts: impl Fn(f32) -> Vec<Part>) -> Vec<Part> {
    [parts(1.0), parts(-1.0)].concat()
}

/// The middle of two points, the rotation of what lies along y between them [°], and its length.
fn between(from: [f32; 3], to: [f32; 3]) -> ([f32; 3], [f32; 3], f32) {
    let [x, y, z] = std::array::from_fn(|i| to[i] - from[i]);
    let length = (x * x + y * y + z * z).sqrt();
    // About x first, which gives z its share; then about z.
    let rotate = [libm::asinf(z / length).to_degrees(), 0.0, libm::atan2f(-x, y).to_degrees()];
    (std::array::from_fn(|i| 0.5 * (from[i] + to[i])), rotate, length)
}

/// A shape with all its lengths multiplied.
fn enlarged(shape: &Shape, by: f32) -> Shape {
    let blend =
        |b: &Blend| Blend { of: b.of.iter().map(|p| enlarged_part(p, by)).collect(), smooth: by * b.smooth };
    match shape {
        Shape::Box { size } => Shape::Box { size: size.map(|s| by * s) },
        Shape::Sphere { radius } => Shape::Sphere { radius: by * radius },
        Shape::Capsule { radius, height } => Shape::Capsule { radius: by * radius, height: by * height },
        Shape::Cylinder { radius, height } => Shape::Cylinder { radius: by * radius, height: by * height },
        Shape::Torus { radius, tube } => Shape::Torus { radius: by * radius, tube: by * tube },
        Shape::Union(b) => Shape::Union(blend(b)),
        Shape::Difference(b) => Shape::Difference(blend(b)),
        other => union(0.0, vec![Part { scale: by, ..part(other.clone()) }]),
    }
}

fn enlarged_part(part: &Part, by: f32) -> Part {
    Part { shape: enlarged(&part.shape, by), at: part.at.map(|x| by * x), ..part.clone() }
}

#[cfg(test)]
mod tests;
