//! The page of the library, made from the code of the library.

use expect_test::expect_file;
use quote::ToTokens;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

const INTRODUCTION: &str = "# The library

This page is generated from `kernel-rt/src/library/`; a test keeps it current. [The kernel
language](language.md#the-library) shows how kernels use these functions. Its columns are:

- **item**: the function or type of `kernel_rt::library`. `T` is `f32` or `f64`.
- **Warp**: the function that the Warp text calls. Without one, the Warp text has the function itself.
- **derivative**: *stated* where the library gives a formula for it, *code* where it is that of the code, and empty where there is none.
- **meaning**: the result, its domain and its accuracy. A unit is the distance between neighbouring numbers at the largest
  entry of the result, as a test measures it in `f32` against double precision.
";

/// The text of the `#[doc]` attributes.
fn doc(attrs: &[syn::Attribute]) -> String {
    let lines = attrs.iter().filter(|attr| attr.path().is_ident("doc")).filter_map(|attr| {
        let syn::Meta::NameValue(pair) = &attr.meta else { return None };
        let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) = &pair.value else { return None };
        Some(text.value().trim().to_owned())
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The name in Warp, and whether a derivative is stated.
fn arguments(attrs: &[syn::Attribute]) -> (Option<String>, bool) {
    let (mut warp, mut stated) = (None, false);
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("device")) {
        if matches!(attr.meta, syn::Meta::Path(_)) {
            continue;
        }
        attr.parse_nested_meta(|meta| {
            if meta.path.is_ident("warp") {
                warp = Some(meta.value()?.parse::<syn::LitStr>()?.value());
                return Ok(());
            }
            stated = true;
            meta.parse_nested_meta(|part| part.value()?.parse::<syn::Path>().map(drop))
        })
        .expect("the arguments of `#[device]` are a name and a list of derivatives");
    }
    (warp, stated)
}

/// The text of an item as a formatter writes it, in one line.
fn printed(item: syn::Item) -> String {
    let file = syn::File { frontmatter: None, shebang: None, attrs: Vec::new(), items: vec![item] };
    let text = prettyplease::unparse(&file).split_whitespace().collect::<Vec<_>>().join(" ");
    text.replace("( ", "(").replace(", )", ")").replace(" {}", "").replace("pub ", "")
}

fn row(page: &mut String, item: &str, warp: Option<String>, derivative: &str, meaning: &str) {
    let warp = warp.map(|name| format!("`wp.{name}`")).unwrap_or_default();
    let meaning = meaning.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|");
    writeln!(page, "| `{item}` | {warp} | {derivative} | {meaning} |").expect("a String takes everything");
}

/// Whether a value of the type written as `ty`, or what it refers to, may hold floats.
fn has_floats(ty: &str) -> bool {
    !["u32", "i32", "usize", "bool"].contains(&ty.trim_start_matches("& mut "))
}

/// Where the derivative of a function comes from. `stated` has the names of the functions of the file that state theirs.
fn derivative(function: &syn::ItemFn, stated: &[String]) -> &'static str {
    let written = |ty: &dyn ToTokens| ty.to_token_stream().to_string();
    let takes = function.sig.inputs.iter().any(|input| match input {
        syn::FnArg::Typed(input) => has_floats(&written(&input.ty)),
        syn::FnArg::Receiver(_) => true,
    });
    let returns = match &function.sig.output {
        syn::ReturnType::Type(_, ty) => has_floats(&written(ty)),
        syn::ReturnType::Default => false,
    };
    let names = function.block.to_token_stream().to_string();
    let calls = |name: &String| names.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name);
    match takes && returns {
        false => "",
        true if arguments(&function.attrs).1 || stated.iter().any(calls) => "stated",
        true => "code",
    }
}

fn rows(page: &mut String, items: Vec<syn::Item>) {
    let functions =
        items.iter().filter_map(|item| if let syn::Item::Fn(function) = item { Some(function) } else { None });
    let stated: Vec<String> = functions
        .filter(|function| arguments(&function.attrs).1)
        .map(|function| function.sig.ident.to_string())
        .collect();
    for item in items {
        match item {
            syn::Item::Fn(mut function) if matches!(function.vis, syn::Visibility::Public(_)) => {
                let (meaning, derivative) = (doc(&function.attrs), derivative(&function, &stated));
                let (warp, _) = arguments(&function.attrs);
                function.attrs.clear();
                function.block.stmts.clear();
                row(page, &printed(syn::Item::Fn(function)), warp, derivative, &meaning);
            }
            syn::Item::Struct(item) => {
                let (warp, _) = arguments(&item.attrs);
                let fields: Vec<String> =
                    item.fields.iter().filter_map(|field| Some(field.ident.as_ref()?.to_string())).collect();
                row(page, &format!("{} {{ {} }}", item.ident, fields.join(", ")), warp, "", &doc(&item.attrs));
            }
            syn::Item::Type(item) => row(page, &item.ident.to_string(), None, "", &doc(&item.attrs)),
            syn::Item::Mod(module) => rows(page, module.content.expect("the module stands in the file").1),
            _ => {}
        }
    }
}

#[test]
fn the_page_of_the_library_is_current() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernel-rt/src/library");
    let mut page = INTRODUCTION.to_owned();
    let modules = fs::read_to_string(folder.join("mod.rs")).unwrap();
    // In the order of the table in the documentation of the module.
    for line in modules.lines().filter_map(|line| line.strip_prefix("//! | `")) {
        let name = line.split('`').next().expect("a split has a part");
        let text = fs::read_to_string(folder.join(name).with_extension("rs")).unwrap();
        let file = syn::parse_file(&text).unwrap();
        write!(page, "\n## {name}\n\n{}\n\n", doc(&file.attrs)).expect("a String takes everything");
        page.push_str("| item | Warp | derivative | meaning |\n|---|---|---|---|\n");
        rows(&mut page, file.items);
    }
    // Links of the code mean nothing here.
    let page = page.replace("[`", "`").replace("`]", "`");
    expect_file!["../docs/library.md"].assert_eq(&page);
}
