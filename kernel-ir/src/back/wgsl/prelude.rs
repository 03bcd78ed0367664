//! The prelude: the types and functions that an emitted kernel uses and WGSL lacks.
//!
//! WGSL has neither overloaded functions nor operators on structs and arrays, so each instance of a function has a name of
//! its own, made of the function and of its operand types. The templates are sections of `prelude.wgsl`. A section starts
//! with a line
//!
//! ```text
//! //@ name(class, class) -> class as emitted_name
//! ```
//!
//! The result and the emitted name are optional. The first section that applies is used; one without a text names a
//! function of WGSL. A section contains these placeholders:
//!
//! | placeholder | meaning |
//! |---|---|
//! | `$T`, `$t` | the first operand or result that is not a scalar, else the first operand: in WGSL, in the IR |
//! | `$S`, `$C` | what `$T` is made of: its scalar, its part (a column, a component) |
//! | `$U`, `$B`, `$MASK` | of that scalar: the unsigned integer as wide, the number of bits, a mask of these bits |
//! | `$Uzero`, `$Uone`, `$SPLIT` | 0 and 1 of that integer; the factor that halves the digits of a float |
//! | `$f`, `$u` | the suffix of float literals, and of integer literals of that scalar |
//! | `$R`, `$r`, `$MIN`, `$MAX` | the result type in WGSL, in the IR; the ends of the range of the result |
//! | `$0`, `$1` | the operand types |
//! | `$D`, `$E` | what the second operand, and what the result is made of |
//! | `$parts`, `$rows` | the number of components or columns of `$T`, and that of rows |
//! | `$name` | the emitted name |
//! | `$[a# + b@\|, ]` | the text before the bar for each part `#` (component `@`) of `$T`, with what follows the bar between; `$1[…]`, `$R[…]` for those of `$1` and `$R` |
//! | `$fold[op\|a#]` | the text for each part, joined by an operation |
//! | `"f($T, $S)"(a, b)` | a call of the instance of `f` for these types, and of an operator if `f` is one |

use super::types::{self, aliased, integer_suffix, is_native, scalar_name, type_name};
use crate::ir::{Scalar, Shape, Type};
use crate::ops::{OpDef, Spelling, TABLE};
use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

static SECTIONS: LazyLock<HashMap<&'static str, Vec<Section>>> = LazyLock::new(|| {
    let mut sections: HashMap<&str, Vec<Section>> = HashMap::new();
    for source in include_str!("prelude.wgsl").split("\n//@ ").skip(1) {
        let section = section(source);
        sections.entry(section.name).or_default().push(section);
    }
    sections
});

/// A section of the prelude file.
#[derive(Debug)]
struct Section {
    name: &'static str,
    args: Vec<&'static str>,
    ret: Option<&'static str>,
    emitted: Option<&'static str>,
    text: &'static str,
}

fn section(source: &'static str) -> Section {
    let (head, text) = source.split_once('\n').unwrap_or((source, ""));
    let (head, emitted) = head.split_once(" as ").map_or((head, None), |(head, name)| (head, Some(name)));
    let (name, args, ret) = signature(head);
    Section { name, args, ret, emitted, text: text.trim() }
}

/// The parts of `name(a, b) -> c`.
fn signature(head: &str) -> (&str, Vec<&str>, Option<&str>) {
    let (head, ret) = head.split_once(" -> ").map_or((head, None), |(head, ret)| (head, Some(ret)));
    let (name, args) = head.split_once('(').unwrap_or((head, ""));
    (name, args.trim_end_matches(')').split(", ").filter(|arg| !arg.is_empty()).collect(), ret)
}

/// Whether `ty` belongs to the class that a section head names.
fn is_of_class(class: &str, ty: Type) -> bool {
    let (is_scalar, scalar) = (ty.is_scalar(), ty.scalar());
    match (class, ty.shape) {
        ("any", _) | ("vec", Shape::Vector(_)) | ("mat", Shape::Matrix(..)) | ("quat", Shape::Quat) => true,
        ("vec2", Shape::Vector(2)) | ("vec3", Shape::Vector(3)) | ("vec4", Shape::Vector(4)) => true,
        ("mat2", Shape::Matrix(2, 2)) | ("mat3", Shape::Matrix(3, 3)) | ("mat4", Shape::Matrix(4, 4)) => true,
        ("scalar", _) => is_scalar,
        ("float", _) => is_scalar && ty.is_float(),
        ("int", _) => is_scalar && scalar.is_integer(),
        ("wide", _) => is_scalar && matches!(scalar, Scalar::I64 | Scalar::U64),
        ("narrow", _) => is_scalar && scalar.is_narrow(),
        ("signed", _) => is_scalar && scalar.is_signed_integer(),
        ("unsigned", _) => is_scalar && scalar.is_integer() && !scalar.is_signed_integer(),
        _ => is_scalar && class == scalar.name(),
    }
}

