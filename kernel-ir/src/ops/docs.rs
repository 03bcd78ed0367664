//! Renders the operation table as documentation.

use super::def::{Accuracy, OpDef, Overload, Spelling, Syntax};
use super::pattern::{Class, Pat};
use super::table::TABLE;
use std::fmt::Write;

/// The size that stands for all, where rows differ only in a size.
const SHOWN: u8 = 3;

/// The table as Markdown, for `docs/operations.md`.
pub fn markdown() -> String {
    let mut page = String::from(
        "# Operations\n\n\
         This page is generated from the table in `kernel-ir/src/operations.rs`; a test keeps it current. Its columns \
         are:\n\n\
         - **Rust**: the operation as a kernel writes it. `T` is the type of the row, and `S` is the scalar type of \
         `T`.\n\
         - **CUDA and C++**, **Warp**: the spelling in the emitted texts. A spelling in *italics* is a helper \
         function that is emitted with the kernel.\n\
         - **accuracy**: `exact`, or the number of units in the last place (ulp) by which two libraries may differ. \
         `either zero` means that the operation may return either of two zeros of different signs.\n\
         - **adjoint**: what the adjoint of each operand gains, for floats. `a`, `b` and `c` are the operands, `r` is \
         the result, and `g` is the adjoint of the result. Operands without a formula have no derivative. The \
         functions in the formulas that are not operations are defined in `kernel-ir/src/ops/gradient/`.\n\n\
         `column` and `row` are the vectors of a column and of a row of the matrix `T`. A right factor of `T` is a matrix \
         with as many rows as `T` has columns; the product has the rows of `T` and the columns of the factor. `new` and \
         `from_cols` are shown for three operands; they take one for each component or column, and `k` is its \
         position.\n\n\
         | Rust | `T` | result | CUDA and C++ | Warp | accuracy | adjoint | meaning |\n\
         |---|---|---|---|---|---|---|---|\n",
    );
    for def in &TABLE {
        // Rows that differ only in a size are one line.
        let rows = def.overloads.iter().filter(|row| row.size.is_none_or(|n| n == SHOWN));
        for (place, row) in rows.enumerate() {
            let meaning = if place == 0 { def.doc } else { "" };
            let cells = [
                code(&rust(def, row)),
                row.class.label().to_owned(),
                code(&pattern(row.ret)),
                spelling(row.c),
                spelling(row.py),
                accuracy(row.accuracy),
                adjoint(row),
                meaning.to_owned(),
            ];
            let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
            writeln!(page, "| {} |", cells.join(" | ")).expect("a String takes everything");
        }
    }
    page.push_str("\n## Where a function is not smooth\n\n");
    page.push_str(include_str!("gradient/non_smooth.md"));
    page
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

/// The operation in Rust, with types in place of operands.
fn rust(def: &OpDef, row: &Overload) -> String {
    let args: Vec<String> = row.args.iter().map(|arg| pattern(*arg)).collect();
    match def.rust {
        Syntax::Infix(symbol) => format!("{} {symbol} {}", args[0], args[1]),
        Syntax::Prefix(symbol) => format!("{symbol}{}", args[0]),
        Syntax::Method(name) => format!("{}.{name}({})", args[0], args[1..].join(", ")),
        Syntax::Assoc(name) => format!("T::{name}({})", args.join(", ")),
        Syntax::Function(name) => format!("{name}({})", args.join(", ")),
        Syntax::Draw(name) => format!("{name}(&mut {})", args.join(", ")),
    }
}

fn pattern(pat: Pat) -> String {
    match pat {
        Pat::T => "T".to_owned(),
        Pat::S => "S".to_owned(),
        Pat::Col => "column".to_owned(),
        Pat::Row => "row".to_owned(),
        Pat::Transposed => "transposed".to_owned(),
        Pat::Right(_) => "right factor".to_owned(),
        Pat::With(_) => "product".to_owned(),
        Pat::V3 => "3-vector".to_owned(),
        Pat::Longer => "vector + 1".to_owned(),
        Pat::Shorter => "vector - 1".to_owned(),
        Pat::Is(ty) => ty.rust_name(),
    }
}

fn spelling(spelling: Spelling) -> String {
    match spelling {
        Spelling::Infix(symbol) | Spelling::Prefix(symbol) => code(symbol.trim()),
        Spelling::Call(name) => code(name),
        Spelling::Math(name) => format!("`{name}f`, `{name}`"),
        Spelling::Helper(name) => format!("*{name}*"),
        Spelling::Construct => "constructor".to_owned(),
        Spelling::First => "the index".to_owned(),
    }
}

fn accuracy(accuracy: Accuracy) -> String {
    match accuracy {
        Accuracy::Exact => "exact".to_owned(),
        Accuracy::EitherZero => "exact, either zero".to_owned(),
        Accuracy::Ulp(n) => format!("{n} ulp"),
        Accuracy::UlpWithinOne(n) => format!("{n} ulp, within ±1"),
    }
}

/// The formula as written in the table. `stringify!` puts a space after every minus; this removes it after a unary
/// minus.
fn formula(tokens: &str) -> String {
    let text = tokens.replace("(- ", "(-").replace(", - ", ", -");
    text.strip_prefix("- ").map_or(text.clone(), |operand| format!("-{operand}"))
}

fn adjoint(row: &Overload) -> String {
    let cell = |formula_of: &str| if formula_of == "none()" { "none".to_owned() } else { code(&formula(formula_of)) };
    let formulas: Vec<String> = row.gradient.iter().map(|rule| cell(rule.formula)).collect();
    formulas.join(", ")
}

impl Class {
    /// The class in words.
    fn label(self) -> &'static str {
        match self {
            Class::Bool => "`bool`",
            Class::Signed => "`i8 i16 i32 i64`",
            Class::Unsigned => "`u8 u16 u32 u64 usize`",
            Class::Int => "integers, not `usize`",
            Class::Uint => "`u8 u16 u32 u64`",
            Class::State => "`u32`",
            Class::Index => "`usize`",
            Class::AnyInt => "integers",
            Class::Float => "`f32 f64`",
            Class::AnyFloat => "`f16 bf16 f32 f64`",
            Class::Num => "numbers",
            Class::FloatVec => "float vectors",
            Class::FloatVec2 => "`Vec2 DVec2`",
            Class::FloatVec3 => "`Vec3 DVec3`",
            Class::IntVec => "integer vectors",
            Class::SignedVec => "vectors, not `UVec`",
            Class::Vec | Class::VecOf(_) => "vectors",
            Class::Vec2 => "2-vectors",
            Class::Vec3 => "3-vectors",
            Class::Vec4 => "4-vectors",
            Class::Mat | Class::Columns(_) => "matrices",
            Class::Square(_) => "square matrices",
            Class::Mat2 => "`Mat2 DMat2`",
            Class::Mat3 => "`Mat3 DMat3`",
            Class::Mat4 => "`Mat4 DMat4`",
            Class::Quat => "quaternions",
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_page_is_current() {
        expect_test::expect_file!["../../../docs/operations.md"].assert_eq(&super::markdown());
    }
}
