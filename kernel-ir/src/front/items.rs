//! The device items that a function may use. An item is compiled when it is first named, so a function pays for what it
//! reaches, and items may stand in any order.

use super::generics::{self, FunctionParam, Generic, GenericArg};
use super::links::{DeviceCode, DeviceItem, Devices, Link, Source};
use super::methods::{Method, Role};
use super::syntax::table_type;
use crate::diag::Diagnostic;
use crate::ir::{SpanTable, Struct, StructId, Type};
use proc_macro2::TokenStream;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::{self, Display, Formatter};
use std::rc::Rc;

/// Why there is no code of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Missing {
    /// It has mistakes, which are reported at its definition.
    HasMistakes,
    /// It is named inside of itself.
    NamesItself,
}

/// What was read, or the mistakes in it.
type Checked<T> = Result<T, Vec<Diagnostic>>;

/// The compilation of items. It needs the items that an item names, so it is given to them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Compiler {
    /// Reads a struct under `#[device(…)]`.
    pub(super) structure: fn(TokenStream, &syn::ItemStruct, &Known, &mut SpanTable) -> Checked<StructId>,
    /// Reads an enum under `#[device(…)]`.
    pub(super) enumeration: fn(TokenStream, &syn::ItemEnum, &mut SpanTable) -> Checked<StructId>,
    /// Reads the type of an alias under `#[device]`.
    pub(super) alias: fn(&syn::ItemType, &Known, &mut SpanTable) -> Checked<Type>,
    /// Compiles a function, constant or method under `#[device(…)]`.
    pub(super) code: fn(&mut DeviceItem, &TokenStream, &Known, &mut SpanTable) -> Checked<DeviceCode>,
    /// The types of the operands of a method.
    pub(super) operands: fn(&Method, &Known, &mut SpanTable) -> Option<(Type, Type)>,
}

impl Default for Compiler {
    /// The compiler of no items.
    fn default() -> Compiler {
        Compiler {
            structure: |_, _, _, _| Err(Vec::new()),
            enumeration: |_, _, _| Err(Vec::new()),
            alias: |_, _, _| Err(Vec::new()),
            code: |_, _, _, _| Err(Vec::new()),
            operands: |_, _, _| None,
        }
    }
}

/// The items of [`Devices`], by the ids of their sources.
#[derive(Debug, Default)]
pub(super) struct Items {
    items: HashMap<String, Item>,
    compiler: Compiler,
    /// Structs, enums and aliases; `None` for those with mistakes.
    types: RefCell<HashMap<String, Option<Type>>>,
    /// The structs and enums in the order of the sources.
    met: RefCell<Vec<StructId>>,
    members: RefCell<Vec<Member>>,
    /// The code of functions and constants by their ids, and of instances by id and arguments.
    codes: RefCell<HashMap<String, Result<DeviceCode, Missing>>>,
    /// The names that are taken in the IR.
    names: RefCell<HashSet<String>>,
    /// The names of the generic functions that have an instance.
    instantiated: RefCell<HashSet<String>>,
    has_mistakes: Cell<bool>,
    /// Whether the item that is being compiled has named itself.
    names_itself: Cell<bool>,
}

#[derive(Debug)]
struct Item {
    /// `None` for an item of another kind, which is reported at its definition.
    item: Option<DeviceItem>,
    attr: TokenStream,
    links: Vec<Link>,
    /// The name in the IR.
    name: String,
}

/// A constant table that a function names.
pub(super) struct Table {
    /// The paths by which the function names it.
    pub(super) paths: Vec<String>,
    /// The name in the IR.
    pub(super) name: String,
    pub(super) item: syn::ItemConst,
    /// The items that the table names.
    pub(super) links: Vec<Link>,
}

/// A method.
#[derive(Debug)]
struct Member {
    /// The type that has the method.
    of: Type,
    role: Role,
    /// The right operand of an operator.
    right: Type,
    id: String,
}

