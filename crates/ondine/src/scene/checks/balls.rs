//! Balls: schemes that agree, sizes and numbers that can be computed with, and room for each.

use super::Addresses;
use super::places::{check_end, check_hours};
use super::planar::{meets_the_plane, spins_about_z, stays, turns_about_z};
use crate::balls::Room;
use crate::objects::Sdf;
use crate::scene::{Ball, Balls, Fault, Member, Scene, Shape};
use crate::system::SystemKind;
use glam::Vec3;
use std::f64::consts::PI;

/// The most balls in a scene, or from one emitter in a second.
const MOST: f64 = 5e6;
/// The largest radius over the smallest: cells are as wide as the largest, and hold all that are smaller.
const UNLIKE: f32 = 50.0;
/// The farthest from the origin, in radii: beyond it f32 coordinates cannot tell whether two touch.
const FARTHEST: f32 = 1e5;

impl Member for Balls {
    fn kind(&self) -> SystemKind {
        SystemKind::Balls
    }

    fn called(&self) -> &str {
        &self.name
    }

    fn shapes(&self) -> Vec<(String, &Shape)> {
        let fills = self.fill.iter().enumerate().map(|(i, fill)| (format!("fill.{i}.shape"), &fill.shape));
        let emitters = self.emitter.iter().enumerate();
        fills.chain(emitters.map(|(i, emitter)| (format!("emitter.{i}.shape"), &emitter.shape))).collect()
    }

    fn shapes_mut(&mut self) -> Vec<&mut Shape> {
        let fills = self.fill.iter_mut().map(|fill| &mut fill.shape);
        fills.chain(self.emitter.iter_mut().map(|emitter| &mut emitter.shape)).collect()
    }

    fn check_sense(&self, address: &str, scene: &Scene, found: &mut Vec<Fault>) {
        for (i, fill) in self.fill.iter().enumerate() {
            check_end(scene, &fill.shape, format!("{address}.fill.{i}.shape"), found);
        }
        for (i, emitter) in self.emitter.iter().enumerate() {
            let path = format!("{address}.emitter.{i}");
            check_hours(emitter.start, emitter.stop, &path, found);
            check_end(scene, &emitter.shape, format!("{path}.shape"), found);
        }
    }

    fn check_planar(&self, address: &str, scene: &Scene, found: &mut Vec<Fault>) {
        for (i, ball) in self.ball.iter().enumerate() {
            let path = format!("{address}.ball.{i}");
            stays(ball.at, &format!("{path}.at"), "stand", found);
            stays(ball.velocity, &format!("{path}.velocity"), "move", found);
            spins_about_z(ball.spin, &path, found);
        }
        for (i, fill) in self.fill.iter().enumerate() {
            let path = format!("{address}.fill.{i}");
            stays(fill.at, &format!("{path}.at"), "stand", found);
            stays(fill.velocity, &format!("{path}.velocity"), "move", found);
            turns_about_z(fill.rotate, &path, found);
        }
        for (i, emitter) in self.emitter.iter().enumerate() {
            let path = format!("{address}.emitter.{i}");
            stays(emitter.velocity, &format!("{path}.velocity"), "move", found);
            turns_about_z(emitter.rotate, &path, found);
            meets_the_plane(&emitter.shape, emitter.at, &path, scene, found);
        }
    }
}

/// Everything about balls that numbers alone do not tell.
pub fn check(scene: &Scene, addresses: &Addresses, found: &mut Vec<Fault>) {
    check_schemes(scene, addresses, found);
    check_sizes(scene, addresses, found);
    for (balls, address) in scene.balls.iter().zip(&addresses.balls) {
        check_amounts(scene, balls, address, found);
        check_places(balls, address, found);
    }
    check_overlaps(scene, addresses, found);
}

/// All balls of a scene meet by one scheme.
fn check_schemes(scene: &Scene, addresses: &Addresses, found: &mut Vec<Fault>) {
    let Some(first) = scene.balls.first() else { return };
    for (balls, address) in scene.balls.iter().zip(&addresses.balls) {
        if balls.pairwise != first.pairwise {
            let reason =
                format!("its scheme is not that of {}: balls that meet go by one", addresses.balls[0]);
            let remedy = "write the same [balls.pairwise] for all balls, or none";
            found.push(Fault::error(format!("{address}.pairwise"), reason, remedy));
        }
    }
}

