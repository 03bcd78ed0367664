//! Pictures and plots without text, written as PNG.
//!
//! A picture has its origin at the upper left corner, and a pixel is one unit wide. The guide says what axes mean.

use kernel_rt::prelude::*;
use std::collections::BTreeSet;
use std::error::Error;
use std::ops::Range;

/// Red, green and blue in sRGB, each from 0 to 1.
pub type Color = Vec3;

/// A colour by its hexadecimal digits, as in a style sheet.
pub const fn rgb(hex: u32) -> Color {
    let [_, red, green, blue] = hex.to_be_bytes();
    Vec3::new(red as f32 / 255.0, green as f32 / 255.0, blue as f32 / 255.0)
}

/// The background of pictures.
pub const PAPER: Color = rgb(0xffffff);
/// Axes and outlines.
pub const INK: Color = rgb(0x22303c);
/// Lines of a grid.
pub const FAINT: Color = rgb(0xdde3e8);
/// Colours of curves.
pub const CURVES: [Color; 4] = [rgb(0x1f6fb4), rgb(0xe07b39), rgb(0x2a9d78), rgb(0xb2417a)];
/// From dark to bright, for fields that are not negative.
pub const GLOW: [Color; 6] = [rgb(0x0b0724), rgb(0x43125f), rgb(0x94295b), rgb(0xd95a3a), rgb(0xf7a430), rgb(0xfcf3b5)];
/// From deep to shallow water.
pub const WATER: [Color; 4] = [rgb(0x14407a), rgb(0x2180bd), rgb(0x62c3d4), rgb(0xf3fbf4)];
/// From negative over zero to positive.
pub const SIGNED: [Color; 5] = [rgb(0x15437e), rgb(0x5fa2ce), rgb(0xf7f5f2), rgb(0xe58a5f), rgb(0x8c1c2f)];

/// The colour at `t` on a ramp of colours, which lie evenly between 0 and 1.
pub fn ramp(colors: &[Color], t: f64) -> Color {
    let place = t.clamp(0.0, 1.0) * (colors.len() - 1) as f64;
    let below = (place as usize).min(colors.len() - 2);
    colors[below].lerp(colors[below + 1], (place - below as f64) as f32)
}

/// An image in memory.
#[derive(Clone, Debug)]
pub struct Picture {
    width: usize,
    height: usize,
    pixels: Vec<Color>,
}

impl Picture {
    /// A picture of one colour.
    pub fn new(width: usize, height: usize, color: Color) -> Picture {
        Picture { width, height, pixels: vec![color; width * height] }
    }

    /// The picture whose pixel in column `x` and row `y` is `color(x, y)`.
    pub fn from_fn(width: usize, height: usize, color: impl Fn(usize, usize) -> Color) -> Picture {
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| color(x, y)).collect();
        Picture { width, height, pixels }
    }

    /// Columns and rows.
    pub fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// The colour in column `x` and row `y`, which are inside the picture.
    pub fn pixel(&self, x: usize, y: usize) -> Color {
        self.pixels[y * self.width + x]
    }

    /// Sets a pixel; outside of the picture nothing happens.
    pub fn set(&mut self, x: usize, y: usize, color: Color) {
        if x < self.width && y < self.height {
            self.pixels[y * self.width + x] = color;
        }
    }

    /// Draws the shape with this signed distance, with smooth edges, on the pixels between two corners.
    fn fill(&mut self, from: DVec2, to: DVec2, color: Color, distance: impl Fn(DVec2) -> f64) {
        let columns = from.x.max(0.0) as usize..(to.x.max(0.0) as usize + 1).min(self.width);
        let rows = from.y.max(0.0) as usize..(to.y.max(0.0) as usize + 1).min(self.height);
        for (x, y) in rows.flat_map(|y| columns.clone().map(move |x| (x, y))) {
            let coverage = 0.5 - distance(DVec2::new(x as f64 + 0.5, y as f64 + 0.5));
            let pixel = &mut self.pixels[y * self.width + x];
            *pixel = pixel.lerp(color, coverage.clamp(0.0, 1.0) as f32);
        }
    }

    /// Draws a disc.
    pub fn disc(&mut self, center: DVec2, radius: f64, color: Color) {
        let reach = DVec2::splat(radius + 1.0);
        self.fill(center - reach, center + reach, color, |p| p.distance(center) - radius);
    }

    /// Draws a line with round ends.
    pub fn line(&mut self, a: DVec2, b: DVec2, width: f64, color: Color) {
        let reach = DVec2::splat(0.5 * width + 1.0);
        let along = (b - a) / (b - a).length_squared().max(1e-12);
        self.fill(a.min(b) - reach, a.max(b) + reach, color, |p| {
            (p - a - (b - a) * (p - a).dot(along).clamp(0.0, 1.0)).length() - 0.5 * width
        });
    }

    /// Draws lines from point to point.
    pub fn curve(&mut self, points: &[DVec2], width: f64, color: Color) {
        for ends in points.windows(2) {
            self.line(ends[0], ends[1], width, color);
        }
    }

    /// Each pixel as a square of `factor` pixels by `factor`.
    #[must_use]
    pub fn enlarged(&self, factor: usize) -> Picture {
        Picture::from_fn(factor * self.width, factor * self.height, |x, y| self.pixel(x / factor, y / factor))
    }

    /// Means over squares of `factor` pixels by `factor`.
    #[must_use]
    pub fn reduced(&self, factor: usize) -> Picture {
        Picture::from_fn(self.width / factor, self.height / factor, |x, y| {
            let square = (0..factor).flat_map(|dy| (0..factor).map(move |dx| (dx, dy)));
            let sum: Color = square.map(|(dx, dy)| self.pixel(factor * x + dx, factor * y + dy)).sum();
            sum / (factor * factor) as f32
        })
    }

    /// Pictures from left to right, with gaps.
    pub fn beside(pictures: &[Picture]) -> Picture {
        const GAP: usize = 8;
        let height = pictures.iter().map(|picture| picture.height).max().unwrap_or(0);
        let width = pictures.iter().map(|picture| picture.width + GAP).sum::<usize>().saturating_sub(GAP);
        let mut all = Picture::new(width, height, PAPER);
        let mut left = 0;
        for picture in pictures {
            all.put(left, 0, picture);
            left += picture.width + GAP;
        }
        all
    }

    /// Pictures one below the other.
    pub fn above(pictures: &[Picture]) -> Picture {
        let width = pictures.iter().map(|picture| picture.width).max().unwrap_or(0);
        let mut all = Picture::new(width, pictures.iter().map(|picture| picture.height).sum(), PAPER);
        let mut top = 0;
        for picture in pictures {
            all.put(0, top, picture);
            top += picture.height;
        }
        all
    }

    fn put(&mut self, left: usize, top: usize, picture: &Picture) {
        for (x, y) in (0..picture.height).flat_map(|y| (0..picture.width).map(move |x| (x, y))) {
            self.set(left + x, top + y, picture.pixel(x, y));
        }
    }

    /// The picture as a PNG file, with a palette if 256 colours suffice.
    ///
    /// # Errors
    /// The picture has no pixels.
    pub fn to_png(&self) -> Result<Vec<u8>, Box<dyn Error>> {
        let bytes: Vec<[u8; 3]> = self.pixels.iter().map(|pixel| pixel.to_array().map(to_byte)).collect();
        let palette: Vec<[u8; 3]> = bytes.iter().copied().collect::<BTreeSet<_>>().into_iter().collect();
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, u32::try_from(self.width)?, u32::try_from(self.height)?);
        encoder.set_compression(png::Compression::High);
        if palette.len() > 256 {
            encoder.set_color(png::ColorType::Rgb);
            encoder.write_header()?.write_image_data(bytes.as_flattened())?;
        } else {
            encoder.set_color(png::ColorType::Indexed);
            encoder.set_filter(png::Filter::NoFilter);
            let indices: Vec<u8> =
                bytes.iter().filter_map(|color| palette.binary_search(color).ok()?.try_into().ok()).collect();
            encoder.set_palette(palette.into_flattened());
            encoder.write_header()?.write_image_data(&indices)?;
        }
        Ok(file)
    }
}

