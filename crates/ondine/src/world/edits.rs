//! Changes made from outside while a world runs: checked like scene text, done as the next frame begins, and recorded.
//!
//! A frame is planned for what is there, so edits come before its plan. They are told by frames, not by times: a frame's number is exact,
//! and so is the replay.

use super::World;
use super::timeline::Values;
use crate::objects::Given;
use crate::rest::Rest;
use crate::scene::{BallFill, Edit, Fault, Fill, HasLive, Object, Recorded, Scene, Value};
use crate::step::Step;
use crate::system::Addition;
use glam::Vec3;

impl World {
    /// Makes a change: it is checked now, happens at the very start of the next frame, and is recorded. All that is wrong with it, if
    /// anything is; then nothing changes.
    pub fn edit(&mut self, edit: Edit) -> Result<(), Vec<Fault>> {
        let (done, at) = (self.edits_done as usize, self.edits_due());
        let mut to_come = self.edits[done..].to_vec();
        to_come.insert(at - done, Recorded { frame: self.frame, change: edit });
        let scene = Scene {
            edit: to_come,
            event: Vec::new(),
            track: Vec::new(),
            joint: Vec::new(),
            ..self.scene_now()
        };
        let faults = scene.edit_faults(&self.bodies.held());
        if faults.is_empty() {
            self.edits.splice(done.., scene.edit);
            return Ok(());
        }
        Err(faults.into_iter().map(|fault| numbered_from(done, fault)).collect())
    }

    /// Sets a live value, such as `gravity`, `liquid.honey.viscosity.linear` or `object.door.enabled`. A track that moves the same value
    /// wins.
    pub fn set(&mut self, path: &str, value: impl Into<Value>) -> Result<(), Vec<Fault>> {
        self.edit(Edit::Set { path: path.into(), value: value.into() })
    }

    /// Fills a shape with particles of a system, such as `liquid.water`; where there is something already, nothing is added.
    pub fn add_fill(&mut self, system: &str, fill: Fill) -> Result<(), Vec<Fault>> {
        self.edit(Edit::Fill { system: system.into(), fill })
    }

    /// Fills a shape with balls, such as `balls.hail`, where there is room for them.
    pub fn add_balls(&mut self, system: &str, fill: BallFill) -> Result<(), Vec<Fault>> {
        self.edit(Edit::BallFill { system: system.into(), fill })
    }

    /// Adds particles or balls to a system at places [m] with a velocity [m/s], where there is room for them.
    pub fn add_points(
        &mut self,
        system: &str,
        at: Vec<[f32; 3]>,
        velocity: [f32; 3],
    ) -> Result<(), Vec<Fault>> {
        self.edit(Edit::Points { system: system.into(), at, velocity })
    }

    /// Removes particles from a system by their ids; those that have gone already are passed over.
    pub fn remove(&mut self, system: &str, ids: Vec<u32>) -> Result<(), Vec<Fault>> {
        self.edit(Edit::Remove { system: system.into(), ids })
    }

    /// Changes the velocity of particles of a system [m/s], by their ids; those that have gone already are passed over.
    pub fn kick(&mut self, system: &str, ids: Vec<u32>, velocity: [f32; 3]) -> Result<(), Vec<Fault>> {
        self.edit(Edit::Kick { system: system.into(), ids, velocity })
    }

    /// Adds an object, which must have a name of its own. A mesh that it names must be among those of the scene.
    pub fn add_object(&mut self, object: Object) -> Result<(), Vec<Fault>> {
        self.edit(Edit::Object(Box::new(object)))
    }

    /// Takes an object away, or brings it back: it keeps its name and its number, and costs nothing while it is away.
    pub fn enable_object(&mut self, name: &str, enabled: bool) -> Result<(), Vec<Fault>> {
        self.set(&format!("object.{name}.enabled"), enabled)
    }

    /// Gives a free object an impulse [N·s] at a place [m], or at its centre of mass.
    pub fn push(&mut self, object: &str, impulse: [f32; 3], at: Option<[f32; 3]>) -> Result<(), Vec<Fault>> {
        self.edit(Edit::Push { object: object.into(), impulse, at })
    }

    /// Takes hold of a free object at a place [m].
    pub fn grab(&mut self, object: &str, at: [f32; 3]) -> Result<(), Vec<Fault>> {
        self.edit(Edit::Grab { object: object.into(), at })
    }

    /// Moves the place to which an object that is held is drawn [m].
    pub fn drag(&mut self, object: &str, to: [f32; 3]) -> Result<(), Vec<Fault>> {
        self.edit(Edit::Drag { object: object.into(), to })
    }

