//! The modules of a crate with the names that they declare and use, and the resolution of a path to the file that
//! defines the item.
//!
//! This is a simplified form of rustc's name resolution: one namespace, no types. Dependencies through method calls or
//! derived implementations are not seen. An item that a macro invocation declares belongs to the module of the
//! invocation.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::{Attribute, Item, ItemUse, Meta, Token, UseTree, Visibility};

/// Reads a file of a crate by its path relative to `src`; `None` if it does not exist.
pub(crate) type ReadFile<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The imports between two files: for each pair of importer and definer, the imported names.
pub(crate) type Imports = BTreeMap<(String, String), BTreeSet<String>>;

/// All modules of a crate; the first is the root.
pub(crate) struct Modules {
    modules: Vec<Module>,
    /// Whether the code under `cfg(feature = ..)` is included.
    features: bool,
    /// The names in the body of each `macro_rules!`.
    macros: HashMap<String, HashSet<String>>,
}

struct Module {
    /// `a::b`; empty for the root.
    path: String,
    parent: usize,
    file: String,
    names: HashMap<String, Vec<Definition>>,
    imports: Vec<Import>,
    /// The names in item macros, which may declare them, and the names of these macros.
    in_macros: HashSet<String>,
    code: Vec<TokenStream>,
}

#[derive(Clone)]
enum Definition {
    Item,
    Module(usize),
    Import(Vec<String>),
}

struct Import {
    path: Vec<String>,
    glob: bool,
    /// A `pub use` is no import of its own module.
    exported: bool,
}

/// What a path resolves to.
#[derive(Clone)]
enum Target {
    Item { module: usize, name: String },
    Module(usize),
    OtherCrate,
}

impl Modules {
    /// Reads the crate whose root is `lib.rs`, without tests, and with all of its features or none.
    pub(crate) fn read(read_file: ReadFile, features: bool) -> Self {
        let root = Module::new(String::new(), 0, "lib.rs".to_owned());
        let mut modules = Self { modules: vec![root], features, macros: HashMap::new() };
        modules.read_file(read_file, 0, "");
        modules
    }

    /// The path of the module that each file holds.
    pub(crate) fn files(&self) -> BTreeMap<&str, &str> {
        // An inline module stands behind the module of its file.
        self.modules.iter().rev().map(|module| (module.file.as_str(), module.path.as_str())).collect()
    }

    /// The imports between files.
    pub(crate) fn imports(&self) -> Imports {
        let mut imports = Imports::new();
        for (index, module) in self.modules.iter().enumerate() {
            let private = module.imports.iter().filter(|import| !import.exported).map(|import| import.path.clone());
            let mut paths: Vec<Vec<String>> = private.collect();
            for code in &module.code {
                collect_paths(code.clone(), &mut paths);
            }
            for target in paths.iter().flat_map(|path| self.resolve(index, path, &mut Vec::new())) {
                if let Target::Item { module: definer, name } = target {
                    let definer = &self.modules[definer];
                    if definer.file != module.file {
                        imports.entry((module.file.clone(), definer.file.clone())).or_default().insert(name);
                    }
                }
            }
        }
        imports
    }

    /// The imports that cannot be resolved. Each is a gap in this resolution.
    pub(crate) fn unresolved(&self) -> Vec<String> {
        let mut unresolved = Vec::new();
        for (index, module) in self.modules.iter().enumerate() {
            for import in &module.imports {
                let local = matches!(import.path[0].as_str(), "crate" | "self" | "super");
                if local && self.resolve(index, &import.path, &mut Vec::new()).is_empty() {
                    unresolved.push(format!("{}: {}", module.file, import.path.join("::")));
                }
            }
        }
        unresolved
    }