/// One of 48 levels: the file of a smooth picture takes less than half the bytes, and nobody sees a difference.
fn to_byte(channel: f32) -> u8 {
    (255.0 * (47.0 * channel.clamp(0.0, 1.0)).round() / 47.0).round() as u8
}

/// A plot over a part of the plane: a picture with a grid, and the map from numbers to pixels.
#[derive(Clone, Debug)]
pub struct Plot {
    picture: Picture,
    x: Range<f64>,
    y: Range<f64>,
}

impl Plot {
    const MARGIN: f64 = 10.0;

    /// An empty plot of these ranges, with lines of a grid at the multiples of `grid`.
    pub fn new(width: usize, height: usize, x: Range<f64>, y: Range<f64>, grid: DVec2) -> Plot {
        let mut plot = Plot { picture: Picture::new(width, height, PAPER), x: x.clone(), y: y.clone() };
        let multiples = |range: &Range<f64>, step: f64| {
            let last = (range.end / step + 1e-9).floor() as i32;
            ((range.start / step - 1e-9).ceil() as i32..=last).map(move |k| f64::from(k) * step)
        };
        let verticals = multiples(&x, grid.x).map(|at| [DVec2::new(at, y.start), DVec2::new(at, y.end)]);
        let horizontals = multiples(&y, grid.y).map(|at| [DVec2::new(x.start, at), DVec2::new(x.end, at)]);
        for line in verticals.chain(horizontals).collect::<Vec<_>>() {
            let is_axis = line[0].x == 0.0 && line[1].x == 0.0 || line[0].y == 0.0 && line[1].y == 0.0;
            plot.curve(line, 1.0, if is_axis { INK.lerp(FAINT, 0.5) } else { FAINT });
        }
        plot
    }

    /// The pixel of a point.
    pub fn at(&self, point: DVec2) -> DVec2 {
        let (width, height) = self.picture.size();
        let part = (point - DVec2::new(self.x.start, self.y.start))
            / DVec2::new(self.x.end - self.x.start, self.y.end - self.y.start);
        let size = DVec2::new(width as f64, height as f64) - DVec2::splat(2.0 * Plot::MARGIN);
        DVec2::splat(Plot::MARGIN) + DVec2::new(part.x, 1.0 - part.y) * size
    }

    /// Draws lines from point to point.
    pub fn curve(&mut self, points: impl IntoIterator<Item = DVec2>, width: f64, color: Color) {
        let points: Vec<DVec2> = points.into_iter().map(|point| self.at(point)).collect();
        self.picture.curve(&points, width, color);
    }

    /// Draws a dot, with `radius` in pixels.
    pub fn dot(&mut self, point: DVec2, radius: f64, color: Color) {
        let center = self.at(point);
        self.picture.disc(center, radius, color);
    }

    /// The plot as a picture.
    pub fn into_picture(self) -> Picture {
        self.picture
    }
}
