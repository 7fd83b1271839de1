//! A picture that gets better pass by pass.

use super::eye::Eye;
use super::film::{Film, SURE};
use super::filter;
use super::lamps::Panel;
use super::path::Tracer;
use super::quality::Effort;
use super::sky::Sky;
use super::spare::Spare;
use super::stage::Stage;
use super::tank::Tank;
use super::tone;
use crate::Picture;
use rayon::prelude::*;

/// A picture in the making. After each pass it can be looked at; passes continue one sequence of samples, so that many
/// passes give the picture that one long one would have given.
#[derive(Clone, Debug)]
pub struct Progressive {
    stage: Stage,
    tanks: Vec<Tank>,
    sky: Sky,
    lamps: Vec<Panel>,
    eye: Eye,
    exposure: f32,
    effort: Effort,
    film: Film,
    spare: Spare,
    done: u32,
}

impl Progressive {
    pub(super) fn new(
        (stage, tanks): (Stage, Vec<Tank>),
        sky: Sky,
        lamps: Vec<Panel>,
        eye: Eye,
        exposure: f32,
        effort: Effort,
        spare: Spare,
    ) -> Self {
        let film = Film::new(eye.size(), &spare);
        Self { stage, tanks, sky, lamps, eye, exposure, effort, film, spare, done: 0 }
    }

    /// Samples taken so far of each pixel that needed them.
    pub fn samples(&self) -> u32 {
        self.done
    }

    /// Samples that are wanted of each pixel that needs them.
    pub fn wanted(&self) -> u32 {
        self.effort.most
    }

    /// Takes one more pass, as many samples as were taken before but not more than 16. Whether there is more to do.
    pub fn refine(&mut self) -> bool {
        let Effort { samples, most, .. } = self.effort;
        if self.done >= most {
            return false;
        }
        // The first passes are of every pixel, the rest of those that need it.
        let whole = self.done < samples;
        let next = self.done + self.done.clamp(1, 16);
        let next = next.min(if whole { samples } else { most });
        let chosen = (!whole).then(|| self.film.uneven(self.done));
        let tracer = Tracer { stage: &self.stage, sky: &self.sky, lamps: &self.lamps, tanks: &self.tanks };
        self.film.expose(&tracer, &self.eye, self.done..next, chosen.as_deref());
        self.done = next;
        self.done < most
    }

    /// The picture as it is now.
    pub fn picture(&self) -> Picture {
        let (width, height) = self.eye.size();
        let sure = self.done >= SURE;
        let light = filter::smoothed(&self.film, &self.eye, self.effort.rounds, sure, &self.spare);
        let shown: Vec<_> =
            light.into_par_iter().map(|light| tone::developed(light, self.exposure)).collect();
        Picture::average(&shown, (width as u32, height as u32), 1)
    }
}

impl Drop for Progressive {
    fn drop(&mut self) {
        self.spare.keep_pixels(std::mem::take(&mut self.film.pixels));
    }
}