impl Items {
    /// The items of `devices`, which a function called `name` uses.
    pub(super) fn new(devices: &Devices, name: &str, compiler: Compiler, spans: &mut SpanTable) -> Rc<Items> {
        let names = devices.names(name);
        let taken = names.iter().cloned().chain([name.to_owned()]).collect();
        let named = devices.sources.iter().zip(names);
        let item = |(source, name): (&Source, String)| {
            let Source { id, attr, item, links } = source.clone();
            (id, Item { item: DeviceItem::parse(item), attr, links, name })
        };
        let items = named.map(item).collect();
        let items = Rc::new(Items { items, compiler, names: RefCell::new(taken), ..Items::default() });
        // A method has a type, so the types come first.
        for Source { id, .. } in &devices.sources {
            items.add_type(id, spans);
        }
        for Source { id, .. } in &devices.sources {
            items.add_member(id, spans);
        }
        items
    }

    /// Reads the struct, enum or alias with this id, after the types that it names. Does nothing for other items.
    fn add_type(self: &Rc<Items>, id: &str, spans: &mut SpanTable) {
        let Some(Item {
            item: Some(item @ (DeviceItem::Struct(_) | DeviceItem::Enum(_) | DeviceItem::Alias(_))),
            attr,
            links,
            name,
        }) = self.items.get(id)
        else {
            return;
        };
        if self.types.borrow().contains_key(id) {
            return;
        }
        // A type in itself finds one with mistakes.
        self.types.borrow_mut().insert(id.to_owned(), None);
        links.iter().for_each(|link| self.add_type(&link.id, spans));
        // The struct that is being compiled is not among the items, and needs no other name of itself.
        if links.iter().any(|link| !self.items.contains_key(&link.id)) {
            return;
        }
        let met = |read: StructId| {
            let read = Struct { name: name.clone(), ..Struct::clone(&read) }.intern();
            self.met.borrow_mut().push(read);
            Type::of_struct(read)
        };
        let known = self.known(links);
        let read = match item {
            DeviceItem::Struct(item) => (self.compiler.structure)(attr.clone(), item, &known, spans).ok().map(met),
            DeviceItem::Enum(item) => (self.compiler.enumeration)(attr.clone(), item, spans).ok().map(met),
            DeviceItem::Alias(item) => (self.compiler.alias)(item, &known, spans).ok(),
            DeviceItem::Function(_) | DeviceItem::Const(_) | DeviceItem::Method(_) | DeviceItem::Module(_) => None,
        };
        self.has_mistakes.set(self.has_mistakes.get() || read.is_none());
        self.types.borrow_mut().insert(id.to_owned(), read);
    }

    fn add_member(self: &Rc<Items>, id: &str, spans: &mut SpanTable) {
        let Some(Item { item: Some(DeviceItem::Method(method)), links, .. }) = self.items.get(id) else { return };
        let Some((of, right)) = (self.compiler.operands)(method, &self.known(links), spans) else { return };
        self.members.borrow_mut().push(Member { of, role: method.role.clone(), right, id: id.to_owned() });
    }

    /// The items to which `links` refer, by their paths.
    pub(super) fn known(self: &Rc<Items>, links: &[Link]) -> Known {
        let links = links.iter().map(|Link { path, id }| (path.clone(), id.clone())).collect();
        Known { items: Rc::clone(self), links, arguments: InstanceArgs::default() }
    }

    /// The code of a function or constant.
    fn code(self: &Rc<Items>, id: &str, spans: &mut SpanTable) -> Result<DeviceCode, Missing> {
        let Item { item, attr, links, name } = &self.items[id];
        self.compiled(id, || {
            let known = self.known(links);
            let compiled = item.clone().and_then(|mut item| (self.compiler.code)(&mut item, attr, &known, spans).ok());
            compiled.map(|code| code.named(name.clone()))
        })
    }

    /// The code of the generic function `id` with `args` in the place of its parameters. The mistakes are those of this
    /// instance alone; what every instance would have is reported at the definition.
    fn instance(
        self: &Rc<Items>,
        id: &str,
        generic: &Generic,
        args: &InstanceArgs,
        spans: &mut SpanTable,
    ) -> Result<DeviceCode, (Missing, Vec<Diagnostic>)> {
        let Item { attr, links, name, .. } = &self.items[id];
        let mut mistakes = Vec::new();
        let code = self.compiled(&format!("{id}{args}"), || {
            let known = self.known(links).of_instance(args);
            let function = generics::instance(generic, &args.values, generic.item.sig.ident.clone());
            let mut item = DeviceItem::Function(Box::new(function));
            match (self.compiler.code)(&mut item, attr, &known, spans) {
                Ok(code) => Some(code.named(self.name_of_instance(name, args))),
                Err(found) => {
                    mistakes = found;
                    None
                }
            }
        });
        code.map_err(|missing| (missing, mistakes))
    }