    /// Reads the file of a module. The files of its children lie in `folder`.
    fn read_file(&mut self, read_file: ReadFile, module: usize, folder: &str) {
        let file = &self.modules[module].file;
        let text = read_file(file).unwrap_or_else(|| panic!("{file} does not exist"));
        let syntax = syn::parse_file(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
        self.read_items(read_file, module, folder, syntax.items);
    }

    fn read_items(&mut self, read_file: ReadFile, module: usize, folder: &str, items: Vec<Item>) {
        for item in items {
            if !attributes(&item).iter().all(|attribute| self.holds(attribute)) {
                continue;
            }
            match item {
                Item::Mod(item) => self.read_child(read_file, module, folder, item),
                Item::Use(item) => self.modules[module].declare_imports(&item, true),
                item => {
                    if let Item::Macro(syn::ItemMacro { ident: Some(name), mac, .. }) = &item {
                        collect_names(mac.tokens.clone(), self.macros.entry(name.to_string()).or_default());
                    }
                    self.modules[module].declare_item(item);
                }
            }
        }
    }

    fn read_child(&mut self, read_file: ReadFile, parent: usize, folder: &str, item: syn::ItemMod) {
        let name = item.ident.to_string();
        let path = match self.modules[parent].path.as_str() {
            "" => name.clone(),
            path => format!("{path}::{name}"),
        };
        let child = self.modules.len();
        let file = self.modules[parent].file.clone();
        self.modules.push(Module::new(path, parent, file));
        self.modules[parent].declare(&name, Definition::Module(child));
        let own_folder = format!("{folder}{name}/");
        match (item.content, path_attribute(&item.attrs)) {
            (Some((_, items)), _) => self.read_items(read_file, child, &own_folder, items),
            (None, Some(path)) => {
                let file = &self.modules[parent].file;
                let beside = file.rfind('/').map_or("", |end| &file[..=end]);
                let file = format!("{beside}{path}");
                let folder = file.rfind('/').map_or("", |end| &file[..=end]).to_owned();
                self.modules[child].file = file;
                self.read_file(read_file, child, &folder);
            }
            (None, None) => {
                let file = format!("{folder}{name}.rs");
                self.modules[child].file = match read_file(&file) {
                    Some(_) => file,
                    None => format!("{own_folder}mod.rs"),
                };
                self.read_file(read_file, child, &own_folder);
            }
        }
    }

    /// Whether the item with this attribute is compiled.
    fn holds(&self, attribute: &Attribute) -> bool {
        let condition = attribute.path().is_ident("cfg").then(|| attribute.parse_args::<Meta>());
        condition.is_none_or(|condition| self.condition_holds(&condition.expect("the crate compiles")))
    }

    fn condition_holds(&self, condition: &Meta) -> bool {
        match condition {
            Meta::Path(path) => !path.is_ident("test"),
            Meta::NameValue(pair) => !pair.path.is_ident("feature") || self.features,
            Meta::List(list) => {
                let parts = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
                let parts = parts.expect("the crate compiles");
                let mut parts = parts.iter().map(|part| self.condition_holds(part));
                match list.path.is_ident("any") {
                    true => parts.any(|part| part),
                    false => parts.all(|part| part) != list.path.is_ident("not"),
                }
            }
        }
    }

    /// Resolves `path`, written in `module`. `within` holds the names that are being looked up, because a name may be
    /// imported through itself: `use launch::launch`.
    fn resolve(&self, module: usize, path: &[String], within: &mut Vec<(usize, String)>) -> Vec<Target> {
        match path[0].as_str() {
            "crate" => self.walk(0, &path[1..], within),
            "self" => self.walk(module, &path[1..], within),
            "super" => self.walk(self.modules[module].parent, &path[1..], within),
            first => match self.lookup(module, first, within) {
                none if none.is_empty() => vec![Target::OtherCrate],
                _ => self.walk(module, path, within),
            },
        }
    }

    fn walk(&self, module: usize, path: &[String], within: &mut Vec<(usize, String)>) -> Vec<Target> {
        let Some((name, rest)) = path.split_first() else { return vec![Target::Module(module)] };
        if name == "super" {
            return self.walk(self.modules[module].parent, rest, within);
        }
        let mut found = self.lookup(module, name, within);
        // A function may have the same name as a module.
        if !rest.is_empty() && found.iter().any(|target| matches!(target, Target::Module(_))) {
            found.retain(|target| matches!(target, Target::Module(_)));
        }
        let step = |target| match target {
            Target::Module(module) => self.walk(module, rest, within),
            // The rest of the path is a variant or an associated item, or is not visible from here.
            target => vec![target],
        };
        found.into_iter().flat_map(step).collect()
    }

    fn lookup(&self, module: usize, name: &str, within: &mut Vec<(usize, String)>) -> Vec<Target> {
        let item = || Target::Item { module, name: name.to_owned() };
        let entry = (module, name.to_owned());
        let again = within.contains(&entry);
        within.push(entry);
        let scope = &self.modules[module];
        let mut targets = Vec::new();
        for definition in scope.names.get(name).into_iter().flatten() {
            match definition {
                Definition::Item => targets.push(item()),
                Definition::Module(child) => targets.push(Target::Module(*child)),
                Definition::Import(path) if !again => targets.extend(self.resolve(module, path, within)),
                Definition::Import(_) => {}
            }
        }
        if targets.is_empty() && !again && !scope.names.contains_key(name) {
            for glob in scope.imports.iter().filter(|import| import.glob) {
                for source in self.resolve(module, &glob.path, within) {
                    if let Target::Module(source) = source {
                        targets.extend(self.lookup(source, name, within));
                    }
                }
            }
            let declares = |by: &String| self.macros.get(by).is_some_and(|names| names.contains(name));
            if targets.is_empty() && (scope.in_macros.contains(name) || scope.in_macros.iter().any(declares)) {
                targets.push(item());
            }
        }
        within.pop();
        targets
    }
}

impl Module {
    fn new(path: String, parent: usize, file: String) -> Self {
        let (names, in_macros) = (HashMap::new(), HashSet::new());
        Self { path, parent, file, names, imports: Vec::new(), in_macros, code: Vec::new() }
    }

