//! Kernels of tiles: a [source](sources) of a tile, [changes] of it, and [what becomes](sinks) of the result.

mod changes;
mod sinks;
mod sources;

use super::builder::{Builder, Scope};
use super::text::{self, Text};
use crate::synth::families::Family;
use crate::synth::generator::{Axis, Term};
use crate::synth::rng::Rng;
use crate::synth::samples;
use kernel_ir::ir::{Expr, ParamId, ParamKind, Type};

/// The longest closure that the doc comment repeats.
const SHORT: usize = 48;
/// The number of closures that are drawn until one is a lone expression.
const TRIES: usize = 8;
/// The largest magnitude of elements that are multiplied or raised as they are.
const MODERATE: f64 = 6.0;

/// A tile: `rows` is 1 for a row.
#[derive(Clone, Debug)]
struct Tile {
    name: String,
    rows: u32,
    columns: u32,
    low: f64,
    high: f64,
}

impl Tile {
    pub(super) fn size(&self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    pub(super) fn is_row(&self) -> bool {
        self.rows == 1
    }
}

/// Where the first tile comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// Rows of the block.
    Load,
    /// Two arrays, element by element.
    Both,
    /// A product with a matrix of weights.
    Projection,
    /// A product over tiles along the inner extent, which may be any number.
    Product,
    /// Shifted tiles around the block's own.
    Stencil,
    /// Squared distances or products between rows.
    Pairs,
    /// A column and a row.
    Outer,
    /// A sum of shifted rows with weights.
    Convolution,
}

/// What is done with a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    /// A function of each element.
    Map,
    /// A row that is added to every row.
    Bias,
    /// A row or column that scales.
    Gain,
    /// exp(x − max) / ∑ exp(x − max), along rows.
    Softmax,
    /// (x − mean) / √(variance + ε), along rows.
    Normalize,
    /// x / √(mean of x² + ε), along rows.
    RootMeanSquare,
    /// The mean of rows or columns, subtracted.
    Center,
    /// Elements by their place.
    Mask,
    /// Rows become columns.
    Transpose,
    /// A product with another matrix.
    Layer,
    /// The sums up to each element of a row.
    Running,
    /// Groups of a row as the rows of a tile, changed one by one.
    Groups,
}

const SOURCES: [(usize, Source); 8] = [
    (5, Source::Load),
    (4, Source::Both),
    (5, Source::Projection),
    (4, Source::Product),
    (2, Source::Stencil),
    (3, Source::Pairs),
    (2, Source::Outer),
    (2, Source::Convolution),
];

const CHANGES: [(usize, Change); 12] = [
    (6, Change::Map),
    (3, Change::Bias),
    (3, Change::Gain),
    (3, Change::Softmax),
    (2, Change::Normalize),
    (2, Change::RootMeanSquare),
    (2, Change::Center),
    (3, Change::Mask),
    (1, Change::Transpose),
    (2, Change::Layer),
    (3, Change::Running),
    (2, Change::Groups),
];

/// The numbers of threads of a block.
const THREADS: [(usize, u32); 5] = [(1, 16), (5, 32), (5, 64), (1, 96), (2, 128)];

/// The tiles of a kernel under construction.
struct Tiles {
    builder: Builder,
    number: Type,
    /// Sentences about the tile that is declared next.
    told: Vec<String>,
    /// The arguments of closures.
    arguments: [(ParamId, String); 2],
    /// The row and the column in closures.
    location: [(ParamId, String); 2],
    /// Whether a result has been stored.
    is_stored: bool,
}

/// Draws a kernel of tiles.
pub(super) fn drawn(family: &Family, mut rng: Rng, difficulty: usize) -> Option<Text> {
    let threads = rng.weighted(&THREADS);
    let mut builder = Builder::new(family, rng, threads, difficulty);
    let number = builder.generator.number();
    let mut argument = |wishes: &[&str], ty| {
        let name = builder.name(wishes);
        (builder.variable(&name, ParamKind::Value(ty)), name)
    };
    let arguments = [argument(&["v", "e", "u"], number), argument(&["w", "other", "q"], number)];
    let location = [argument(&["i", "row"], Type::INDEX), argument(&["j", "column"], Type::INDEX)];
    let mut tiles = Tiles { builder, number, told: Vec::new(), arguments, location, is_stored: false };
    let source = tiles.builder.generator.rng.weighted(&SOURCES);
    let mut tile = tiles.source(source)?;
    let changes = [0, 1, 2, 2, 3][difficulty - 1];
    for _ in 0..changes {
        let change = tiles.builder.generator.rng.weighted(&CHANGES);
        if let Some(changed) = tiles.change(change, &tile) {
            tile = changed;
        }
    }
    tiles.sink(&tile)?;
    tiles.builder.finish(&format!("let block = block::<{threads}>();"))
}

impl Tiles {
    pub(super) fn below(&mut self, count: usize) -> usize {
        self.builder.generator.rng.below(count)
    }

    pub(super) fn percent(&mut self, cases: usize) -> bool {
        self.builder.generator.rng.percent(cases)
    }

