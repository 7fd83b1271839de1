//! What a liquid takes from its material.

use super::*;

#[test]
fn a_liquid_starts_from_its_material() {
    for preset in Preset::ALL {
        let name = serde_json::to_value(preset).unwrap();
        let liquid = scene(&format!("[liquid]\nname = \"a\"\nmaterial = {name}")).liquid.remove(0);
        assert_eq!(liquid, ondine::scene::Liquid { name: "a".into(), ..preset.liquid() });
    }
    assert_eq!(scene("[liquid]\nname = \"a\"").liquid[0].material, Preset::Water);
}

#[test]
fn tables_are_merged_key_by_key() {
    let syrup = Preset::Syrup.liquid();
    let liquid = &scene("[liquid]\nname = \"a\"\nmaterial = \"syrup\"\nsprings.plasticity = 1").liquid[0];
    assert_eq!(liquid.springs, ondine::scene::Springs { plasticity: 1.0, ..syrup.springs });
    assert_eq!(liquid.viscosity, syrup.viscosity);
}

/// Text cannot say "none": were a preset to give an optional value, `write` could not take it away.
#[test]
fn no_preset_gives_an_optional_value() {
    for preset in Preset::ALL {
        let liquid = preset.liquid();
        assert!(liquid.stiffness.is_none() && liquid.thesis.is_none() && liquid.lifetime.is_none());
    }
}
