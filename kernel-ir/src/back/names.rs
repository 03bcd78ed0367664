//! Names in emitted functions. A name of the author is kept where the target allows it, and gets a suffix otherwise.

use super::numbers::push_unsigned;
use crate::ir::{Block, ExprKind, Function, Kernel, LocalId, ParamId, StmtKind, StructId, Type};
use std::borrow::Cow;
use std::sync::Arc;

/// Candidate names for the variable of a `for _`. The first one that the kernel does not use is taken.
const COUNTERS: [&str; 5] = ["k", "j", "l", "m", "n"];

/// The scope of a name in the target language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scoping {
    /// From the declaration to the end of the block, as in C. Sibling blocks may reuse a name.
    Block,
    /// The whole function, as in Python. Only `for` variables of the same type may share a name, in loops that follow
    /// each other.
    Function,
}

/// The names of one emitted function.
#[derive(Debug)]
pub(super) struct Names<'a> {
    kernel: Cow<'a, str>,
    /// For each parameter, the position of its name in `taken`.
    params: Vec<usize>,
    /// For each local, the position of its name in `taken`.
    locals: Vec<usize>,
    /// Every name of a parameter, a local or an item of the writer.
    taken: Vec<Cow<'a, str>>,
    /// The union of the [fingerprints](fingerprint) of all names.
    fingerprints: u64,
}

impl<'a> Names<'a> {
    /// Names everything in `kernel`. `reserved` tells the names that the target reserves. A reserved name gets an
    /// underscore appended, a name in use gets a number.
    pub(super) fn new(kernel: &'a Kernel, scoping: Scoping, reserved: &dyn Fn(&str) -> bool) -> Names<'a> {
        let given = Vec::with_capacity(kernel.params.len() + kernel.locals.len());
        let mut naming = Naming { kernel, kernel_name: Cow::default(), scoping, reserved, given, fingerprints: 0 };
        naming.kernel_name = naming.safe(&kernel.name);
        naming.fingerprints = fingerprint(&naming.kernel_name);
        let params = kernel.params.iter().map(|param| naming.declare(&param.name)).collect();
        let mut locals = vec![0; kernel.locals.len()];
        naming.block(&kernel.body, &mut locals);
        let taken = naming.given.into_iter().map(|given| given.name).collect();
        Names { kernel: naming.kernel_name, params, locals, taken, fingerprints: naming.fingerprints }
    }

    /// The name of the function itself.
    pub(super) fn kernel(&self) -> &str {
        &self.kernel
    }

    /// The name of a parameter.
    pub(super) fn param(&self, id: ParamId) -> &str {
        &self.taken[self.params[id.0 as usize]]
    }

    /// The name of a local.
    pub(super) fn local(&self, id: LocalId) -> &str {
        &self.taken[self.locals[id.0 as usize]]
    }

    /// The names of parameters, locals and items of the writer.
    pub(super) fn all(&self) -> impl Iterator<Item = &str> + Clone {
        self.taken.iter().map(|name| &**name)
    }

    /// A name for an item of the writer, such as a launch size: `preferred`, with a number if it is in use.
    pub(super) fn fresh(&mut self, preferred: &str) -> String {
        let is_new = self.fingerprints & fingerprint(preferred) == 0;
        let name =
            if is_new { preferred.to_owned() } else { numbered(preferred.into(), self.all(), |_| false).into_owned() };
        self.fingerprints |= fingerprint(&name);
        self.taken.push(name.clone().into());
        name
    }
}

/// The names of the device functions of one emitted text.
#[derive(Debug, Default)]
pub(super) struct FunctionNames(Vec<(Arc<Function>, String)>);

impl FunctionNames {
    /// Names `functions`. `is_used` tells the names that they cannot have.
    pub(super) fn new(functions: Vec<Arc<Function>>, is_used: &dyn Fn(&str) -> bool) -> FunctionNames {
        let mut names = FunctionNames::default();
        for function in functions {
            let mut name = begun(plain(function.name()), is_used).into_owned();
            while is_used(&name) || names.has(&name) {
                name.push('_');
            }
            names.0.push((function, name));
        }
        names
    }

    /// The name of a function.
    pub(super) fn of(&self, function: &Function) -> &str {
        let (_, name) =
            self.0.iter().find(|(known, _)| **known == *function).expect("every function of the text has a name");
        name
    }

    /// Whether a function has this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(_, known)| known == name)
    }

    /// The functions with their names, callees first.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&Function, &str)> {
        self.0.iter().map(|(function, name)| (&**function, name.as_str()))
    }
}

/// The names of the structs of one emitted text, and of their fields.
#[derive(Debug, Default)]
pub(super) struct StructNames(Vec<(StructId, StructName)>);

/// The name of a struct, and of its fields.
#[derive(Debug)]
struct StructName {
    own: String,
    fields: Vec<String>,
}

