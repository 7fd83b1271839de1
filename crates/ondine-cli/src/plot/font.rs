//! Letters as strokes of a pen, for pictures without a font.
//!
//! A letter is drawn on a grid four wide and eight high: each point is two digits, x and y from the lower left, and a blank lifts the pen. Lines of text stand
//! on y = 2, small letters are as high as 6, capitals and digits as high as 8.

/// Width of a letter with the room after it, in units of the grid.
const ADVANCE: f32 = 5.5;
/// The height of capitals above the line, in the same units.
const CAPITAL: f32 = 6.0;

/// The strokes of a text that begins at the origin and whose capitals are 1 high; y points up.
pub fn strokes(text: &str) -> Vec<Vec<[f32; 2]>> {
    let mut all = Vec::new();
    for (n, letter) in text.chars().enumerate() {
        let digit = |byte: u8| (byte - b'0') as f32;
        let point =
            |pair: &[u8]| [(n as f32 * ADVANCE + digit(pair[0])) / CAPITAL, (digit(pair[1]) - 2.0) / CAPITAL];
        let strokes = glyph(letter).split_whitespace();
        all.extend(strokes.map(|stroke| stroke.as_bytes().chunks_exact(2).map(point).collect()));
    }
    all
}

/// Width of a text whose capitals are 1 high.
pub fn width(text: &str) -> f32 {
    (text.chars().count() as f32 * ADVANCE - (ADVANCE - 4.0)).max(0.0) / CAPITAL
}

/// The strokes of a letter; a box for those that have none.
fn glyph(letter: char) -> &'static str {
    match letter {
        ' ' => "",
        'a' => "36321203051636",
        'b' => "0802324345360606",
        'c' => "461605031242",
        'd' => "48421203051646",
        'e' => "044445361605031242",
        'f' => "48382722 1646",
        'g' => "421203051646413000",
        'h' => "0802 0516364542",
        'i' => "2622 2828",
        'j' => "26211000 2828",
        'k' => "0802 460442",
        'l' => "282332",
        'm' => "0206 05162522 25364542",
        'n' => "0206 0516364542",
        'o' => "163645433212030516",
        'p' => "0006364543320202",
        'q' => "404616050312424242",
        'r' => "0206 051636",
        's' => "4616051434433202",
        't' => "18133242 0636",
        'u' => "0603124246",
        'v' => "062246",
        'w' => "0612253246",
        'x' => "0642 0246",
        'y' => "0622 461000",
        'z' => "06460242",
        'A' => "022842 1535",
        'B' => "02083847463505 3544433202",
        'C' => "481807031242",
        'D' => "02082846442202",
        'E' => "48080242 0535",
        'F' => "480802 0535",
        'G' => "4818070312424525",
        'H' => "0802 4842 0545",
        'I' => "1838 2822 1232",
        'J' => "4843321203",
        'K' => "0802 480542",
        'L' => "080242",
        'M' => "0208254842",
        'N' => "02084248",
        'O' => "183847433212030718",
        'P' => "02083847463505",
        'Q' => "183847433212030718 2442",
        'R' => "02083847463505 2542",
        'S' => "48180706153544433202",
        'T' => "0848 2822",
        'U' => "080312324348",
        'V' => "082248",
        'W' => "0812253248",
        'X' => "0842 0248",
        'Y' => "082548 2522",
        'Z' => "08480242",
        '0' => "183847433212030718 1436",
        '1' => "062822 1232",
        '2' => "07183847460242",
        '3' => "084825354443321203",
        '4' => "380444 3632",
        '5' => "4808053544433202",
        '6' => "48180603123243443505",
        '7' => "084812",
        '8' => "15060718384746351504031232434435",
        '9' => "02324447381807061545",
        '.' => "2222",
        ',' => "2210",
        ':' => "2222 2525",
        ';' => "2210 2525",
        '-' | '−' | '–' => "0545",
        '_' => "0141",
        '+' => "0545 2723",
        '=' => "0646 0444",
        '/' => "0148",
        '(' => "38161331",
        ')' => "18363311",
        '[' => "38181131",
        ']' => "18383111",
        '<' => "470543",
        '>' => "074503",
        '*' => "2723 0644 4604",
        '%' => "0248 0707 4343",
        '\'' => "2827",
        '"' => "1817 3837",
        '!' => "2824 2222",
        '?' => "071838474624 2222",
        '·' => "2525",
        '°' => "1718282717",
        '²' => "1828271626",
        '³' => "18281727261616",
        '×' => "0642 0246",
        '√' => "05152248",
        _ => "0208484202",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every letter is whole pairs on the grid, and none is drawn as a box that the program itself writes.
    #[test]
    fn letters_are_points_on_the_grid() {
        for letter in (' '..='~').chain("·°²³×√".chars()) {
            for stroke in glyph(letter).split_whitespace() {
                assert_eq!(stroke.len() % 2, 0, "{letter}");
                let on_grid =
                    |pair: &[u8]| (b'0'..=b'4').contains(&pair[0]) && (b'0'..=b'8').contains(&pair[1]);
                assert!(stroke.as_bytes().chunks(2).all(on_grid), "{letter}");
            }
        }
        let box_of = glyph('\u{2603}');
        for letter in ('a'..='z').chain('A'..='Z').chain('0'..='9').chain("._-[]/²³·°: ".chars()) {
            assert_ne!(glyph(letter), box_of, "{letter}");
        }
    }

    #[test]
    fn a_text_is_as_wide_as_its_strokes() {
        let right = strokes("HH").concat().iter().map(|p| p[0]).fold(0.0, f32::max);
        assert_eq!((right, strokes("").len()), (width("HH"), 0));
    }
}