    /// The name in the IR of an instance: that of the function for the first one.
    fn name_of_instance(&self, function: &str, args: &InstanceArgs) -> String {
        if self.instantiated.borrow_mut().insert(function.to_owned()) {
            return function.to_owned();
        }
        let name = format!("{function}_{}", args.suffix());
        let numbered = (1..).map(|number| format!("{name}_{number}"));
        let mut names = std::iter::once(name.clone()).chain(numbered);
        names.find(|name| self.names.borrow_mut().insert(name.clone())).expect("the numbers do not end")
    }

    /// Compiles an instance of which others may take the place: the mistakes in it, and in others before it, do not count.
    pub(super) fn attempt<T>(&self, compile: impl FnOnce() -> T) -> T {
        let others = self.has_mistakes.replace(false);
        let result = compile();
        self.has_mistakes.set(others);
        result
    }

    /// The code under `key`, which `compile` makes if it is not known yet.
    fn compiled(&self, key: &str, compile: impl FnOnce() -> Option<DeviceCode>) -> Result<DeviceCode, Missing> {
        let known = self.codes.borrow().get(key).cloned();
        if let Some(known) = known {
            self.names_itself.set(self.names_itself.get() || matches!(known, Err(Missing::NamesItself)));
            self.has_mistakes.set(self.has_mistakes.get() || known.is_err());
            return known;
        }
        self.codes.borrow_mut().insert(key.to_owned(), Err(Missing::NamesItself));
        let outside = self.names_itself.replace(false);
        let compiled = compile();
        // All items of a circle name themselves.
        let missing = if self.names_itself.get() { Missing::NamesItself } else { Missing::HasMistakes };
        self.names_itself.set(outside || self.names_itself.get());
        let code = compiled.ok_or(missing);
        self.has_mistakes.set(self.has_mistakes.get() || code.is_err());
        self.codes.borrow_mut().insert(key.to_owned(), code.clone());
        code
    }
}

/// What takes the place of the parameters of a generic function in an instance.
#[derive(Clone, Debug, Default)]
pub(super) struct InstanceArgs {
    /// The types and constants.
    pub(super) values: Vec<GenericArg>,
    /// The functions that are passed, with the names of their parameters.
    pub(super) functions: Vec<(String, DeviceCode)>,
}

impl InstanceArgs {
    /// The arguments as a part of a name: `f32_4`.
    fn suffix(&self) -> String {
        let values = self.values.iter().map(GenericArg::word);
        let functions = self.functions.iter().map(|(_, code)| code.code().name.clone());
        values.chain(functions).collect::<Vec<_>>().join("_")
    }
}

impl Display for InstanceArgs {
    /// The arguments as they stand behind the name of a function: `::<f32, 4>`, and the functions `(sine)`.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if !self.values.is_empty() {
            write!(f, "::{}", generics::listed(&self.values))?;
        }
        let names: Vec<&str> = self.functions.iter().map(|(_, code)| code.code().name.as_str()).collect();
        if names.is_empty() { Ok(()) } else { write!(f, "({})", names.join(", ")) }
    }
}

/// The items that a function refers to, by their paths as text.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    items: Rc<Items>,
    links: HashMap<String, String>,
    /// The arguments of the function itself, if it is an instance.
    arguments: InstanceArgs,
}

/// The kind of a device item that a path refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Function,
    Constant,
    Table,
}

impl Known {
    /// The same items, for an instance with these arguments.
    pub(super) fn of_instance(mut self, args: &InstanceArgs) -> Known {
        self.arguments = args.clone();
        self
    }

    /// The device function with this path; `None` if there is none.
    pub(super) fn function(&self, path: &str, spans: &mut SpanTable) -> Option<Result<DeviceCode, Missing>> {
        if let Some((_, code)) = self.arguments.functions.iter().find(|(name, _)| name == path) {
            return Some(Ok(code.clone()));
        }
        self.code(path, Kind::Function, spans)
    }

