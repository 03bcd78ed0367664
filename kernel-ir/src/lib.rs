//! Weft's compiler: it takes a kernel written in Rust and produces programs in other languages. It is a plain library
//! without IO; its output depends on its input alone.
//!
//! # The IR on one page
//!
//! A [`Kernel`](ir::Kernel) describes what *one thread* does. A launch runs it once for every index of a 1- to
//! 4-dimensional box. Threads run in no particular order, share nothing but array elements, and never wait for each
//! other.
//!
//! **Parameters** are values (constant during the launch) or arrays. An array is row-major and contiguous, has 1 to 4
//! axes and belongs to the caller. Two arrays never overlap if one of them is mutable. A launch may leave out an optional
//! array: an absent array is one without elements, and a `Present` expression distinguishes the two.
//!
//! **Values** are scalars, vectors, matrices, quaternions and structs ([`Type`](ir::Type)), with the meaning that Rust and
//! `kernel-rt` give them. `usize` is the index type. No program depends on its width, because a program must not compute
//! an index above 2³². A struct has named fields; an enum is a struct of a number. A tuple is the result of a function,
//! and nothing else. There are no references and no heap.
//!
//! **Expressions** ([`Expr`](ir::Expr)) have no effect. Their operands are evaluated left to right; only `And`, `Or`
//! and `Select` skip operands. An expression may fail (index out of bounds, integer overflow, division by zero). A
//! failure is an error of the program: it ends the launch on the CPU, and emitted code does not check for it. A writer
//! must therefore not evaluate an expression that the program does not evaluate, unless the expression cannot fail.
//!
//! **Statements** ([`Stmt`](ir::Stmt)) are the only nodes with effects: they assign locals and array elements, and they
//! decide what runs. Control flow is structured: `If`, `For`, `While`, `Break`, `Continue`, `Return`, and nothing else.
//! The front end has already turned the effects of nested Rust expressions into statements, in Rust's order.
//!
//! **Locals** are declared by exactly one `Let` or `For`, have one type, and are visible from there to the end of the
//! block. A declaration that runs again, in a loop, starts a new variable. A local may be an array of a constant length,
//! which is used by element and starts with zeros. Names are the author's and need not be
//! unique; a [`LocalId`](ir::LocalId) is unique.
//!
//! **Device functions** ([`Function`](ir::Function)) map values to a value, without effects. A `Call` holds the
//! function that it calls, so recursion is impossible. If a function has a derivative given by its author, that
//! derivative replaces the one of its code.
//!
//! **Constants** are `Literal` expressions. The front end evaluates the author's named constants to literals, or to
//! operations on literals.
//!
//! # The stages
//!
//! [`front`] turns Rust syntax into IR and infers types. [`verify`] checks the rules of the IR and makes a
//! [`VerifiedKernel`](verify::VerifiedKernel), which is what the later stages take. [`analysis`] computes facts about a
//! kernel. [`adjoint`] makes the kernel that computes gradients. [`back`] writes C++, CUDA, Python and Rust; [`interp`]
//! executes the IR and so defines its meaning; [`gradcheck`] compares adjoints with dual numbers and central
//! differences. [`ops`] declares every operation, [`text`] prints the IR and reads it back, and [`target`] lists the
//! languages that kernels are compiled to.
//!
//! A module imports only from modules in earlier groups: `operations`, [`ir`]; [`data`], [`diag`], [`ops`]; [`verify`];
//! [`analysis`], [`sample`], [`text`]; [`adjoint`], [`back`], [`front`], [`interp`]; [`columns`], [`gradcheck`], [`target`].

#[macro_use]
mod operations;

pub mod data;
pub mod ir;
pub mod ops;
mod rewrite;

pub mod adjoint;
pub mod analysis;
pub mod diag;
pub mod front;
pub mod text;
pub mod verify;

pub mod back;
pub mod columns;
pub mod gradcheck;
pub mod interp;
pub mod sample;
pub mod target;
