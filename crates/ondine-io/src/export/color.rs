//! Colours of scenes are as screens show them (sRGB). Formats that light is computed from want them linear.

/// The linear value of a colour.
pub(super) fn linear(color: [f32; 3]) -> [f32; 3] {
    color.map(|c| match c.clamp(0.0, 1.0) {
        c if c <= 0.04045 => c / 12.92,
        c => ((c + 0.055) / 1.055).powf(2.4),
    })
}

/// A colour in bytes, still as screens show it.
pub(super) fn bytes(color: [f32; 3]) -> [u8; 3] {
    // The cast stops at 0 and 255.
    color.map(|c| (255.0 * c).round() as u8)
}

/// The colour that bytes stand for.
pub(super) fn from_bytes(bytes: [u8; 3]) -> [f32; 3] {
    bytes.map(|b| f32::from(b) / 255.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_stay_and_the_middle_darkens() {
        assert_eq!(linear([0.0, 1.0, 2.0]), [0.0, 1.0, 1.0]);
        assert!((linear([0.5; 3])[0] - 0.21404).abs() < 1e-5);
    }

    #[test]
    fn bytes_come_back() {
        (0..=255).for_each(|b| assert_eq!(bytes(from_bytes([b; 3])), [b; 3]));
        assert_eq!(bytes([-1.0, 2.0, f32::NAN]), [0, 255, 0]);
    }
}
