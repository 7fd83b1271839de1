//! scratch: hydrostatic pool
use ondine::scene::*;
use ondine::{Scene, World};
fn main() {
    let env = |k: &str, d: f32| std::env::var(k).map_or(d, |x| x.parse().unwrap());
    let n = env("N", 20.0);
    let dim = env("D", 3.0) as u32;
    let mut w = Preset::Water.liquid();
    w.name = "water".into();
    w.spacing = 0.5 / n;
    w.compression = env("E", 0.02);
    w.support = env("S", 2.0);
    w.viscosity.linear = env("L", 0.5);
    w.fill.push(Fill {
        shape: Shape::Box { size: [0.5, 0.5, 0.5] },
        at: [0.0, 0.25, 0.0],
        rotate: [0.0; 3],
        velocity: [0.0; 3],
        arrangement: if env("REL", 0.0) > 0.0 { Arrangement::Relaxed } else { Arrangement::Lattice },
    });
    let wide = env("W", 0.5);
    let c = Object::new(
        "box",
        Shape::Container { size: [wide, 2.0, 0.5], open: false },
        [0.5 * wide - 0.25, 1.0, 0.0],
    );
    let t = env("T", 3.0);
    let scene = Scene {
        liquid: vec![w],
        object: vec![c],
        duration: t,
        fps: 30.0,
        dimension: dim,
        max_substeps: env("MAX", 400.0) as u32,
        ..Default::default()
    };
    let mut world = World::new(&scene).unwrap();
    for f in 1..=(t * 30.0) as usize {
        if let Err(e) = world.advance() {
            println!("{e}");
            return;
        }
        if f % 15 == 0 {
            let l = world.ledger();
            let s = &l.systems[0];
            println!(
                "{f} sub={} c=[{:.3} {:.4} {:.3}] comp={:.4} vmax={:.3} KE={:.4} height error {:.2}% volume {:.4}",
                l.substeps,
                s.center[0],
                s.center[1],
                s.center[2],
                s.compression,
                s.max_speed,
                s.kinetic_energy,
                100.0 * (s.center[1] * 2.0 / (0.25 / wide as f64) - 1.0),
                s.volume
            );
        }
    }
    let fr = world.frame();
    let mut ys: Vec<f32> = fr.particles[0].position.iter().map(|p| p[1] * n / 0.5).collect();
    ys.sort_by(f32::total_cmp);
    let k = ys.len() / 10;
    println!("lowest/s {:.3} {:.3}  top/s {:.3}", ys[0], ys[ys.len() / (n as usize) / 2], ys[ys.len() - 1]);
    let mut hist = vec![0; 24];
    for y in &ys {
        let b = (y * 4.0) as usize;
        if b < 24 {
            hist[b] += 1;
        }
    }
    println!("{hist:?} {k}");
}
