//! The prelude: the types and functions that an emitted kernel uses and its language lacks, and nothing else.
//!
//! The functions stand in `common.h`, `cuda.cuh` and `host.h`, cut into sections. A section opens with a line
//!
//! ```text
//! //@ name(kind, kind) -> kind as emitted_name: dependency(type), <header>
//! ```
//!
//! of which everything after the operands may be missing, and serves every list of operand types that is of these
//! kinds; the first section that fits is taken, the dialect's own before the common ones. A function of scalars
//! without a section is one that the language itself has. `operator[]` goes into the type. In a text,
//!
//! | what | stands for |
//! |---|---|
//! | `$T`, `$t` | the first operand or result that is no scalar, else the first operand: in C, in the IR |
//! | `$S`, `$C` | what `$T` is made of: its scalar, its field (a column, a component) |
//! | `$U`, `$B`, `$f` | of that scalar: the unsigned integer as wide, the number of bits, the suffix of literals and `<cmath>` names |
//! | `$R`, `$r`, `$MIN`, `$MAX` | the result type in C, in the IR, the ends of its range |
//! | `$0`, `$1` | the operand types |
//! | `$fn`, `$device` | how a function is introduced |
//! | `$name` | the emitted name |
//! | `$[a.# + b.@\|, ]` | the text before the bar for each field `#` (component `@`) of `$T`, with what follows the bar between |

use super::Dialect;
use super::types;
use crate::ir::{Scalar, Type};
use std::collections::BTreeSet;
use std::sync::LazyLock;

static COMMON: LazyLock<Vec<Section>> = LazyLock::new(|| sections(include_str!("common.h")));
static CUDA: LazyLock<Vec<Section>> = LazyLock::new(|| sections(include_str!("cuda.cuh")));
static HOST: LazyLock<Vec<Section>> = LazyLock::new(|| sections(include_str!("host.h")));

/// One section of a prelude file.
#[derive(Debug)]
struct Section {
    name: &'static str,
    args: Vec<&'static str>,
    ret: Option<&'static str>,
    emitted: Option<&'static str>,
    needs: Vec<&'static str>,
    text: &'static str,
}

/// Cuts a prelude file.
fn sections(file: &'static str) -> Vec<Section> {
    file.split("\n//@ ").skip(1).map(section).collect()
}

fn section(source: &'static str) -> Section {
    let (head, text) = source.split_once('\n').unwrap_or((source, ""));
    let (head, needs) = head.split_once("): ").unwrap_or_else(|| head.split_once(": ").unwrap_or((head, "")));
    let (head, emitted) = head.split_once(" as ").map_or((head, None), |(head, name)| (head, Some(name)));
    let (head, ret) = head.split_once(" -> ").map_or((head, None), |(head, ret)| (head, Some(ret)));
    let (name, args) = call(head);
    Section { name, args, ret, emitted, needs: split(needs), text: text.trim_end() }
}

/// The name and the operands in `name(a, b)`; the closing bracket may be missing.
fn call(text: &str) -> (&str, Vec<&str>) {
    let (name, args) = text.split_once('(').unwrap_or((text, ""));
    (name, args.trim_end_matches(')').split(", ").filter(|arg| !arg.is_empty()).collect())
}

/// The dependencies in `f(a, b), g(c), <h>`.
fn split(needs: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = needs;
    while !rest.is_empty() {
        let end = rest.find("), ").map_or(rest.len(), |at| at + 1);
        let end = if rest.starts_with('<') { rest.find(", ").unwrap_or(rest.len()) } else { end };
        parts.push(&rest[..end]);
        rest = rest[end..].trim_start_matches(", ");
    }
    parts
}

/// Whether `ty` is of the kind that a section head names.
fn is_kind(kind: &str, ty: Type) -> bool {
    let scalar = ty.is_scalar();
    match (kind, ty) {
        ("any", _) | ("vec", Type::Vector(..)) | ("mat", Type::Matrix(..)) | ("quat", Type::Quat(_)) => true,
        ("fvec", Type::Vector(s, _)) => s.is_float(),
        ("vec2", Type::Vector(_, n)) | ("mat2", Type::Matrix(_, n)) => n == 2,
        ("vec3", Type::Vector(_, n)) | ("mat3", Type::Matrix(_, n)) => n == 3,
        ("vec4", Type::Vector(_, n)) | ("mat4", Type::Matrix(_, n)) => n == 4,
        ("scalar", _) => scalar,
        ("float", _) => scalar && ty.is_float(),
        ("int", _) => scalar && ty.scalar().is_integer(),
        ("signed", _) => scalar && ty.scalar().is_signed_integer(),
        ("unsigned", _) => scalar && ty.scalar().is_integer() && !ty.scalar().is_signed_integer(),
        _ => scalar && kind == ty.scalar().name(),
    }
}

/// One function of a prelude: its section's name and its types, its own name and its text.
#[derive(Debug)]
struct Function {
    section: &'static str,
    args: Vec<Type>,
    ret: Type,
    name: String,
    text: String,
}

