//! How much work goes into a picture.

use std::fmt;
use std::str::FromStr;

/// How much work goes into a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quality {
    /// Drawn, not traced: balls and objects with shadows, in a fraction of a second.
    Preview,
    /// Traced with few samples, and smoothed: a second or two.
    #[default]
    Draft,
    /// 8 samples a pixel, 32 where they disagree, a little smoothed.
    Good,
    /// 256 samples a pixel.
    Fine,
    /// So many samples a pixel.
    Samples(u32),
}

/// The most samples of a pixel: there is nothing to gain beyond.
const MOST_SAMPLES: u32 = 1 << 16;

/// Text that names no quality.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseQualityError(pub String);

impl fmt::Display for ParseQualityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is no quality; write preview, draft, good, fine or a number of samples a pixel",
            self.0
        )
    }
}

impl std::error::Error for ParseQualityError {}

impl FromStr for Quality {
    type Err = ParseQualityError;

    fn from_str(text: &str) -> Result<Self, ParseQualityError> {
        match text {
            "preview" => Ok(Quality::Preview),
            "draft" => Ok(Quality::Draft),
            "good" => Ok(Quality::Good),
            "fine" => Ok(Quality::Fine),
            number => match number.parse() {
                Ok(n) if (1..=MOST_SAMPLES).contains(&n) => Ok(Quality::Samples(n)),
                _ => Err(ParseQualityError(text.into())),
            },
        }
    }
}

impl fmt::Display for Quality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Quality::Preview => f.write_str("preview"),
            Quality::Draft => f.write_str("draft"),
            Quality::Good => f.write_str("good"),
            Quality::Fine => f.write_str("fine"),
            Quality::Samples(n) => write!(f, "{n}"),
        }
    }
}

/// What a quality means to the tracer: how many paths of light are followed. How far is the same for all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// Samples of every pixel.
    pub samples: u32,
    /// Samples of a pixel whose neighbourhood is not even, at most.
    pub max_samples: u32,
    /// Passes of the denoiser, each of twice the width of the one before.
    pub denoiser_passes: u32,
}

impl Quality {
    /// What it means to the tracer.
    pub fn effort(self) -> Effort {
        let effort = |samples, max_samples, denoiser_passes| Effort { samples, max_samples, denoiser_passes };
        match self {
            Quality::Preview | Quality::Draft => effort(1, 4, 4),
            Quality::Good => effort(8, 32, 3),
            Quality::Fine => effort(256, 256, 3),
            Quality::Samples(n) => {
                let n = n.clamp(1, MOST_SAMPLES);
                effort(n, n, if n < 8 { 4 } else { 3 })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn qualities_are_written_as_they_are_read() {
        for quality in [Quality::Preview, Quality::Draft, Quality::Good, Quality::Fine, Quality::Samples(7)] {
            assert_eq!(quality.to_string().parse(), Ok(quality));
        }
        for bad in ["", "best", "0", "-3", "1e9", "99999999"] {
            assert_eq!(bad.parse::<Quality>(), Err(ParseQualityError(bad.into())));
        }
    }
}
