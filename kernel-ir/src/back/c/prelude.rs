//! The prelude: the types and functions that an emitted kernel uses and the language lacks.
//!
//! The functions are templates in `common.h`, `cuda.cuh`, `hip.h`, `host.h` and `halves.h`. These files consist of
//! sections. A section starts with a line
//!
//! ```text
//! //@ name(class, class) -> class as emitted_name: dependency(type), <header>
//! ```
//!
//! Everything after the operands is optional. A section applies to all operand types in the given classes. If several
//! sections apply, the first one is used, and those of the dialect precede the common ones. A function of scalars
//! without a section is provided by the language. `operator[]` becomes a member of its type. A section contains these
//! placeholders:
//!
//! | placeholder | meaning |
//! |---|---|
//! | `$T`, `$t` | the first operand or result that is not a scalar, else the first operand: in C, in the IR |
//! | `$S`, `$C` | what `$T` is made of: its scalar, its field (a column, a component) |
//! | `$U`, `$B`, `$f` | of that scalar: the unsigned integer as wide, the number of bits, the suffix of literals and `<cmath>` names |
//! | `$R`, `$r`, `$MIN`, `$MAX` | the result type in C, in the IR, the ends of its range |
//! | `$0`, `$1` | the operand types |
//! | `$D`, `$E` | what the second operand, and what the result is made of: a column, a component |
//! | `$parts`, `$rows` | the number of components or columns of `$T`, and that of rows |
//! | `$fn`, `$device` | how a function is introduced |
//! | `$name` | the emitted name |
//! | `$shuffle` | `v` of the thread `step` lanes further in the warp, of which the first `lanes` threads take part |
//! | `$[a.# + b.@\|, ]` | the text before the bar for each field `#` (component `@`) of `$T`, with what follows the bar between |
//! | `$1[a.# + b.@\|, ]` | the same for each field of the second operand |

use super::dialect::Dialect;
use super::types;
use crate::back::names::fingerprint;
use crate::ir::{Scalar, Shape, Type};
use crate::ops::{Key, KeyMap, OpDef, Spelling, TABLE};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::rc::Rc;
use std::sync::LazyLock;

/// Sizes as text.
const NUMBERS: [&str; Type::MOST_PARTS as usize + 1] =
    ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16"];

static COMMON: LazyLock<Sections> = LazyLock::new(|| sections(include_str!("common.h")));
static CUDA: LazyLock<Sections> = LazyLock::new(|| sections(include_str!("cuda.cuh")));
/// What HIP has in another way than CUDA.
static HIP: LazyLock<Sections> = LazyLock::new(|| sections(include_str!("hip.h")));
static HOST: LazyLock<Sections> = LazyLock::new(|| {
    let mut host = sections(include_str!("host.h"));
    host.extend(sections(include_str!("halves.h")));
    host
});

/// The sections of a prelude file by their [keys](Section::key), in file order.
type Sections = HashMap<&'static str, Vec<Section>>;

/// A section of a prelude file.
#[derive(Debug)]
struct Section {
    name: &'static str,
    args: Vec<&'static str>,
    ret: Option<&'static str>,
    emitted: Option<&'static str>,
    needs: Vec<Dependency>,
    text: Vec<Piece>,
}

impl Section {
    /// The key for lookups: the name of the function, or the symbol of the operator.
    fn key(&self) -> &'static str {
        self.name.strip_prefix("operator").unwrap_or(self.name)
    }
}

