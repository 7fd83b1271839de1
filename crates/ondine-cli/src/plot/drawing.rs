//! Lines and words on white paper, as SVG or as a picture.

use super::font;
use ondine_look::Picture;
use std::fmt::Write;

/// A colour, red, green and blue.
pub type Ink = [u8; 3];

/// Where a text stands, seen from its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    Left,
    Middle,
    Right,
}

/// Something that is drawn.
#[derive(Clone, Debug)]
enum Shape {
    /// Points joined by a pen of a width [pixels].
    Line { points: Vec<[f32; 2]>, pen: f32, ink: Ink },
    /// Words whose line begins, ends or has its middle at a point; upright ones read from below.
    Text { at: [f32; 2], align: Align, upright: bool, ink: Ink, words: String },
}

/// A sheet of paper; y points down, a unit is a pixel.
#[derive(Clone, Debug)]
pub struct Drawing {
    pub width: u32,
    pub height: u32,
    shapes: Vec<Shape>,
}

/// Height of capitals [pixels].
pub const LETTER: f32 = 9.0;
/// Width of the pen that writes [pixels].
const NIB: f32 = 1.1;

impl Drawing {
    /// An empty sheet.
    pub fn new(width: u32, height: u32) -> Self {
        Self { width, height, shapes: Vec::new() }
    }

    /// Draws a line through points.
    pub fn line(&mut self, points: Vec<[f32; 2]>, pen: f32, ink: Ink) {
        self.shapes.push(Shape::Line { points, pen, ink });
    }

    /// Writes words.
    pub fn text(&mut self, at: [f32; 2], align: Align, ink: Ink, words: impl Into<String>) {
        self.shapes.push(Shape::Text { at, align, upright: false, ink, words: words.into() });
    }

    /// Writes words that read from below, their middle at a point.
    pub fn upright(&mut self, at: [f32; 2], ink: Ink, words: impl Into<String>) {
        self.shapes.push(Shape::Text { at, align: Align::Middle, upright: true, ink, words: words.into() });
    }

    /// As SVG.
    pub fn svg(&self) -> String {
        let (w, h) = (self.width, self.height);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\">\n\
             <rect width=\"{w}\" height=\"{h}\" fill=\"#fff\"/>\n"
        );
        for shape in &self.shapes {
            // Writing to a text cannot fail.
            let _ = match shape {
                Shape::Line { points, pen, ink } => {
                    let points: Vec<String> = points.iter().map(|[x, y]| format!("{x:.2},{y:.2}")).collect();
                    writeln!(
                        out,
                        "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{pen}\" stroke-linejoin=\"round\"/>",
                        points.join(" "),
                        hex(*ink)
                    )
                }
                Shape::Text { at: [x, y], align, upright, ink, words } => {
                    let anchor = match align {
                        Align::Left => "start",
                        Align::Middle => "middle",
                        Align::Right => "end",
                    };
                    let turn = if *upright {
                        format!(" transform=\"rotate(-90 {x:.2} {y:.2})\"")
                    } else {
                        String::new()
                    };
                    writeln!(
                        out,
                        "<text x=\"{x:.2}\" y=\"{y:.2}\" font-family=\"sans-serif\" font-size=\"{:.1}\" text-anchor=\"{anchor}\" fill=\"{}\"{turn}>{}</text>",
                        LETTER * 1.38,
                        hex(*ink),
                        escaped(words)
                    )
                }
            };
        }
        out + "</svg>\n"
    }

    /// As pixels.
    pub fn picture(&self) -> Picture {
        let (width, height) = (self.width, self.height);
        let pixels = vec![255; 3 * width as usize * height as usize];
        let mut canvas = Canvas {
            picture: Picture { width, height, pixels },
            cover: vec![0.0; width as usize * height as usize],
        };
        for shape in &self.shapes {
            match shape {
                Shape::Line { points, pen, ink } => canvas.draw(std::slice::from_ref(points), *pen, *ink),
                Shape::Text { at, align, upright, ink, words } => {
                    canvas.draw(&written(*at, *align, *upright, words), NIB, *ink);
                }
            }
        }
        canvas.picture
    }
}

