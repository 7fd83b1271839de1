//! scratch
use ondine::scene::*;
use ondine::{Scene, World};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let n: usize = a[1].parse().unwrap();
    let t: f32 = a[2].parse().unwrap();
    let eps: f32 = a.get(3).map_or(0.03, |x| x.parse().unwrap());
    let mut w = Preset::Water.liquid();
    w.name = "water".into();
    w.spacing = 1.0 / n as f32;
    w.compression = eps;
    if let Some(x) = a.get(4) {
        w.surface_tension = x.parse().unwrap();
    }
    let env = |k: &str, d: f32| std::env::var(k).map_or(d, |x| x.parse().unwrap());
    w.viscosity.quadratic = env("Q", w.viscosity.quadratic);
    w.viscosity.linear = env("L", w.viscosity.linear);
    w.support = env("S", w.support);
    w.fill.push(Fill {
        shape: Shape::Box { size: [1.0; 3] },
        at: [0.5, 0.5, 0.5],
        rotate: [0.0; 3],
        velocity: [0.0; 3],
        arrangement: Arrangement::Lattice,
    });
    let c = Object::new("box", Shape::Container { size: [2.0, 2.0, 1.0], open: false }, [1.0, 1.0, 0.5]);
    let scene = Scene {
        liquid: vec![w],
        object: vec![c],
        duration: t,
        fps: 30.0,
        max_substeps: env("MAX", 400.0) as u32,
        ..Default::default()
    };
    let mut world = World::new(&scene).unwrap();
    let frames = (t * 30.0).round() as usize;
    let mut steps = 0;
    let t0 = std::time::Instant::now();
    for f in 1..=frames {
        if let Err(e) = world.advance() {
            println!("{e}");
            return;
        }
        let l = world.ledger();
        steps += l.substeps as usize;
        if f % 5 == 0 {
            let s = &l.systems[0];
            println!(
                "{f} t={:.2} sub={} c=[{:.3} {:.3} {:.3}] comp={:.4} vmax={:.2} E={:.1} leaks={} ",
                l.time,
                l.substeps,
                s.center[0],
                s.center[1],
                s.center[2],
                s.compression,
                s.max_speed,
                s.kinetic_energy + s.potential_energy,
                s.leaks
            );
        }
    }
    let el = t0.elapsed().as_secs_f64();
    println!(
        "wall {:.3} s, {} steps, {:.1} ns/particle-step hash {}",
        el,
        steps,
        el * 1e9 / (steps * n * n * n) as f64,
        world.ledger().hash
    );
    let mut ys: Vec<f32> = world.frame().particles[0].position.iter().map(|p| p[1]).collect();
    ys.sort_by(f32::total_cmp);
    println!(
        "top y99.5 = {:.4}  2*com={:.4}",
        ys[ys.len() * 995 / 1000],
        world.ledger().systems[0].center[1] * 2.0
    );
    let p = &world.frame().particles[0].position;
    let s = 1.0 / n as f32;
    let mut d: Vec<f32> = p
        .iter()
        .step_by(23)
        .map(|a| {
            p.iter()
                .map(|b| ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2) + (a[2] - b[2]).powi(2)).sqrt())
                .filter(|r| *r > 0.0)
                .fold(9.0, f32::min)
                / s
        })
        .collect();
    d.sort_by(f32::total_cmp);
    let m = d.iter().sum::<f32>() / d.len() as f32;
    let cv = (d.iter().map(|x| (x - m).powi(2)).sum::<f32>() / d.len() as f32).sqrt() / m;
    println!(
        "nearest/s: min {:.3} 5% {:.3} median {:.3} cv {:.3}",
        d[0],
        d[d.len() / 20],
        d[d.len() / 2],
        cv
    );
}
