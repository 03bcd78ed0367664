//! Changes of a tile: functions of its elements, biases, normalisations, masks, further products.

use super::{Change, Tile, Tiles, code};
use crate::synth::docgen;
use crate::synth::generator::Axis;
use kernel_ir::ir::{Domain, ParamKind};

impl Tiles {
    pub(super) fn change(&mut self, change: Change, tile: &Tile) -> Option<Tile> {
        match change {
            Change::Map => self.map(tile, None, &["activated_tile", "shaped", "warped", "response_tile"]),
            Change::Bias => self.bias(tile),
            Change::Gain if !tile.is_row() && self.percent(40) => self.gain_of_rows(tile),
            Change::Gain => self.gain_of_columns(tile),
            Change::Softmax => self.softmax(tile),
            Change::Normalize => self.normalize(tile, true),
            Change::RootMeanSquare => self.normalize(tile, false),
            Change::Center => self.centered(tile),
            Change::Mask => self.mask(tile),
            Change::Transpose if !tile.is_row() && tile.rows != tile.columns => self.turned(tile),
            Change::Layer if !tile.is_row() => self.layer(tile),
            Change::Running if tile.is_row() => self.running(tile),
            Change::Groups if tile.is_row() => self.groups(tile),
            Change::Transpose | Change::Layer | Change::Running | Change::Groups => None,
        }
    }

    /// The sums up to each element of a row.
    fn running(&mut self, tile: &Tile) -> Option<Tile> {
        let (method, told) =
            self.pick(&[("inclusive_sum", "up to each element"), ("exclusive_sum", "before each element")]);
        self.tell(format!("adds up {} {told}", code(&tile.name)));
        let value = format!("{}.{method}()", tile.name);
        let count = f64::from(tile.columns);
        let range = (tile.low.min(0.0) * count, tile.high.max(0.0) * count);
        let sums = self.tile(&["running", "totals_so_far", "cumulated"], &value, (1, tile.columns), range);
        self.tamed(sums)
    }

    /// Groups of a row, each of which is normalised or turned into shares.
    fn groups(&mut self, tile: &Tile) -> Option<Tile> {
        let count =
            [4, 3, 2].into_iter().find(|count| tile.columns.is_multiple_of(*count) && tile.columns / count > 1)?;
        let of_group = tile.columns / count;
        self.tell(format!("splits {} into {count} groups of {of_group}", code(&tile.name)));
        let value = format!("{}.reshape_tile::<{count}, {of_group}>()", tile.name);
        let groups = self.tile(&["groups", "bands", "parts_of_row"], &value, (count, of_group), (tile.low, tile.high));
        let change = self.pick(&[Change::Softmax, Change::Normalize, Change::Center]);
        let changed = self.change(change, &groups)?;
        let value = format!("{}.reshape_row::<{}>()", changed.name, tile.columns);
        Some(self.tile(&["joined", "row_again", "whole_row"], &value, (1, tile.columns), (changed.low, changed.high)))
    }

    /// A row that is added to every row.
    fn bias(&mut self, tile: &Tile) -> Option<Tile> {
        let shape = (tile.rows, tile.columns);
        let (bias, (low, high)) = self.input(vec![Axis::Fixed(tile.columns)]);
        self.tell(format!("adds {} to each row", docgen::words(&bias)));
        let value = format!("{} + {bias}.load_row::<{}>(0)", tile.name, tile.columns);
        Some(self.tile(&["shifted", "biased", "lifted"], &value, shape, (tile.low + low, tile.high + high)))
    }

    /// A column that scales every column.
    fn gain_of_rows(&mut self, tile: &Tile) -> Option<Tile> {
        let shape = (tile.rows, tile.columns);
        let (gain, (low, high)) = self.input(vec![Axis::OfBlocks(tile.rows)]);
        self.tell(format!("scales each row by its element of {}", docgen::words(&gain)));
        let value = format!("{} * {gain}.load_col::<{}>(block.index)", tile.name, tile.rows);
        let most = tile.size() * low.abs().max(high.abs());
        let tile = self.tile(&["weighted_rows", "scaled_rows", "gated_rows"], &value, shape, (-most, most));
        self.tamed(tile)
    }

    /// A row that scales every row.
    fn gain_of_columns(&mut self, tile: &Tile) -> Option<Tile> {
        let shape = (tile.rows, tile.columns);
        let (gain, (low, high)) = self.input(vec![Axis::Fixed(tile.columns)]);
        self.tell(format!("scales each column by its element of {}", docgen::words(&gain)));
        let value = format!("{} * {gain}.load_row::<{}>(0)", tile.name, tile.columns);
        let most = tile.size() * low.abs().max(high.abs());
        let tile = self.tile(&["weighted_columns", "scaled_columns", "gated"], &value, shape, (-most, most));
        self.tamed(tile)
    }

    /// exp(x − max) / ∑ exp(x − max), along rows.
    fn softmax(&mut self, tile: &Tile) -> Option<Tile> {
        let shape = (tile.rows, tile.columns);
        let words = code(&tile.name);
        let (e, top) = (self.name(&["raised", "powers", "exps"]), if tile.is_row() { "max" } else { "row_maxima" });
        let v = self.arguments[0].1.clone();
        self.builder.declare(&e, vec![format!("let {e} = ({0} - {0}.{top}()).map(|{v}| {v}.exp());", tile.name)]);
        let sums = if tile.is_row() { "sum" } else { "row_sums" };
        self.tell(format!("takes the softmax of each row of {words}"));
        Some(self.tile(
            &["shares", "probabilities", "attention_rows"],
            &format!("{e} / {e}.{sums}()"),
            shape,
            (0.0, 1.0),
        ))
    }

    /// The mean of each row or column, subtracted.
    fn centered(&mut self, tile: &Tile) -> Option<Tile> {
        let shape = (tile.rows, tile.columns);
        let words = code(&tile.name);
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

    /// A product of the transpose with weights, transposed back.
    fn turned(&mut self, tile: &Tile) -> Option<Tile> {
        let words = code(&tile.name);
        self.tell(format!("transposes {words}"));
        // Rows of the result are no longer those of the block, so it goes on by a reduction.
        let value = format!("{}.transpose()", tile.name);
        let turned = self.tile(&["turned", "flipped_tile"], &value, (tile.columns, tile.rows), (tile.low, tile.high));
        let columns = self.pick(&[4, 6, 8]);
        let turned = self.tamed(turned)?;
        let product = self.times_weights(&turned, columns);
        let product = self.tamed(product)?;
        let value = format!("{}.transpose()", product.name);
        Some(self.tile(&["turned_back", "restored"], &value, (columns, tile.columns), (product.low, product.high)))
    }

    /// A product with a further matrix of weights.
    fn layer(&mut self, tile: &Tile) -> Option<Tile> {
        let tile = self.tamed(tile.clone())?;
        let columns = self.pick(&[3, 4, 6, 8, 10]);
        let product = self.times_weights(&tile, columns);
        self.tamed(product)
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
}