impl StructNames {
    /// Names `structs`. `is_used` tells the names that they cannot have, and `is_reserved` those that no field can have.
    pub(super) fn new(
        structs: Vec<StructId>,
        is_used: &dyn Fn(&str) -> bool,
        is_reserved: &dyn Fn(&str) -> bool,
    ) -> StructNames {
        let mut names = StructNames::default();
        for id in structs {
            let mut own = names.preferred(id);
            while is_used(&own) || names.has(&own) {
                own.push('_');
            }
            let mut fields: Vec<String> = Vec::new();
            for field in &id.fields {
                // A number is no name, and stands for a field of a tuple.
                let letter = if id.is_tuple() { "v" } else { "" };
                let mut name = begun(&[letter, plain(&field.name)].concat(), is_reserved).into_owned();
                while is_reserved(&name) || fields.contains(&name) {
                    name.push('_');
                }
                fields.push(name);
            }
            names.0.push((id, StructName { own, fields }));
        }
        names
    }

    /// The struct's own name; `tuple_float32_vec3` for a tuple.
    fn preferred(&self, id: StructId) -> String {
        if !id.is_tuple() {
            return plain(&id.name).to_owned();
        }
        let part = |ty: Type| self.of(ty).unwrap_or_else(|| ty.name()).to_owned();
        let parts: Vec<String> = id.fields.iter().map(|field| part(field.ty)).collect();
        format!("tuple_{}", parts.join("_"))
    }

    fn find(&self, ty: Type) -> Option<&StructName> {
        let id = ty.as_struct()?;
        self.0.iter().find(|(known, _)| *known == id).map(|(_, name)| name)
    }

    /// The name of a struct; `None` for other types.
    pub(super) fn of(&self, ty: Type) -> Option<&str> {
        self.find(ty).map(|name| name.own.as_str())
    }

    /// The name of a field of the struct `ty`.
    pub(super) fn field(&self, ty: Type, number: u8) -> &str {
        &self.find(ty).expect("every struct of the text has a name").fields[usize::from(number)]
    }

    /// Whether a struct has this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(_, known)| known.own == name)
    }

    /// The structs with their names and those of their fields. A struct comes after those of its fields.
    pub(super) fn iter(&self) -> impl Iterator<Item = (StructId, &str, &[String])> {
        self.0.iter().map(|(id, name)| (*id, name.own.as_str(), name.fields.as_slice()))
    }
}

/// The state of the naming of one kernel.
struct Naming<'a, 'r> {
    kernel: &'a Kernel,
    kernel_name: Cow<'a, str>,
    scoping: Scoping,
    reserved: &'r dyn Fn(&str) -> bool,
    /// The names given so far. They are few, so a linear search is faster than a set.
    given: Vec<Given<'a>>,
    /// The union of the [fingerprints](fingerprint) of all names.
    fingerprints: u64,
}

/// A name that was given to a parameter or a local.
struct Given<'a> {
    name: Cow<'a, str>,
    /// Whether a new name must differ from it.
    visible: bool,
    /// The type of the variable, if another `for` of the same type may reuse the name.
    free: Option<Type>,
}

impl<'a> Naming<'a, '_> {
    fn safe(&self, preferred: &'a str) -> Cow<'a, str> {
        let mut name = begun(plain(preferred), self.reserved);
        while (self.reserved)(&name) {
            name.to_mut().push('_');
        }
        name
    }

    /// The position of the name of a `for` variable.
    fn declare_loop(&mut self, local: LocalId) -> usize {
        let kernel = self.kernel;
        let ty = kernel.local(local).ty;
        let preferred = match kernel.local(local).name.as_str() {
            // In Python, `_` is the name of an unused variable, and several variables may share it.
            preferred @ "_" if self.scoping == Scoping::Function && !is_read(kernel, local) => {
                return self.give(Given { name: preferred.into(), visible: false, free: None });
            }
            "_" => self.counter(ty),
            preferred => preferred,
        };
        let safe = self.safe(preferred);
        match self.visible(&safe) {
            Some(at) if self.given[at].free == Some(ty) => {
                self.given[at].free = None;
                at
            }
            _ => self.declare(preferred),
        }
    }

    fn counter(&self, ty: Type) -> &'static str {
        let is_free = |name: &&str| {
            let again = self.visible(name).is_some_and(|at| self.given[at].free == Some(ty));
            (again || !self.is_taken(name)) && !is_authors(self.kernel, name) && !(self.reserved)(name)
        };
        COUNTERS.into_iter().find(is_free).unwrap_or(COUNTERS[0])
    }

    /// The position of a new name.
    fn declare(&mut self, preferred: &'a str) -> usize {
        let mut name = self.safe(preferred);
        // The fingerprint rules out most conflicts without a search.
        if self.fingerprints & fingerprint(&name) != 0 {
            let visible = self.given.iter().filter(|given| given.visible).map(|given| &*given.name);
            name = numbered(name, visible.chain([&*self.kernel_name]), self.reserved);
        }
        self.give(Given { name, visible: true, free: None })
    }

    fn give(&mut self, given: Given<'a>) -> usize {
        self.fingerprints |= fingerprint(&given.name);
        self.given.push(given);
        self.given.len() - 1
    }

    /// Whether a new name with this spelling would hide another one.
    fn is_taken(&self, name: &str) -> bool {
        name == self.kernel_name || self.visible(name).is_some()
    }

    /// The position of the visible name with this spelling.
    fn visible(&self, name: &str) -> Option<usize> {
        self.given.iter().position(|given| given.visible && given.name == name)
    }

    /// Names the locals that `block` declares; stores the positions of their names in `locals`.
    fn block(&mut self, block: &Block, locals: &mut [usize]) {
        let before = self.given.len();
        for stmt in block {
            match &stmt.kind {
                StmtKind::Let { local, .. } => {
                    locals[local.0 as usize] = self.declare(&self.kernel.local(*local).name);
                }
                StmtKind::For { local, body, .. } => {
                    let ty = self.kernel.local(*local).ty;
                    let before = self.given.len();
                    let at = self.declare_loop(*local);
                    self.block(body, locals);
                    self.end_scope(before);
                    if self.scoping == Scoping::Function && self.given[at].visible {
                        self.given[at].free = Some(ty);
                    }
                    locals[local.0 as usize] = at;
                }
                StmtKind::Assign { .. }
                | StmtKind::Update { .. }
                | StmtKind::Atomic { .. }
                | StmtKind::If { .. }
                | StmtKind::While { .. }
                | StmtKind::Break
                | StmtKind::Continue
                | StmtKind::Return(_)
                | StmtKind::Print(_) => stmt.blocks().for_each(|inner| self.block(inner, locals)),
            }
        }
        self.end_scope(before);
    }

    /// Ends the scope in which the names from number `before` on were given.
    fn end_scope(&mut self, before: usize) {
        if self.scoping == Scoping::Block {
            for given in &mut self.given[before..] {
                given.visible = false;
            }
        }
    }
}

