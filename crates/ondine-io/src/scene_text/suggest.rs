//! What somebody who wrote a wrong name probably meant.

use strsim::damerau_levenshtein;

/// No name in a scene's format comes near this length, and comparing costs memory.
const LONGEST: usize = 100;

/// The option that a name most resembles, if it resembles any: up to a third of its letters may be wrong.
pub(super) fn nearest<'o>(name: &str, options: &[&'o str]) -> Option<&'o str> {
    if name.len() > LONGEST {
        return None;
    }
    let closest = closest(name, options)?;
    let wrong = damerau_levenshtein(&name.to_lowercase(), closest);
    (wrong <= name.chars().count().div_ceil(3)).then_some(closest)
}

/// The option that a name most resembles, however little.
fn closest<'o>(name: &str, options: &[&'o str]) -> Option<&'o str> {
    options.iter().copied().min_by_key(|option| damerau_levenshtein(&name.to_lowercase(), option))
}

/// The path of which some part most resembles a path: `liquid.water.viscosity.linear`, for `viscosity`.
pub(super) fn closest_part<'o>(path: &str, options: &[&'o str]) -> Option<&'o str> {
    if path.len() > LONGEST {
        return None;
    }
    let (path, count) = (path.to_lowercase(), path.split('.').count());
    let wrong = |option: &str| {
        let steps: Vec<&str> = option.split('.').collect();
        let parts = steps.windows(count).map(|part| damerau_levenshtein(&path, &part.join(".")));
        parts.min().unwrap_or_else(|| damerau_levenshtein(&path, option))
    };
    options.iter().copied().min_by_key(|option| wrong(option))
}

/// What other programs call things, and what they are called here.
const ELSEWHERE: [(&str, &str); 17] = [
    ("position", "at"),
    ("pos", "at"),
    ("location", "at"),
    ("center", "at"),
    ("centre", "at"),
    ("translate", "at"),
    ("rotation", "rotate"),
    ("orientation", "rotate"),
    ("angular_velocity", "spin"),
    ("bounce", "restitution"),
    ("elasticity", "springs"),
    ("type", "motion"),
    ("target", "look_at"),
    ("fov", "angle"),
    ("resolution", "spacing"),
    ("particle_size", "spacing"),
    ("framerate", "fps"),
];

/// What to write instead of a name that is none of the options.
pub(super) fn remedy(name: &str, options: &[&str]) -> String {
    let same = |(theirs, ours): &&(&str, &str)| *theirs == name.to_lowercase() && options.contains(ours);
    if let Some((_, ours)) = ELSEWHERE.iter().find(same) {
        return format!("it is called `{ours}` here");
    }
    match nearest(name, options) {
        Some(option) => format!("did you mean `{option}`?"),
        None if options.is_empty() => "remove it".into(),
        None => format!("use one of: {}", options.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEYS: [&str; 4] = ["spacing", "density", "color", "at"];

    #[test]
    fn slips_are_recognised() {
        assert_eq!(nearest("spacng", &KEYS), Some("spacing"));
        assert_eq!(nearest("colour", &KEYS), Some("color"));
        assert_eq!(nearest("Density", &KEYS), Some("density"));
    }

    #[test]
    fn words_of_other_programs_are_understood() {
        assert_eq!(remedy("Position", &KEYS), "it is called `at` here");
        assert_eq!(remedy("fov", &["motion", "at"]), "use one of: motion, at");
    }

    #[test]
    fn a_part_of_a_path_leads_to_the_whole() {
        let paths = ["dimension", "liquid.water.density", "liquid.water.viscosity.linear", "camera.at.0"];
        assert_eq!(closest_part("viscosity", &paths), Some(paths[2]));
        assert_eq!(closest_part("water.densty", &paths), Some(paths[1]));
        assert_eq!(closest_part("camera.at.x", &paths), Some(paths[3]));
    }

    #[test]
    fn unlike_names_get_the_list() {
        assert_eq!(nearest("wetness", &KEYS), None);
        assert_eq!(remedy("wetness", &KEYS), "use one of: spacing, density, color, at");
        assert_eq!(remedy("x", &[]), "remove it");
    }
}
