//! The path most like a mistyped one.

/// Longer texts are no slip of the finger.
const LONGEST: usize = 100;
/// More paths than these are not worth searching.
const MOST: usize = 2000;

/// The path with the fewest letters changed, if it is at all alike.
pub fn nearest<'a>(wanted: &str, paths: &'a [String]) -> Option<&'a str> {
    if wanted.len() > LONGEST || paths.len() > MOST {
        return None;
    }
    let by_distance = paths.iter().map(|path| (distance(wanted, path), path));
    let (letters, path) = by_distance.min_by_key(|(letters, _)| *letters)?;
    (letters <= wanted.chars().count() / 2).then_some(path)
}

/// Levenshtein distance: letters to insert, remove or replace.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + (x != *y) as usize;
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_distances() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("gravity.y", "gravity.y"), 0);
    }

    #[test]
    fn only_what_is_alike_is_suggested() {
        let paths = ["gravity.y".to_string(), "liquid.honey.density".to_string()];
        assert_eq!(nearest("liquid.hony.density", &paths), Some("liquid.honey.density"));
        assert_eq!(nearest("fps", &paths), None);
    }
}
