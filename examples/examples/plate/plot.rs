//! Pictures of a curve and of fields.

use kernel_rt::Array2;
use std::fmt::Write;
use std::fs::File;
use std::io::{self, BufWriter};
use std::ops::Range;
use std::path::Path;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const MARGIN: f64 = 60.0;

/// Writes a curve over iterations on a logarithmic scale, as SVG.
pub(crate) fn curve(path: &Path, title: &str, values: &[f64]) -> io::Result<()> {
    let decade = |value: f64| value.max(f64::MIN_POSITIVE).log10();
    let low = values.iter().copied().map(decade).fold(f64::INFINITY, f64::min).floor();
    let high = values.iter().copied().map(decade).fold(f64::NEG_INFINITY, f64::max).ceil().max(low + 1.0);
    let x = |at: usize| MARGIN + (WIDTH - 2.0 * MARGIN) * at as f64 / values.len().saturating_sub(1).max(1) as f64;
    let y = |decade: f64| HEIGHT - MARGIN - (HEIGHT - 2.0 * MARGIN) * (decade - low) / (high - low);

    let mut lines = String::new();
    for decade in low as i32..=high as i32 {
        let y = y(decade.into());
        lines += &format!(
            "<line x1=\"{MARGIN}\" y1=\"{y}\" x2=\"{}\" y2=\"{y}\" stroke=\"#ddd\"/>\
             <text x=\"{}\" y=\"{}\" text-anchor=\"end\">1e{decade}</text>\n",
            WIDTH - MARGIN,
            MARGIN - 8.0,
            y + 4.0
        );
    }
    let mut points = String::new();
    for (at, value) in values.iter().enumerate() {
        // Writing to a string does not fail.
        let _ = write!(points, "{:.1},{:.1} ", x(at), y(decade(*value)));
    }
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
         <text x=\"{MARGIN}\" y=\"{}\" font-size=\"14\">{title}</text>\n{lines}\
         <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">iteration 0 to {}</text>\n\
         <polyline points=\"{}\" fill=\"none\" stroke=\"#1f6fb4\" stroke-width=\"2\"/>\n</svg>\n",
        MARGIN / 2.0,
        WIDTH / 2.0,
        HEIGHT - MARGIN / 3.0,
        values.len().saturating_sub(1),
        points.trim_end()
    );
    std::fs::write(path, svg)
}

/// Writes two fields of one size side by side, in colours from the low to the high end of `range`, as PNG.
pub(crate) fn field(
    path: &Path,
    [left, right]: &[Array2<f64>; 2],
    range: Range<f64>,
) -> Result<(), png::EncodingError> {
    /// Between the fields, in cells.
    const GAP: usize = 8;
    let [rows, columns] = left.shape();
    let mut pixels = Vec::new();
    for i in 0..rows {
        let colors = |field: &Array2<f64>| -> Vec<u8> {
            (0..columns).flat_map(|j| color((field[[i, j]] - range.start) / (range.end - range.start))).collect()
        };
        pixels.extend(colors(left));
        pixels.extend([255; 3 * GAP]);
        pixels.extend(colors(right));
    }
    let size = |cells: usize| u32::try_from(cells).unwrap_or(u32::MAX);
    let mut encoder = png::Encoder::new(BufWriter::new(File::create(path)?), size(2 * columns + GAP), size(rows));
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(&pixels)
}

/// From dark blue over green to yellow.
fn color(value: f64) -> [u8; 3] {
    const STOPS: [[f64; 3]; 4] = [[45.0, 15.0, 90.0], [40.0, 90.0, 140.0], [50.0, 175.0, 120.0], [250.0, 230.0, 60.0]];
    let at = value.clamp(0.0, 1.0) * (STOPS.len() - 1) as f64;
    let from = (at as usize).min(STOPS.len() - 2);
    let part = at - from as f64;
    std::array::from_fn(|channel| (STOPS[from][channel] * (1.0 - part) + STOPS[from + 1][channel] * part) as u8)
}
