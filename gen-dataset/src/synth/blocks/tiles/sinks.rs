//! What becomes of a tile: stores, reductions that are stored, sums over all blocks.

use super::{Tile, Tiles, code};
use crate::synth::generator::Axis;
use kernel_ir::ir::Type;

impl Tiles {
    /// Stores the tile, or reductions of it.
    pub(super) fn sink(&mut self, tile: &Tile) -> Option<()> {
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
        if self.percent(12) {
            self.store_places(tile);
        }
        Some(())
    }

    /// Where the largest or the smallest element of each row is.
    fn store_places(&mut self, tile: &Tile) {
        let (method, word) = self.pick(&[("argmax", "largest"), ("argmin", "smallest")]);
        let words = code(&tile.name);
        if tile.is_row() {
            let out = self.builder.output(Type::U32, &[Axis::Launch(0)]);
            self.builder.push(vec![format!("{out}[block.index] = {}.{method}();", tile.name)]);
        } else {
            let out = self.builder.output(Type::U32, &[Axis::OfBlocks(tile.rows)]);
            self.builder.push(vec![format!("{out}.store_col(block.index, {}.row_{method}());", tile.name)]);
        }
        self.builder.tell(format!("finds the {word} element of each row of {words}"));
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