/// The name of an operator in names of functions.
fn operator_name(symbol: &str) -> &str {
    match symbol {
        "+" => "add",
        "-" => "sub",
        "*" => "mul",
        "/" => "div",
        other => other,
    }
}

/// Whether the infix operator of WGSL has the meaning of the operation on these operands.
pub(super) fn is_operator(args: &[Type]) -> bool {
    let is_quat_product = args.len() == 2 && args[0].is_quat() && !args[1].is_scalar();
    args.iter().all(|ty| is_native(*ty)) && !is_quat_product
}

/// The functions and types of one text.
#[derive(Debug, Default)]
pub(super) struct Prelude {
    /// The aliases, in the order of definition.
    aliases: Vec<Type>,
    /// The functions with their texts, in the order of definition.
    functions: Vec<(String, String)>,
    /// The names of functions of WGSL that the text calls.
    called: BTreeSet<String>,
    /// The functions that there is no section for, for messages.
    pub(super) missing: Vec<String>,
}

impl Prelude {
    /// The name of a type, which the prelude defines if WGSL lacks it.
    pub(super) fn ty(&mut self, ty: Type) -> String {
        if aliased(ty).is_some() && !self.aliases.contains(&ty) {
            self.ty(ty.part());
            self.aliases.push(ty);
        }
        type_name(ty)
    }

    /// Notes a function of WGSL that the text calls.
    pub(super) fn calls(&mut self, name: &str) {
        if !self.called.contains(name) {
            self.called.insert(name.to_owned());
        }
    }

