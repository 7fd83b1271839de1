//! The particles of an effect, one array a number: what every one carries, and nothing that can be found again from its id.

use crate::particles::Axes;
use glam::Vec3;
use serde::{Deserialize, Serialize};

/// Particles that fly.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Swarm {
    /// Where they are [m].
    pub position: Axes,
    /// How fast [m/s].
    pub velocity: Axes,
    /// When they were born [s].
    pub birth: Vec<f32>,
    /// When they die [s].
    pub death: Vec<f32>,
    /// What they are called: a particle keeps its id for life.
    pub id: Vec<u32>,
    /// Their courses, of those whose place follows from the time alone; else nothing.
    pub course: Course,
}

/// Where each began the piece of its path that it is on: at its birth, or at its last impact.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Course {
    /// Where [m].
    pub start: Axes,
    /// How fast [m/s].
    pub go: Axes,
    /// When [s].
    pub since: Vec<f32>,
    /// When the piece ends by an impact [s]; without end if there is none.
    pub until: Vec<f32>,
    /// Number of the plane that it slides on from here, plus one; 0 of what flies.
    pub on: Vec<u32>,
}

/// One that is born.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Newborn {
    /// When [s].
    pub time: f64,
    /// Where [m].
    pub at: Vec3,
    /// How fast [m/s].
    pub velocity: Vec3,
    /// When it will die [s].
    pub death: f32,
    /// What it is called.
    pub id: u32,
}

impl Swarm {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.id.len()
    }

    /// Adds one. What follows a course begins it.
    pub fn push(&mut self, one: Newborn, is_on_course: bool) {
        self.position.push(one.at);
        self.velocity.push(one.velocity);
        self.birth.push(one.time as f32);
        self.death.push(one.death);
        self.id.push(one.id);
        if is_on_course {
            let course = &mut self.course;
            course.start.push(one.at);
            course.go.push(one.velocity);
            course.since.push(one.time as f32);
            course.until.push(f32::INFINITY);
            course.on.push(0);
        }
    }

    /// Takes out those at some places, given in order. The last ones come in their stead: nobody else moves.
    pub fn take_out(&mut self, places: &[u32]) {
        for &i in places.iter().rev() {
            self.each(|array| _ = array.swap_remove(i as usize), |array| _ = array.swap_remove(i as usize));
        }
    }

    /// The same; those that stay keep their order.
    pub fn take_out_in_order(&mut self, places: &[u32]) {
        let Some(&first) = places.first() else { return };
        self.each(|array| close_gaps(array, first, places), |array| close_gaps(array, first, places));
    }

    /// Does the same to each array, of numbers and of names.
    fn each(&mut self, mut numbers: impl FnMut(&mut Vec<f32>), mut names: impl FnMut(&mut Vec<u32>)) {
        let Self { position, velocity, birth, death, id, course } = self;
        let Course { start, go, since, until, on } = course;
        [position, velocity].into_iter().for_each(|axes| axes.each(|axis, _| numbers(axis)));
        [birth, death].into_iter().for_each(&mut numbers);
        names(id);
        if !on.is_empty() {
            [start, go].into_iter().for_each(|axes| axes.each(|axis, _| numbers(axis)));
            [since, until].into_iter().for_each(&mut numbers);
            names(on);
        }
    }

    /// Whether all arrays have the same length, and all numbers are finite but the ends of courses.
    pub fn is_sound(&self, is_on_course: bool, planes: usize) -> bool {
        let (count, course) = (self.len(), &self.course);
        let on_course = if is_on_course { count } else { 0 };
        let whole = |axes: &Axes, count: usize| {
            [&axes.x, &axes.y, &axes.z]
                .into_iter()
                .all(|a| a.len() == count && a.iter().all(|x| x.is_finite()))
        };
        let finite =
            |array: &Vec<f32>, count: usize| array.len() == count && array.iter().all(|x| x.is_finite());
        whole(&self.position, count)
            && whole(&self.velocity, count)
            && finite(&self.birth, count)
            && finite(&self.death, count)
            && whole(&course.start, on_course)
            && whole(&course.go, on_course)
            && finite(&course.since, on_course)
            && course.until.len() == on_course
            && course.until.iter().all(|x| !x.is_nan())
            && course.on.len() == on_course
            && course.on.iter().all(|&on| on as usize <= planes)
    }
}

/// Moves what stands behind taken places forward.
fn close_gaps<T: Copy>(array: &mut Vec<T>, first: u32, places: &[u32]) {
    let (mut to, mut gone) = (first as usize, places.iter().peekable());
    for from in first as usize..array.len() {
        if gone.peek().is_some_and(|&&place| place as usize == from) {
            gone.next();
        } else {
            array[to] = array[from];
            to += 1;
        }
    }
    array.truncate(to);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ten(is_on_course: bool) -> Swarm {
        let mut swarm = Swarm::default();
        for id in 0..10 {
            let at = Vec3::splat(id as f32);
            swarm.push(Newborn { time: 0.0, at, velocity: -at, death: 1.0, id }, is_on_course);
        }
        swarm
    }

    #[test]
    fn those_that_go_leave_no_gap() {
        for is_on_course in [false, true] {
            let mut swarm = ten(is_on_course);
            swarm.take_out_in_order(&[0, 3, 4, 9]);
            assert_eq!(swarm.id, [1, 2, 5, 6, 7, 8]);
            assert_eq!(swarm.velocity.z, [-1.0, -2.0, -5.0, -6.0, -7.0, -8.0]);
            assert!(swarm.is_sound(is_on_course, 0) && !swarm.is_sound(!is_on_course, 0));
            swarm.take_out(&[0, 5]);
            assert_eq!(swarm.id, [7, 2, 5, 6]);
            assert!(swarm.is_sound(is_on_course, 0));
        }
    }
}