    /// The generic device function with this path, or the mistakes in its parameters; `None` if there is none.
    pub(super) fn generic(&self, path: &str, spans: &mut SpanTable) -> Option<Result<Generic, Missing>> {
        let Item { item, .. } = self.items.items.get(self.links.get(path)?)?;
        let Some(DeviceItem::Function(function)) = item else { return None };
        let read = generics::is_generic(function).then(|| Generic::read(function, spans))?;
        self.items.has_mistakes.set(self.items.has_mistakes.get() || read.is_err());
        Some(read.map_err(|_| Missing::HasMistakes))
    }

    /// The instance of the generic device function with this path.
    pub(super) fn instance(
        &self,
        path: &str,
        generic: &Generic,
        args: &InstanceArgs,
        spans: &mut SpanTable,
    ) -> Result<DeviceCode, (Missing, Vec<Diagnostic>)> {
        match self.links.get(path) {
            Some(id) => self.items.instance(id, generic, args, spans),
            None => Err((Missing::HasMistakes, Vec::new())),
        }
    }

    /// Functions in the place of the parameters that are functions. `None` if there is none for one of them; the function is
    /// then checked only where it is called.
    pub(super) fn stand_ins(
        &self,
        generic: &Generic,
        values: &[GenericArg],
        spans: &mut SpanTable,
    ) -> Option<Vec<(String, DeviceCode)>> {
        let stand_in = |param: &FunctionParam| {
            let mut item = DeviceItem::Function(Box::new(generics::stand_in(generic, param, values)?));
            let code = (self.items.compiler.code)(&mut item, &TokenStream::new(), self, spans).ok()?;
            Some((param.name.clone(), code))
        };
        generic.functions.iter().map(stand_in).collect()
    }

    /// Whether the generic device function with this path has no mistakes where it is defined.
    pub(super) fn is_sound(&self, path: &str, generic: &Generic, spans: &mut SpanTable) -> bool {
        let mut holds = |values: &Vec<GenericArg>| {
            self.items.attempt(|| {
                let Some(functions) = self.stand_ins(generic, values, spans) else { return true };
                let args = InstanceArgs { values: values.clone(), functions };
                self.instance(path, generic, &args, spans).is_ok()
            })
        };
        generic.samples().iter().all(|numbers| numbers.iter().any(&mut holds))
    }

    /// The function with this path that gives a derivative of the function itself: of a generic one the instance with
    /// the same arguments.
    pub(super) fn derivative(&self, path: &str, spans: &mut SpanTable) -> Option<Result<DeviceCode, Missing>> {
        match self.generic(path, spans) {
            Some(Ok(generic)) if generic.params.len() == self.arguments.values.len() => {
                Some(self.instance(path, &generic, &self.arguments, spans).map_err(|(missing, _)| missing))
            }
            Some(Ok(_)) => None,
            Some(Err(missing)) => Some(Err(missing)),
            None => self.function(path, spans),
        }
    }

    /// The device constant with this path, as a function without parameters; `None` if there is none.
    pub(super) fn constant(&self, path: &str, spans: &mut SpanTable) -> Option<Result<DeviceCode, Missing>> {
        self.code(path, Kind::Constant, spans)
    }

    /// The tables that the function names, in the order of their names in the IR.
    pub(super) fn tables(&self) -> Vec<Table> {
        let mut tables: BTreeMap<&str, Table> = BTreeMap::new();
        for (path, id) in &self.links {
            let Some(Item { item: Some(DeviceItem::Const(item)), links, name, .. }) = self.items.items.get(id) else {
                continue;
            };
            if table_type(item).is_some() {
                let new =
                    || Table { paths: Vec::new(), name: name.clone(), item: (**item).clone(), links: links.clone() };
                tables.entry(name).or_insert_with(new).paths.push(path.clone());
            }
        }
        tables.into_values().collect()
    }

    /// Whether the table with this path has no mistakes.
    pub(super) fn is_sound_table(&self, path: &str, spans: &mut SpanTable) -> bool {
        self.code(path, Kind::Table, spans).is_some_and(|code| code.is_ok())
    }

    /// Adds items by their paths.
    ///
    /// # Errors
    /// A path that refers to another item already.
    pub(super) fn add(&mut self, links: &[Link]) -> Result<(), String> {
        for Link { path, id } in links {
            let known = self.links.entry(path.clone()).or_insert_with(|| id.clone());
            if known != id {
                return Err(path.clone());
            }
        }
        Ok(())
    }

