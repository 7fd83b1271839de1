//! The walk over all values of a scene, and the way from a path to one of them.

use super::{Declared, Description, Live};
use crate::scene::checks::names;
use crate::scene::{Scalar, Value};
use std::collections::BTreeMap;

/// What is declared of a value, and whether it may change where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Status {
    /// What is declared of it.
    pub declared: &'static Declared,
    /// Whether it may change.
    pub live: bool,
}

impl Status {
    /// Of a whole scene.
    pub const WHOLE: Status =
        Status { declared: &Declared { key: "", about: "", range: None, live: Live::Fixed }, live: false };
}

/// What a walk comes by.
#[derive(Debug)]
pub enum Shown<'a> {
    /// A value, or a component of one.
    Value {
        /// Its path, without that of the component.
        path: &'a str,
        /// Which component of a vector it is.
        component: Option<usize>,
        /// The number, where there is one.
        number: Option<f32>,
        /// What holds of it.
        status: Status,
    },
    /// A list of things that paths call by their names.
    Names {
        /// Its path.
        path: &'a str,
        /// The names.
        names: Vec<&'a str>,
    },
}

/// A walk in progress: it shows what it comes by to whoever looks.
pub struct Walk<'a> {
    path: String,
    look: &'a mut dyn FnMut(&Shown),
}

impl<'a> Walk<'a> {
    /// At the beginning of all paths.
    pub fn new(look: &'a mut dyn FnMut(&Shown)) -> Self {
        Self { path: String::new(), look }
    }

    /// Goes one part further down the path.
    pub fn within(&mut self, part: &str, work: impl FnOnce(&mut Self)) {
        let before = self.path.len();
        if before > 0 {
            self.path.push('.');
        }
        self.path.push_str(part);
        work(self);
        self.path.truncate(before);
    }

    fn value(&mut self, component: Option<usize>, number: Option<f32>, status: Status) {
        (self.look)(&Shown::Value { path: &self.path, component, number, status });
    }
}

/// What a path leads to.
#[derive(Debug)]
pub struct Found<'a> {
    /// The value.
    pub leaf: Leaf<'a>,
    /// What holds of it.
    pub status: Status,
}

/// The end of a path.
#[derive(Debug)]
pub enum Leaf<'a> {
    /// One number, or a switch.
    Scalar(Scalar<'a>),
    /// A vector as a whole.
    Vector,
    /// A text, a choice, a table, a list.
    Other,
}

/// What a description is made of: values, and what holds values.
pub trait Described: Sized {
    /// Whether it is a number or numbers of one range.
    const NUMBERS: bool = false;

    /// Shows every value in it.
    fn show(&self, status: Status, walk: &mut Walk) {
        walk.value(None, None, status);
    }

    /// What the rest of a path leads to in it.
    fn find(&mut self, status: Status, path: &str) -> Option<Found<'_>> {
        path.is_empty().then_some(Found { leaf: Leaf::Other, status })
    }

    /// The live value that a path leads to in it, or None: the path leads to nothing, or to something fixed during a run.
    fn live(&mut self, path: &str) -> Option<Scalar<'_>> {
        match self.find(Status::WHOLE, path)? {
            Found { leaf: Leaf::Scalar(scalar), status } if status.live => Some(scalar),
            _ => None,
        }
    }

    /// The same, where it may be absent.
    fn find_maybe<'a>(maybe: &'a mut Option<Self>, status: Status, path: &str) -> Option<Found<'a>> {
        match maybe {
            _ if path.is_empty() => Some(Found { leaf: Leaf::Other, status }),
            Some(there) => there.find(status, path),
            None => None,
        }
    }

    /// Shows what may be absent.
    fn show_maybe(maybe: &Option<Self>, status: Status, walk: &mut Walk) {
        maybe.iter().for_each(|there| there.show(status, walk));
    }

    /// The name by which paths call it in a list, if they do.
    fn name(&self) -> Option<&str> {
        None
    }

    /// Adds the descriptions that it is made of.
    fn describe(_all: &mut Vec<Description>) {}
}

/// What remains of a path after its first parts, if they are the given ones.
pub fn after<'p>(path: &'p str, parts: &str) -> Option<&'p str> {
    let rest = path.strip_prefix(parts)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('.') }
}

impl Described for f32 {
    const NUMBERS: bool = true;

    fn show(&self, status: Status, walk: &mut Walk) {
        walk.value(None, Some(*self), status);
    }

