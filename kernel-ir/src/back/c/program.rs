//! Standalone CUDA programs: a kernel, recorded launches, and a `main` that replays the launches and compares the
//! results.
//!
//! With `WEFT_HOST` defined, the program is C++ for the host. Small definitions then replace CUDA's keywords and
//! runtime.

use super::dialect::Dialect;
use super::lines::{Lines, WIDTH};
use super::on_host::{self, BLOCK_ON_HOST, CUDA_ON_HOST};
use super::prelude::Preludes;
use super::reserved::{self, entry_name};
use super::writer::struct_names;
use super::{expr, types};
use crate::analysis::Execution;
use crate::back::names::{Names, Scoping, StructNames};
use crate::data::{Arg, Data};
use crate::ir::{AbiArg, Kernel, Literal, Param, ParamKind, Scalar, Shape, StmtKind, Type};
use crate::verify::VerifiedKernel;
use std::collections::BTreeSet;

/// The helper functions of `main`.
const HELPERS: &str = include_str!("program.h");

/// The place of [`Program::of_halves`] in them.
const OF_HALVES: &str = "//@halves\n";

/// A recorded launch: its arguments and its results, with the [columns](crate::columns) of structs.
#[derive(Clone, Copy, Debug)]
pub struct RecordedLaunch<'a> {
    /// The launch size.
    pub dim: &'a [usize],
    /// The arguments before the launch.
    pub before: &'a [Arg],
    /// The arguments after the launch.
    pub after: &'a [Arg],
    /// The tolerance of each number in `after`, as an absolute difference; 0 requires equal bits.
    pub allowed: &'a [Arg],
}

/// The program that replays `launches` in order with the CUDA text `cuda` of `kernel`. `file` is the file name in its
/// comments, without `.cu`.
pub fn write_program(kernel: &VerifiedKernel, cuda: &str, launches: &[RecordedLaunch<'_>], file: &str) -> String {
    let (includes, cuda) = on_host::split_includes(cuda);
    let helpers = HELPERS.replace(OF_HALVES, &Program::new(kernel).of_halves());
    let text = Program::new(kernel).text(launches);
    let headers =
        ["#define WEFT_AS_ON_GPU\n", on_host::MEMORY, CUDA_ON_HOST, BLOCK_ON_HOST, on_host::GRID, on_host::RUNTIME];
    let headers = headers.map(without_comments).join("\n");
    format!(
        "\
// Launches the kernel `{name}` with recorded arguments, compares the results with the recorded ones and prints PASS or
// FAIL; the exit status says the same.
//
//     nvcc -O2 -fmad=false {file}.cu -o {file} && ./{file}
//
// Without CUDA it runs on the host, on the same grid, the threads of a block side by side:
//
//     g++ -O2 -ffp-contract=off -DWEFT_HOST -x c++ {file}.cu -o {file} && ./{file}

#ifdef WEFT_HOST

{headers}
#else

{includes}

#define WEFT_LAUNCH(kernel, blocks, threads) kernel<<<blocks, threads>>>

#endif

// ---- The kernel ----

{cuda}
// ---- The launches ----

{helpers}
{text}",
        name = kernel.name,
        includes = format!("#include <cuda_runtime.h>\n{includes}").trim_end(),
        cuda = cuda.trim_start(),
    )
}

/// A header without comments and empty lines, because it is copied into every program.
fn without_comments(header: &str) -> String {
    let is_code = |line: &&str| !line.is_empty() && !line.trim_start().starts_with("//");
    header.lines().filter(is_code).flat_map(|line| [line, "\n"]).collect()
}

struct Program<'a> {
    kernel: &'a Kernel,
    names: Names<'a>,
    structs: StructNames,
    /// Whether the results hold for the recorded order of threads only.
    ordered: bool,
    lines: Lines,
}

/// A parameter with its names and the arguments of a launch.
struct Named<'a> {
    param: &'a Param,
    name: String,
    before: Table<'a>,
    after: Table<'a>,
    /// The tolerances of each column; `None` if all bits must be equal.
    allowed: Vec<Option<Table<'a>>>,
}

