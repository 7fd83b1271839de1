//! Curves over time, with axes, ticks and a legend.

use super::drawing::{Align, Drawing, Ink, LETTER};
use super::font;

/// A curve.
#[derive(Clone, Debug)]
pub struct Curve {
    /// What the legend calls it.
    pub name: String,
    /// What its axis says: curves that say the same share a panel.
    pub axis: String,
    /// Times [s] and values; None where there is none.
    pub points: Vec<(f64, Option<f64>)>,
}

/// Inks of curves, which people who see few colours can tell apart, too.
const INKS: [Ink; 8] = [
    [0, 114, 178],
    [213, 94, 0],
    [0, 158, 115],
    [204, 121, 167],
    [86, 180, 233],
    [230, 159, 0],
    [110, 76, 160],
    [90, 90, 90],
];
const BLACK: Ink = [30, 30, 30];
const GRID: Ink = [225, 225, 225];
/// Pen of curves [pixels].
const PEN: f32 = 1.8;
/// Room around panels [pixels].
const LEFT: f32 = 84.0;
const RIGHT: f32 = 20.0;
const TOP: f32 = 34.0;
const BOTTOM: f32 = 46.0;
const BETWEEN: f32 = 26.0;
/// Height of a line of the legend [pixels].
const ROW: f32 = 17.0;
/// Room for a tick and its label [pixels].
const TICK: [f32; 2] = [90.0, 44.0];

/// A chart of curves under a title, of a size [pixels].
pub fn chart(title: &str, curves: &[Curve], (width, height): (u32, u32)) -> Drawing {
    let mut drawing = Drawing::new(width, height);
    drawing.text([0.5 * width as f32, 0.6 * TOP], Align::Middle, BLACK, title);
    let mut axes: Vec<&str> = Vec::new();
    for curve in curves {
        if !axes.contains(&curve.axis.as_str()) {
            axes.push(&curve.axis);
        }
    }
    let legend = legend_rows(curves, width) as f32 * ROW;
    let room = (height as f32 - TOP - BOTTOM - legend - BETWEEN * (axes.len() as f32 - 1.0)).max(0.0);
    let tall = room / axes.len().max(1) as f32;
    let times = Span::of(curves.iter().flat_map(|c| c.points.iter().map(|(t, _)| *t)), false);
    for (n, axis) in axes.iter().enumerate() {
        let low = TOP + n as f32 * (tall + BETWEEN) + tall;
        let frame = Panel { left: LEFT, right: width as f32 - RIGHT, top: low - tall, low, times };
        let own: Vec<(usize, &Curve)> = curves.iter().enumerate().filter(|(_, c)| c.axis == **axis).collect();
        frame.draw(&own, axis, n + 1 == axes.len(), &mut drawing);
    }
    draw_legend(curves, height as f32 - legend, &mut drawing);
    drawing
}

fn ink(n: usize) -> Ink {
    INKS[n % INKS.len()]
}

/// Width of a column of the legend [pixels], and how many there are.
fn legend_columns(curves: &[Curve], width: u32) -> (f32, usize) {
    let widest = curves.iter().map(|c| LETTER * font::width(&c.name)).fold(0.0, f32::max) + 52.0;
    (widest, ((width as f32 - 20.0) / widest).floor().max(1.0) as usize)
}

fn legend_rows(curves: &[Curve], width: u32) -> usize {
    curves.len().div_ceil(legend_columns(curves, width).1)
}

fn draw_legend(curves: &[Curve], top: f32, drawing: &mut Drawing) {
    let (wide, columns) = legend_columns(curves, drawing.width);
    for (n, curve) in curves.iter().enumerate() {
        let x = 20.0 + (n % columns) as f32 * wide;
        let y = top + (n / columns) as f32 * ROW + 6.0;
        drawing.line(vec![[x, y - 4.0], [x + 22.0, y - 4.0]], 1.5 * PEN, ink(n));
        drawing.text([x + 28.0, y], Align::Left, BLACK, curve.name.clone());
    }
}

/// From the least to the greatest of some numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Span {
    low: f64,
    high: f64,
}

impl Span {
    /// Of all numbers that are, with some room around if asked for.
    fn of(numbers: impl Iterator<Item = f64>, roomy: bool) -> Self {
        let (low, high) = numbers
            .filter(|x| x.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        if low > high {
            return Self { low: 0.0, high: 1.0 };
        }
        let wide = high - low;
        // What does not change, or by round-off alone, is a line in the middle.
        let least = 1e-9 * low.abs().max(high.abs());
        if wide <= least {
            let half = if low == 0.0 { 0.5 } else { 0.5 * low.abs() };
            return Self { low: low - half, high: high + half };
        }
        let room = if roomy { 0.05 * wide } else { 0.0 };
        Self { low: low - room, high: high + room }
    }

    fn share(&self, x: f64) -> f32 {
        ((x - self.low) / (self.high - self.low)) as f32
    }
}

/// One pair of axes.
struct Panel {
    left: f32,
    right: f32,
    top: f32,
    low: f32,
    times: Span,
}

impl Panel {
    fn x(&self, time: f64) -> f32 {
        self.left + self.times.share(time) * (self.right - self.left)
    }

    fn y(&self, values: Span, value: f64) -> f32 {
        self.low - values.share(value) * (self.low - self.top)
    }