    fn find(&mut self, status: Status, path: &str) -> Option<Found<'_>> {
        path.is_empty().then_some(Found { leaf: Leaf::Scalar(Scalar::Number(self)), status })
    }

    fn find_maybe<'a>(maybe: &'a mut Option<Self>, status: Status, path: &str) -> Option<Found<'a>> {
        path.is_empty().then_some(Found { leaf: Leaf::Scalar(Scalar::Maybe(maybe)), status })
    }

    fn show_maybe(maybe: &Option<Self>, status: Status, walk: &mut Walk) {
        walk.value(None, *maybe, status);
    }
}

impl Described for u32 {
    const NUMBERS: bool = true;

    fn show(&self, status: Status, walk: &mut Walk) {
        walk.value(None, Some(*self as f32), status);
    }
}

impl Described for bool {
    fn find(&mut self, status: Status, path: &str) -> Option<Found<'_>> {
        path.is_empty().then_some(Found { leaf: Leaf::Scalar(Scalar::Switch(self)), status })
    }
}

impl Described for String {}

impl Described for Value {}

impl<const N: usize> Described for [f32; N] {
    const NUMBERS: bool = true;

    fn show(&self, status: Status, walk: &mut Walk) {
        for (i, number) in self.iter().enumerate() {
            walk.value(Some(i), Some(*number), status);
        }
    }

    fn find(&mut self, status: Status, path: &str) -> Option<Found<'_>> {
        let leaf = match path {
            "" => Leaf::Vector,
            axis => Leaf::Scalar(Scalar::Number(self.get_mut(index(axis)?)?)),
        };
        Some(Found { leaf, status })
    }
}

/// The component of a vector that is called by its axis or its number.
fn index(axis: &str) -> Option<usize> {
    match axis {
        "x" | "0" => Some(0),
        "y" | "1" => Some(1),
        "z" | "2" => Some(2),
        _ => None,
    }
}

impl<T: Described> Described for Option<T> {
    const NUMBERS: bool = T::NUMBERS;

    fn show(&self, status: Status, walk: &mut Walk) {
        T::show_maybe(self, status, walk);
    }

    fn find(&mut self, status: Status, path: &str) -> Option<Found<'_>> {
        T::find_maybe(self, status, path)
    }

    fn describe(all: &mut Vec<Description>) {
        T::describe(all);
    }
}

impl<T: Described> Described for Box<T> {
    fn show(&self, status: Status, walk: &mut Walk) {
        (**self).show(status, walk);
    }

    fn find(&mut self, status: Status, path: &str) -> Option<Found<'_>> {
        (**self).find(status, path)
    }

    fn describe(all: &mut Vec<Description>) {
        T::describe(all);
    }
}

/// Paths call what has a name by it, and the rest by its number.
impl<T: Described> Described for Vec<T> {
    fn show(&self, status: Status, walk: &mut Walk) {
        let names: Vec<&str> = self.iter().filter_map(|item| item.name()).collect();
        let parts = match names.len() == self.len() {
            true => names::parts(&names),
            false => (0..self.len()).map(|i| i.to_string()).collect(),
        };
        (walk.look)(&Shown::Names { path: &walk.path, names });
        for (part, item) in parts.iter().zip(self) {
            walk.within(part, |walk| item.show(status, walk));
        }
    }

    fn find(&mut self, status: Status, path: &str) -> Option<Found<'_>> {
        if path.is_empty() {
            return Some(Found { leaf: Leaf::Other, status });
        }
        let (part, rest) = path.split_once('.').unwrap_or((path, ""));
        let number = part.parse::<usize>().ok();
        let is_meant = |(i, item): (usize, &T)| item.name().map_or(Some(i) == number, |name| name == part);
        let meant = self.iter().enumerate().position(is_meant)?;
        self[meant].find(status, rest)
    }

    fn describe(all: &mut Vec<Description>) {
        T::describe(all);
    }
}

impl<T: Described> Described for BTreeMap<String, T> {
    const NUMBERS: bool = T::NUMBERS;

    fn show(&self, status: Status, walk: &mut Walk) {
        for (name, item) in self {
            walk.within(name, |walk| item.show(status, walk));
        }
    }

    fn find(&mut self, status: Status, path: &str) -> Option<Found<'_>> {
        if path.is_empty() {
            return Some(Found { leaf: Leaf::Other, status });
        }
        let (item, rest) = self.iter_mut().find_map(|(name, item)| Some((item, after(path, name)?)))?;
        item.find(status, rest)
    }

    fn describe(all: &mut Vec<Description>) {
        T::describe(all);
    }
}