/// The strokes of words in their place.
fn written(at: [f32; 2], align: Align, upright: bool, words: &str) -> Vec<Vec<[f32; 2]>> {
    let before = match align {
        Align::Left => 0.0,
        Align::Middle => 0.5 * font::width(words),
        Align::Right => font::width(words),
    };
    let place = |[x, y]: [f32; 2]| {
        let (along, up) = (LETTER * (x - before), LETTER * y);
        if upright { [at[0] - up, at[1] - along] } else { [at[0] + along, at[1] - up] }
    };
    font::strokes(words).into_iter().map(|stroke| stroke.into_iter().map(place).collect()).collect()
}

fn hex([r, g, b]: Ink) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// A text as XML has it.
fn escaped(text: &str) -> String {
    let kept = text.chars().map(|c| match c {
        '&' => "&amp;".into(),
        '<' => "&lt;".into(),
        '>' => "&gt;".into(),
        c if c.is_control() => "\u{fffd}".into(),
        c => c.to_string(),
    });
    kept.collect()
}

/// Pixels under way.
struct Canvas {
    picture: Picture,
    /// How much of each pixel the shape at hand covers.
    cover: Vec<f32>,
}

impl Canvas {
    /// Draws lines with one pen: where they cross themselves they are no darker.
    fn draw(&mut self, lines: &[Vec<[f32; 2]>], pen: f32, ink: Ink) {
        let mut touched = Vec::new();
        for line in lines {
            let single = [[line[0], line[0]]];
            let pairs = line.windows(2).map(|pair| [pair[0], pair[1]]);
            let dot = if line.len() == 1 { &single[..] } else { &[] };
            pairs.chain(dot.iter().copied()).for_each(|pair| self.touch(pair, 0.5 * pen, &mut touched));
        }
        for i in touched {
            let share = std::mem::take(&mut self.cover[i]);
            for (channel, ink) in self.picture.pixels[3 * i..3 * i + 3].iter_mut().zip(ink) {
                *channel = (*channel as f32 + share * (ink as f32 - *channel as f32)).round() as u8;
            }
        }
    }

    /// Notes how much of each pixel lies under the way from a point to another.
    fn touch(&mut self, [a, b]: [[f32; 2]; 2], half: f32, touched: &mut Vec<usize>) {
        let (width, height) = (self.picture.width as f32, self.picture.height as f32);
        let reach = half + 1.0;
        let span = |c: usize, most: f32| {
            let low = (a[c].min(b[c]) - reach).floor().clamp(0.0, most);
            let high = (a[c].max(b[c]) + reach).ceil().clamp(0.0, most);
            low as usize..high as usize
        };
        let (rows, columns) = (span(1, height), span(0, width));
        for y in rows {
            for x in columns.clone() {
                let share = (half + 0.5 - distance([x as f32 + 0.5, y as f32 + 0.5], a, b)).clamp(0.0, 1.0);
                let i = y * width as usize + x;
                if share > self.cover[i] {
                    if self.cover[i] == 0.0 {
                        touched.push(i);
                    }
                    self.cover[i] = share;
                }
            }
        }
    }
}

/// How far a point is from the way between two others.
fn distance(p: [f32; 2], a: [f32; 2], b: [f32; 2]) -> f32 {
    let ([dx, dy], [px, py]) = ([b[0] - a[0], b[1] - a[1]], [p[0] - a[0], p[1] - a[1]]);
    let squared = dx * dx + dy * dy;
    let along = if squared > 0.0 { ((px * dx + py * dy) / squared).clamp(0.0, 1.0) } else { 0.0 };
    let (ex, ey) = (px - along * dx, py - along * dy);
    (ex * ex + ey * ey).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_covers_its_pixels_and_no_others() {
        let mut drawing = Drawing::new(20, 10);
        drawing.line(vec![[2.0, 5.0], [18.0, 5.0]], 2.0, [0, 0, 0]);
        let picture = drawing.picture();
        let pixel = |x: usize, y: usize| picture.pixels[3 * (y * 20 + x)];
        assert_eq!((pixel(10, 4), pixel(10, 5), pixel(10, 2), pixel(10, 7)), (0, 0, 255, 255));
        assert!(drawing.svg().contains("2.00,5.00 18.00,5.00"));
    }

    #[test]
    fn words_are_escaped() {
        let mut drawing = Drawing::new(50, 20);
        drawing.text([1.0, 12.0], Align::Left, [0, 0, 0], "a<b & \u{7}");
        assert!(drawing.svg().contains("a&lt;b &amp; \u{fffd}</text>"));
    }
}
