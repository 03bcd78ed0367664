//! The diagnostics of type inference.

use super::solve::{About, Constraint, Infer, LiteralKind, Var};
use crate::diag::Diagnostic;
use crate::ir::{Scalar, Shape, Span, StructId, Type, TypeSet};
use std::collections::BTreeSet;

const WIDTH_DIFFERS: &str = "the width of `usize` differs between the targets: convert with `as u32`";
const DECIMAL_POINT: &str = "give the number a decimal point: `1.0` instead of `1`";
const NOTHING_CONVERTS: &str = "the kernel language, like Rust, has no implicit conversions";

impl Infer {
    /// The diagnostic for a `found` type where `expected` is needed.
    pub(super) fn mismatch(&self, expected: usize, found: usize, span: Span) -> Diagnostic {
        let message = format!("mismatched types: expected {}, found {}", self.describe(expected), self.describe(found));
        let diagnostic = Diagnostic::new(span, message);
        let wanted = self.vars[expected].set.single();
        let diagnostic = self.with_declaration(diagnostic, found, wanted);
        match self.conversion(found, wanted) {
            Some(help) => diagnostic.note(NOTHING_CONVERTS).help(help),
            None => diagnostic.help("make both the same type"),
        }
    }

    /// The help text that converts the type `found` to `wanted`, if there is a conversion.
    fn conversion(&self, found: usize, wanted: Option<Type>) -> Option<String> {
        let literal = self.vars[found].literal;
        match (literal, wanted?) {
            (Some(_), wanted) if wanted.is_scalar() && wanted.scalar.is_half() => Some(literal_of_half(wanted)),
            (Some(LiteralKind::Integer), wanted) if wanted.is_scalar() && wanted.is_float() => {
                Some(self.float_instead_of(found, wanted))
            }
            (Some(LiteralKind::Float), wanted) if wanted.is_scalar() && wanted.scalar.is_integer() => {
                Some("write a whole number: `1` instead of `1.0`".to_owned())
            }
            (_, wanted) => conversion_of(self.vars[found].set.single(), wanted),
        }
    }

    /// The help text for an integer literal, or a variable with the value of one, where the float `wanted` is needed.
    fn float_instead_of(&self, found: usize, wanted: Type) -> String {
        match self.vars[found].declared {
            None => DECIMAL_POINT.to_owned(),
            Some(_) => format!(
                "convert the variable with `as {}`, or give it a value with a decimal point: `1.0` instead of `1`",
                wanted.rust_name()
            ),
        }
    }

    /// Shows where a variable is declared that is an integer in the place of a float.
    fn with_declaration(&self, diagnostic: Diagnostic, found: usize, wanted: Option<Type>) -> Diagnostic {
        let Var { literal, declared, .. } = &self.vars[found];
        match (literal, declared) {
            (Some(LiteralKind::Integer), Some(at)) if wanted.is_some_and(Type::is_float) => {
                diagnostic.related(*at, "the variable is declared here, as an integer")
            }
            _ => diagnostic,
        }
    }

