//! rust-analyzer with one open file, and the questions.

use ra_ap_hir::ClosureStyle;
use ra_ap_ide::{
    AdjustmentHints, AdjustmentHintsMode, AnalysisHost, AssistResolveStrategy, ClosureReturnTypeHints,
    CompletionConfig, CompletionFieldsToResolve, CompletionItemKind, DiagnosticsConfig, DiscriminantHints, FileId,
    FilePosition, FileRange, GenericParameterHints, GotoDefinitionConfig, HoverConfig, HoverDocFormat,
    InlayFieldsToResolve, InlayHintsConfig, LifetimeElisionHints, RaFixtureConfig, SubstTyLen, SymbolKind, TextRange,
    TextSize, TypeHintsPlacement,
};
use ra_ap_ide_db::ChangeWithProcMacros;
use ra_ap_load_cargo::{LoadCargoConfig, ProcMacroServerChoice, load_workspace_at};
use ra_ap_paths::{AbsPathBuf, Utf8PathBuf};
use ra_ap_project_model::{CargoConfig, RustLibSource};
use ra_ap_vfs::VfsPath;
use std::error::Error;
use std::path::Path;
use std::process::Command;

/// The cursor in texts.
pub const CURSOR: char = '‸';

pub enum Kind {
    Hover,
    Complete,
    Definition,
    Hints,
}

/// A question at the first place of the function that looks like `at`.
pub struct Query {
    pub name: &'static str,
    kind: Kind,
    at: &'static str,
}

pub const QUERIES: [Query; 11] = [
    Query { name: "hover `v`", kind: Kind::Hover, at: "let ‸v = " },
    Query { name: "hover `height`", kind: Kind::Hover, at: "let ‸height = " },
    Query { name: "hover `above`", kind: Kind::Hover, at: "let ‸above = " },
    Query { name: "hover a use", kind: Kind::Hover, at: "= ‸v." },
    Query { name: "complete `v.`", kind: Kind::Complete, at: "let height = v.‸z" },
    Query { name: "complete a name before", kind: Kind::Complete, at: "let height = ‸v" },
    Query { name: "complete a name after", kind: Kind::Complete, at: "let twice = ab‸ove" },
    Query { name: "hints", kind: Kind::Hints, at: "" },
    Query { name: "definition of a local", kind: Kind::Definition, at: "let twice = ‸above" },
    Query { name: "definition of a parameter", kind: Kind::Definition, at: "‸rest * twice" },
    Query { name: "definition of a function", kind: Kind::Definition, at: "= ‸force(" },
];

pub struct Editor {
    host: AnalysisHost,
    file: FileId,
    text: String,
}

impl Editor {
    /// Loads the crate in `folder`. Its macros are built in its own `target`.
    pub fn load(folder: &Path) -> Result<Editor, Box<dyn Error>> {
        let sysroot = Command::new("rustc").args(["--print", "sysroot"]).current_dir(folder).output()?;
        let sysroot = Utf8PathBuf::from(String::from_utf8(sysroot.stdout)?.trim());
        // Without this path, rust-analyzer would have rustup install the sources of std.
        let sources =
            std::env::var("RUST_SRC_PATH").map_or_else(|_| sysroot.join("lib/rustlib/src/rust/library"), Into::into);
        println!("Sources of std: {}", if sources.exists() { "found" } else { "none" });
        let cargo = CargoConfig {
            sysroot: Some(RustLibSource::Discover),
            sysroot_src: Some(AbsPathBuf::assert(sources)),
            ..CargoConfig::default()
        };
        let load = LoadCargoConfig {
            load_out_dirs_from_check: true,
            with_proc_macro_server: ProcMacroServerChoice::Sysroot,
            prefill_caches: false,
            num_worker_threads: 1,
            proc_macro_processes: 1,
        };
        let (db, vfs, server) = load_workspace_at(folder, &cargo, &load, &|_| ())?;
        server.ok_or("no macro server in the toolchain")?;
        let path = folder.join("src/lib.rs").canonicalize()?;
        let path = Utf8PathBuf::from_path_buf(path).map_err(|_| "a path is not UTF-8")?;
        let (file, _) = vfs.file_id(&VfsPath::from(AbsPathBuf::assert(path))).ok_or("the crate was not loaded")?;
        Ok(Editor { host: AnalysisHost::with_database(db), file, text: String::new() })
    }

