//! What somebody who wrote a wrong name or path probably meant. Scene text, `--set`, events, tracks and the command line all ask here.

/// Longer texts are no slip of the finger.
const LONGEST: usize = 100;
/// More options than these are not worth searching.
const MOST: usize = 20_000;

/// The option that a name or a path most resembles, if it resembles any: up to a third of its letters may be wrong, and the beginning
/// and the end of a path may be missing: `viscosity` for `liquid.water.viscosity.linear`.
pub fn nearest<'o>(wanted: &str, options: impl IntoIterator<Item = &'o str>) -> Option<&'o str> {
    if wanted.len() > LONGEST {
        return None;
    }
    let wanted = letters(wanted);
    let wrong = |option: &str| {
        let option = letters(option);
        parts(&option, dots(&wanted) + 1).map(|part| distance(&wanted, part)).min().unwrap_or(usize::MAX)
    };
    let by_distance = options.into_iter().take(MOST).map(|option| (wrong(option), option));
    let (wrong, option) = by_distance.min_by_key(|(wrong, _)| *wrong)?;
    (wrong <= wanted.len().div_ceil(3)).then_some(option)
}

fn letters(text: &str) -> Vec<char> {
    text.to_lowercase().chars().collect()
}

fn dots(path: &[char]) -> usize {
    path.iter().filter(|c| **c == '.').count()
}

/// The stretches of a path that have so many parts; of a shorter path, the whole.
fn parts(path: &[char], count: usize) -> impl Iterator<Item = &[char]> {
    let dots = path.iter().enumerate().filter(|(_, c)| **c == '.').map(|(i, _)| i);
    let starts: Vec<usize> = std::iter::once(0).chain(dots.map(|i| i + 1)).chain([path.len() + 1]).collect();
    let count = count.min(starts.len() - 1);
    (0..starts.len() - count).map(move |i| &path[starts[i]..starts[i + count] - 1])
}

/// Letters to insert, remove, replace or swap with the next.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut rows = [vec![0; b.len() + 1], (0..=b.len()).collect(), vec![0; b.len() + 1]];
    for (i, x) in a.iter().enumerate() {
        let [before, last, row] = &mut rows;
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            row[j + 1] = (last[j] + usize::from(x != y)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                row[j + 1] = row[j + 1].min(before[j - 1] + 1);
            }
        }
        rows.rotate_left(1);
    }
    rows[1][b.len()]
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
pub fn remedy(name: &str, options: &[&str]) -> String {
    let same = |(theirs, ours): &&(&str, &str)| *theirs == name.to_lowercase() && options.contains(ours);
    if let Some((_, ours)) = ELSEWHERE.iter().find(same) {
        return format!("it is called `{ours}` here");
    }
    match nearest(name, options.iter().copied()) {
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
    fn known_distances() {
        let wrong = |a: &str, b: &str| distance(&letters(a), &letters(b));
        assert_eq!(wrong("kitten", "sitting"), 3);
        assert_eq!(wrong("", "abc"), 3);
        assert_eq!(wrong("fountian", "fountain"), 1);
        assert_eq!(wrong("gravity.y", "gravity.y"), 0);
    }

    #[test]
    fn slips_are_recognised() {
        assert_eq!(nearest("spacng", KEYS), Some("spacing"));
        assert_eq!(nearest("colour", KEYS), Some("color"));
        assert_eq!(nearest("Density", KEYS), Some("density"));
    }

    #[test]
    fn a_part_of_a_path_leads_to_the_whole() {
        let paths = ["dimension", "liquid.water.density", "liquid.water.viscosity.linear", "camera.at.0"];
        assert_eq!(nearest("viscosity", paths), Some(paths[2]));
        assert_eq!(nearest("water.densty", paths), Some(paths[1]));
        assert_eq!(nearest("liquid.watr.density", paths), Some(paths[1]));
        assert_eq!(nearest("camera.at.x", paths), Some(paths[3]));
        assert_eq!(nearest("fps", paths), None);
    }

    #[test]
    fn words_of_other_programs_are_understood() {
        assert_eq!(remedy("Position", &KEYS), "it is called `at` here");
        assert_eq!(remedy("fov", &["motion", "at"]), "use one of: motion, at");
    }

    #[test]
    fn unlike_names_get_the_list() {
        assert_eq!(nearest("wetness", KEYS), None);
        assert_eq!(remedy("wetness", &KEYS), "use one of: spacing, density, color, at");
        assert_eq!(remedy("x", &[]), "remove it");
    }
}
