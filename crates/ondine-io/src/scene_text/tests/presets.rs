//! What a liquid takes from its material, and an effect from its preset.

use super::*;
use ondine::scene::EffectPreset;

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
    for preset in EffectPreset::ALL {
        let effect = preset.effect();
        let emitter = effect.emitter;
        assert!(
            effect.substeps.is_none()
                && emitter.shape.is_none()
                && emitter.on.is_none()
                && emitter.stop.is_none()
        );
    }
}

#[test]
fn an_effect_starts_from_its_preset() {
    for preset in EffectPreset::ALL {
        let name = serde_json::to_value(preset).unwrap();
        let effect = scene(&format!("[effect]\nname = \"a\"\npreset = {name}")).effect.remove(0);
        assert_eq!(effect, ondine::scene::Effect::new("a", preset));
    }
    let snow = EffectPreset::Snow.effect();
    let effect =
        &scene("[effect]\nname = \"a\"\npreset = \"snow\"\nemitter.rate = 7\nlook.glow = 2").effect[0];
    assert_eq!((effect.emitter.rate, effect.emitter.size, effect.look.glow), (7.0, snow.emitter.size, 2.0));
    assert_eq!((effect.look.sprite, effect.drag), (snow.look.sprite, snow.drag));
}
