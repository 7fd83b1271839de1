//! Balls as arrays that can be borrowed between frames, one for each number: the pile holds them ball by ball, all sets together.

use super::{Balls, Set};
use crate::particles::Axes;
use crate::system::SystemKind;
use crate::world::SystemView;

/// What can be borrowed of a set. Derived: laid out anew after each frame.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    position: Axes,
    velocity: Axes,
    id: Vec<u32>,
}

impl Balls {
    /// Lays the arrays out anew.
    pub(super) fn lay_out(&mut self) {
        let Self { sets, pile, .. } = self;
        for Set { shown, .. } in sets.iter_mut() {
            let Shown { position, velocity, id } = shown;
            position.each(|axis, _| axis.clear());
            velocity.each(|axis, _| axis.clear());
            id.clear();
        }
        for ball in &pile.balls {
            let Shown { position, velocity, id } = &mut sets[ball.set as usize].shown;
            position.each(|axis, c| axis.push(ball.at[c]));
            velocity.each(|axis, c| axis.push(ball.velocity[c]));
            id.push(ball.id);
        }
    }
}

impl Set {
    /// What can be borrowed of it.
    pub(super) fn view(&self) -> SystemView<'_> {
        SystemView {
            kind: SystemKind::Balls,
            name: &self.description.name,
            radius: self.description.radius,
            position: (&self.shown.position).into(),
            velocity: (&self.shown.velocity).into(),
            id: &self.shown.id,
        }
    }
}