    /// Notes all functions that a text calls.
    fn note_calls(&mut self, text: &str) {
        for (before, _) in text.match_indices('(').map(|(at, _)| text.split_at(at)) {
            let start = before.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |at| at + 1);
            self.calls(&before[start..]);
        }
    }

    /// Whether the prelude or WGSL gives the name a meaning that the text needs.
    pub(super) fn uses(&self, name: &str) -> bool {
        self.called.contains(name)
            || self.functions.iter().any(|(known, _)| known == name)
            || self.aliases.iter().any(|ty| type_name(*ty) == name)
    }

    /// The name of the instance of a function, which is added to the prelude.
    pub(super) fn function(&mut self, name: &str, args: &[Type], ret: Type) -> String {
        let fits = |section: &&Section| {
            section.args.len() == args.len()
                && section.args.iter().zip(args).all(|(class, ty)| is_of_class(class, *ty))
                && section.ret.is_none_or(|class| is_of_class(class, ret))
        };
        let Some(section) = SECTIONS.get(name).into_iter().flatten().find(fits) else {
            let of = args.first().copied().unwrap_or(ret);
            let what = format!("the function `{name}` of `{}`", of.rust_name());
            if !self.missing.contains(&what) {
                self.missing.push(what);
            }
            return name.to_owned();
        };
        if section.text.is_empty() {
            let name = section.emitted.unwrap_or(name);
            self.calls(name);
            return name.to_owned();
        }
        let first = args.first().copied().unwrap_or(ret);
        let t = args.iter().copied().chain([ret]).find(|ty| !ty.is_scalar()).unwrap_or(first);
        let name = match section.emitted {
            Some(emitted) => emitted.replace("$t", &tag(t)).replace("$r", &tag(ret)),
            None => instance_name(name, args, section.args.is_empty().then_some(ret)),
        };
        if !self.functions.iter().any(|(known, _)| *known == name) {
            let instance = Instance { args: args.to_vec(), ret, t, name: name.clone() };
            let text = self.expand(&instance, section.text, None);
            // What it calls is defined before it.
            if !self.functions.iter().any(|(known, _)| *known == name) {
                self.note_calls(&text);
                self.functions.push((name.clone(), text));
            }
        }
        name
    }

    /// The text of the prelude.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for ty in &self.aliases {
            let of = aliased(*ty).unwrap_or_default();
            text.extend(["alias ", &type_name(*ty), " = ", &of, ";\n"]);
        }
        if !self.aliases.is_empty() {
            text.push('\n');
        }
        for (_, function) in &self.functions {
            text.extend([function, "\n\n"]);
        }
        text
    }

    /// Fills in the placeholders of a template. `part` fills `#` and `@`.
    fn expand(&mut self, instance: &Instance, template: &str, part: Option<(&str, &str)>) -> String {
        let mut out = String::with_capacity(template.len() + 64);
        let mut rest = template;
        while let Some(at) = rest.find(['$', '"', '#', '@']) {
            out.push_str(&rest[..at]);
            rest = &rest[at..];
            let (text, after) = match &rest[..1] {
                "#" => (part.map_or("#", |(part, _)| part).to_owned(), &rest[1..]),
                "@" => (part.map_or("@", |(_, component)| component).to_owned(), &rest[1..]),
                "\"" => self.instance_call(instance, rest, part, is_whole(&out)),
                _ => self.placeholder(instance, rest),
            };
            out.push_str(&text);
            rest = after;
        }
        out.push_str(rest);
        out
    }

    /// The call at the start of `rest`, and what follows it.
    fn instance_call<'a>(
        &mut self,
        instance: &Instance,
        rest: &'a str,
        part: Option<(&str, &str)>,
        is_whole: bool,
    ) -> (String, &'a str) {
        let (head, rest) = rest[1..].split_once('"').unwrap_or((rest, ""));
        let (name, types, ret) = signature(head);
        let types: Vec<Type> = types.iter().map(|ty| instance.ty(ty)).collect();
        let (args, after) = arguments(rest);
        let args: Vec<String> = args.iter().map(|arg| self.expand(instance, arg, part)).collect();
        let ends = after.is_empty() || after.starts_with(['|', ',', ')', ';', ']']);
        let operation = self.operation(name, &types, ret.map(|ty| instance.ty(ty)), &args);
        let text =
            if is_whole && ends || !operation.contains(' ') || operation.ends_with(')') && !is_operator_symbol(name) {
                operation
            } else {
                format!("({operation})")
            };
        (text, after)
    }

    /// An operator, or a call of a function.
    fn operation(&mut self, name: &str, types: &[Type], ret: Option<Type>, args: &[String]) -> String {
        if is_operator_symbol(name) && is_operator(types) {
            let args: Vec<String> = args.iter().map(|arg| as_operand(arg)).collect();
            return match args.as_slice() {
                [operand] => [name, operand].concat(),
                _ => args.join(&format!(" {name} ")),
            };
        }
        let key = if name == "-" && types.len() == 1 { "neg" } else { operator_name(name) };
        let ret = ret.unwrap_or_else(|| result_of(name, types));
        [&self.function(key, types, ret), "(", &args.join(", "), ")"].concat()
    }

    /// The placeholder at the start of `rest`, and what follows it.
    fn placeholder<'a>(&mut self, instance: &Instance, rest: &'a str) -> (String, &'a str) {
        for (start, of) in [("$[", "$T"), ("$1[", "$1"), ("$R[", "$R")] {
            if let Some(rest) = rest.strip_prefix(start) {
                let (each, between, after) = repeated(rest);
                let parts = self.each(instance, instance.ty(of), each);
                return (parts.join(between), after);
            }
        }
        if let Some(rest) = rest.strip_prefix("$fold[") {
            let (head, rest) = rest[1..].split_once('"').unwrap_or((rest, ""));
            let (name, types, _) = signature(head);
            let types: Vec<Type> = types.iter().map(|ty| instance.ty(ty)).collect();
            let (each, _, after) = repeated(&rest[1..]);
            let parts = self.each(instance, instance.t, each);
            if is_operator(&types) {
                return (parts.join(&format!(" {name} ")), after);
            }
            let mut parts = parts.into_iter();
            let first = parts.next().unwrap_or_default();
            let sum = parts.fold(first, |sum, part| self.operation(name, &types, None, &[sum, part]));
            return (sum, after);
        }
        let scalar = instance.t.scalar();
        let is_wide = scalar_name(scalar).ends_with("64");
        let words: [(&str, &dyn Fn() -> String); 16] = [
            ("$name", &|| instance.name.clone()),
            ("$parts", &|| instance.t.parts().to_string()),
            ("$rows", &|| instance.t.part().parts().to_string()),
            ("$MASK", &|| if scalar.bits() == Some(8) { "0xffu".into() } else { "0xffffu".into() }),
            ("$MIN", &|| types::limits(instance.ret.scalar()).0),
            ("$MAX", &|| types::limits(instance.ret.scalar()).1),
            ("$f", &|| types::float_suffix(scalar).to_owned()),
            ("$u", &|| integer_suffix(scalar).to_owned()),
            ("$B", &|| scalar.bits().unwrap_or(32).to_string()),
            ("$SPLIT", &|| if is_wide { "134217729.0lf".into() } else { "4097.0f".into() }),
            ("$Uone", &|| if is_wide { "1lu".into() } else { "1u".into() }),
            ("$Uzero", &|| if is_wide { "0lu".into() } else { "0u".into() }),
            ("$U", &|| if is_wide { "u64".into() } else { "u32".into() }),
            ("$t", &|| tag(instance.t)),
            ("$r", &|| tag(instance.ret)),
            ("$S", &|| scalar_name(scalar).to_owned()),
        ];
        if let Some((word, text)) = words.into_iter().find(|(word, _)| rest.starts_with(word)) {
            return (text(), &rest[word.len()..]);
        }
        let (placeholder, after) = rest.split_at(2);
        (self.ty(instance.ty(placeholder)), after)
    }

    /// A template for each part of a type.
    fn each(&mut self, instance: &Instance, of: Type, each: &str) -> Vec<String> {
        let components = Type::vector(of.scalar(), of.parts());
        let parts = 0..usize::from(of.parts());
        let part = |number| (types::part_suffix(of, number), types::part_suffix(components, number));
        parts.map(part).map(|(part, component)| self.expand(instance, each, Some((&part, &component)))).collect()
    }
}