    /// Replaces the text of the open file.
    pub fn type_text(&mut self, text: &str) {
        let mut change = ChangeWithProcMacros::default();
        change.change_file(self.file, Some(text.to_owned()));
        self.host.apply_change(change);
        text.clone_into(&mut self.text);
    }

    /// The answer to `query` in the function `function`, on one line.
    pub fn ask(&self, query: &Query, function: &str) -> String {
        let Some(start) = self.text.find(&format!("pub fn {function}")) else { return "no function".to_owned() };
        let end = self.text[start..].find("\n}\n").map_or(self.text.len(), |length| start + length);
        let cursor = query.at.find(CURSOR).unwrap_or_default();
        let Some(at) = self.text[start..end].find(&query.at.replace(CURSOR, "")) else { return "not there".to_owned() };
        let at = start + at + cursor;
        match query.kind {
            Kind::Hover => self.hover(at),
            Kind::Complete => self.complete(at),
            Kind::Definition => self.definition(at),
            Kind::Hints => self.hints(start, end),
        }
    }

    fn hover(&self, at: usize) -> String {
        let config = HoverConfig {
            links_in_hover: false,
            memory_layout: None,
            documentation: false,
            keywords: false,
            format: HoverDocFormat::PlainText,
            max_trait_assoc_items_count: None,
            max_fields_count: None,
            max_enum_variants_count: None,
            max_subst_ty_len: SubstTyLen::Unlimited,
            show_drop_glue: false,
            ra_fixture: RaFixtureConfig::default(),
        };
        let range = FileRange { file_id: self.file, range: TextRange::empty(size(at)) };
        let hover = self.host.analysis().hover(&config, range).ok().flatten();
        let parts = hover.iter().flat_map(|hover| hover.info.markup.as_str().lines());
        joined(parts.map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()))
    }

    /// The fields and local names, and which other things there are more than a few of.
    pub fn complete(&self, at: usize) -> String {
        let config = CompletionConfig {
            enable_postfix_completions: false,
            enable_imports_on_the_fly: false,
            enable_self_on_the_fly: false,
            enable_auto_iter: false,
            enable_auto_await: false,
            enable_private_editable: false,
            enable_term_search: false,
            term_search_fuel: 0,
            full_function_signatures: false,
            callable: None,
            add_colons_to_module: false,
            add_semicolon_to_unit: false,
            snippet_cap: None,
            insert_use: DiagnosticsConfig::test_sample().insert_use,
            prefer_no_std: false,
            prefer_prelude: true,
            prefer_absolute: false,
            snippets: Vec::new(),
            limit: None,
            fields_to_resolve: CompletionFieldsToResolve::empty(),
            exclude_flyimport: Vec::new(),
            exclude_traits: &[],
            ra_fixture: RaFixtureConfig::default(),
        };
        let position = FilePosition { file_id: self.file, offset: size(at) };
        let items = self.host.analysis().completions(&config, position, None).ok().flatten().unwrap_or_default();
        let count = |kind| items.iter().filter(|item| item.kind == CompletionItemKind::SymbolKind(kind)).count();
        let counts = [
            (count(SymbolKind::Method), "methods"),
            (count(SymbolKind::Function), "functions"),
            (count(SymbolKind::Struct), "structs"),
        ];
        let names = items.iter().filter(|item| {
            use SymbolKind::{Field, Local, ValueParam};
            [Field, Local, ValueParam].iter().any(|kind| item.kind == CompletionItemKind::SymbolKind(*kind))
        });
        let mut names: Vec<String> = names.map(|item| item.label.primary.to_string()).collect();
        names.sort();
        let many = counts.iter().filter(|(count, _)| *count > 5);
        joined(names.into_iter().chain(many.map(|(_, what)| (*what).to_owned())))
    }

    /// The lines of the definitions, counted in this file, and their names.
    fn definition(&self, at: usize) -> String {
        let config = GotoDefinitionConfig { ra_fixture: RaFixtureConfig::default() };
        let position = FilePosition { file_id: self.file, offset: size(at) };
        let found = self.host.analysis().goto_definition(position, &config).ok().flatten();
        let targets = found.map(|found| found.info).unwrap_or_default();
        joined(targets.iter().map(|target| {
            if target.file_id != self.file {
                return format!("{} elsewhere", target.name);
            }
            let at = usize::from(target.focus_range.unwrap_or(target.full_range).start());
            format!("{} in line {}", target.name, self.text[..at].lines().count())
        }))
    }

    /// The types that stand behind `let`s.
    fn hints(&self, start: usize, end: usize) -> String {
        let config = InlayHintsConfig {
            render_colons: true,
            type_hints: true,
            type_hints_placement: TypeHintsPlacement::Inline,
            sized_bound: false,
            discriminant_hints: DiscriminantHints::Never,
            parameter_hints: false,
            parameter_hints_for_missing_arguments: false,
            generic_parameter_hints: GenericParameterHints {
                type_hints: false,
                lifetime_hints: false,
                const_hints: false,
            },
            chaining_hints: false,
            adjustment_hints: AdjustmentHints::Never,
            adjustment_hints_disable_reborrows: true,
            adjustment_hints_mode: AdjustmentHintsMode::Prefix,
            adjustment_hints_hide_outside_unsafe: true,
            closure_return_type_hints: ClosureReturnTypeHints::Never,
            closure_capture_hints: false,
            binding_mode_hints: false,
            implicit_drop_hints: false,
            implied_dyn_trait_hints: false,
            lifetime_elision_hints: LifetimeElisionHints::Never,
            param_names_for_lifetime_elision_hints: false,
            hide_inferred_type_hints: false,
            hide_named_constructor_hints: false,
            hide_closure_initialization_hints: false,
            hide_closure_parameter_hints: false,
            range_exclusive_hints: false,
            closure_style: ClosureStyle::ImplFn,
            max_length: None,
            closing_brace_hints_min_lines: None,
            fields_to_resolve: InlayFieldsToResolve::empty(),
            ra_fixture: RaFixtureConfig::default(),
        };
        let range = TextRange::new(size(start), size(end));
        let hints = self.host.analysis().inlay_hints(&config, self.file, Some(range)).unwrap_or_default();
        joined(hints.iter().map(|hint| format!("{}{}", &self.text[hint.range], hint.label)))
    }

    /// The diagnostics of rust-analyzer itself, which include those of the macro.
    pub fn diagnostics(&self) -> Vec<String> {
        let config = DiagnosticsConfig {
            proc_macros_enabled: true,
            proc_attr_macros_enabled: true,
            ..DiagnosticsConfig::test_sample()
        };
        let found =
            self.host.analysis().full_diagnostics(&config, AssistResolveStrategy::None, self.file).unwrap_or_default();
        let lines = found.iter().map(|found| {
            let text = &self.text[found.range.range];
            format!("{:?} {} at `{text}`: {}", found.severity, found.code.as_str(), found.message).replace('\n', " ")
        });
        let mut lines: Vec<String> = lines.collect();
        lines.sort();
        lines.dedup();
        lines
    }
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = parts.collect();
    if parts.is_empty() { "nothing".to_owned() } else { parts.join("; ") }
}

fn size(at: usize) -> TextSize {
    TextSize::try_from(at).expect("files are short")
}