    /// The diagnostic for a constraint none of whose combinations fits.
    pub(super) fn report(&self, constraint: &Constraint, roots: &[usize]) -> Diagnostic {
        let (result, operands) = roots.split_last().expect("a constraint has a result");
        // The operands fit some overload, so the mistake is in the use of the result.
        let gives = self.results_for(constraint, operands);
        if !gives.is_empty() && !matches!(constraint.about, About::Assoc(_)) {
            return self.report_result(constraint, &gives, *result);
        }
        let found: Vec<String> = operands.iter().map(|root| self.describe(*root)).collect();
        let (message, help) = match &constraint.about {
            About::Infix(symbol) => (
                format!("`{symbol}` does not take {}", found.join(" and ")),
                self.help_with_infix(constraint, symbol, operands),
            ),
            About::Prefix(symbol) => (
                format!("`{symbol}` does not take {}", found[0]),
                match *symbol {
                    "-" => "an unsigned number cannot be negated; convert it to a signed type first".to_owned(),
                    _ => "`!` is for `bool` and for integers of a fixed width; to test a number, compare it with `==`"
                        .to_owned(),
                },
            ),
            About::Method(name) => self.report_method(constraint, name, operands),
            About::Assoc(name) => self.report_assoc(constraint, name, operands, *result),
            About::Cast => (
                format!("{} cannot be cast to {}", found[0], self.describe(*result)),
                match self.vars[operands[0]].set.single() {
                    Some(Type::BOOL) => "choose a number: `if c { 1.0 } else { 0.0 }`".to_owned(),
                    Some(from) if from.is_scalar() && from.scalar.is_half() => {
                        let to = self.vars[*result].set.single().unwrap_or(Type::F32);
                        conversion_of(Some(from), to).unwrap_or_default()
                    }
                    _ => "`as` converts single numbers; convert the components one by one".to_owned(),
                },
            ),
            About::Field(name) => (format!("{} has no field `{name}`", found[0]), self.help_with_field(operands[0])),
            About::Index => (
                format!("{} cannot be indexed by {}", found[0], found[1]),
                match self.vars[operands[0]].set.single().map(|ty| ty.shape) {
                    Some(Shape::Vector(_)) => "indices are `usize`: convert with `as usize`",
                    Some(Shape::Matrix(..)) => "take a column first: `m.col(j)[i]`",
                    Some(Shape::Quat) => "its components are `.x`, `.y`, `.z`, `.w`",
                    Some(Shape::Tile(..)) => "write `tile.map(…)` for what is done with each element",
                    Some(Shape::Struct(_)) => "a struct has fields, such as `.a`",
                    Some(Shape::Scalar) | None => "only arrays and vectors have elements",
                }
                .to_owned(),
            ),
        };
        let mut diagnostic = Diagnostic::new(constraint.span, message).help(help);
        if let (About::Infix(_), [left, right]) = (&constraint.about, operands) {
            for (one, other) in [(*left, *right), (*right, *left)] {
                diagnostic = self.with_declaration(diagnostic, one, self.vars[other].set.single());
            }
        }
        diagnostic
    }

    /// The result types of the combinations whose operands fit.
    fn results_for(&self, constraint: &Constraint, operands: &[usize]) -> Vec<Type> {
        let fits = |types: &[Type]| types.iter().zip(operands).all(|(ty, root)| self.vars[*root].set.contains(*ty));
        let first = self.vars[operands[0]].set.clone();
        let entries = constraint.entries_with(0, &first).filter(|types| fits(types));
        sorted(entries.filter_map(|types| types.last().copied()))
    }

    /// The diagnostic for operands that fit and a result that does not.
    fn report_result(&self, constraint: &Constraint, gives: &[Type], result: usize) -> Diagnostic {
        let what = match &constraint.about {
            About::Infix(name) | About::Prefix(name) => format!("`{name}`"),
            About::Method(name) | About::Assoc(name) | About::Field(name) => format!("`{name}`"),
            About::Cast => "the cast".to_owned(),
            About::Index => "the element".to_owned(),
        };
        let verb = if matches!(constraint.about, About::Index | About::Field(_)) { "is" } else { "gives" };
        let message =
            format!("mismatched types: {what} {verb} {} here, but {} is needed", listed(gives), self.describe(result));
        let help = match (gives, self.vars[result].set.single()) {
            ([given], Some(wanted)) => conversion_of(Some(*given), wanted),
            _ => None,
        };
        let help = help.unwrap_or_else(|| {
            "convert an operand, or change the type of the variable or array that receives the value".to_owned()
        });
        Diagnostic::new(constraint.span, message).note(NOTHING_CONVERTS).help(help)
    }