/// A name without the prefix `r#` of raw identifiers.
fn plain(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}

/// A name that the target does not reserve for its beginning: WGSL reserves what begins with two underscores, and an
/// underscore alone.
fn begun<'n>(name: &'n str, is_reserved: &dyn Fn(&str) -> bool) -> Cow<'n, str> {
    let is_taken = name.starts_with('_') && is_reserved(name) && is_reserved(&format!("{name}_"));
    if is_taken { Cow::Owned(format!("v{name}")) } else { Cow::Borrowed(name) }
}

/// Whether the author uses this name in the kernel.
fn is_authors(kernel: &Kernel, name: &str) -> bool {
    kernel.params.iter().any(|param| plain(&param.name) == name)
        || kernel.locals.iter().any(|local| plain(&local.name) == name)
}

fn is_read(kernel: &Kernel, local: LocalId) -> bool {
    let mut found = false;
    kernel.walk_exprs(&mut |expr| {
        found |= matches!(expr.kind, ExprKind::Local(read) | ExprKind::LocalElement { local: read, .. } if read == local);
    });
    found
}

/// `preferred` if it is not `taken`; else `preferred` with the smallest number that makes it neither taken nor
/// reserved.
fn numbered<'n, 't>(
    preferred: Cow<'n, str>,
    taken: impl Iterator<Item = &'t str> + Clone,
    is_reserved: impl Fn(&str) -> bool,
) -> Cow<'n, str> {
    if !taken.clone().any(|other| other == preferred) {
        return preferred;
    }
    let number = |other: &str| {
        // Comparing one byte rules out most names without a prefix search.
        if other.as_bytes().get(preferred.len()) != Some(&b'_') {
            return None;
        }
        let digits = other.strip_prefix(&*preferred)?.strip_prefix('_')?;
        digits.parse().ok().filter(|_| !digits.starts_with(['0', '+']))
    };
    let numbers: Vec<u32> = taken.filter_map(number).collect();
    let mut name = String::with_capacity(preferred.len() + 4);
    for number in (1..).filter(|number| !numbers.contains(number)) {
        name.clear();
        name.extend([&preferred, "_"]);
        push_unsigned(&mut name, number.into());
        if !is_reserved(&name) {
            break;
        }
    }
    name.into()
}

/// A bit for a name, by its length and its first letter. Names with different bits are different.
pub(super) fn fingerprint(name: &str) -> u64 {
    let letter = name.as_bytes().first().copied().unwrap_or(0);
    1 << ((name.len() + 7 * usize::from(letter)) % 64)
}

/// A set of words, hashed by their first letters and lengths.
pub(super) struct WordSet(Vec<Vec<&'static str>>);

impl WordSet {
    pub(super) fn new(words: impl IntoIterator<Item = &'static str>) -> WordSet {
        let mut alike = vec![Vec::new(); 512];
        for word in words {
            alike[WordSet::place(word)].push(word);
        }
        WordSet(alike)
    }

    fn place(word: &str) -> usize {
        let letter = usize::from(word.as_bytes().first().copied().unwrap_or(0) & 31);
        letter << 4 | word.len().min(15)
    }

    pub(super) fn contains(&self, word: &str) -> bool {
        self.0[WordSet::place(word)].contains(&word)
    }
}
