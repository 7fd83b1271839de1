//! Names that every program takes: letters, digits and underscores of ASCII, none twice.

use std::collections::HashSet;

/// A valid name for each name, in order. Whatever is not valid becomes an underscore; a name that is taken gets a
/// number.
pub(super) fn identifiers<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut taken = HashSet::new();
    let mut free = |name: &str| {
        let wanted = identifier(name);
        let numbered = (2..).map(|n| format!("{wanted}_{n}"));
        let name = std::iter::once(wanted.clone()).chain(numbered).find(|name| !taken.contains(name));
        let name = name.expect("numbers do not end before names do");
        taken.insert(name.clone());
        name
    };
    names.into_iter().map(&mut free).collect()
}

fn identifier(name: &str) -> String {
    let valid = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = name.chars().map(valid).collect();
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) { format!("_{name}") } else { name }
}

#[cfg(test)]
mod tests {
    use super::identifiers;

    #[test]
    fn strange_names_become_valid_and_stay_apart() {
        let names = ["water", "a b", "a-b", "3d", "", "crème", "a_b_2", "a b"];
        let valid = ["water", "a_b", "a_b_2", "_3d", "_", "cr_me", "a_b_2_2", "a_b_3"];
        assert_eq!(identifiers(names), valid);
    }
}