/// A dependency in the head of a section.
#[derive(Debug)]
enum Dependency {
    Header(&'static str),
    /// A function by name, with its operands.
    Function(&'static str, Vec<&'static str>),
    /// An operator by symbol, with its operands.
    Operator(&'static str, Vec<&'static str>),
}

/// A piece of the text of a section: literal text or a placeholder.
#[derive(Debug)]
enum Piece {
    Text(&'static str),
    /// `$T` and the like.
    Type(&'static str),
    /// `$fn`.
    Fn,
    /// `$device`.
    Device,
    /// `$name`.
    Name,
    /// `$shuffle`.
    Shuffle,
    /// `$MIN`.
    Min,
    /// `$MAX`.
    Max,
    /// `$rows`.
    Rows,
    /// `$parts`.
    Parts,
    /// `$B`.
    Bits,
    /// `$f`.
    Suffix,
    /// `$[each|between]`, over the parts of `$T`; `$1[each|between]`, over those of `$1`.
    Each {
        of: &'static str,
        each: Vec<Piece>,
        between: &'static str,
    },
    /// `#`, only inside of `$[…]`.
    Field,
    /// `@`, only inside of `$[…]`.
    Component,
}

/// Parses a prelude file.
fn sections(file: &'static str) -> Sections {
    let mut sections = Sections::new();
    for section in file.split("\n//@ ").skip(1).map(section) {
        sections.entry(section.key()).or_default().push(section);
    }
    sections
}

fn section(source: &'static str) -> Section {
    let (head, text) = source.split_once('\n').unwrap_or((source, ""));
    let (head, needs) = head.split_once("): ").unwrap_or_else(|| head.split_once(": ").unwrap_or((head, "")));
    let (head, emitted) = head.split_once(" as ").map_or((head, None), |(head, name)| (head, Some(name)));
    let (head, ret) = head.split_once(" -> ").map_or((head, None), |(head, ret)| (head, Some(ret)));
    let (name, args) = call(head);
    Section { name, args, ret, emitted, needs: split(needs), text: pieces(text.trim_end(), &['$']) }
}

/// Splits a text at the `marks`.
fn pieces(text: &'static str, marks: &[char]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(marks) {
        pieces.push(Piece::Text(&rest[..at]));
        let (piece, after) = piece(&rest[at..]);
        pieces.push(piece);
        rest = after;
    }
    pieces.push(Piece::Text(rest));
    pieces
}

/// Splits off the placeholder at the start of a text.
fn piece(text: &'static str) -> (Piece, &'static str) {
    let words = [
        ("#", Piece::Field),
        ("@", Piece::Component),
        ("$name", Piece::Name),
        ("$shuffle", Piece::Shuffle),
        ("$fn", Piece::Fn),
        ("$device", Piece::Device),
        ("$MIN", Piece::Min),
        ("$MAX", Piece::Max),
        ("$rows", Piece::Rows),
        ("$parts", Piece::Parts),
        ("$B", Piece::Bits),
        ("$f", Piece::Suffix),
    ];
    if let Some(found) = words.into_iter().find_map(|(word, piece)| Some((piece, text.strip_prefix(word)?))) {
        return found;
    }
    for (start, of) in [("$[", "$T"), ("$1[", "$1")] {
        if let Some(text) = text.strip_prefix(start) {
            let (each, after) = text.split_once('|').unwrap_or((text, "]"));
            let (between, after) = after.split_once(']').unwrap_or((after, ""));
            return (Piece::Each { of, each: pieces(each, &['$', '#', '@']), between }, after);
        }
    }
    let (placeholder, after) = text.split_at_checked(2).unwrap_or((text, ""));
    (Piece::Type(placeholder), after)
}

/// The name and the operands in `name(a, b)`. The closing bracket may be absent.
fn call(text: &str) -> (&str, Vec<&str>) {
    let (name, args) = text.split_once('(').unwrap_or((text, ""));
    (name, args.trim_end_matches(')').split(", ").filter(|arg| !arg.is_empty()).collect())
}

/// The dependencies in `f(a, b), g(c), <h>`.
fn split(needs: &'static str) -> Vec<Dependency> {
    let mut parts = Vec::new();
    let mut rest = needs;
    while !rest.is_empty() {
        let end = rest.find("), ").map_or(rest.len(), |at| at + 1);
        let end = if rest.starts_with('<') { rest.find(", ").unwrap_or(rest.len()) } else { end };
        parts.push(dependency(&rest[..end]));
        rest = rest[end..].trim_start_matches(", ");
    }
    parts
}

fn dependency(text: &'static str) -> Dependency {
    if text.starts_with('<') {
        return Dependency::Header(text);
    }
    let (name, args) = call(text);
    match name.strip_prefix("operator") {
        Some(symbol) => Dependency::Operator(symbol, args),
        None => Dependency::Function(name, args),
    }
}

/// Whether `ty` belongs to the class that a section head names.
fn is_of_class(class: &str, ty: Type) -> bool {
    let scalar = ty.is_scalar();
    match (class, ty.shape) {
        ("any", _) | ("vec", Shape::Vector(_)) | ("mat", Shape::Matrix(..)) | ("quat", Shape::Quat) => true,
        ("fvec", Shape::Vector(_)) => ty.is_float(),
        ("vec1", Shape::Vector(1)) | ("vec2", Shape::Vector(2)) => true,
        ("vec3", Shape::Vector(3)) | ("vec4", Shape::Vector(4)) => true,
        ("mat2", Shape::Matrix(2, 2)) | ("mat3", Shape::Matrix(3, 3)) | ("mat4", Shape::Matrix(4, 4)) => true,
        ("columns1", Shape::Matrix(_, n)) => n == 1,
        ("columns2", Shape::Matrix(_, n)) => n == 2,
        ("columns3", Shape::Matrix(_, n)) => n == 3,
        ("columns4", Shape::Matrix(_, n)) => n == 4,
        ("scalar", _) => scalar,
        ("float", _) => scalar && ty.is_float(),
        ("int", _) => scalar && ty.scalar().is_integer(),
        ("half", _) => scalar && ty.scalar().is_half(),
        ("narrow", _) => scalar && ty.scalar().is_narrow(),
        ("signed", _) => scalar && ty.scalar().is_signed_integer(),
        ("unsigned", _) => scalar && ty.scalar().is_integer() && !ty.scalar().is_signed_integer(),
        _ => scalar && class == ty.scalar().name(),
    }
}

/// A function that a text calls, instantiated for operand types.
#[derive(Debug)]
pub(super) struct Function {
    /// The name in calls.
    pub(super) name: String,
    /// The key, see [`Section::key`].
    key: &'static str,
    args: Vec<Type>,
    ret: Type,
    /// The dependencies.
    needs: Vec<Requirement>,
    /// The definition; empty if the language provides the function.
    text: String,
    /// Whether the definition takes several lines.
    is_long: bool,
}

/// A dependency, instantiated for types.
#[derive(Debug)]
enum Requirement {
    Header(&'static str),
    Type(Type),
    /// `operator[]` of a type.
    Index(Type),
    Function(Rc<Function>),
}

/// The preludes of the texts of one kernel, one for each dialect.
#[derive(Debug, Default)]
pub(super) struct Preludes {
    all: Vec<Prelude>,
    /// The preludes to which requests go.
    chosen: Range<usize>,
    /// The requests so far, cached because texts repeat them.
    requests: Vec<Request>,
    /// Whether a function has different names in the preludes, so that the dialects cannot share lines.
    differ: bool,
}

/// A cached request for a function.
#[derive(Debug)]
struct Request {
    name: &'static str,
    /// The types of the operands and the result.
    key: Key,
    /// Whether the request has a result type. Requests for `<cmath>` functions have none.
    has_ret: bool,
    of: Range<usize>,
    function: Rc<Function>,
}

impl Preludes {
    /// Empty preludes for the dialects.
    pub(super) fn new(dialects: &[Dialect]) -> Preludes {
        let all: Vec<Prelude> = dialects.iter().map(|dialect| Prelude::new(*dialect)).collect();
        Preludes { chosen: 0..all.len(), all, requests: Vec::new(), differ: false }
    }