    fn draw(&self, curves: &[(usize, &Curve)], axis: &str, lowest: bool, drawing: &mut Drawing) {
        let values = curves.iter().flat_map(|(_, c)| c.points.iter().filter_map(|(_, value)| *value));
        let values = Span::of(values, true);
        self.draw_ticks(values, lowest, drawing);
        let corners =
            [[self.left, self.top], [self.right, self.top], [self.right, self.low], [self.left, self.low]];
        drawing.line(corners.into_iter().chain([corners[0]]).collect(), 1.0, BLACK);
        drawing.upright([LETTER + 9.0, 0.5 * (self.top + self.low)], BLACK, axis);
        for (n, curve) in curves {
            for stretch in stretches(&curve.points) {
                let points: Vec<[f32; 2]> =
                    stretch.iter().map(|(t, v)| [self.x(*t), self.y(values, *v)]).collect();
                drawing.line(points, PEN, ink(*n));
            }
        }
    }

    fn draw_ticks(&self, values: Span, lowest: bool, drawing: &mut Drawing) {
        let most = |room: f32, each: f32| (room / each).floor().max(2.0) as usize;
        for (time, label) in ticks(self.times, most(self.right - self.left, TICK[0])) {
            let x = self.x(time);
            drawing.line(vec![[x, self.top], [x, self.low]], 1.0, GRID);
            if lowest {
                drawing.text([x, self.low + LETTER + 8.0], Align::Middle, BLACK, label);
            }
        }
        for (value, label) in ticks(values, most(self.low - self.top, TICK[1])) {
            let y = self.y(values, value);
            drawing.line(vec![[self.left, y], [self.right, y]], 1.0, GRID);
            drawing.text([self.left - 6.0, y + 0.5 * LETTER], Align::Right, BLACK, label);
        }
        if lowest {
            drawing.text(
                [0.5 * (self.left + self.right), self.low + 2.0 * LETTER + 16.0],
                Align::Middle,
                BLACK,
                "time [s]",
            );
        }
    }
}

/// Points without a gap between them.
fn stretches(points: &[(f64, Option<f64>)]) -> Vec<Vec<(f64, f64)>> {
    let finite = |(t, v): &(f64, Option<f64>)| Some((*t, v.filter(|v| v.is_finite())?));
    let parts = points.split(|point| finite(point).is_none());
    parts.filter(|part| !part.is_empty()).map(|part| part.iter().filter_map(finite).collect()).collect()
}

/// Round numbers within a span, not many more than `most`, with their labels.
fn ticks(span: Span, most: usize) -> Vec<(f64, String)> {
    let (step, power, decimals) = step(span, most);
    let first = (span.low / step - 1e-6).ceil();
    let count = ((span.high / step + 1e-6).floor() - first).max(0.0) as usize;
    let largest = span.low.abs().max(span.high.abs());
    let number = |n: usize| (first + n as f64) * step;
    let label = |x: f64| match largest {
        large if !(1e-3..1e5).contains(&large) => scientific(x, power),
        _ => format!("{x:.decimals$}"),
    };
    (0..=count).map(|n| (number(n), label(if number(n) == 0.0 { 0.0 } else { number(n) }))).collect()
}

/// A distance between ticks of 1, 2 or 5 times a power of ten, that power, and the decimals that tell them apart.
fn step(span: Span, most: usize) -> (f64, f64, usize) {
    let least = (span.high - span.low) / most as f64;
    let mut power: f64 = 1.0;
    let mut decimals: i32 = 0;
    while power > least {
        power /= 10.0;
        decimals += 1;
    }
    while 10.0 * power <= least {
        power *= 10.0;
        decimals -= 1;
    }
    // Now 1 ≤ least / power < 10.
    let (times, finer) = match least / power {
        ratio if ratio <= 1.0 => (1.0, 0),
        ratio if ratio <= 2.0 => (2.0, 0),
        ratio if ratio <= 5.0 => (5.0, 0),
        _ => (10.0, -1),
    };
    (times * power, power, (decimals + finer).max(0) as usize)
}

/// A number as 1.5e6, with digits down to a power of ten.
fn scientific(x: f64, power: f64) -> String {
    if x == 0.0 {
        return "0".into();
    }
    let (mut digits, mut rest) = (0, x.abs());
    // A hair less: powers are made by divisions.
    while rest >= 9.999_999 * power.max(f64::MIN_POSITIVE) && digits < 9 {
        rest /= 10.0;
        digits += 1;
    }
    let text = format!("{x:.digits$e}");
    match text.split_once('e') {
        Some((mantissa, power)) if mantissa.contains('.') => {
            format!("{}e{power}", mantissa.trim_end_matches('0').trim_end_matches('.'))
        }
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64) -> Vec<String> {
        ticks(Span { low, high }, 6).into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(labels(0.0, 2.0), ["0.0", "0.5", "1.0", "1.5", "2.0"]);
        assert_eq!(labels(-0.03, 0.03), ["-0.03", "-0.02", "-0.01", "0.00", "0.01", "0.02", "0.03"]);
        assert_eq!(labels(90.0, 410.0), ["100", "200", "300", "400"]);
        assert_eq!(labels(0.0, 3.1e6), ["0", "1e6", "2e6", "3e6"]);
        assert_eq!(labels(0.0, 2.5e-5), ["0", "5e-6", "1e-5", "1.5e-5", "2e-5", "2.5e-5"]);
    }

    #[test]
    fn what_is_still_has_a_span_too() {
        assert_eq!(Span::of([0.0, 0.0].into_iter(), true), Span { low: -0.5, high: 0.5 });
        assert_eq!(Span::of([4.0, f64::NAN].into_iter(), true), Span { low: 2.0, high: 6.0 });
        assert_eq!(Span::of(std::iter::empty(), true), Span { low: 0.0, high: 1.0 });
    }

    #[test]
    fn gaps_part_a_curve() {
        let points =
            [(0.0, Some(1.0)), (1.0, None), (2.0, Some(f64::NAN)), (3.0, Some(2.0)), (4.0, Some(3.0))];
        let parts: Vec<usize> = stretches(&points).iter().map(Vec::len).collect();
        assert_eq!(parts, [1, 2]);
    }
}
