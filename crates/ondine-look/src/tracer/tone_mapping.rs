//! Tone mapping: from light to what a screen can show.

use glam::Vec3;

/// Light that is shown as it is: grey in the middle. What is darker is shown a little darker, what is brighter a little
/// brighter, by this power: the slope of a photographic curve.
const GREY: f32 = 0.18;
const CONTRAST: f32 = 1.15;

/// What would be shown brighter than this is bent towards white.
const KNEE: f32 = 0.6;

/// How quickly light beyond white loses its colour.
const FADE: f32 = 0.08;

/// A filmic curve that keeps colours: the brightest of red, green and blue follows the curve and takes the others with it;
/// what is far too bright goes to white. Light comes in times two to the power of the exposure [stops].
pub fn tone_mapped(light: Vec3, exposure: f32) -> Vec3 {
    let light = (light * exposure.exp2()).max(Vec3::ZERO);
    if !light.is_finite() {
        return Vec3::ONE;
    }
    let peak = light.max_element();
    if peak <= 0.0 {
        return Vec3::ZERO;
    }
    let slope = (peak / GREY).powf(CONTRAST - 1.0);
    let (light, peak) = (light * slope, peak * slope);
    if peak <= KNEE {
        return light;
    }
    let room = 1.0 - KNEE;
    let shown = 1.0 - room * room / (peak - KNEE + room);
    let kept = 1.0 / (FADE * (peak - shown) + 1.0);
    Vec3::splat(shown).lerp(light * (shown / peak), kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_rises_without_a_step_and_never_clips() {
        let at = |x: f32| tone_mapped(Vec3::splat(x), 0.0).x;
        let steps: Vec<f32> = (0..4000).map(|i| at(i as f32 * 0.005)).collect();
        assert!(steps.windows(2).all(|w| w[1] > w[0] && w[1] - w[0] < 0.0075));
        assert!(steps.iter().all(|x| *x < 1.0));
        assert_eq!(at(GREY), GREY);
    }

    #[test]
    fn colours_are_kept_until_they_blaze() {
        let hue = |light: Vec3| light.y / light.x;
        let orange = Vec3::new(1.0, 0.5, 0.1);
        assert!((hue(tone_mapped(orange, 0.5)) - 0.5).abs() < 0.05);
        assert!(hue(tone_mapped(orange, 8.0)) > 0.9, "a blaze is white");
        assert_eq!(tone_mapped(Vec3::INFINITY, 0.0), Vec3::ONE);
        assert_eq!(tone_mapped(Vec3::NAN, 0.0), Vec3::ZERO);
        assert_eq!(tone_mapped(Vec3::splat(0.09), 1.0), Vec3::splat(0.18));
    }
}