    /// Lets go of an object.
    pub fn release(&mut self, object: &str) -> Result<(), Vec<Fault>> {
        self.edit(Edit::Release { object: object.into() })
    }

    /// All edits in their order: the scene's own, and those that were made since.
    pub fn edits(&self) -> &[Recorded] {
        &self.edits
    }

    /// Takes back the edits that have not happened yet: what makes the next frame fail need not be tried again.
    pub fn withdraw_edits(&mut self) {
        self.edits.truncate(self.edits_done as usize);
    }

    /// The scene with all edits in it: a world that is made of it does the same, bit for bit. It goes on for at least as long as this
    /// world has.
    pub fn recorded_scene(&self) -> Scene {
        let mut scene = Scene { edit: self.edits.clone(), ..self.scene.clone() };
        if self.frame > scene.frames() {
            scene.duration = self.time() as f32;
        }
        scene
    }

    /// Those that have happened.
    pub(crate) fn edits_so_far(&self) -> &[Recorded] {
        &self.edits[..self.edits_done as usize]
    }

    /// Number of edits that have happened by the start of the next frame.
    fn edits_due(&self) -> usize {
        self.edits.partition_point(|edit| edit.frame <= self.frame)
    }

    /// Does what is due as a frame begins. Anything wakes all that sleeps.
    pub(super) fn apply_edits(&mut self) {
        let (done, due) = (self.edits_done as usize, self.edits_due());
        if due == done {
            return;
        }
        for n in done..due {
            let change = self.edits[n].change.clone();
            self.edits_done += 1;
            self.apply(&change);
        }
        self.rest = Rest::default();
        self.bodies.rouse();
    }

    fn apply(&mut self, edit: &Edit) {
        let planar = self.scene.planar();
        match edit {
            Edit::Set { path, value } => {
                let Self { live, bodies, systems, scene, .. } = self;
                Values { live, bodies, systems }.set(path, *value);
                bodies.build(edit, scene);
            }
            Edit::Fill { system, fill } => self.add(system, Addition::Fill(fill), fill.velocity.into()),
            Edit::BallFill { system, fill } => {
                self.add(system, Addition::BallFill(fill), fill.velocity.into())
            }
            Edit::Points { system, at, velocity } => {
                let velocity = Vec3::from(*velocity);
                self.add(system, Addition::Points { at, velocity }, velocity);
            }
            Edit::Remove { system, ids } => {
                if let Some((system, name)) = self.systems.named(system) {
                    system.remove(name, &in_order(ids));
                }
            }
            Edit::Kick { system, ids, velocity } => {
                let velocity = Vec3::from(*velocity);
                if let Some((system, name)) = self.systems.named(system) {
                    let energy = system.kick(name, &in_order(ids), velocity, planar);
                    self.budget.note_given(Given { energy, speed: velocity.length() });
                }
            }
            Edit::Object(_) => {
                self.bodies.build(edit, &self.scene);
                self.budget.note_given(self.bodies.brought(planar));
            }
            _ => self.budget.note_given(self.bodies.handle(edit, planar)),
        }
    }

    /// Adds to a system what moves so [m/s].
    fn add(&mut self, system: &str, addition: Addition, velocity: Vec3) {
        let (time, colliders, gravity) = (self.time(), self.bodies.colliders(&[]), self.live.gravity.into());
        let Self { scene, edits, edits_done, bodies, systems, budget, live, .. } = self;
        let step = Step {
            time,
            dt: 0.0,
            gravity,
            wind: live.wind.into(),
            planar: scene.planar(),
            scene,
            edits: &edits[..*edits_done as usize],
            colliders: &colliders,
            free: bodies.free().count(),
            watch: &|_| (),
        };
        if let Some((system, name)) = systems.named(system) {
            let energy = system.add(name, addition, &step);
            budget.note_given(Given { energy, speed: velocity.length() });
        }
    }
}

fn in_order(ids: &[u32]) -> Vec<u32> {
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    ids
}

/// A fault of an edit by its number among all, of which `done` came before.
fn numbered_from(done: usize, fault: Fault) -> Fault {
    let parts = fault.path.strip_prefix("edit.").and_then(|rest| rest.split_once('.'));
    let number = parts.and_then(|(number, rest)| Some((number.parse::<usize>().ok()?, rest)));
    match number {
        Some((number, rest)) => Fault { path: format!("edit.{}.{rest}", done + number), ..fault },
        None => fault,
    }
}