    pub(super) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        self.builder.generator.rng.pick(choices)
    }

    pub(super) fn name(&mut self, wishes: &[&str]) -> String {
        self.builder.name(wishes)
    }

    /// Adds a sentence about the tile that is declared next.
    pub(super) fn tell(&mut self, text: String) {
        self.told.push(text);
    }

    /// Declares `let name = value;` and returns the tile.
    pub(super) fn tile(
        &mut self,
        wishes: &[&str],
        value: &str,
        (rows, columns): (u32, u32),
        (low, high): (f64, f64),
    ) -> Tile {
        let name = self.name(wishes);
        self.builder.declare(&name, vec![format!("let {name} = {value};")]);
        self.told.drain(..).for_each(|told| self.builder.tell(told));
        Tile { name, rows, columns, low, high }
    }

    /// A new input array over `axes`, and its range.
    pub(super) fn input(&mut self, axes: Vec<Axis>) -> (String, (f64, f64)) {
        let array = self.builder.generator.array_input(self.number, axes);
        // Its elements come in tiles only.
        self.builder.generator.arrays.retain(|known| known.id != array.id);
        (self.builder.generator.kernel.param(array.id).name.clone(), array.range)
    }

    /// The array in the place of weights: numbers from -1 to 1.
    pub(super) fn weights(&mut self, axes: Vec<Axis>) -> String {
        let wishes = ["weights", "kernel_matrix", "basis_rows", "mixing", "projection", "filters", "loadings"];
        self.builder.matrix(&wishes, self.number, axes)
    }

    /// A random number of rows and columns.
    pub(super) fn shape(&mut self) -> (u32, u32) {
        (self.pick(&[4, 4, 8, 8, 16]), self.pick(&[4, 5, 6, 8, 8, 10, 12, 16]))
    }

    /// Loads the rows of the block from a new input.
    pub(super) fn load(&mut self, (rows, columns): (u32, u32)) -> Tile {
        let wishes = ["mine", "batch", "rows_here", "samples_here", "patch", "sheet"];
        if rows == 1 {
            let flat = self.percent(40);
            let axes = if flat { vec![Axis::OfBlocks(columns)] } else { vec![Axis::Launch(0), Axis::Fixed(columns)] };
            let (name, range) = self.input(axes);
            let at = if flat { "block.index" } else { "[block.index, 0]" };
            return self.tile(&wishes, &format!("{name}.load_row::<{columns}>({at})"), (1, columns), range);
        }
        let (name, range) = self.input(vec![Axis::OfBlocks(rows), Axis::Fixed(columns)]);
        let value = format!("{name}.load_tile::<{rows}, {columns}>([block.index, 0])");
        self.tile(&wishes, &value, (rows, columns), range)
    }

    /// A function of one or two elements, as a lone expression, with its range. It reads variables of the block, too.
    pub(super) fn function(
        &mut self,
        ranges: &[(f64, f64)],
        range: Option<(f64, f64)>,
    ) -> Option<(String, (f64, f64))> {
        if self.percent(30) && self.builder.generator.inputs_left > 0 {
            let term = self.builder.generator.value_input(self.number);
            self.builder.offer(term);
        }
        for _ in 0..TRIES {
            let mut nearby = Vec::new();
            for (number, (low, high)) in ranges.iter().enumerate() {
                let (id, _) = self.arguments[number];
                let drawn = samples::draw(&mut self.builder.generator.rng, self.number, *low, *high);
                nearby.push(Term::new(Expr::param(id, self.number), drawn));
            }
            let Some((code, found)) = self.builder.part(Scope::Element, self.number, range, 0, nearby) else {
                continue;
            };
            let lines = [code.value.clone()];
            let is_read = |(_, name): &(ParamId, String)| text::mentions(&lines, name) > 0;
            if code.lines.is_empty() && self.arguments[..ranges.len()].iter().all(is_read) {
                return Some((code.value, found));
            }
        }
        None
    }

    /// `t.map(|v| …)`.
    pub(super) fn map(&mut self, tile: &Tile, range: Option<(f64, f64)>, wishes: &[&str]) -> Option<Tile> {
        let (value, range) = self.function(&[(tile.low, tile.high)], range)?;
        let v = self.arguments[0].1.clone();
        if value.len() <= SHORT {
            self.tell(format!("maps each {} of {} to {}", code(&v), code(&tile.name), code(&value)));
        } else {
            self.tell(format!("applies a function to each element of {}", code(&tile.name)));
        }
        let text = format!("{}.map(|{v}| {value})", tile.name);
        Some(self.tile(wishes, &text, (tile.rows, tile.columns), range))
    }

    /// The tile, or a function of it in a moderate range.
    pub(super) fn tamed(&mut self, tile: Tile) -> Option<Tile> {
        if tile.size() <= MODERATE {
            return Some(tile);
        }
        if self.percent(40) {
            let factor = short(0.5 * MODERATE / tile.size());
            let range = (tile.low * factor, tile.high * factor);
            self.tell(format!("scales {} by {factor}", code(&tile.name)));
            let text = format!("{} * {factor:?}", tile.name);
            return Some(self.tile(&["scaled", "reduced", "shrunken"], &text, (tile.rows, tile.columns), range));
        }
        self.map(&tile, Some((-3.0, 3.0)), &["tamed", "squashed", "bounded"])
    }
}

/// Code in a sentence.
pub(super) fn code(text: &str) -> String {
    format!("`{}`", text.replace('\n', " "))
}

/// A number with two significant digits.
pub(super) fn short(value: f64) -> f64 {
    format!("{value:.1e}").parse().unwrap_or(value)
}
