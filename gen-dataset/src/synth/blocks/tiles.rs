//! Kernels of tiles: a source of a tile, transformations of it, and what becomes of the result.

use super::super::docgen;
use super::super::families::Family;
use super::super::generator::{Axis, Term};
use super::super::rng::Rng;
use super::super::samples;
use super::builder::{Builder, Scope};
use super::text::{self, Text};
use kernel_ir::ir::{Domain, Expr, ParamId, ParamKind, Type};

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
    fn size(&self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    fn is_row(&self) -> bool {
        self.rows == 1
    }
}

/// Where the first tile comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum From {
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
}

const SOURCES: [(usize, From); 8] = [
    (5, From::Load),
    (4, From::Both),
    (5, From::Projection),
    (4, From::Product),
    (2, From::Stencil),
    (3, From::Pairs),
    (2, From::Outer),
    (2, From::Convolution),
];

const CHANGES: [(usize, Change); 10] = [
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
    fn below(&mut self, count: usize) -> usize {
        self.builder.generator.rng.below(count)
    }

    fn percent(&mut self, cases: usize) -> bool {
        self.builder.generator.rng.percent(cases)
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        self.builder.generator.rng.pick(choices)
    }

    fn name(&mut self, wishes: &[&str]) -> String {
        self.builder.name(wishes)
    }

    /// Adds a sentence about the tile that is declared next.
    fn tell(&mut self, text: String) {
        self.told.push(text);
    }

    /// Declares `let name = value;` and returns the tile.
    fn tile(&mut self, wishes: &[&str], value: &str, (rows, columns): (u32, u32), (low, high): (f64, f64)) -> Tile {
        let name = self.name(wishes);
        self.builder.declare(&name, vec![format!("let {name} = {value};")]);
        self.told.drain(..).for_each(|told| self.builder.tell(told));
        Tile { name, rows, columns, low, high }
    }

    /// A new input array over `axes`, and its range.
    fn input(&mut self, axes: Vec<Axis>) -> (String, (f64, f64)) {
        let array = self.builder.generator.array_input(self.number, axes);
        // Its elements come in tiles only.
        self.builder.generator.arrays.retain(|known| known.id != array.id);
        (self.builder.generator.kernel.param(array.id).name.clone(), array.range)
    }

    /// The array in the place of weights: numbers from -1 to 1.
    fn weights(&mut self, axes: Vec<Axis>) -> String {
        let wishes = ["weights", "kernel_matrix", "basis_rows", "mixing", "projection", "filters", "loadings"];
        self.builder.matrix(&wishes, self.number, axes)
    }

    /// A random number of rows and columns.
    fn shape(&mut self) -> (u32, u32) {
        (self.pick(&[4, 4, 8, 8, 16]), self.pick(&[4, 5, 6, 8, 8, 10, 12, 16]))
    }

    /// Loads the rows of the block from a new input.
    fn load(&mut self, (rows, columns): (u32, u32)) -> Tile {
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
    fn function(&mut self, ranges: &[(f64, f64)], range: Option<(f64, f64)>) -> Option<(String, (f64, f64))> {
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
    fn map(&mut self, tile: &Tile, range: Option<(f64, f64)>, wishes: &[&str]) -> Option<Tile> {
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
    fn tamed(&mut self, tile: Tile) -> Option<Tile> {
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

    fn source(&mut self, from: From) -> Option<Tile> {
        let shape = self.shape();
        match from {
            From::Load => {
                let is_row = self.percent(30);
                let columns = self.pick(&[24, 32, 40, 48, 64]);
                let shape = if is_row { (1, columns) } else { shape };
                let tile = self.load(shape);
                if self.percent(50) { self.map(&tile, None, &["shaped", "raised", "curved"]) } else { self.tamed(tile) }
            }
            From::Both => {
                let is_row = self.percent(40);
                let shape = if is_row { (1, self.pick(&[24, 32, 48, 64])) } else { shape };
                self.both(shape)
            }
            From::Projection => self.projection(shape),
            From::Product => self.product(),
            From::Stencil => self.stencil(),
            From::Pairs => self.pairs(),
            From::Outer => self.outer(shape),
            From::Convolution => self.convolution(),
        }
    }

    /// Two inputs, element by element.
    fn both(&mut self, shape: (u32, u32)) -> Option<Tile> {
        let (a, b) = (self.load(shape), self.load(shape));
        let (value, range) = self.function(&[(a.low, a.high), (b.low, b.high)], None)?;
        let [(_, v), (_, w)] = self.arguments.clone();
        let (first, second) = (code(&a.name), code(&b.name));
        if value.len() <= SHORT {
            self.tell(format!(
                "computes {} for each {} of {first} and {} of {second}",
                code(&value),
                code(&v),
                code(&w)
            ));
        } else {
            self.tell(format!("combines {first} and {second} element by element"));
        }
        let text = format!("{}.zip_map({}, |{v}, {w}| {value})", a.name, b.name);
        Some(self.tile(&["joined", "both", "crossed", "paired"], &text, shape, range))
    }

    fn projection(&mut self, (rows, inner): (u32, u32)) -> Option<Tile> {
        let tile = self.load((rows, inner));
        let tile = self.tamed(tile)?;
        let columns = self.pick(&[4, 4, 6, 8, 8, 10, 12]);
        Some(self.times_weights(&tile, columns))
    }

    /// `t.matmul(weights)`, with weights that all blocks share.
    fn times_weights(&mut self, tile: &Tile, columns: u32) -> Tile {
        let inner = tile.columns;
        let most = f64::from(inner) * tile.size();
        let wishes = ["hidden_rows", "projected_rows", "scores_of_rows", "products", "mixed_rows"];
        let told;
        let value = if self.percent(30) {
            let weights = self.weights(vec![Axis::Fixed(columns), Axis::Fixed(inner)]);
            told = format!("multiplies {} by the transpose of {}", code(&tile.name), docgen::words(&weights));
            format!("{}.matmul({weights}.load_tile::<{columns}, {inner}>([0, 0]).transpose())", tile.name)
        } else {
            let weights = self.weights(vec![Axis::Fixed(inner), Axis::Fixed(columns)]);
            told = format!("multiplies {} by {}", code(&tile.name), docgen::words(&weights));
            format!("{}.matmul({weights}.load_tile::<{inner}, {columns}>([0, 0]))", tile.name)
        };
        self.tell(told);
        self.tile(&wishes, &value, (tile.rows, columns), (-most, most))
    }

    /// A product along an inner extent of any size, in tiles; in two forms.
    fn product(&mut self) -> Option<Tile> {
        let (rows, step, columns) = (self.pick(&[4, 8, 8]), self.pick(&[4, 8, 8]), self.pick(&[4, 8, 8]));
        let inner = self.builder.generator.rng.int(i64::from(step), 3 * i64::from(step)) as u32;
        let left = self.builder.matrix(
            &["a", "left", "inputs", "lhs_matrix"],
            self.number,
            vec![Axis::OfBlocks(rows), Axis::Fixed(inner)],
        );
        let is_transposed = self.percent(30);
        let axes = [Axis::Fixed(inner), Axis::Fixed(columns)];
        let axes = if is_transposed { vec![axes[1], axes[0]] } else { axes.to_vec() };
        let right = self.builder.matrix(&["b", "right", "basis_of_columns", "rhs_matrix"], self.number, axes);
        let (sums, k) =
            (self.name(&["sums", "accumulated_tile", "entries"]), self.name(&["k", "step_of_product", "s"]));
        let ty = self.number.rust_name();
        let load = format!("{left}.load_tile_or::<{rows}, {step}>([block.index, {k}], 0.0)");
        let other = match is_transposed {
            true => format!("{right}.load_tile_or::<{columns}, {step}>([0, {k}], 0.0).transpose()"),
            false => format!("{right}.load_tile_or::<{step}, {columns}>([{k}, 0], 0.0)"),
        };
        let add = format!("{sums} += {load}.matmul({other});");
        let add = match add.len() < 96 {
            true => vec![add],
            false => {
                let (part, rest) =
                    (self.name(&["part", "left_tile", "panel"]), self.name(&["rest", "right_tile", "slab"]));
                vec![
                    format!("let {part} = {load};"),
                    format!("let {rest} = {other};"),
                    format!("{sums} += {part}.matmul({rest});"),
                ]
            }
        };
        let mut lines = vec![format!("let mut {sums} = Tile::<{ty}, {rows}, {columns}>::zeros();")];
        if self.percent(50) {
            lines.extend(text::braces(&format!("for {k} in 0..{}", inner.div_ceil(step)), add, ""));
        } else {
            lines.push(format!("let mut {k} = 0;"));
            let mut body = add;
            body.push(format!("{k} += 1;"));
            lines.extend(text::braces(&format!("while {k} * {step} < {left}.shape()[1]"), body, ""));
        }
        self.builder.declare(&sums, lines);
        let transposed = if is_transposed { "the transpose of " } else { "" };
        self.builder.tell(format!(
            "multiplies {rows} rows of {} by {transposed}{} in tiles of {step} along the inner extent, padded with zeros",
            docgen::words(&left),
            docgen::words(&right)
        ));
        let most = f64::from(inner);
        Some(Tile { name: sums, rows, columns, low: -most, high: most })
    }

    /// Shifted tiles with a border of one element.
    fn stencil(&mut self) -> Option<Tile> {
        let (rows, columns) = (self.pick(&[4, 8]), self.pick(&[6, 8, 8]));
        let border = Axis::Fixed(columns + 2);
        let (name, (low, high)) = self.input(vec![Axis::OfBlocks(rows), border]);
        // One row above and below the rows of all blocks.
        let id = self.builder.generator.kernel.param_ids().find(|(_, param)| param.name == name).map(|(id, _)| id)?;
        self.builder.widen(id, 2);
        let start = self.name(&["top", "first", "origin_row"]);
        let at = |row: &str, column: u32| format!("{name}.load_tile_at::<{rows}, {columns}>([{row}, {column}])");
        let (middle, next) = (format!("{start} + 1"), format!("{start} + 2"));
        let names =
            [["here", "center_tile"], ["above", "north"], ["below", "south"], ["left", "west"], ["right", "east"]];
        let texts = [at(&middle, 1), at(&start, 1), at(&next, 1), at(&middle, 0), at(&middle, 2)];
        self.builder.push(vec![format!("let {start} = block.index * {rows};")]);
        let tiles: Vec<Tile> = names
            .iter()
            .zip(texts)
            .map(|(names, text)| self.tile(names, &text, (rows, columns), (low, high)))
            .collect();
        let [here, above, below, left, right] = &tiles[..] else { return None };
        let around = format!("{} + {} + {} + {}", above.name, below.name, left.name, right.name);
        let rate = self.pick(&["0.25", "0.1", "0.2", "0.15"]);
        let (value, range, told) = match self.below(3) {
            0 => (
                format!("{0} + ({around} - {0} * 4.0) * {rate}", here.name),
                (low - (high - low), high + (high - low)),
                format!("takes a step of diffusion at a rate of {rate}"),
            ),
            1 => (format!("({around}) * 0.25"), (low, high), "averages the four neighbours of each element".to_owned()),
            _ => (
                format!("{around} - {} * 4.0", here.name),
                (4.0 * (low - high), 4.0 * (high - low)),
                "takes the Laplacian".to_owned(),
            ),
        };
        self.tell(format!("{told} of {rows} rows of {}, with those around them", docgen::words(&name)));
        let tile = self.tile(&["stepped", "spread_out", "stencil_value"], &value, (rows, columns), range);
        self.tamed(tile)
    }

    /// Squared distances or scaled products between the rows of the block and rows that all blocks share.
    fn pairs(&mut self) -> Option<Tile> {
        let (rows, inner, count) = (self.pick(&[4, 8, 8]), self.pick(&[3, 4, 5, 6, 8]), self.pick(&[6, 8, 10, 12]));
        let tile = self.load((rows, inner));
        let mine = self.tamed(tile)?;
        let others = self.weights(vec![Axis::Fixed(count), Axis::Fixed(inner)]);
        let (m, words) = (mine.name.clone(), docgen::words(&others));
        let value = format!("{others}.load_tile::<{count}, {inner}>([0, 0])");
        let other =
            self.tile(&["centres", "keys", "references", "anchors_of_all"], &value, (count, inner), (-1.0, 1.0));
        let o = other.name;
        if self.percent(50) {
            let (a, b) = (self.name(&["of_mine", "own_squares"]), self.name(&["of_others", "other_squares"]));
            self.builder.declare(&a, vec![format!("let {a} = ({m} * {m}).row_sums();")]);
            self.builder.declare(&b, vec![format!("let {b} = ({o} * {o}).row_sums().transpose();")]);
            self.tell(format!("computes the squared distances of {} from the rows of {words}", code(&m)));
            let most = f64::from(inner) * (mine.size() + 1.0).powi(2);
            let value = format!("{m}.matmul({o}.transpose()) * -2.0 + {a} + {b}");
            let tile = self.tile(&["distances", "squares", "gaps"], &value, (rows, count), (-0.01, most));
            return self.map(&tile, None, &["nearness", "affinities", "similarity"]);
        }
        let factor = short(1.0 / f64::from(inner).sqrt());
        self.tell(format!("multiplies {} by the transpose of {words} and by {factor}", code(&m)));
        let most = f64::from(inner) * mine.size() * factor;
        let value = format!("{m}.matmul({o}.transpose()) * {factor:?}");
        Some(self.tile(&["logits_of_pairs", "matches", "scores_of_rows"], &value, (rows, count), (-most, most)))
    }

    /// A column of the block with a row that all blocks share.
    fn outer(&mut self, (rows, columns): (u32, u32)) -> Option<Tile> {
        let (a, (low, high)) = self.input(vec![Axis::OfBlocks(rows)]);
        let (b, (least, most)) = self.input(vec![Axis::Fixed(columns)]);
        let column = self.tile(
            &["column_here", "heights", "left_part"],
            &format!("{a}.load_col::<{rows}>(block.index)"),
            (rows, 1),
            (low, high),
        );
        let row = self.tile(
            &["row_here", "widths", "right_part"],
            &format!("{b}.load_row::<{columns}>(0)"),
            (1, columns),
            (least, most),
        );
        let ends = [low * least, low * most, high * least, high * most];
        let ends = (
            ends.iter().copied().fold(f64::INFINITY, f64::min),
            ends.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        );
        self.tell(format!(
            "takes the outer product of {rows} of {} and all of {}",
            docgen::words(&a),
            docgen::words(&b)
        ));
        let tile = self.tile(
            &["products", "table_here", "outer_tile"],
            &format!("{}.matmul({})", column.name, row.name),
            (rows, columns),
            ends,
        );
        if self.percent(60) { self.map(&tile, None, &["shaped", "curved", "surface"]) } else { Some(tile) }
    }

    /// A sum of shifted rows with weights.
    fn convolution(&mut self) -> Option<Tile> {
        let (columns, taps) = (self.pick(&[16, 32, 32, 48]), self.pick(&[3, 4, 5, 7]));
        let (signal, (low, high)) = self.input(vec![Axis::OfBlocks(columns)]);
        let id = self.builder.generator.kernel.param_ids().find(|(_, param)| param.name == signal).map(|(id, _)| id)?;
        self.builder.widen(id, i64::from(taps) - 1);
        let weights = self.weights(vec![Axis::Fixed(taps)]);
        let (sums, k) =
            (self.name(&["sums", "filtered_row", "response_row"]), self.name(&["k", "tap_index", "lag_index"]));
        let mut lines = vec![format!("let mut {sums} = Row::<{}, {columns}>::zeros();", self.number.rust_name())];
        let add = vec![format!(
            "{sums} += {signal}.load_row_at::<{columns}>(block.index * {columns} + {k}) * {weights}[{k}];"
        )];
        lines.extend(text::braces(&format!("for {k} in 0..{taps}"), add, ""));
        self.builder.declare(&sums, lines);
        self.builder.tell(format!(
            "convolves {columns} numbers of {} with {taps} of {}",
            docgen::words(&signal),
            docgen::words(&weights)
        ));
        let most = f64::from(taps) * low.abs().max(high.abs());
        self.tamed(Tile { name: sums, rows: 1, columns, low: -most, high: most })
    }

    fn change(&mut self, change: Change, tile: &Tile) -> Option<Tile> {
        let shape = (tile.rows, tile.columns);
        let words = code(&tile.name);
        match change {
            Change::Map => self.map(tile, None, &["activated_tile", "shaped", "warped", "response_tile"]),
            Change::Bias => {
                let (bias, (low, high)) = self.input(vec![Axis::Fixed(tile.columns)]);
                self.tell(format!("adds {} to each row", docgen::words(&bias)));
                let value = format!("{} + {bias}.load_row::<{}>(0)", tile.name, tile.columns);
                Some(self.tile(&["shifted", "biased", "lifted"], &value, shape, (tile.low + low, tile.high + high)))
            }
            Change::Gain if !tile.is_row() && self.percent(40) => {
                let (gain, (low, high)) = self.input(vec![Axis::OfBlocks(tile.rows)]);
                self.tell(format!("scales each row by its element of {}", docgen::words(&gain)));
                let value = format!("{} * {gain}.load_col::<{}>(block.index)", tile.name, tile.rows);
                let most = tile.size() * low.abs().max(high.abs());
                let tile = self.tile(&["weighted_rows", "scaled_rows", "gated_rows"], &value, shape, (-most, most));
                self.tamed(tile)
            }
            Change::Gain => {
                let (gain, (low, high)) = self.input(vec![Axis::Fixed(tile.columns)]);
                self.tell(format!("scales each column by its element of {}", docgen::words(&gain)));
                let value = format!("{} * {gain}.load_row::<{}>(0)", tile.name, tile.columns);
                let most = tile.size() * low.abs().max(high.abs());
                let tile = self.tile(&["weighted_columns", "scaled_columns", "gated"], &value, shape, (-most, most));
                self.tamed(tile)
            }
            Change::Softmax => {
                let (e, top) =
                    (self.name(&["raised", "powers", "exps"]), if tile.is_row() { "max" } else { "row_maxima" });
                let v = self.arguments[0].1.clone();
                self.builder
                    .declare(&e, vec![format!("let {e} = ({0} - {0}.{top}()).map(|{v}| {v}.exp());", tile.name)]);
                let sums = if tile.is_row() { "sum" } else { "row_sums" };
                self.tell(format!("takes the softmax of each row of {words}"));
                Some(self.tile(
                    &["shares", "probabilities", "attention_rows"],
                    &format!("{e} / {e}.{sums}()"),
                    shape,
                    (0.0, 1.0),
                ))
            }
            Change::Normalize => self.normalize(tile, true),
            Change::RootMeanSquare => self.normalize(tile, false),
            Change::Center => {
                let (sums, count, each) = match (tile.is_row(), self.percent(60)) {
                    (true, _) => ("sum", tile.columns, "row"),
                    (false, true) => ("row_sums", tile.columns, "row"),
                    (false, false) => ("column_sums", tile.rows, "column"),
                };
                self.tell(format!("subtracts from each {each} of {words} its mean"));
                let value = format!("{0} - {0}.{sums}() / {count}.0", tile.name);
                let width = tile.high - tile.low;
                Some(self.tile(&["centered_tile", "apart", "residue"], &value, shape, (-width, width)))
            }
            Change::Mask => self.mask(tile),
            Change::Transpose if !tile.is_row() && tile.rows != tile.columns => {
                self.tell(format!("transposes {words}"));
                // Rows of the result are no longer those of the block, so it goes on by a reduction.
                let value = format!("{}.transpose()", tile.name);
                let turned =
                    self.tile(&["turned", "flipped_tile"], &value, (tile.columns, tile.rows), (tile.low, tile.high));
                let columns = self.pick(&[4, 6, 8]);
                let turned = self.tamed(turned)?;
                let product = self.times_weights(&turned, columns);
                let product = self.tamed(product)?;
                let value = format!("{}.transpose()", product.name);
                Some(self.tile(
                    &["turned_back", "restored"],
                    &value,
                    (columns, tile.columns),
                    (product.low, product.high),
                ))
            }
            Change::Layer if !tile.is_row() => {
                let tile = self.tamed(tile.clone())?;
                let columns = self.pick(&[3, 4, 6, 8, 10]);
                let product = self.times_weights(&tile, columns);
                self.tamed(product)
            }
            Change::Transpose | Change::Layer => None,
        }
    }

    /// Layer normalisation, or that by the root mean square.
    fn normalize(&mut self, tile: &Tile, centers: bool) -> Option<Tile> {
        let (sums, count) = (if tile.is_row() { "sum" } else { "row_sums" }, tile.columns);
        let tile = self.tamed(tile.clone())?;
        let words = code(&tile.name);
        let apart = match centers {
            true => {
                let value = format!("{0} - {0}.{sums}() / {count}.0", tile.name);
                self.tile(
                    &["apart", "centered_rows"],
                    &value,
                    (tile.rows, tile.columns),
                    (tile.low - tile.high, tile.high - tile.low),
                )
                .name
            }
            false => tile.name.clone(),
        };
        let epsilon = match self.percent(50) {
            true => "0.001".to_owned(),
            false => {
                let name = self.name(&["epsilon", "eps_of_norm", "floor_of_norm"]);
                let domain = Domain::floats(0.001, 0.1);
                self.builder.generator.param(name.clone(), ParamKind::Value(self.number), Some(domain));
                name
            }
        };
        let v = self.arguments[0].1.clone();
        let scale = self.name(&["scale_of_rows", "inverse_norm", "rescale"]);
        let mean = format!("({apart} * {apart}).{sums}() / {count}.0");
        let line = match tile.is_row() {
            true => format!("let {scale} = 1.0 / ({mean} + {epsilon}).sqrt();"),
            false => format!("let {scale} = ({mean}).map(|{v}| 1.0 / ({v} + {epsilon}).sqrt());"),
        };
        self.builder.declare(&scale, vec![line]);
        self.tell(match centers {
            true => format!("normalises each row of {words} by its mean and variance"),
            false => format!("divides each row of {words} by its root mean square"),
        });
        let most = f64::from(count).sqrt();
        Some(self.tile(
            &["normal_rows", "standard_rows", "unit_rows"],
            &format!("{apart} * {scale}"),
            (tile.rows, tile.columns),
            (-most, most),
        ))
    }

    /// `t.map_with_location(|i, j, v| if … { v } else { … })`.
    fn mask(&mut self, tile: &Tile) -> Option<Tile> {
        let [(_, i), (_, j)] = self.location.clone();
        let v = self.arguments[0].1.clone();
        let fill = self.pick(&["0.0", "-1.0", "0.5"]);
        let (low, high) = (tile.low.min(-1.0), tile.high.max(0.5));
        let band = self.pick(&[1, 2, 3]);
        let (modulus, ordinal) = self.pick(&[(2, "second"), (3, "third"), (4, "fourth")]);
        let (params, condition, told) = match (tile.is_row(), self.below(4)) {
            (true, 0 | 1) => (
                format!("{j}, {v}"),
                format!("{j} < {}", tile.columns - tile.columns / 4),
                "the last quarter".to_owned(),
            ),
            (true, _) => {
                (format!("{j}, {v}"), format!("{j} % {modulus} == 0"), format!("all but every {ordinal} element"))
            }
            (false, 0) => (format!("{i}, {j}, {v}"), format!("{j} <= {i}"), "what is right of the diagonal".to_owned()),
            (false, 1) => (
                format!("{i}, {j}, {v}"),
                format!("{j} <= {i} + {band} && {i} <= {j} + {band}"),
                format!("what is more than {band} from the diagonal"),
            ),
            (false, 2) => (
                format!("{i}, {j}, {v}"),
                format!("({i} + {j}) % {modulus} == 0"),
                format!("all but every {ordinal} diagonal"),
            ),
            (false, _) => (format!("{i}, {j}, {v}"), format!("{i} != {j}"), "the diagonal".to_owned()),
        };
        self.tell(format!("replaces {told} of {} by {fill}", code(&tile.name)));
        let value = format!("{}.map_with_location(|{params}| if {condition} {{ {v} }} else {{ {fill} }})", tile.name);
        Some(self.tile(&["masked", "seen", "kept_part"], &value, (tile.rows, tile.columns), (low, high)))
    }

    /// Stores the tile, or reductions of it.
    fn sink(&mut self, tile: &Tile) -> Option<()> {
        match self.below(10) {
            0..5 => self.store(tile),
            5 | 6 if !tile.is_row() => self.store_rows(tile),
            7 => self.add_columns(tile),
            _ => self.store_number(tile),
        }?;
        if !self.is_stored {
            return self.store(tile);
        }
        if self.percent(20) {
            self.store_number(tile);
        }
        Some(())
    }

    fn store(&mut self, tile: &Tile) -> Option<()> {
        self.is_stored = true;
        if tile.is_row() {
            let flat = self.percent(40);
            let axes = if flat {
                vec![Axis::OfBlocks(tile.columns)]
            } else {
                vec![Axis::Launch(0), Axis::Fixed(tile.columns)]
            };
            let out = self.builder.output(self.number, &axes);
            let at = if flat { "block.index" } else { "[block.index, 0]" };
            self.builder.push(vec![format!("{out}.store_row({at}, {});", tile.name)]);
            return Some(());
        }
        if self.percent(15) {
            let out = self.builder.output(self.number, &[Axis::Fixed(tile.columns), Axis::OfBlocks(tile.rows)]);
            self.builder.push(vec![format!("{out}.store_tile([0, block.index], {}.transpose());", tile.name)]);
            self.builder.tell("stores the transpose");
            return Some(());
        }
        let out = self.builder.output(self.number, &[Axis::OfBlocks(tile.rows), Axis::Fixed(tile.columns)]);
        self.builder.push(vec![format!("{out}.store_tile([block.index, 0], {});", tile.name)]);
        Some(())
    }

    /// A reduction of each row, and a function of it.
    fn store_rows(&mut self, tile: &Tile) -> Option<()> {
        let n = f64::from(tile.columns);
        let (method, range, word) = match self.below(3) {
            0 => ("row_sums", (n * tile.low.min(0.0), n * tile.high.max(0.0)), "sum"),
            1 => ("row_maxima", (tile.low, tile.high), "largest element"),
            _ => ("row_minima", (tile.low, tile.high), "smallest element"),
        };
        let words = code(&tile.name);
        let column = self.tile(
            &["of_rows", "per_row", "row_values"],
            &format!("{}.{method}()", tile.name),
            (tile.rows, 1),
            range,
        );
        self.builder.tell(format!("takes the {word} of each row of {words}"));
        let column = if self.percent(60) { self.map(&column, None, &["mapped_rows", "row_results"])? } else { column };
        let out = self.builder.output(self.number, &[Axis::OfBlocks(tile.rows)]);
        self.builder.push(vec![format!("{out}.store_col(block.index, {});", column.name)]);
        self.is_stored = true;
        Some(())
    }

    /// Adds the sums of the columns, or the products of the columns, to an array that all blocks share.
    fn add_columns(&mut self, tile: &Tile) -> Option<()> {
        let words = code(&tile.name);
        let tile = self.tamed(tile.clone())?;
        let c = tile.columns;
        if !tile.is_row() && c <= 12 && self.percent(35) {
            let out = self.builder.output(self.number, &[Axis::Fixed(c), Axis::Fixed(c)]);
            self.builder.push(vec![format!("{out}.atomic_add_tile([0, 0], {0}.transpose().matmul({0}));", tile.name)]);
            self.builder.tell(format!("adds the products of all columns of {words} to those of the other blocks"));
        } else {
            let out = self.builder.output(self.number, &[Axis::Fixed(c)]);
            let value = if tile.is_row() { tile.name.clone() } else { format!("{}.column_sums()", tile.name) };
            self.builder.push(vec![format!("{out}.atomic_add_row(0, {value});")]);
            self.builder.tell(format!("adds the sums of the columns of {words} to those of the other blocks"));
        }
        self.is_stored = true;
        Some(())
    }

    /// A number of the block.
    fn store_number(&mut self, tile: &Tile) -> Option<()> {
        let (n, words) = (f64::from(tile.rows * tile.columns), code(&tile.name));
        match self.below(4) {
            0 => {
                self.builder.let_one(
                    &["largest_of_tile", "peak_of_tile"],
                    &format!("{}.max()", tile.name),
                    self.number,
                    tile.low,
                    tile.high,
                );
                self.builder.tell(format!("takes the largest element of {words}"));
            }
            1 => {
                self.builder.let_one(
                    &["smallest_of_tile", "dip_of_tile"],
                    &format!("{}.min()", tile.name),
                    self.number,
                    tile.low,
                    tile.high,
                );
                self.builder.tell(format!("takes the smallest element of {words}"));
            }
            2 if tile.size() < 30.0 => {
                let most = tile.size().powi(2);
                let value = format!("({0} * {0}).sum() / {n:?}", tile.name);
                self.builder.let_one(&["mean_square", "power_of_tile"], &value, self.number, 0.0, most);
                self.builder.tell(format!("takes the mean square of {words}"));
            }
            _ => {
                let value = format!("{}.sum() / {n:?}", tile.name);
                self.builder.let_one(&["mean_of_tile", "level_of_tile"], &value, self.number, tile.low, tile.high);
                self.builder.tell(format!("takes the mean of {words}"));
            }
        }
        self.builder.store_one(self.number)?;
        self.is_stored = true;
        Some(())
    }
}

/// Code in a sentence.
fn code(text: &str) -> String {
    format!("`{}`", text.replace('\n', " "))
}

/// A number with two significant digits.
fn short(value: f64) -> f64 {
    format!("{value:.1e}").parse().unwrap_or(value)
}