    fn declare(&mut self, name: &str, definition: Definition) {
        self.names.entry(name.to_owned()).or_default().push(definition);
    }

    fn declare_item(&mut self, item: Item) {
        let name = match &item {
            Item::Const(item) => Some(&item.ident),
            Item::Enum(item) => Some(&item.ident),
            Item::Fn(item) => Some(&item.sig.ident),
            Item::Macro(item) => item.ident.as_ref(),
            Item::Static(item) => Some(&item.ident),
            Item::Struct(item) => Some(&item.ident),
            Item::Trait(item) => Some(&item.ident),
            Item::Type(item) => Some(&item.ident),
            Item::Union(item) => Some(&item.ident),
            _ => None,
        };
        if let Some(name) = name {
            self.declare(&name.to_string(), Definition::Item);
        } else if let Item::Macro(item) = &item {
            collect_names(item.mac.to_token_stream(), &mut self.in_macros);
        }
        // Imports in bodies of functions.
        struct Uses<'a>(&'a mut Module);
        impl Visit<'_> for Uses<'_> {
            fn visit_item_use(&mut self, item: &ItemUse) {
                self.0.declare_imports(item, false);
            }
        }
        Uses(self).visit_item(&item);
        match item {
            // The names of variants are not uses.
            Item::Enum(item) => {
                self.code.extend(item.variants.iter().map(|variant| variant.fields.to_token_stream()));
                self.code.extend(item.attrs.iter().map(ToTokens::to_token_stream));
            }
            item => self.code.push(item.to_token_stream()),
        }
    }