    fn help_with_infix(&self, constraint: &Constraint, symbol: &str, operands: &[usize]) -> String {
        let [left, right] = operands else { return String::new() };
        let known = |root: usize| self.vars[root].set.single();
        if let Some(of) = [*left, *right].into_iter().filter_map(known).find_map(Type::as_struct) {
            return help_with_structs(constraint, symbol, of);
        }
        match symbol {
            "&&" | "||" => return "it takes conditions, such as `k != 0`".to_owned(),
            "<<" | ">>" if known(*left) == Some(Type::INDEX) => return WIDTH_DIFFERS.to_owned(),
            "<<" | ">>" | "&" | "|" | "^" => return "only integers have bits: convert with `as u32`".to_owned(),
            _ if [left, right].iter().any(|root| known(**root) == Some(Type::BOOL)) => {
                return "convert the `bool` with `as i32`, or choose a value with `if`".to_owned();
            }
            _ => {}
        }
        // A literal of the wrong kind is the most frequent mistake, and has a short remedy.
        for (one, other) in [(*left, *right), (*right, *left)] {
            let Some(Type { scalar: wanted, shape: Shape::Scalar }) = known(other) else { continue };
            match self.vars[one].literal {
                Some(_) if wanted.is_half() => return literal_of_half(wanted.into()),
                Some(LiteralKind::Integer) if wanted.is_float() => return self.float_instead_of(one, wanted.into()),
                Some(LiteralKind::Float) if wanted.is_integer() => {
                    return "write a whole number, or convert the other side with `as f32`".to_owned();
                }
                _ => {}
            }
        }
        match (known(*left), known(*right)) {
            // A float of 16 bits is made wider, because that loses nothing.
            (Some(a), Some(b))
                if a.is_scalar() && b.is_scalar() && a != b && (a.scalar.is_half() || b.scalar.is_half()) =>
            {
                let side = if a.scalar.is_half() { "left" } else { "right" };
                return format!("convert one side, for example the {side} one with `.to_f32()`");
            }
            (Some(a), Some(b)) if a.is_scalar() && b.is_scalar() && a != b => {
                // Integers are converted to floats rather than the other way round, because that loses less.
                let (side, to) = if b.is_float() && !a.is_float() { ("left", b) } else { ("right", a) };
                return format!("convert one side, for example the {side} one with `as {}`", to.scalar.name());
            }
            (Some(a), Some(b)) if a.is_vector() && b.is_vector() && a.scalar == b.scalar && a != b => {
                if let Some(help) = conversion_of(Some(b), a) {
                    return format!("make both the same size: {help}");
                }
            }
            (left, _) if left.is_none_or(Type::is_scalar) => {}
            _ if matches!(symbol, "==" | "!=" | "<" | "<=" | ">" | ">=") => {
                return "compare the components one by one".to_owned();
            }
            _ => {}
        }
        // The types that the operator takes on the other side of a known operand.
        let takes = |place: usize, root: usize| {
            sorted(constraint.entries_with(place, &self.vars[root].set).map(|types| types[1 - place]))
        };
        let (to_right, to_left) = (takes(0, *left), takes(1, *right));
        match (known(*left), known(*right)) {
            (Some(_), _) if !to_right.is_empty() => {
                format!("with {} on its left, it takes {}", self.describe(*left), listed(&to_right))
            }
            (_, Some(_)) if !to_left.is_empty() => {
                format!("with {} on its right, it takes {}", self.describe(*right), listed(&to_left))
            }
            _ => "docs/operations.md lists what each operation takes".to_owned(),
        }
    }

    fn help_with_field(&self, base: usize) -> String {
        let help = match self.vars[base].set.single().map(|ty| ty.shape) {
            Some(Shape::Vector(1)) => "it has `.x`",
            Some(Shape::Vector(5..)) => "its components have no names: write `v[0]`",
            Some(Shape::Matrix(_, 1)) => "its column is `.x_axis`",
            Some(Shape::Matrix(_, 5..)) => "its columns have no names: write `m.col(0)`",
            Some(Shape::Vector(2)) => "it has `.x` and `.y`",
            Some(Shape::Vector(3)) => "it has `.x`, `.y` and `.z`",
            Some(Shape::Vector(_) | Shape::Quat) => "it has `.x`, `.y`, `.z` and `.w`",
            Some(Shape::Matrix(_, 2)) => "its columns are `.x_axis` and `.y_axis`",
            Some(Shape::Matrix(_, 3)) => "its columns are `.x_axis`, `.y_axis` and `.z_axis`",
            Some(Shape::Matrix(..)) => "its columns are `.x_axis`, `.y_axis`, `.z_axis` and `.w_axis`",
            Some(Shape::Struct(id)) => {
                let names: Vec<String> = id.fields.iter().map(|field| format!("`.{}`", field.name)).collect();
                return format!("it has {}", names.join(", "));
            }
            Some(Shape::Tile(..)) => "the elements of a tile have no names",
            Some(Shape::Scalar) | None => "a number has no components",
        };
        help.to_owned()
    }