    /// Selects the preludes to which requests go from here on.
    pub(super) fn choose(&mut self, preludes: Range<usize>) {
        self.chosen = preludes;
    }

    /// The preludes; `None` if a shared line needs different names in them.
    pub(super) fn finish(self) -> Option<Vec<Prelude>> {
        (!self.differ).then_some(self.all)
    }

    /// Passes a request to each selected prelude.
    fn ask(&mut self, ask: impl FnMut(&mut Prelude)) {
        self.all[self.chosen.clone()].iter_mut().for_each(ask);
    }

    /// Requests the function with this name for these operands; a `<cmath>` function if `ret` is `None`.
    fn define(
        &mut self,
        name: &'static str,
        args: impl Iterator<Item = Type> + Clone,
        ret: Option<Type>,
    ) -> Rc<Function> {
        let (key, has_ret) = (Key::new(args.clone(), ret.unwrap_or(Type::BOOL)), ret.is_some());
        let is_it = |request: &&Request| {
            request.key == key && request.name == name && request.has_ret == has_ret && request.of == self.chosen
        };
        if let Some(request) = self.requests.iter().find(is_it) {
            return Rc::clone(&request.function);
        }
        let (first, others) = self.all[self.chosen.clone()].split_first_mut().expect("there is a dialect");
        let function = shared_function(first.dialect, name, args.clone(), ret);
        first.define(&function);
        for other in others {
            let of_other = shared_function(other.dialect, name, args.clone(), ret);
            other.define(&of_other);
            self.differ |= of_other.name != function.name;
        }
        self.requests.push(Request { name, key, has_ret, of: self.chosen.clone(), function: Rc::clone(&function) });
        function
    }