    /// Declares the names of a `use`. One in the body of a function declares no name of the module.
    fn declare_imports(&mut self, item: &ItemUse, named: bool) {
        if item.leading_colon.is_some() {
            return;
        }
        let exported = !matches!(item.vis, Visibility::Inherited);
        let mut leaves = Vec::new();
        collect_leaves(&item.tree, &mut Vec::new(), &mut leaves);
        for (path, name) in leaves {
            if let Some(name) = name.as_deref().filter(|name| named && *name != "_") {
                self.declare(name, Definition::Import(path.clone()));
            }
            self.imports.push(Import { path, glob: name.is_none(), exported });
        }
    }
}

/// The imports of a use tree, each with the name that it declares; `None` for a glob.
fn collect_leaves(tree: &UseTree, prefix: &mut Vec<String>, leaves: &mut Vec<(Vec<String>, Option<String>)>) {
    let mut leaf = |last: String, name: String| {
        let mut path = prefix.clone();
        let name = match last == "self" && !path.is_empty() {
            // `a::{self}` is `a`.
            true if name == "self" => path.last().expect("it is not empty").clone(),
            true => name,
            false => {
                path.push(last);
                name
            }
        };
        leaves.push((path, Some(name)));
    };
    match tree {
        UseTree::Path(path) => {
            prefix.push(path.ident.to_string());
            collect_leaves(&path.tree, prefix, leaves);
            prefix.pop();
        }
        UseTree::Name(name) => leaf(name.ident.to_string(), name.ident.to_string()),
        UseTree::Rename(rename) => leaf(rename.ident.to_string(), rename.rename.to_string()),
        UseTree::Glob(_) => leaves.push((prefix.clone(), None)),
        UseTree::Group(group) => group.items.iter().for_each(|tree| collect_leaves(tree, prefix, leaves)),
    }
}

/// The paths in code, also inside macro invocations. Of single names, only those that look like a type, a constant, a
/// called function or a macro count, because the others are mostly locals.
fn collect_paths(code: TokenStream, paths: &mut Vec<Vec<String>>) {
    let tokens: Vec<TokenTree> = code.into_iter().collect();
    let is = |at: usize, symbol: char| matches!(tokens.get(at), Some(TokenTree::Punct(p)) if p.as_char() == symbol);
    let mut at = 0;
    // The token before the path. A name after `.` is no item of a module, and a name after `fn` is a declaration.
    let mut before = String::new();
    while at < tokens.len() {
        match &tokens[at] {
            TokenTree::Group(group) => collect_paths(group.stream(), paths),
            TokenTree::Ident(first) => {
                let mut path = vec![first.to_string()];
                while let (true, true, Some(TokenTree::Ident(next))) =
                    (is(at + 1, ':'), is(at + 2, ':'), tokens.get(at + 3))
                {
                    path.push(next.to_string());
                    at += 3;
                }
                let called = match tokens.get(at + 1) {
                    Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::Parenthesis,
                    _ => is(at + 1, '!') && !is(at + 2, '=') || is(at + 1, ':') && is(at + 2, ':'),
                };
                let declared = matches!(before.as_str(), "." | "::" | "fn" | "type" | "const" | "static" | "'");
                if !declared && (path.len() > 1 || called || path[0].starts_with(char::is_uppercase)) {
                    paths.push(path);
                }
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
        before = match &tokens[at] {
            TokenTree::Punct(symbol) if symbol.as_char() == ':' && before == ":" => "::".to_owned(),
            TokenTree::Group(_) | TokenTree::Literal(_) => String::new(),
            token => token.to_string(),
        };
        at += 1;
    }
}

fn collect_names(tokens: TokenStream, names: &mut HashSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(name) => _ = names.insert(name.to_string()),
            TokenTree::Group(group) => collect_names(group.stream(), names),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

fn path_attribute(attributes: &[Attribute]) -> Option<String> {
    attributes.iter().find(|attribute| attribute.path().is_ident("path")).map(|attribute| {
        let value = &attribute.meta.require_name_value().expect("the crate compiles").value;
        let path: syn::LitStr = syn::parse2(value.to_token_stream()).expect("the crate compiles");
        path.value()
    })
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}