    /// Message and help for a method that does not take its receiver or its arguments.
    fn report_method(&self, constraint: &Constraint, name: &str, operands: &[usize]) -> (String, String) {
        let (receiver, args) = operands.split_first().expect("a method has a receiver");
        let receiver_set = &self.vars[*receiver].set;
        let described = self.describe(*receiver);
        let entry = constraint.entries_with(0, receiver_set).next();
        if let Some(types) = entry {
            let wanted: Vec<String> = types[1..=args.len()].iter().map(|ty| quoted(*ty)).collect();
            let found: Vec<String> = args.iter().map(|root| self.describe(*root)).collect();
            let message = format!("`{name}` of {described} takes {}, found {}", wanted.join(", "), found.join(", "));
            let mut pairs = args.iter().zip(&types[1..]);
            let wrong = pairs.find(|(root, ty)| !self.vars[**root].set.contains(**ty));
            let help = wrong.and_then(|(root, ty)| self.conversion(*root, Some(*ty)));
            return (message, help.unwrap_or_else(|| "give it arguments of these types".to_owned()));
        }
        let receivers = sorted(constraint.entries().map(|types| types[0]));
        let help = match receiver_set.single() {
            _ if self.vars[*receiver].literal.is_some() => "give the number a type, for example `2.0_f32`".to_owned(),
            Some(Type::INDEX) if receivers.contains(&Type::U32) => WIDTH_DIFFERS.to_owned(),
            Some(ty) if ty.is_scalar() && ty.scalar().is_half() && receivers.contains(&Type::F32) => {
                let args = if args.is_empty() { "" } else { "…" };
                format!("convert the value first: `x.to_f32().{name}({args})`")
            }
            Some(ty) if ty.is_scalar() && ty.scalar().is_integer() && receivers.contains(&Type::F32) => {
                let args = if args.is_empty() { "" } else { "…" };
                format!("convert the value first: `(k as f32).{name}({args})`")
            }
            Some(ty) if ty.is_vector() && receivers.contains(&Type::of(ty.scalar())) => match name {
                "clamp" => "write `.max(low).min(high)`".to_owned(),
                _ => format!("`{name}` takes one number: call it for each component, such as `.x`"),
            },
            _ if name == "pow" => "for floats there are `powi` and `powf`".to_owned(),
            _ => format!("`{name}` exists for {}", listed(&receivers)),
        };
        (format!("there is no `{name}` for {described}"), help)
    }

    fn report_assoc(&self, constraint: &Constraint, name: &str, operands: &[usize], result: usize) -> (String, String) {
        let found: Vec<String> = operands.iter().map(|root| self.describe(*root)).collect();
        let result_set = &self.vars[result].set;
        let Some(types) = constraint.entries_with(operands.len(), result_set).next() else {
            return (format!("`{name}` does not exist"), "docs/operations.md lists all operations".to_owned());
        };
        let wanted: Vec<String> = types[..operands.len()].iter().map(|ty| quoted(*ty)).collect();
        let mut pairs = operands.iter().zip(&types);
        let wrong = pairs.find(|(root, ty)| !self.vars[**root].set.contains(**ty));
        let help = wrong.and_then(|(root, ty)| self.conversion(*root, Some(*ty)));
        (
            format!("`{name}` takes {}, found {}", wanted.join(", "), found.join(", ")),
            help.unwrap_or_else(|| "give it arguments of these types".to_owned()),
        )
    }

    fn describe(&self, root: usize) -> String {
        let var = &self.vars[root];
        match (var.set.single(), var.literal) {
            (Some(ty), _) => quoted(ty),
            (None, Some(LiteralKind::Integer)) => "an integer".to_owned(),
            (None, Some(LiteralKind::Float)) => "a float".to_owned(),
            (None, None) if var.set.is_struct() => "a tuple".to_owned(),
            (None, None) => "a value of another type".to_owned(),
        }
    }
}

/// The help text for a literal where the float of 16 bits `wanted` is needed.
fn literal_of_half(wanted: Type) -> String {
    format!("numbers of this type have no literals: write `{}::from_f32(1.0)`", wanted.rust_name())
}