/// An array of constants: its name, the type of an element, and its columns.
struct Table<'a> {
    name: String,
    ty: Type,
    columns: &'a [Arg],
}

impl<'a> Program<'a> {
    fn new(kernel: &'a VerifiedKernel) -> Program<'a> {
        let entry = entry_name(kernel);
        let names = Names::new(kernel, Scoping::Block, &|name| reserved::is_global(name) || name == entry);
        let structs = struct_names(kernel, &|_| false);
        Program { kernel, names, structs, ordered: depends_on_order(kernel), lines: Lines::new(1) }
    }

    /// The name of a type in the text of the kernel.
    fn type_name(&self, ty: Type) -> String {
        self.structs.of(ty).unwrap_or_else(|| types::type_name(ty)).to_owned()
    }

    /// The helper functions for floats of 16 bits in the columns of the kernel.
    fn of_halves(&self) -> String {
        let columns = self.kernel.params.iter().flat_map(|param| param.elem().scalars());
        let halves: BTreeSet<Scalar> = columns.filter(|scalar| scalar.is_half()).collect();
        let of = |scalar: &Scalar| {
            let ty = types::scalar_name(*scalar);
            let widen = if *scalar == Scalar::F16 { "__half2float" } else { "__bfloat162float" };
            format!(
                "inline double wide({ty} value) {{ return {widen}(value); }}\n\
                 inline void print({ty} value) {{ print({widen}(value)); }}\n\
                 template <> struct tolerance_of<{ty}> {{ using type = float; }};\n\n"
            )
        };
        halves.iter().map(of).collect()
    }

    fn text(mut self, launches: &[RecordedLaunch<'_>]) -> String {
        // A namespace of its own keeps the program from colliding with names in the text of the kernel.
        self.lines.line("namespace weft_test {");
        self.lines.line("");
        let functions: Vec<String> = launches.iter().map(|launch| self.function(launch)).collect();
        self.lines.line("}  // namespace weft_test");
        self.lines.line("");
        self.lines.open("int main()");
        self.lines.line("bool passed = true;");
        for function in functions {
            self.lines.line(format!("passed = weft_test::{function}() && passed;"));
        }
        self.lines.open("if (passed)");
        self.lines.line("std::printf(\"PASS\\n\");");
        self.lines.close();
        self.lines.line("return passed ? 0 : 1;");
        self.lines.close();
        self.lines.finish().concat()
    }

    /// Writes the function that makes a launch and returns whether its results are right. Returns the name of the
    /// function.
    fn function(&mut self, launch: &RecordedLaunch<'_>) -> String {
        let mut params = Vec::new();
        for ((id, param), columns) in self.kernel.param_ids().zip(self.kernel.columns()) {
            let (name, ty) = (self.names.param(id).to_owned(), param.elem());
            let mut table =
                |ty, columns, when: &str| Table { name: self.names.fresh(&format!("{name}_{when}")), ty, columns };
            let before = table(ty, &launch.before[columns.clone()], "before");
            let after = table(ty, &launch.after[columns.clone()], "after");
            let allowed = launch.allowed[columns].chunks(1).map(|column| {
                let Arg { ty, shape, .. } = &column[0];
                (column[0] != Arg::zeros(*ty, shape)).then(|| table(*ty, column, "tolerance"))
            });
            let allowed = allowed.collect();
            params.push(Named { param, name, before, after, allowed });
        }
        let is_array = |named: &&Named<'_>| named.param.rank() > 0 && !is_absent(named.param, &named.before);
        for named in params.iter().filter(is_array) {
            self.table(&named.before);
            if named.param.is_mutable() {
                self.table(&named.after);
                named.allowed.iter().flatten().for_each(|allowed| self.table(allowed));
            }
        }
        let function = self.names.fresh("launch");
        self.lines.line("");
        self.lines.line(format!("// A launch of {}.", extents(launch.dim)));
        self.lines.open(format!("static bool {function}()"));
        for Named { param, name, before, .. } in &params {
            match param.kind {
                ParamKind::Value(ty) => {
                    let value = elements(before).pop().unwrap_or_default();
                    self.lines.line(format!("const {} {name} = {value};", self.type_name(ty)));
                }
                ParamKind::Array { elem, .. } => {
                    let (ty, table, len) = (self.type_name(elem), &before.name, before.columns[0].len());
                    let value = match is_absent(param, before) {
                        true => "nullptr".to_owned(),
                        false => format!("weft::upload({table}, {len})"),
                    };
                    self.lines.line(format!("{ty}* {name} = {value};"));
                }
            }
        }
        self.call(launch.dim, &params);
        self.lines.line("bool passed = true;");
        for Named { param, name, before, after, allowed } in params.iter().filter(is_array) {
            let len = after.columns[0].len();
            // Arrays that the kernel only reads must be unchanged.
            let expected = if param.is_mutable() { &after.name } else { &before.name };
            for ((column, place), allowed) in columns_of(param.elem()).into_iter().zip(allowed) {
                let scalar = types::scalar_name(column.ty.scalar());
                let allowed = allowed.as_ref().map_or("nullptr", |table| &table.name);
                let label = [name, &*column.name].concat();
                let check = format!("weft::holds<{scalar}>({name}, {expected}, {allowed}, {len}, \"{label}\"{place})");
                self.lines.line(format!("passed = {check} && passed;"));
            }
        }
        for Named { name, .. } in params.iter().filter(is_array) {
            self.lines.line(format!("weft::check(cudaFree({name}), \"cudaFree\");"));
        }
        self.lines.line("return passed;");
        self.lines.close();
        self.lines.line("");
        function
    }

    /// Declares an array of constants.
    fn table(&mut self, table: &Table<'_>) {
        let elements = elements(table);
        // C++ has no arrays of length 0.
        self.lines.line(format!(
            "static const {} {}[{}] = {{",
            self.type_name(table.ty),
            table.name,
            elements.len().max(1)
        ));
        let mut line = String::new();
        for element in elements {
            if !line.is_empty() && line.len() + element.len() + 2 > WIDTH {
                self.lines.line(format!("    {}", line.trim_end()));
                line.clear();
            }
            line += &format!("{element}, ");
        }
        if !line.is_empty() {
            self.lines.line(format!("    {}", line.trim_end()));
        }
        self.lines.line("};");
    }

    /// Launches the kernel and waits for it.
    fn call(&mut self, dim: &[usize], params: &[Named<'_>]) {
        let arg = |arg: AbiArg| match arg {
            AbiArg::Value(id) | AbiArg::Pointer(id) => params[id.0 as usize].name.clone(),
            AbiArg::Extent(id, axis) => params[id.0 as usize].before.columns[0].shape[usize::from(axis)].to_string(),
            AbiArg::Dim(axis) => dim[usize::from(axis)].to_string(),
        };
        let args: Vec<String> = self.kernel.abi().into_iter().map(arg).collect();
        let (blocks, threads) = match (self.kernel.block, self.ordered) {
            (Some(size), ordered) => {
                let blocks = if ordered { 1 } else { dim.iter().product::<usize>().max(1) };
                (format!("dim3({blocks})"), format!("dim3({size})"))
            }
            (None, true) => ("dim3(1)".into(), "dim3(1)".into()),
            (None, false) => grid(dim),
        };
        if self.ordered {
            let what = if self.kernel.block.is_some() { "block" } else { "thread" };
            self.lines.line(format!(
                "// What {what}s leave depends on their order; one {what} alone keeps the recorded one."
            ));
        }
        let entry = entry_name(self.kernel);
        self.lines.line(format!("WEFT_LAUNCH({entry}, {blocks}, {threads})({});", args.join(", ")));
        self.lines.line("weft::check(cudaGetLastError(), \"launch\");");
        self.lines.line("weft::check(cudaDeviceSynchronize(), \"kernel\");");
    }
}

/// Whether the argument is an absent array, for which the kernel takes a null pointer.
fn is_absent(param: &Param, argument: &Table<'_>) -> bool {
    param.is_optional() && argument.columns[0].is_empty()
}

/// Whether a result may depend on the order of threads by more than the tolerances of the launch allow. The result of
/// an atomic operation depends on when it runs, and float sums round at every step. The tolerances include the rounding
/// only if nothing else depends on the order.
pub fn depends_on_order(kernel: &VerifiedKernel) -> bool {
    let (mut is_used, mut rounds) = (false, false);
    kernel.walk_stmts(&mut |stmt| {
        if let StmtKind::Atomic { op, place, result, .. } = &stmt.kind {
            is_used |= result.is_some() || op.is_exchange();
            rounds |= op.is_sum() && place.ty.is_float();
        }
    });
    is_used || (rounds && Execution::proven(kernel).reason.is_some())
}

/// The launch size as text.
fn extents(dim: &[usize]) -> String {
    let extents: Vec<String> = dim.iter().map(usize::to_string).collect();
    let plural = if dim == [1] { "" } else { "s" };
    format!("{} thread{plural}", extents.join(" × "))
}

/// The grid and block sizes of a launch. The last axis is on `x`; four axes are flattened to one.
fn grid(dim: &[usize]) -> (String, String) {
    let threads: &[usize] = match dim.len() {
        2 => &[4, 32],
        3 => &[2, 4, 16],
        _ => &[128],
    };
    let flat = [dim.iter().product()];
    let dim = if dim.len() == threads.len() { dim } else { &flat };
    let blocks: Vec<usize> = dim.iter().zip(threads).map(|(dim, threads)| dim.div_ceil(*threads).max(1)).collect();
    let dim3 = |extents: &[usize]| {
        let axes: Vec<String> = extents.iter().rev().map(usize::to_string).collect();
        format!("dim3({})", axes.join(", "))
    };
    (dim3(&blocks), dim3(threads))
}

/// A column of a struct, by the fields that lead to it, such as `.rest.at`; with no name if the type is no struct.
struct Column {
    name: String,
    ty: Type,
}

/// The columns of a type, with the arguments of `holds` that say where they lie in an element.
fn columns_of(ty: Type) -> Vec<(Column, String)> {
    fn add(name: &str, ty: Type, columns: &mut Vec<Column>) {
        match ty.fields() {
            [] => columns.push(Column { name: name.to_owned(), ty }),
            fields => fields.iter().for_each(|field| add(&format!("{name}.{}", field.name), field.ty, columns)),
        }
    }
    let mut columns = Vec::new();
    add("", ty, &mut columns);
    let places = ty.layout().filter(|_| ty.is_struct()).map_or_else(Vec::new, |layout| layout.values);
    let mut places = places.into_iter();
    let with_place = |column: Column| {
        let place = places.next().map_or_else(String::new, |(offset, ty)| format!(", {offset}, {}", ty.components()));
        (column, place)
    };
    columns.into_iter().map(with_place).collect()
}

/// The elements of an argument in C++, such as `0.5f` or `{1, 2, 3}`.
fn elements(table: &Table<'_>) -> Vec<String> {
    let numbers: Vec<Vec<String>> = table.columns.iter().map(|column| literals(&column.data)).collect();
    let element = |number: usize| {
        let mut columns = table.columns.iter().zip(&numbers).map(|(column, numbers)| {
            let size = column.ty.components();
            &numbers[number * size..][..size]
        });
        struct_initializer(table.ty, &mut columns)
    };
    (0..table.columns[0].len()).map(element).collect()
}

/// The initializer of a value whose columns have these numbers.
fn struct_initializer<'a>(ty: Type, columns: &mut impl Iterator<Item = &'a [String]>) -> String {
    match ty.fields() {
        [] => initializer(columns.next().unwrap_or_default(), ty),
        fields => {
            let values: Vec<String> = fields.iter().map(|field| struct_initializer(field.ty, columns)).collect();
            format!("{{{}}}", values.join(", "))
        }
    }
}

fn initializer(numbers: &[String], ty: Type) -> String {
    match ty.shape {
        Shape::Scalar => numbers.concat(),
        Shape::Matrix(rows, _) => {
            let columns: Vec<String> =
                numbers.chunks(rows.into()).map(|column| initializer(column, ty.part())).collect();
            // More than four columns are an array in the struct, whose braces must stand if those of the columns do.
            let columns = format!("{{{}}}", columns.join(", "));
            if ty.parts() > 4 { format!("{{{columns}}}") } else { columns }
        }
        Shape::Vector(_) | Shape::Quat | Shape::Struct(_) | Shape::Tile(..) => format!("{{{}}}", numbers.join(", ")),
    }
}

fn literals(data: &Data) -> Vec<String> {
    // The headers define every constant that a literal may need, so this prelude is dropped.
    let mut preludes = Preludes::new(&[Dialect::Cuda]);
    let mut text = |value: Literal| {
        let mut text = String::new();
        expr::literal(value, &mut preludes, &mut text);
        text
    };
    match data {
        Data::Bool(values) => values.iter().map(|value| text(Literal::Bool(*value))).collect(),
        Data::I8(values) => values.iter().map(|value| text(Literal::I8(*value))).collect(),
        Data::U8(values) => values.iter().map(|value| text(Literal::U8(*value))).collect(),
        Data::I16(values) => values.iter().map(|value| text(Literal::I16(*value))).collect(),
        Data::U16(values) => values.iter().map(|value| text(Literal::U16(*value))).collect(),
        Data::I32(values) => values.iter().map(|value| text(Literal::I32(*value))).collect(),
        Data::U32(values) => values.iter().map(|value| text(Literal::U32(*value))).collect(),
        Data::I64(values) => values.iter().map(|value| text(Literal::I64(*value))).collect(),
        Data::U64(values) => values.iter().map(|value| text(Literal::U64(*value))).collect(),
        Data::Index(values) => values.iter().map(usize::to_string).collect(),
        Data::F16(values) | Data::BF16(values) => {
            let literal = |value: &f32| Literal::float((*value).into(), data.scalar());
            values.iter().filter_map(literal).map(text).collect()
        }
        Data::F32(values) => values.iter().map(|value| text(Literal::f32(*value))).collect(),
        Data::F64(values) => values.iter().map(|value| text(Literal::f64(*value))).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front;

    #[test]
    fn matrices_of_many_columns_have_the_braces_of_their_array() {
        let of = |rows: u8, columns: u8| {
            let numbers: Vec<String> = (0..rows * columns).map(|number| number.to_string()).collect();
            initializer(&numbers, Type { scalar: Scalar::F64, shape: Shape::Matrix(rows, columns) })
        };
        assert_eq!(of(2, 2), "{{0, 1}, {2, 3}}");
        assert_eq!(of(1, 5), "{{{0}, {1}, {2}, {3}, {4}}}");
    }

    #[test]
    fn one_thread_keeps_an_order_that_shows() {
        let of = |params: &str, body: &str| {
            let item = format!("fn k({params}) {{ let i = tid(); {body} }}").parse().unwrap();
            depends_on_order(&front::compile(Default::default(), item).kernel.unwrap())
        };
        let sum = "x: &[f32], sum: &mut [f32]";
        assert!(!of(sum, "atomic_add(&mut sum[0], x[i]);"));
        assert!(of(sum, "atomic_add(&mut sum[0], x[i]); if sum[0] > 3.0 { atomic_add(&mut sum[1], 1.0); }"));
        let count = "count: &mut [u32], place: &mut [u32]";
        assert!(!of(count, "atomic_add(&mut count[0], 1);"));
        assert!(of(count, "place[i] = atomic_add(&mut count[0], 1);"));
    }
}
