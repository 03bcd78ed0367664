//! Weft's compiler: a kernel written in Rust in, programs in other languages out. A plain library without IO; its
//! output depends on its input alone.
//!
//! # The IR on one page
//!
//! A [`Kernel`](ir::Kernel) is what *one thread* does; a launch runs it once for every index of a 1- to 4-dimensional
//! box. Threads run in no particular order, share nothing but array elements, and never wait for each other.
//!
//! **Parameters** are values (constant during the launch) or arrays. An array is row-major and contiguous, has 1 to 4
//! axes and belongs to the caller. Two arrays never overlap if one of them is mutable.
//!
//! **Values** are scalars, vectors, square matrices and quaternions ([`Type`](ir::Type)), with Rust's and glam's
//! meaning. `usize` is the index type: no program depends on its width, because values above 2³² do not occur in it.
//! There are no references, no tuples and no heap.
//!
//! **Expressions** ([`Expr`](ir::Expr)) have no effect. Their operands are evaluated left to right; only `And`, `Or` and
//! `Select` leave some out. An expression may fail (index out of bounds, integer overflow, division by zero): that is
//! an error of the program that ends the launch on the CPU, and is not checked in emitted code. A writer may therefore
//! not evaluate an expression that the program does not, unless it cannot fail.
//!
//! **Statements** ([`Stmt`](ir::Stmt)) are the only things with effects: they assign locals and array elements, and they
//! decide what runs. Control flow is structured: `If`, `For`, `While`, `Break`, `Continue`, `Return`, and nothing else.
//! The front end has already put the effects of nested Rust expressions into statements, in Rust's order.
//!
//! **Locals** are declared by exactly one `Let` or `For`, have one type, and are visible from there to the end of the
//! block. A declaration that runs again (in a loop) starts anew. Names are the author's and need not be unique;
//! a [`LocalId`](ir::LocalId) is.
//!
//! **Device functions** ([`Function`](ir::Function)) turn values into a value, without effects. A `Call` holds the function
//! that it calls, so there is no recursion. A function may come with its derivative, which then counts instead of that
//! of its code.
//!
//! **Constants** are `Literal` expressions; whatever the author wrote as a constant of some other kind is one of them
//! already, or an operation on them.
//!
//! # The way through the crate
//!
//! [`front`] (Rust syntax → IR, types inferred) → [`verify`] (a [`VerifiedKernel`](verify::VerifiedKernel) is the only thing
//! that the rest accepts) → [`analysis`] (facts about a kernel) → [`back`] (C, CUDA, Python) and [`interp`] (the meaning,
//! executed). [`ops`] declares every operation; [`text`] prints the IR and reads it back; [`target`] lists the languages
//! that kernels are compiled to.
//!
//! A module imports only from modules before it: `operations`, [`ir`]; [`data`], [`diag`], [`ops`]; [`verify`]; [`analysis`],
//! [`sample`], [`text`]; [`adjoint`], [`back`], [`front`], [`interp`]; [`gradcheck`], [`target`].

#[macro_use]
mod operations;

pub mod data;
pub mod ir;
pub mod ops;

pub mod adjoint;
pub mod analysis;
pub mod diag;
pub mod front;
pub mod text;
pub mod verify;

pub mod back;
pub mod gradcheck;
pub mod interp;
pub mod sample;
pub mod target;
