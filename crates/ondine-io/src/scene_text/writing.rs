//! Scenes into text.

use ondine::Scene;

/// The scene as TOML, every default written out. Read back by [`parse`](super::parse) it gives exactly the same scene,
/// provided that its numbers are finite and its liquids named.
pub fn write(scene: &Scene) -> String {
    toml::to_string(scene).expect("every type of the scene has a form in TOML, whatever its values")
}
