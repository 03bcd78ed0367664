#![deny(warnings)]
#![forbid(unsafe_code)]

use kernel_rt::prelude::*;

pub mod geo {
    use kernel_rt::prelude::*;

    /// A kind of cells.
    #[device]
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[repr(u8)]
    pub enum Cell {
        /// Nothing is there.
        #[default]
        Empty,
        #[allow(dead_code)]
        Solid = 0x1,
        Fluid,
    }

    /// A level with gaps and a name that Rust reserves.
    #[device]
    #[derive(Clone, Copy, PartialEq)]
    #[repr(i8)]
    pub enum Level {
        Low = -128,
        r#Mid = 0,
        High = 127,
    }

    pub mod rules {
        use super::{Cell, Level};
        use kernel_rt::prelude::*;

        #[device]
        pub const FIRST: Cell = Cell::Solid;

        /// The level of a cell.
        #[device]
        pub fn level(cell: Cell) -> Level {
            match cell {
                Cell::Empty => Level::Low,
                super::Cell::Solid => super::Level::Mid,
                Cell::Fluid => Level::High,
            }
        }
    }
}

#[device]
#[derive(Clone, Copy)]
enum One {
    Only,
}

/// By several paths, without imports.
#[kernel]
fn levels(only: One, cells: &[geo::Cell], x: &[i16], y: &mut [i16], next: &mut [geo::Cell]) {
    let i = tid();
    let level = geo::rules::level(cells[i]);
    y[i] = match only {
        One::Only => x[i],
    };
    if level == geo::Level::Mid || cells[i] == crate::geo::rules::FIRST {
        y[i] += 100;
    }
    y[i] += match level {
        geo::Level::Low => geo::Level::Low as i16,
        level => level as i16,
    };
    next[i] = match cells[i] as u8 {
        0 => geo::Cell::Fluid,
        _ => geo::Cell::Empty,
    };
}

macro_rules! colours {
    ($name:ident: $($variant:ident)*) => {
        #[device]
        #[derive(Clone, Copy, PartialEq)]
        enum $name { $($variant),* }
    };
}

colours!(Colour: Red Green);

#[kernel]
fn painted(colours: &mut [Colour]) {
    let i = tid();
    colours[i] = if colours[i] == Colour::Red { Colour::Green } else { Colour::Red };
}

fn main() {
    let (mut y, mut next) = ([0; 3], [geo::Cell::Empty; 3]);
    let cells = [geo::Cell::Empty, geo::Cell::Solid, geo::Cell::Fluid];
    levels::cpu(3, One::Only, &cells, &[1, 2, 3], &mut y, &mut next).unwrap();
    assert_eq!(y, [-127, 102, 130]);
    assert_eq!(next, [geo::Cell::Fluid, geo::Cell::Empty, geo::Cell::Empty]);
    let mut colours = [Colour::Red, Colour::Green];
    painted::cpu(2, &mut colours).unwrap();
    assert!(colours == [Colour::Green, Colour::Red]);
}