    /// The C name of `ty`. The preludes define the type if it is not a scalar.
    pub(super) fn ty(&mut self, ty: Type) -> &'static str {
        if !ty.is_scalar() || ty.scalar().is_half() {
            self.ask(|prelude| prelude.ty(ty));
        }
        self.all[self.chosen.start].dialect.type_name(ty)
    }

    /// Requests `operator[]` of `ty`.
    pub(super) fn index(&mut self, ty: Type) {
        self.ask(|prelude| prelude.index(ty));
    }

    /// Requests a `<cmath>` function for floats of this type.
    pub(super) fn math(&mut self, name: &'static str, scalar: Scalar) -> Rc<Function> {
        self.define(name, [scalar.into()].into_iter(), None)
    }

    /// Requests an operator. The language provides operators of scalars.
    pub(super) fn operator(&mut self, symbol: &'static str, args: impl Iterator<Item = Type> + Clone, ret: Type) {
        if !args.clone().all(Type::is_scalar) {
            self.function(symbol, args, ret);
        }
    }

    /// Requests the function with this name.
    pub(super) fn function(
        &mut self,
        name: &'static str,
        args: impl Iterator<Item = Type> + Clone,
        ret: Type,
    ) -> Rc<Function> {
        self.define(name, args, Some(ret))
    }
}

/// The function with this name for these operands; a `<cmath>` function if `ret` is `None`. Instances are cached per
/// thread, because texts request the same ones repeatedly.
fn shared_function(
    dialect: Dialect,
    name: &'static str,
    args: impl Iterator<Item = Type> + Clone,
    ret: Option<Type>,
) -> Rc<Function> {
    // Instances by types and by fingerprint of the name: dialect, name, whether there is a result type, function.
    type Named = Vec<(Dialect, &'static str, bool, Rc<Function>)>;
    thread_local! {
        static KNOWN: RefCell<KeyMap<(Key, u64), Named>> = RefCell::default();
    }
    let key = (Key::new(args.clone(), ret.unwrap_or(Type::BOOL)), fingerprint(name));
    let is_it = |known: &&(Dialect, &str, bool, _)| (known.0, known.1, known.2) == (dialect, name, ret.is_some());
    let find = |known: &Named| known.iter().find(is_it).map(|(.., function)| Rc::clone(function));
    if let Some(function) = KNOWN.with_borrow(|known| known.get(&key).and_then(find)) {
        return function;
    }
    let args: Vec<Type> = args.collect();
    let function = Rc::new(match ret {
        Some(ret) => Function::new(dialect, name, args, ret),
        None => Function::math(name, args),
    });
    KNOWN.with_borrow_mut(|known| {
        known.entry(key).or_default().push((dialect, name, ret.is_some(), Rc::clone(&function)))
    });
    function
}

/// The type of the result of a function that another one needs: that of its operation, else that of the first operand.
fn result_of(name: &'static str, args: &[Type]) -> Type {
    let is_own = |def: &&OpDef| def.overloads.iter().any(|row| row.c == Spelling::Helper(name));
    let result = |def: &OpDef| def.op.results(args).first().copied();
    TABLE.iter().filter(is_own).find_map(result).unwrap_or(args[0])
}

impl Function {
    fn new(dialect: Dialect, name: &'static str, args: Vec<Type>, ret: Type) -> Function {
        let own: &[&Sections] = match dialect {
            Dialect::Cuda => &[&CUDA],
            Dialect::Hip => &[&HIP, &CUDA],
            Dialect::Cpp => &[&HOST],
        };
        let fits = |section: &&Section| {
            section.args.len() == args.len()
                && section.args.iter().zip(&args).all(|(class, ty)| is_of_class(class, *ty))
                && section.ret.is_none_or(|class| is_of_class(class, ret))
        };
        let Some(section) = own.iter().chain([&&*COMMON]).filter_map(|file| file.get(name)).flatten().find(fits) else {
            debug_assert!(args.iter().all(|ty| ty.is_scalar()), "the prelude has no {name} for {args:?}");
            return Function::of_language(name.to_owned(), args, ret);
        };
        let instance = Instance::new(section, &args, ret, dialect);
        let mut needs: Vec<Requirement> = section.needs.iter().filter_map(|need| instance.requirement(need)).collect();
        let text = instance.text(&section.text, &mut needs);
        let (name, is_long) = (instance.name, text.contains('\n'));
        Function { name, key: section.key(), args, ret, needs, text, is_long }
    }

    fn of_language(name: String, args: Vec<Type>, ret: Type) -> Function {
        Function { key: "", name, args, ret, needs: Vec::new(), text: String::new(), is_long: false }
    }

    /// A function of `<cmath>`.
    fn math(name: &str, args: Vec<Type>) -> Function {
        let (name, ret) = ([name, types::float_suffix(args[0].scalar())].concat(), args[0]);
        Function { needs: vec![Requirement::Header("<cmath>")], ..Function::of_language(name, args, ret) }
    }

    fn is(&self, name: &str, args: &[Type]) -> bool {
        self.name == name && self.args == args
    }
}

/// The prelude of one text.
#[derive(Debug)]
pub(super) struct Prelude {
    dialect: Dialect,
    includes: BTreeSet<&'static str>,
    /// The types, in the order of definition.
    types: Vec<Type>,
    /// The types that are indexed at run time.
    indexed: BTreeSet<Type>,
    /// The functions, in the order of definition, including those that the language provides.
    functions: Vec<Rc<Function>>,
    /// The union of the [fingerprints](fingerprint) of the names of all functions and types.
    fingerprints: u64,
}

impl Prelude {
    fn new(dialect: Dialect) -> Prelude {
        Prelude {
            dialect,
            includes: dialect.headers().iter().copied().collect(),
            types: Vec::new(),
            indexed: BTreeSet::new(),
            functions: Vec::new(),
            fingerprints: 0,
        }
    }

    /// Whether the kernel or its prelude refers to this name.
    pub(super) fn uses(&self, name: &str) -> bool {
        self.fingerprints & fingerprint(name) != 0
            && (self.functions.iter().any(|function| function.name == name)
                || self.types.iter().any(|ty| self.dialect.type_name(*ty) == name))
    }

    /// Requests a type, with the types of its parts.
    fn ty(&mut self, ty: Type) {
        if self.types.contains(&ty) {
        } else if ty.scalar().is_half() {
            // CUDA has a header for each of the types, and the host dialect a definition.
            self.define(&shared_function(self.dialect, "type", [ty].into_iter(), Some(ty)));
        } else if !ty.is_scalar() {
            self.ty(ty.part());
            self.types.push(ty);
            self.fingerprints |= fingerprint(self.dialect.type_name(ty));
        }
    }

    /// Requests `operator[]` of `ty`.
    fn index(&mut self, ty: Type) {
        self.ty(ty);
        self.indexed.insert(ty);
    }

    /// Requests a function, with its dependencies.
    fn define(&mut self, function: &Rc<Function>) {
        // Most requests repeat earlier ones.
        if self.functions.iter().any(|known| Rc::ptr_eq(known, function))
            || self.functions.iter().any(|known| known.is(&function.name, &function.args))
        {
            return;
        }
        for need in &function.needs {
            match need {
                Requirement::Header(header) if self.dialect.includes(header) => {
                    self.includes.insert(header);
                }
                Requirement::Header(_) => {}
                Requirement::Type(ty) => self.ty(*ty),
                Requirement::Index(ty) => self.index(*ty),
                Requirement::Function(function) => self.define(function),
            }
        }
        self.functions.push(Rc::clone(function));
        self.fingerprints |= fingerprint(&function.name);
    }

    /// Avoids duplicate definitions for either width of `index_t`. If a function has an instance for the index type,
    /// and also one for `unsigned int` or `unsigned long long`, then `index_t` is an alias of one of the two. The
    /// instance for the index type is replaced by instances for both.
    fn separate_index(&mut self) {
        for at in (0..self.functions.len()).rev() {
            let function = Rc::clone(&self.functions[at]);
            if !function.args.contains(&Type::INDEX) || function.text.is_empty() {
                continue;
            }
            let put = |fixed: Type| move |ty: Type| if ty == Type::INDEX { fixed } else { ty };
            let twins = [Type::U32, Type::U64].map(put);
            let of_twin = |twin| function.args.iter().copied().map(twin);
            let clash = |twin| {
                let args: Vec<Type> = of_twin(twin).collect();
                self.functions.iter().any(|known| known.is(&function.name, &args))
            };
            if twins.into_iter().any(clash) {
                self.functions.remove(at);
                for twin in twins {
                    self.define(&shared_function(self.dialect, function.key, of_twin(twin), Some(twin(function.ret))));
                }
            }
        }
    }

    /// The text of the prelude, with capacity for `room` more bytes.
    pub(super) fn text(&mut self, room: usize) -> String {
        self.separate_index();
        let length: usize = self.functions.iter().map(|function| function.text.len() + 2).sum();
        let mut text = String::with_capacity(length + 512 * self.types.len() + 256 + room);
        if !self.includes.is_empty() {
            self.includes.iter().for_each(|header| text.extend(["#include ", header, "\n"]));
            text.push('\n');
        }
        text.push_str(types::NARROW);
        for ty in &self.types {
            self.write_definition(*ty, &mut text);
        }
        // Functions of one line are not separated by blank lines; longer ones are.
        let mut previous_is_long = true;
        for function in self.functions.iter().filter(|function| !function.text.is_empty()) {
            text.extend([if function.is_long || previous_is_long { "\n" } else { "" }, &function.text, "\n"]);
            previous_is_long = function.is_long;
        }
        text
    }

    fn write_definition(&self, ty: Type, text: &mut String) {
        let (name, part) = (self.dialect.type_name(ty), self.dialect.type_name(ty.part()));
        text.extend(["\nstruct ", name, " {\n    ", part, " ", &types::declared_fields(ty), ";\n"]);
        if self.indexed.contains(&ty) {
            let operator = shared_function(self.dialect, "[]", [ty].into_iter(), Some(ty));
            text.extend(["\n", &operator.text, "\n"]);
        }
        text.push_str("};\n");
    }
}

/// A section, instantiated for operand types.
struct Instance<'a> {
    args: &'a [Type],
    ret: Type,
    t: Type,
    dialect: Dialect,
    name: String,
}

impl<'a> Instance<'a> {
    fn new(section: &Section, args: &'a [Type], ret: Type, dialect: Dialect) -> Instance<'a> {
        let first = args.first().copied().unwrap_or(ret);
        let t = args.iter().copied().chain([ret]).find(|ty| !ty.is_scalar()).unwrap_or(first);
        let name = section.emitted.unwrap_or(section.name);
        let name = name.replace("$t", t.name()).replace("$r", ret.name());
        Instance { args, ret, t, dialect, name }
    }

    /// The type that a placeholder denotes.
    fn ty(&self, placeholder: &str) -> Option<Type> {
        match placeholder {
            "$T" => Some(self.t),
            "$S" => Some(Type::of(self.t.scalar())),
            "$C" => Some(self.t.part()),
            "$U" => Some(Type::of(types::unsigned(self.t.scalar()))),
            "$R" => Some(self.ret),
            "$0" => self.args.first().copied(),
            "$1" => self.args.get(1).copied(),
            "$D" => self.args.get(1).map(|ty| ty.part()),
            "$E" => Some(self.ret.part()),
            _ => None,
        }
    }

    /// The instantiated dependency; `None` if the language provides it.
    fn requirement(&self, need: &Dependency) -> Option<Requirement> {
        let types = |args: &[&str]| args.iter().filter_map(|arg| self.ty(arg)).collect::<Vec<Type>>();
        let function = |name, args: Vec<Type>| {
            let ret = result_of(name, &args);
            Requirement::Function(shared_function(self.dialect, name, args.into_iter(), Some(ret)))
        };
        match need {
            Dependency::Header(header) => Some(Requirement::Header(header)),
            Dependency::Function(name, args) => Some(function(name, types(args))),
            Dependency::Operator("[]", args) => Some(Requirement::Index(types(args)[0])),
            Dependency::Operator(symbol, args) => {
                let args = types(args);
                let is_own = !args.iter().all(|ty| ty.is_scalar());
                is_own.then(|| function(symbol, args))
            }
        }
    }

    /// The text with all placeholders filled in. The types in it are added to `needs`.
    fn text(&self, pieces: &[Piece], needs: &mut Vec<Requirement>) -> String {
        let mut out = String::new();
        self.write(pieces, ("", ""), needs, &mut out);
        out
    }

    /// Appends pieces; `field` and `component` fill the placeholders `#` and `@`.
    fn write(
        &self,
        pieces: &[Piece],
        (field, component): (&str, &str),
        needs: &mut Vec<Requirement>,
        out: &mut String,
    ) {
        let (function, device) = match self.dialect {
            Dialect::Cuda | Dialect::Hip => ("__device__ inline", "__device__ "),
            Dialect::Cpp => ("inline", ""),
        };
        for piece in pieces {
            let text = match piece {
                Piece::Text(text) => text,
                Piece::Type(placeholder) => match self.ty(placeholder) {
                    Some(ty) => {
                        needs.push(Requirement::Type(ty));
                        self.dialect.type_name(ty)
                    }
                    None => placeholder,
                },
                Piece::Fn => function,
                Piece::Device => device,
                Piece::Name => &self.name,
                Piece::Shuffle => self.dialect.shuffle_down(),
                Piece::Min => types::min_value(self.ret.scalar()),
                Piece::Max => types::max_value(self.ret.scalar()),
                // An index has 32 bits unless the text is rewritten for wide ones.
                Piece::Bits => match self.t.scalar().bits() {
                    Some(8) => "8",
                    Some(16) => "16",
                    Some(64) => "64",
                    _ => "32",
                },
                Piece::Rows => NUMBERS[usize::from(self.t.part().parts())],
                Piece::Parts => NUMBERS[usize::from(self.t.parts())],
                Piece::Suffix => types::float_suffix(self.t.scalar()),
                Piece::Each { of, each, between } => {
                    let of = self.ty(of).unwrap_or(self.t);
                    let components = types::fields(Type::vector(of.scalar(), of.parts()));
                    for (place, (field, component)) in types::fields(of).iter().zip(components).enumerate() {
                        out.push_str(if place > 0 { between } else { "" });
                        self.write(each, (field, component), needs, out);
                    }
                    ""
                }
                Piece::Field => field,
                Piece::Component => component,
            };
            out.push_str(text);
        }
    }
}
