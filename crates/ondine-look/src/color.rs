//! Colours as linear light, as scenes write them, and as screens show them.

use glam::Vec3;

/// Colours of scenes and presets are as screens show them; light adds up in linear values.
pub fn linear(color: [f32; 3]) -> Vec3 {
    Vec3::from(color.map(|c| c.clamp(0.0, 1.0).powf(2.2)))
}

/// Linear light to an sRGB byte (IEC 61966-2-1).
pub fn encode_srgb(light: f32) -> u8 {
    let light = light.clamp(0.0, 1.0);
    let signal = if light <= 0.003_130_8 { 12.92 * light } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
    (255.0 * signal + 0.5) as u8
}

/// An sRGB byte to linear light.
pub fn decode_srgb(byte: u8) -> f32 {
    let signal = f32::from(byte) / 255.0;
    if signal <= 0.040_45 { signal / 12.92 } else { ((signal + 0.055) / 1.055).powf(2.4) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_survive_light() {
        assert!((0..=255).all(|byte| encode_srgb(decode_srgb(byte)) == byte));
    }
}