/// What one kernel needs.
#[derive(Debug)]
pub(super) struct Prelude {
    dialect: Dialect,
    includes: BTreeSet<&'static str>,
    /// In the order of definition.
    types: Vec<Type>,
    /// Those that are indexed at run time.
    indexed: BTreeSet<Type>,
    /// In the order of definition.
    functions: Vec<Function>,
    /// Every name that the kernel may not use otherwise.
    names: BTreeSet<String>,
}

impl Prelude {
    /// A prelude with nothing in it.
    pub(super) fn new(dialect: Dialect) -> Prelude {
        Prelude {
            dialect,
            includes: BTreeSet::new(),
            types: Vec::new(),
            indexed: BTreeSet::new(),
            functions: Vec::new(),
            names: BTreeSet::new(),
        }
    }

    /// Whether the kernel or its prelude calls something of that name.
    pub(super) fn uses(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// The C name of `ty`, which the prelude then defines if the language does not.
    pub(super) fn ty(&mut self, ty: Type) -> String {
        let name = types::type_name(ty);
        if !ty.is_scalar() && !self.types.contains(&ty) {
            self.ty(types::field_type(ty));
            self.types.push(ty);
            self.names.insert(name.clone());
        }
        name
    }

    /// The name of a `<cmath>` function for floats of that type.
    pub(super) fn math(&mut self, name: &str, scalar: Scalar) -> String {
        self.include("<cmath>");
        let name = format!("{name}{}", types::float_suffix(scalar));
        self.names.insert(name.clone());
        name
    }

    /// Makes `operator[]` of `ty` available.
    pub(super) fn index(&mut self, ty: Type) {
        self.ty(ty);
        self.indexed.insert(ty);
    }

    /// Makes an operator available. Scalars have theirs from the language.
    pub(super) fn operator(&mut self, symbol: &str, args: &[Type], ret: Type) {
        if symbol == "[]" {
            self.index(args[0]);
        } else if !args.iter().all(|ty| ty.is_scalar()) {
            self.function(&format!("operator{symbol}"), args, ret);
        }
    }

    /// Makes the function of that name available and returns the name to call it by.
    pub(super) fn function(&mut self, name: &str, args: &[Type], ret: Type) -> String {
        let is_same = |f: &&Function| f.section == name && f.args == args && f.ret == ret;
        if let Some(function) = self.functions.iter().find(is_same) {
            return function.name.clone();
        }
        let own = match self.dialect {
            Dialect::Cuda => &*CUDA,
            Dialect::Cpp => &*HOST,
        };
        let fits = |section: &&Section| {
            section.name == name
                && section.args.len() == args.len()
                && section.args.iter().zip(args).all(|(kind, ty)| is_kind(kind, *ty))
                && section.ret.is_none_or(|kind| is_kind(kind, ret))
        };
        let Some(section) = own.iter().chain(&*COMMON).find(fits) else {
            debug_assert!(args.iter().all(|ty| ty.is_scalar()), "the prelude has no {name} for {args:?}");
            self.names.insert(name.to_owned());
            return name.to_owned();
        };
        let instance = Instance::new(section, args, ret);
        if self.has(&instance.name, args) {
            return instance.name;
        }
        for need in &section.needs {
            self.need(need, &instance);
        }
        let text = instance.text(section.text, self);
        self.names.insert(instance.name.clone());
        let function = Function { section: section.name, args: args.to_vec(), ret, name: instance.name.clone(), text };
        self.functions.push(function);
        instance.name
    }

    fn has(&self, name: &str, args: &[Type]) -> bool {
        self.functions.iter().any(|f| f.name == name && f.args == args)
    }

    /// Sees to it that no function is defined twice, whichever integer `index_t` is: where there is one of the index
    /// type and one of `unsigned int` or `unsigned long long`, those of these two take its place.
    fn separate_index(&mut self) {
        for at in (0..self.functions.len()).rev() {
            let Function { section, args, ret, name, .. } = &self.functions[at];
            let (section, args, ret) = (*section, args.clone(), *ret);
            let put = |fixed: Type| move |ty: &Type| if *ty == Type::INDEX { fixed } else { *ty };
            let twins = [Type::U32, Type::Scalar(Scalar::U64)].map(put);
            let clash = |twin| self.has(name, &args.iter().map(twin).collect::<Vec<Type>>());
            if args.contains(&Type::INDEX) && twins.into_iter().any(clash) {
                self.functions.remove(at);
                for twin in twins {
                    self.function(section, &args.iter().map(twin).collect::<Vec<Type>>(), twin(&ret));
                }
            }
        }
    }

    fn need(&mut self, need: &'static str, of: &Instance) {
        if need.starts_with('<') {
            return self.include(need);
        }
        let (name, args) = call(need);
        let args: Vec<Type> = args.into_iter().filter_map(|arg| of.ty(arg)).collect();
        match name.strip_prefix("operator") {
            Some(symbol) => self.operator(symbol, &args, args[0]),
            None => drop(self.function(name, &args, args[0])),
        }
    }

    fn include(&mut self, header: &'static str) {
        if self.dialect == Dialect::Cpp {
            self.includes.insert(header);
        }
    }

    /// The text that goes before the kernel.
    pub(super) fn text(&mut self) -> String {
        self.separate_index();
        let mut blocks = vec![super::NARROW.to_owned()];
        if !self.includes.is_empty() {
            blocks.insert(0, self.includes.iter().map(|header| format!("#include {header}\n")).collect());
        }
        for ty in self.types.clone() {
            blocks.push(self.definition(ty));
        }
        let mut previous_is_long = true;
        for function in self.functions.iter().map(|f| &f.text).filter(|text| !text.is_empty()) {
            let long = function.contains('\n');
            match blocks.last_mut() {
                Some(block) if !long && !previous_is_long => *block += &format!("{function}\n"),
                _ => blocks.push(format!("{function}\n")),
            }
            previous_is_long = long;
        }
        blocks.join("\n")
    }

    fn definition(&mut self, ty: Type) -> String {
        let fields = types::fields(ty).join(", ");
        let members = if self.indexed.contains(&ty) {
            let section = COMMON.iter().find(|section| section.name == "operator[]" && is_kind(section.args[0], ty));
            section.map_or(String::new(), |section| {
                format!("\n{}\n", Instance::new(section, &[ty], ty).text(section.text, self))
            })
        } else {
            String::new()
        };
        let (name, field) = (self.ty(ty), self.ty(types::field_type(ty)));
        format!("struct {name} {{\n    {field} {fields};\n{members}}};\n")
    }
}

/// A section for certain operand types.
struct Instance<'a> {
    args: &'a [Type],
    ret: Type,
    t: Type,
    name: String,
}

