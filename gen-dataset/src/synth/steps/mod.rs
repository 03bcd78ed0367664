//! The steps that kernels are composed of. A step appends statements to the generator, and makes its results available
//! to later steps.

mod bits;
mod branches;
mod escape_time;
mod extrema;
mod functions;
mod half;
mod hash;
mod interpolation;
mod local_arrays;
mod loop_carried;
mod matches;
mod moments;
mod narrow;
mod neighbors;
mod optional;
mod polynomials;
mod random;
mod reductions;
mod row;
mod scan;
mod softmax;
mod sparse;
mod store;
mod structs;
mod time_step;
mod values;
mod wide;

use super::generator::Generator;
use super::notes::Mark;

/// A kind of step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// `let name = term;`
    Let,
    /// `let mut name = term;`, followed by a change.
    Update,
    /// A vector, matrix or quaternion that is changed by component.
    Parts,
    /// `let name = if … { … } else { … };`
    Choose,
    /// An `if` that changes a variable.
    Branch,
    /// An `if` inside another one.
    Nested,
    /// `if … { return; }`
    Guard,
    /// Cases by thresholds.
    Cases,
    /// Cases by an integer.
    Switch,
    /// A sum over an axis of an array.
    Sum,
    /// A sum that skips terms or ends early.
    Search,
    /// A sum over two axes.
    DoubleSum,
    /// An element of a matrix product, or of something similar.
    Product,
    /// A window around an element, in two loops.
    Window,
    /// States carried through a `for`.
    Iterate,
    /// States carried through two loops.
    IterateTwice,
    /// States carried through a `while`.
    While,
    /// An equation solved by Newton's method.
    Newton,
    /// Neighbours of an element.
    Stencil,
    /// Elements that an index array names.
    Gather,
    /// A hash of thread and seed, as a number in [0, 1).
    Hash,
    /// Random numbers in a loop.
    RandomLoop,
    /// Exponential weights of a row.
    Softmax,
    /// Mean and variance of a row.
    Moments,
    /// The extremum of a row and its position.
    Extreme,
    /// A scan: a loop that stores a result in every trip.
    Scan,
    /// The entries of a sparse row, and the elements that they refer to.
    Sparse,
    /// An interpolated lookup in a table.
    Interpolate,
    /// A polynomial by Horner's rule, or a Chebyshev series.
    Polynomial,
    /// Bisection: of a function, or in a sorted array.
    Bisect,
    /// The escape time of an iterated map.
    Escape,
    /// Gray codes, Morton codes, parities and the like.
    Bits,
    /// An explicit time step of a field.
    Field,
    /// Forces between bodies, and a time step.
    Springs,
    /// Cases by an integer, with alternatives and ranges: a `match`.
    Match,
    /// An array of the thread.
    LocalArray,
    /// A mask of the launch.
    Mask,
    /// Integers of 8 and 16 bits.
    Narrow,
    /// Floats of 16 bits.
    Half,
    /// An array that a launch may leave out.
    Optional,
    /// A device function of values.
    Function,
    /// A device function with several results.
    TupleFunction,
    /// A device function of an array.
    ArrayFunction,
    /// An array of structs.
    StructArray,
    /// A struct by value.
    StructValue,
    /// Draws from a random generator.
    Random,
    /// A vector of five components or more.
    WideVector,
    /// A matrix that is not square, or large.
    OblongMatrix,
    /// A vector added to one that several threads share.
    Deposit,
}

impl Generator {
    /// Takes a step. A step does nothing if it finds no room, for example for another input.
    pub(super) fn step(&mut self, step: Step) {
        let (locals, notes, stmts) = (self.kernel.locals.len(), self.notes.len(), self.block.len());
        self.take_step(step);
        let stmts = &self.block[stmts.min(self.block.len())..];
        let mark = Mark::step(stmts, locals..self.kernel.locals.len());
        self.notes[notes..].iter_mut().for_each(|note| note.mark_if_open(&mark));
    }

    fn take_step(&mut self, step: Step) {
        match step {
            Step::Let => self.let_term(),
            Step::Update => self.update(),
            Step::Parts => self.parts(),
            Step::Choose => self.choose(),
            Step::Branch => self.branch(),
            Step::Nested => self.nested_branch(),
            Step::Guard => self.guard(),
            Step::Cases => self.cases(),
            Step::Switch => self.switch(),
            Step::Sum => self.sum(),
            Step::Search => self.search(),
            Step::DoubleSum => self.double_sum(),
            Step::Product => self.product(),
            Step::Window => self.window(),
            Step::Iterate => self.iterate(),
            Step::IterateTwice => self.iterate_twice(),
            Step::While => self.while_loop(),
            Step::Newton => self.newton(),
            Step::Stencil => self.stencil(),
            Step::Gather => self.gather(),
            Step::Hash => self.hash(),
            Step::RandomLoop => self.random_loop(),
            Step::Softmax => self.softmax(),
            Step::Moments => self.moments(),
            Step::Extreme => self.extreme(),
            Step::Scan => self.scan(),
            Step::Sparse => self.sparse_row(),
            Step::Interpolate => self.interpolate(),
            Step::Polynomial => self.polynomial(),
            Step::Bisect => self.bisect(),
            Step::Escape => self.escape(),
            Step::Bits => self.bit_trick(),
            Step::Field => self.field_step(),
            Step::Springs => self.springs(),
            Step::Match => self.matching(),
            Step::LocalArray => self.local_array(),
            Step::Mask => self.mask(),
            Step::Narrow => self.narrow(),
            Step::Half => self.half(),
            Step::Optional => self.optional_array(),
            Step::Function => self.value_function(),
            Step::TupleFunction => self.tuple_function(),
            Step::ArrayFunction => self.array_function(),
            Step::StructArray => self.struct_array(),
            Step::StructValue => self.struct_value(),
            Step::Random => self.random_numbers(),
            Step::WideVector => self.wide_vector(),
            Step::OblongMatrix => self.oblong_matrix(),
            Step::Deposit => self.deposit_vector(),
        }
    }
}