fn is_operator_symbol(name: &str) -> bool {
    matches!(name, "+" | "-" | "*" | "/")
}

/// A text as an operand: in parentheses, if it has an operator outside of brackets.
fn as_operand(text: &str) -> String {
    let mut depth = 0;
    let has_operator = text.chars().any(|char| {
        depth += i32::from(matches!(char, '(' | '[')) - i32::from(matches!(char, ')' | ']'));
        depth == 0 && char == ' '
    });
    if has_operator { format!("({text})") } else { text.to_owned() }
}

/// Whether an expression that follows this text is not an operand.
fn is_whole(before: &str) -> bool {
    before.is_empty()
        || before.ends_with(['(', '['])
        || before.ends_with(", ")
        || before.ends_with("return ")
        || before.ends_with("= ")
}

/// The arguments of a call at the start of a template, and what follows it.
fn arguments(template: &str) -> (Vec<&str>, &str) {
    let (mut depth, mut start, mut args) = (0, 1, Vec::new());
    for (at, char) in template.char_indices() {
        match char {
            '(' | '[' => depth += 1,
            ',' if depth == 1 => {
                args.push(template[start..at].trim());
                start = at + 1;
            }
            ')' | ']' => {
                depth -= 1;
                if depth == 0 {
                    args.extend(Some(template[start..at].trim()).filter(|arg| !arg.is_empty()));
                    return (args, &template[at + 1..]);
                }
            }
            _ => {}
        }
    }
    (args, "")
}

/// The repeated text and the text between, of `each|between]` at the start of a template, and what follows it.
fn repeated(template: &str) -> (&str, &str, &str) {
    let mut depth = 0;
    let end = template.char_indices().find(|(_, char)| {
        depth += i32::from(*char == '[') - i32::from(*char == ']');
        depth < 0
    });
    let end = end.map_or(template.len(), |(at, _)| at);
    let (each, between) = template[..end].split_once('|').unwrap_or((&template[..end], ""));
    (each, between, template.get(end + 1..).unwrap_or(""))
}

/// A section, instantiated for operand types.
struct Instance {
    args: Vec<Type>,
    ret: Type,
    t: Type,
    name: String,
}

impl Instance {
    /// The type that a placeholder or a name denotes.
    fn ty(&self, placeholder: &str) -> Type {
        match placeholder {
            "$T" => self.t,
            "$S" => Type::of(self.t.scalar()),
            "$C" => self.t.part(),
            "$R" => self.ret,
            "$0" => self.args[0],
            "$1" => self.args[1],
            "$D" => self.args[1].part(),
            "$E" => self.ret.part(),
            name => Type::from_name(name).unwrap_or(self.t),
        }
    }
}

/// The type in names of functions.
fn tag(ty: Type) -> String {
    ty.name().to_owned()
}

/// The name of an instance: `dot_vec3`, `mul_mat33_vec3`, and `exp` alone for operands of type `f32`.
fn instance_name(name: &str, args: &[Type], ret: Option<Type>) -> String {
    let mut tags: Vec<String> = args.iter().chain(&ret).map(|ty| tag(*ty)).collect();
    if tags.iter().all(|tag| *tag == tags[0]) {
        tags.truncate(1);
    }
    let tags = if tags == ["f32"] { String::new() } else { format!("_{}", tags.join("_")) };
    // These names are functions of WGSL with other meanings.
    let own = if tags.is_empty() && ["round", "sign"].contains(&name) {
        format!("{name}_half_away")
    } else {
        name.to_owned()
    };
    own + &tags
}

/// The type of the result of a function that another one calls: that of its operation, else that of the first operand.
fn result_of(name: &str, args: &[Type]) -> Type {
    let names = |row: &crate::ops::Overload| match row.c {
        Spelling::Helper(own) | Spelling::Infix(own) => own == name,
        Spelling::Prefix(_) | Spelling::Call(_) | Spelling::Math(_) | Spelling::Construct | Spelling::First => false,
    };
    let is_own = |def: &&OpDef| def.overloads.iter().any(names);
    let result = |def: &OpDef| def.op.results(args).first().copied();
    TABLE.iter().filter(is_own).find_map(result).unwrap_or(args[0])
}
