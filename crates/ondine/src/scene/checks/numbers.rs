//! Every number of a scene, with the path that leads to it.

use super::Addresses;
use super::limits::Limit;
use crate::scene::{
    Blend, Drain, Drops, Emitter, Fault, Fill, Joint, Lamp, Light, Liquid, Object, Scene, Shape, Thesis,
};

/// A walk over a scene: shows each number, with its path, to whoever looks.
struct Walk<'a> {
    path: String,
    look: &'a mut dyn FnMut(&str, f32),
}

/// Shows every number but those of events and tracks.
pub fn walk(scene: &Scene, addresses: &Addresses, look: &mut dyn FnMut(&str, f32)) {
    let mut walk = Walk { path: String::new(), look };
    walk.scene(scene, addresses);
}

/// Numbers that are not finite or out of range.
pub fn check(scene: &Scene, addresses: &Addresses, found: &mut Vec<Fault>) {
    walk(scene, addresses, &mut |path, value| {
        debug_assert!(Limit::of(path).is_some(), "{path} has no range");
        found.extend(Limit::of(path).and_then(|limit| limit.fault(path, value)));
    });
}

impl Walk<'_> {
    fn within(&mut self, part: &str, work: impl FnOnce(&mut Self)) {
        let before = self.path.len();
        if before > 0 {
            self.path.push('.');
        }
        self.path.push_str(part);
        work(self);
        self.path.truncate(before);
    }

    fn number(&mut self, key: &str, value: f32) {
        self.within(key, |w| (w.look)(&w.path, value));
    }

    fn maybe(&mut self, key: &str, value: Option<f32>) {
        value.into_iter().for_each(|value| self.number(key, value));
    }

    fn vector(&mut self, key: &str, values: &[f32]) {
        self.within(key, |w| {
            for (i, &value) in values.iter().enumerate() {
                w.number(&i.to_string(), value);
            }
        });
    }

    fn list<T>(&mut self, key: &str, items: &[T], mut each: impl FnMut(&mut Self, &T)) {
        for (i, item) in items.iter().enumerate() {
            self.within(&format!("{key}.{i}"), |w| each(w, item));
        }
    }

    fn scene(&mut self, scene: &Scene, addresses: &Addresses) {
        self.number("duration", scene.duration);
        self.number("fps", scene.fps);
        self.number("dimension", scene.dimension as f32);
        self.vector("gravity", &scene.gravity);
        self.number("max_substeps", scene.max_substeps as f32);
        if let Some(b) = &scene.kill_box {
            self.vector("kill_box.min", &b.min);
            self.vector("kill_box.max", &b.max);
        }
        if let Some(c) = &scene.camera {
            self.vector("camera.at", &c.at);
            self.vector("camera.look_at", &c.look_at);
            self.number("camera.angle", c.angle);
            self.number("camera.aperture", c.aperture);
        }
        self.within("light", |w| w.light(&scene.light));
        self.list("lamp", &scene.lamp, Self::lamp);
        for (liquid, address) in scene.liquid.iter().zip(&addresses.liquid) {
            self.within(address, |w| w.liquid(liquid));
        }
        for (object, address) in scene.object.iter().zip(&addresses.object) {
            self.within(address, |w| w.object(object));
        }
        for (joint, address) in scene.joint.iter().zip(&addresses.joint) {
            self.within(address, |w| w.joint(joint));
        }
        for (drain, address) in scene.drain.iter().zip(&addresses.drain) {
            self.within(address, |w| w.drain(drain));
        }
    }

    fn light(&mut self, light: &Light) {
        if let Some(sun) = &light.sun {
            self.vector("sun", sun);
        }
        self.number("sun_strength", light.sun_strength);
        self.number("sun_size", light.sun_size);
        self.number("sky_strength", light.sky_strength);
        self.number("exposure", light.exposure);
    }

    fn lamp(&mut self, lamp: &Lamp) {
        self.vector("size", &lamp.size);
        self.number("radius", lamp.radius);
        self.vector("at", &lamp.at);
        self.vector("towards", &lamp.towards);
        self.vector("color", &lamp.color);
        self.number("strength", lamp.strength);
    }

    fn liquid(&mut self, liquid: &Liquid) {
        self.number("spacing", liquid.spacing);
        self.maybe("support", liquid.support);
        self.number("density", liquid.density);
        self.number("compression", liquid.compression);
        self.maybe("stiffness", liquid.stiffness);
        self.number("viscosity.linear", liquid.viscosity.linear);
        self.number("viscosity.quadratic", liquid.viscosity.quadratic);
        self.number("surface_tension", liquid.surface_tension);
        self.number("contact_angle", liquid.contact_angle);
        self.number("springs.stiffness", liquid.springs.stiffness);
        self.number("springs.plasticity", liquid.springs.plasticity);
        self.number("springs.yield_ratio", liquid.springs.yield_ratio);
        self.maybe("lifetime", liquid.lifetime);
        self.vector("color", &liquid.color);
        self.number("look.index", liquid.look.index);
        self.number("look.depth", liquid.look.depth);
        self.number("look.roughness", liquid.look.roughness);
        self.number("look.glow", liquid.look.glow);
        if let Some(thesis) = &liquid.thesis {
            self.within("thesis", |w| w.thesis(thesis));
        }
        self.list("fill", &liquid.fill, Self::fill);
        self.list("emitter", &liquid.emitter, Self::emitter);
        self.list("drops", &liquid.drops, Self::drops);
    }

    fn thesis(&mut self, t: &Thesis) {
        let values = [
            ("h", t.h),
            ("k", t.k),
            ("k_near", t.k_near),
            ("rho0", t.rho0),
            ("sigma", t.sigma),
            ("beta", t.beta),
            ("k_spring", t.k_spring),
            ("alpha", t.alpha),
            ("gamma", t.gamma),
            ("substeps", t.substeps as f32),
        ];
        values.iter().for_each(|(key, value)| self.number(key, *value));
    }

    fn fill(&mut self, fill: &Fill) {
        self.shape("shape", &fill.shape);
        self.vector("at", &fill.at);
        self.vector("rotate", &fill.rotate);
        self.vector("velocity", &fill.velocity);
    }

    fn emitter(&mut self, emitter: &Emitter) {
        self.number("radius", emitter.radius);
        self.vector("size", &emitter.size);
        self.vector("at", &emitter.at);
        self.vector("velocity", &emitter.velocity);
        self.number("start", emitter.start);
        self.maybe("stop", emitter.stop);
    }

    fn drops(&mut self, drops: &Drops) {
        self.shape("shape", &drops.shape);
        self.vector("at", &drops.at);
        self.vector("rotate", &drops.rotate);
        self.number("rate", drops.rate);
        self.maybe("radius", drops.radius);
        self.vector("velocity", &drops.velocity);
        self.number("outward", drops.outward);
        self.number("scatter", drops.scatter);
        self.number("start", drops.start);
        self.maybe("stop", drops.stop);
    }

    fn object(&mut self, object: &Object) {
        self.shape("shape", &object.shape);
        self.vector("at", &object.at);
        self.vector("rotate", &object.rotate);
        self.vector("velocity", &object.velocity);
        self.vector("spin", &object.spin);
        self.number("density", object.density);
        self.maybe("mass", object.mass);
        self.number("friction", object.friction);
        self.number("restitution", object.restitution);
        self.number("grip", object.grip);
        for (liquid, adhesion) in &object.adhesion {
            self.within(&format!("adhesion.{liquid}"), |w| {
                w.number("pull", adhesion.pull);
                w.maybe("range", adhesion.range);
            });
        }
        for (liquid, angle) in &object.contact_angle {
            self.number(&format!("contact_angle.{liquid}"), *angle);
        }
        self.vector("color", &object.color);
        self.number("roughness", object.roughness);
    }

    fn joint(&mut self, joint: &Joint) {
        self.vector("at", &joint.at);
        self.vector("axis", &joint.axis);
        if let Some(limits) = &joint.limits {
            self.vector("limits", limits);
        }
        self.maybe("speed", joint.speed);
    }

    fn drain(&mut self, drain: &Drain) {
        self.shape("shape", &drain.shape);
        self.vector("at", &drain.at);
        self.vector("rotate", &drain.rotate);
        self.number("start", drain.start);
        self.maybe("stop", drain.stop);
    }

    /// The numbers of the shape that is called `shape` or `of`.
    fn shape(&mut self, key: &str, shape: &Shape) {
        self.within(key, |w| w.kind_of_shape(shape));
    }

    fn kind_of_shape(&mut self, shape: &Shape) {
        match shape {
            Shape::HalfSpace { normal } => self.vector("half_space.normal", normal),
            Shape::Box { size } => self.vector("box.size", size),
            Shape::Container { size, .. } => self.vector("container.size", size),
            &Shape::RoundContainer { radius, height, .. } => {
                self.rod("round_container", radius, height);
            }
            Shape::Sphere { radius } => self.number("sphere.radius", *radius),
            &Shape::Capsule { radius, height } => self.rod("capsule", radius, height),
            &Shape::Cylinder { radius, height } => self.rod("cylinder", radius, height),
            &Shape::Cone { radius, height } => self.rod("cone", radius, height),
            Shape::Torus { radius, tube } => {
                self.number("torus.radius", *radius);
                self.number("torus.tube", *tube);
            }
            Shape::Mesh(file) => self.within("mesh", |w| {
                w.number("scale", file.scale);
                w.maybe("thickness", file.thickness);
                w.maybe("cell", file.cell);
            }),
            Shape::Union(blend) => self.within("union", |w| w.blend(blend)),
            Shape::Difference(blend) => self.within("difference", |w| w.blend(blend)),
            Shape::Intersection(blend) => self.within("intersection", |w| w.blend(blend)),
            Shape::Mould { of } => self.within("mould", |w| w.shape("of", of)),
            Shape::Model { height, .. } => self.number("model.height", *height),
        }
    }

    fn rod(&mut self, kind: &str, radius: f32, height: f32) {
        self.within(kind, |w| {
            w.number("radius", radius);
            w.number("height", height);
        });
    }

    fn blend(&mut self, blend: &Blend) {
        self.number("smooth", blend.smooth);
        self.list("of", &blend.of, |w, part| {
            w.shape("shape", &part.shape);
            w.vector("at", &part.at);
            w.vector("rotate", &part.rotate);
            w.number("scale", part.scale);
        });
    }
}
