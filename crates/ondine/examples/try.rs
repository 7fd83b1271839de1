//! Scratch.
use ondine::*;
use ondine::scene::*;
fn main() {
    let n: f32 = std::env::args().nth(1).map_or(27.0, |a| a.parse().unwrap());
    let frames: u32 = std::env::args().nth(2).map_or(30, |a| a.parse().unwrap());
    let mut water = Preset::Water.liquid();
    water.name = "w".into();
    water.spacing = 1.0 / n;
    water.fill = vec![Fill { shape: Shape::Box { size: [1.0, 1.0, 1.0] }, at: [0.5, 0.5, 0.5], rotate: [0.0; 3], velocity: [0.0; 3], arrangement: Arrangement::Lattice }];
    let tank = Object::new("tank", Shape::Container { size: [2.0, 2.0, 1.0], open: true }, [1.0, 1.0, 0.5]);
    let scene = Scene { liquid: vec![water], object: vec![tank], ..Scene::default() };
    let mut world = World::new(&scene).unwrap();
    let mut steps = 0;
    let t = std::time::Instant::now();
    let times = std::cell::RefCell::new((std::collections::BTreeMap::<String, f64>::new(), std::time::Instant::now(), String::new()));
    struct W<'a>(&'a std::cell::RefCell<(std::collections::BTreeMap<String, f64>, std::time::Instant, String)>);
    unsafe impl Sync for W<'_> {}
    let w = W(&times);
    let watch = |p: Phase| {
        let w = &w;
        let mut t = w.0.borrow_mut();
        let now = std::time::Instant::now();
        let d = (now - t.1).as_secs_f64();
        let name = t.2.clone();
        *t.0.entry(name).or_default() += d;
        t.1 = now;
        t.2 = format!("{p:?}");
    };
    let mut last = 0;
    for _ in 0..frames {
        world.advance_watched(&watch).unwrap();
        last = world.ledger().substeps;
        steps += last;
    }
    let s = t.elapsed().as_secs_f64();
    let l = world.ledger();
    let m = l.systems[0].particles as f64;
    println!("{s:.2} s, {steps} steps (last {last}), {:.1} ns, rms {:.4} centre {:?} hash {}", s * 1e9 / m / steps as f64, (2.0 * l.systems[0].kinetic_energy / l.systems[0].mass).sqrt(), l.systems[0].center, l.hash);
    for (k, v) in &times.borrow().0 { println!("  {k} {:.1}", v * 1e9 / m / steps as f64); }
}