impl<'a> Instance<'a> {
    fn new(section: &Section, args: &'a [Type], ret: Type) -> Instance<'a> {
        let first = args.first().copied().unwrap_or(ret);
        let t = args.iter().copied().chain([ret]).find(|ty| !ty.is_scalar()).unwrap_or(first);
        let name = section.emitted.unwrap_or(section.name);
        let name = name.replace("$t", &t.name()).replace("$r", &ret.name());
        Instance { args, ret, t, name }
    }

    /// The type that a placeholder stands for.
    fn ty(&self, placeholder: &str) -> Option<Type> {
        match placeholder {
            "$T" => Some(self.t),
            "$S" => Some(Type::Scalar(self.t.scalar())),
            "$C" => Some(types::field_type(self.t)),
            "$U" => Some(Type::Scalar(types::unsigned(self.t.scalar()))),
            "$R" => Some(self.ret),
            "$0" => self.args.first().copied(),
            "$1" => self.args.get(1).copied(),
            _ => None,
        }
    }

    /// The text with everything filled in; its types are then in the prelude.
    fn text(&self, text: &str, prelude: &mut Prelude) -> String {
        let text = self.repeat(text);
        let (function, device) = match prelude.dialect {
            Dialect::Cuda => ("__device__ inline", "__device__ "),
            Dialect::Cpp => ("inline", ""),
        };
        let bits = if matches!(self.t.scalar(), Scalar::I64 | Scalar::U64 | Scalar::F64) { "64" } else { "32" };
        let words = [
            ("$name", self.name.as_str()),
            ("$fn", function),
            ("$device", device),
            ("$MIN", types::min_value(self.ret.scalar())),
            ("$MAX", types::max_value(self.ret.scalar())),
            ("$B", bits),
            ("$f", types::float_suffix(self.t.scalar())),
        ];
        let mut out = String::with_capacity(text.len() + text.len() / 2);
        let mut rest = text.as_str();
        while let Some(at) = rest.find('$') {
            out.push_str(&rest[..at]);
            rest = &rest[at..];
            if let Some((word, value)) = words.iter().find(|(word, _)| rest.starts_with(word)) {
                out.push_str(value);
                rest = &rest[word.len()..];
            } else {
                let (placeholder, after) = rest.split_at_checked(2).unwrap_or((rest, ""));
                match self.ty(placeholder) {
                    Some(ty) => out.push_str(&prelude.ty(ty)),
                    None => out.push_str(placeholder),
                }
                rest = after;
            }
        }
        out.push_str(rest);
        out
    }

    /// The text with its `$[…|…]` written out.
    fn repeat(&self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("$[") {
            let (each, after) = after.split_once('|').unwrap_or((after, "]"));
            let (between, after) = after.split_once(']').unwrap_or((after, ""));
            let fields = types::fields(self.t).iter().zip(types::COMPONENTS);
            let parts: Vec<String> =
                fields.map(|(field, component)| each.replace('#', field).replace('@', component)).collect();
            out += before;
            out += &parts.join(between);
            rest = after;
        }
        out + rest
    }
}
