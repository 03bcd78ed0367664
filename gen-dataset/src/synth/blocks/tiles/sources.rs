//! Sources of tiles: loads, products, stencils, pairs of rows, convolutions.

use super::{SHORT, Source, Tile, Tiles, code, short};
use crate::synth::blocks::text;
use crate::synth::docgen;
use crate::synth::generator::Axis;

impl Tiles {
    pub(super) fn source(&mut self, from: Source) -> Option<Tile> {
        let shape = self.shape();
        match from {
            Source::Load => {
                let is_row = self.percent(30);
                let columns = self.pick(&[24, 32, 40, 48, 64]);
                let shape = if is_row { (1, columns) } else { shape };
                let tile = self.load(shape);
                if self.percent(50) { self.map(&tile, None, &["shaped", "raised", "curved"]) } else { self.tamed(tile) }
            }
            Source::Both => {
                let is_row = self.percent(40);
                let shape = if is_row { (1, self.pick(&[24, 32, 48, 64])) } else { shape };
                self.both(shape)
            }
            Source::Projection => self.projection(shape),
            Source::Product => self.product(),
            Source::Stencil => self.stencil(),
            Source::Pairs => self.pairs(),
            Source::Outer => self.outer(shape),
            Source::Convolution => self.convolution(),
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
    pub(super) fn times_weights(&mut self, tile: &Tile, columns: u32) -> Tile {
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
}