    fn code(&self, path: &str, kind: Kind, spans: &mut SpanTable) -> Option<Result<DeviceCode, Missing>> {
        let id = self.links.get(path)?;
        let Some(Item { item, .. }) = self.items.items.get(id) else {
            // Only the item that is compiled is not among those that it needs.
            self.items.names_itself.set(true);
            return (kind == Kind::Function).then_some(Err(Missing::NamesItself));
        };
        let is_wanted = match item {
            Some(DeviceItem::Function(_)) | None => kind == Kind::Function,
            Some(DeviceItem::Const(item)) => {
                kind == (if table_type(item).is_some() { Kind::Table } else { Kind::Constant })
            }
            Some(
                DeviceItem::Struct(_)
                | DeviceItem::Enum(_)
                | DeviceItem::Alias(_)
                | DeviceItem::Method(_)
                | DeviceItem::Module(_),
            ) => false,
        };
        is_wanted.then(|| self.items.code(id, spans))
    }

    /// The device struct, enum or alias with this path; `None` if there is none. `Some(None)` has mistakes.
    pub(super) fn named_type(&self, path: &str) -> Option<Option<Type>> {
        self.items.types.borrow().get(self.links.get(path)?).copied()
    }

    /// The device struct or enum with this path; `None` if there is none. `Some(None)` has mistakes.
    pub(super) fn structure(&self, path: &str) -> Option<Option<StructId>> {
        match self.named_type(path)? {
            Some(ty) => ty.as_struct().map(Some),
            None => Some(None),
        }
    }

    /// The structs that the function may meet, whether it names them or not.
    pub(super) fn met(&self) -> Vec<StructId> {
        self.items.met.borrow().clone()
    }

    /// Whether the function may meet an enum.
    pub(super) fn has_enums(&self) -> bool {
        self.items.met.borrow().iter().any(|id| id.is_enum())
    }

    /// Whether a struct has a method with this name.
    pub(super) fn has_method(&self, name: &str) -> bool {
        self.items.members.borrow().iter().any(|member| member.role == Role::Named(name.to_owned()))
    }

    /// The method or constant `name` of the type.
    pub(super) fn method(&self, of: Type, name: &str, spans: &mut SpanTable) -> Option<Result<DeviceCode, Missing>> {
        let role = Role::Named(name.to_owned());
        let id = self.member(|member| member.of == of && member.role == role)?;
        Some(self.items.code(&id, spans))
    }

    /// Whether a struct has a negation.
    pub(super) fn has_negations(&self) -> bool {
        self.items.members.borrow().iter().any(|member| member.role == Role::Negation)
    }

    /// The negation of the type.
    pub(super) fn negation(&self, of: Type, spans: &mut SpanTable) -> Option<Result<DeviceCode, Missing>> {
        let id = self.member(|member| member.of == of && member.role == Role::Negation)?;
        Some(self.items.code(&id, spans))
    }

    /// The operands of the operators of structs with this symbol.
    pub(super) fn operands_of(&self, symbol: &str) -> Vec<(Type, Type)> {
        let members = self.items.members.borrow();
        let of_symbol = members.iter().filter(|member| matches!(member.role, Role::Infix(own, _) if own == symbol));
        of_symbol.map(|member| (member.of, member.right)).collect()
    }

    /// The operator of structs with this symbol between these types.
    pub(super) fn operator(
        &self,
        symbol: &str,
        left: Type,
        right: Type,
        spans: &mut SpanTable,
    ) -> Option<Result<DeviceCode, Missing>> {
        let is_it = |member: &Member| matches!(member.role, Role::Infix(own, _) if own == symbol);
        let id = self.member(|member| is_it(member) && (member.of, member.right) == (left, right))?;
        Some(self.items.code(&id, spans))
    }

    /// The id of the first such method.
    fn member(&self, is_it: impl Fn(&Member) -> bool) -> Option<String> {
        self.items.members.borrow().iter().find(|member| is_it(member)).map(|member| member.id.clone())
    }

    /// Whether one of the items that the function has reached has mistakes.
    pub(super) fn has_mistakes(&self) -> bool {
        self.items.has_mistakes.get()
    }
}