/// The help text that converts `found` to `wanted`, if there is a conversion.
fn conversion_of(found: Option<Type>, wanted: Type) -> Option<String> {
    if wanted == Type::BOOL {
        return Some("write a comparison, for example with `!= 0`".to_owned());
    }
    if found == Some(Type::BOOL) && wanted.is_scalar() && wanted.is_float() {
        return Some("choose a number: `if c { 1.0 } else { 0.0 }`".to_owned());
    }
    if let Some(of) = wanted.as_enum() {
        return Some(format!("name a variant, such as `{}::{}`", of.name, of.variants[0].0));
    }
    if let (Some(of), true) = (found.and_then(Type::as_enum), wanted.is_scalar()) {
        return Some(format!("read its number with `as {}`", of.repr().rust_name()));
    }
    let name = wanted.rust_name();
    if let (Some(found), true) = (found.filter(|found| found.is_scalar()), wanted.is_scalar()) {
        let narrowing = |value: &str| format!("round it with `{name}::from_f32({value})`");
        match (found.scalar, wanted.scalar) {
            (Scalar::F32, to) if to.is_half() => return Some(narrowing("…")),
            (from, to) if to.is_half() => {
                return Some(narrowing(if from.is_half() { "x.to_f32()" } else { "x as f32" }));
            }
            (from, Scalar::F32 | Scalar::F64) if from.is_half() => return Some(format!("write `x.to_{name}()`")),
            (from, _) if from.is_half() => return Some(format!("write `x.to_f32() as {name}`")),
            _ => {}
        }
    }
    let help = match (found.map(|ty| ty.shape), wanted.shape) {
        (Some(Shape::Scalar), Shape::Scalar) => format!("convert it with `as {name}`"),
        (Some(Shape::Scalar) | None, Shape::Vector(_)) => {
            format!("spread a number over the components with `{name}::splat(…)`")
        }
        (Some(Shape::Vector(_)), Shape::Scalar) => {
            "take a component, such as `.x`, or a product with `.dot(…)`".to_owned()
        }
        (Some(Shape::Quat), Shape::Scalar) => "take a component, such as `.x`".to_owned(),
        (Some(Shape::Matrix(..)), Shape::Scalar) => "take an element, such as `.x_axis.y`".to_owned(),
        (Some(Shape::Vector(n)), Shape::Vector(m)) if n + 1 == m => "append a component with `.extend(…)`".to_owned(),
        (Some(Shape::Vector(n)), Shape::Vector(m)) if n == m + 1 => {
            "drop the last component with `.truncate()`".to_owned()
        }
        (Some(Shape::Struct(_) | Shape::Tile(..)), _) => return None,
        (None, Shape::Scalar)
        | (_, Shape::Vector(_) | Shape::Matrix(..) | Shape::Quat | Shape::Struct(_) | Shape::Tile(..)) => {
            return None;
        }
    };
    Some(help)
}

impl Constraint {
    /// The combinations of types that the constraint allows.
    fn entries(&self) -> impl Iterator<Item = Vec<Type>> {
        self.candidates.iter().flat_map(|candidate| candidate.entries())
    }

    /// The combinations where the type at `place` is in `set`.
    fn entries_with(&self, place: usize, set: &TypeSet) -> impl Iterator<Item = Vec<Type>> {
        let candidates = self.candidates.iter().filter_map(move |candidate| candidate.narrowed_at(place, set));
        let entries = candidates.flat_map(|candidate| candidate.entries().collect::<Vec<_>>());
        entries.filter(move |types| set.contains(types[place]))
    }
}

/// The types in order, without duplicates.
fn sorted(types: impl Iterator<Item = Type>) -> Vec<Type> {
    types.collect::<BTreeSet<Type>>().into_iter().collect()
}

fn quoted(ty: Type) -> String {
    format!("`{}`", ty.rust_name())
}

/// The first few types, joined by "or".
fn listed(types: &[Type]) -> String {
    const SHOWN: usize = 4;
    let names: Vec<String> = types.iter().take(SHOWN).map(|ty| quoted(*ty)).collect();
    match names.split_last() {
        _ if types.len() > SHOWN => format!("{} and others", names.join(", ")),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => "nothing".to_owned(),
    }
}

/// The help text for an operator that the struct `of` does not have.
fn help_with_structs(constraint: &Constraint, symbol: &str, of: StructId) -> String {
    let [left, .., result] = constraint.vars.as_slice() else { return String::new() };
    match symbol {
        "<" | "<=" | ">" | ">=" if of.is_enum() => {
            let repr = of.repr().rust_name();
            format!("compare the numbers: `(a as {repr}) {symbol} b as {repr}`")
        }
        "+" | "-" | "*" | "/" | "%" if left == result => {
            format!(
                "write `a = a {symbol} b`, or implement `{symbol}=` beside `{}`, in a module under `#[device]`",
                of.name
            )
        }
        "+" | "-" | "*" | "/" | "%" => {
            format!("implement the operator beside `{}`, in a module under `#[device]`", of.name)
        }
        _ => "compare the fields one by one".to_owned(),
    }
}