fn check_sizes(scene: &Scene, addresses: &Addresses, found: &mut Vec<Fault>) {
    let smallest =
        |b: &Balls| b.ball.iter().filter_map(|b| b.radius).fold(b.radius * (1.0 - b.spread), f32::min);
    let largest = |b: &Balls| b.ball.iter().filter_map(|b| b.radius).fold(b.radius, f32::max);
    let least = scene.balls.iter().map(smallest).fold(f32::INFINITY, f32::min);
    for (balls, address) in scene.balls.iter().zip(&addresses.balls) {
        let most = largest(balls);
        if most > UNLIKE * least {
            let reason = format!(
                "a radius of {most} m is {:.0} times that of the smallest ball, {least} m; the most is {UNLIKE}",
                most / least
            );
            let remedy = format!(
                "write radii of at most {}, or make the large one an [[object]] with motion = \"free\"",
                UNLIKE * least
            );
            found.push(Fault::error(format!("{address}.radius"), reason, remedy));
        }
    }
}

fn check_amounts(scene: &Scene, balls: &Balls, address: &str, found: &mut Vec<Fault>) {
    let r = (balls.radius * (1.0 - 0.5 * balls.spread)) as f64;
    let own = if scene.planar() { PI * r * r } else { 4.0 / 3.0 * PI * r * r * r };
    for (i, fill) in balls.fill.iter().enumerate() {
        let room = Sdf::new(&fill.shape, &scene.meshes, scene.planar()).room();
        let (volume, path) = (room.volume(scene.planar()), format!("{address}.fill.{i}"));
        let many = (volume / own).min(fill.count.map_or(f64::INFINITY, f64::from));
        if many > MOST {
            let reason = format!("it has room for {many:.3e} balls; the most is {MOST:.0}");
            found.push(Fault::error(path, reason, "write a larger radius, a smaller shape or a count"));
        } else if many < 1.0 {
            let reason = format!("a ball of {} m has no room in this shape", balls.radius);
            found.push(Fault::error(path, reason, "write a larger shape or a smaller radius"));
        }
    }
}

fn check_places(balls: &Balls, address: &str, found: &mut Vec<Fault>) {
    let singles = balls.ball.iter().enumerate().map(|(i, b)| (format!("{address}.ball.{i}.at"), b.at));
    let fills = balls.fill.iter().enumerate().map(|(i, f)| (format!("{address}.fill.{i}.at"), f.at));
    let emitters = balls.emitter.iter().enumerate().map(|(i, e)| (format!("{address}.emitter.{i}.at"), e.at));
    for (path, at) in singles.chain(fills).chain(emitters) {
        check_distance(at, balls, path, found);
    }
}

/// What is too far from the origin for its radius.
pub fn check_distance(at: [f32; 3], balls: &Balls, path: String, found: &mut Vec<Fault>) {
    let far = Vec3::from(at).length();
    if far > FARTHEST * balls.radius {
        let reason = format!(
            "{far} m is too far from the origin for f32 to tell whether balls of {} m touch",
            balls.radius
        );
        let remedy = format!("move it to within {} m of the origin", FARTHEST * balls.radius);
        found.push(Fault::error(path, reason, remedy));
    }
}

/// Single balls that begin inside each other.
fn check_overlaps(scene: &Scene, addresses: &Addresses, found: &mut Vec<Fault>) {
    let radius = |balls: &Balls, ball: &Ball| ball.radius.unwrap_or(balls.radius);
    let all = || scene.balls.iter().flat_map(|balls| balls.ball.iter().map(move |ball| (balls, ball)));
    let mut room = Room::new(all().map(|(balls, ball)| radius(balls, ball)).fold(0.0, f32::max));
    for (balls, address) in scene.balls.iter().zip(&addresses.balls) {
        for (i, ball) in balls.ball.iter().enumerate() {
            let (at, own) = (Vec3::from(ball.at), radius(balls, ball));
            if room.near(at).any(|(p, r)| p.distance(at) < 0.9 * (r + own)) {
                let reason = "it begins inside another ball: they would be thrown apart";
                let remedy = "move one of them until they only touch";
                found.push(Fault::error(format!("{address}.ball.{i}.at"), reason, remedy));
            }
            room.take(at, own);
        }
    }
}
