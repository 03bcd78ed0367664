//! What the kernels of a run are like.

use super::*;
use kernel_ir::ir::ExprKind;
use std::collections::{BTreeMap, HashSet};

#[test]
fn look() {
    let families: Vec<&Family> = FAMILIES.iter().collect();
    let count = std::env::var("N").ok().and_then(|n| n.parse().ok()).unwrap_or(13);
    let show = std::env::var("SHOW").is_ok();
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    let mut by_family: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut ops: BTreeMap<&str, usize> = kernel_ir::ops::TABLE.iter().map(|def| (def.name, 0)).collect();
    let mut types: BTreeMap<String, usize> = kernel_ir::ir::Type::all().map(|ty| (ty.name(), 0)).collect();
    let mut skeletons = HashSet::new();
    let mut statements = BTreeMap::new();
    let mut made = 0;
    let start = std::time::Instant::now();
    for index in 0..count {
        let family = family(&families, index);
        let (sample, rejected) = sample(family, 1, index);
        let entry = by_family.entry(family.name).or_default();
        entry.0 += 1;
        entry.1 += rejected.len();
        for r in rejected {
            if show { eprintln!("   {} {:?} {}", r.name, r.reason, r.detail); }
            *reasons.entry(format!("{:?}", r.reason)).or_default() += 1;
            if r.reason == Reason::IrInvalid { *reasons.entry(r.detail).or_default() += 1; }
        }
        let Some(s) = sample else { *reasons.entry(format!("given up {}", family.name)).or_default() += 1; continue };
        if show { eprintln!("{}", kernel_ir::back::rust::write(&s.kernel)); }
        made += 1;
        if std::env::var("MORE").is_ok() {
            let dim: &[usize] = match s.kernel.dim { 1 => &[300], 2 => &[17, 18], 3 => &[6, 7, 8], _ => &[4, 4, 4, 5] };
            for draw in 0..4 {
                let mut args = kernel_ir::sample::args(&s.kernel, dim, 1000 + draw).unwrap();
                let bad = match kernel_ir::interp::run(&s.kernel, dim, &mut args) {
                    Err(f) => Some(f.message),
                    Ok(()) if !crate::compare::all_finite(&args) => Some("not finite".to_owned()),
                    Ok(()) => None,
                };
                if let Some(bad) = bad {
                    *reasons.entry("UNSOUND".into()).or_default() += 1;
                    eprintln!("UNSOUND {bad} {}", kernel_ir::back::rust::write(&s.kernel));
                    break;
                }
            }
        }
        skeletons.insert(crate::record::structure_hash(&without_constants(&s.kernel)));
        let facts = crate::facts::Facts::of(&s.kernel);
        *statements.entry(facts.statements.min(40) / 4 * 4).or_insert(0) += 1;
        for f in &facts.features { 
            if let Some(n) = ops.get_mut(f.as_str()) { *n += 1; }
            if let Some(n) = types.get_mut(f) { *n += 1; }
        }
        let mut seen: HashSet<String> = HashSet::new();
        s.kernel.walk_exprs(&mut |e| if let ExprKind::Op(..) = e.kind { seen.insert(e.ty.name()); });
    }
    let took = start.elapsed().as_secs_f64();
    let mut ops: Vec<_> = ops.into_iter().collect();
    ops.sort_by_key(|(_, n)| *n);
    let mut types: Vec<_> = types.into_iter().collect();
    types.sort_by_key(|(_, n)| *n);
    eprintln!("{made} of {count} in {took:.1} s, {:.0}/s; {} skeletons", made as f64 / took, skeletons.len());
    eprintln!("{reasons:#?}\n{by_family:?}\n{statements:?}\nrarest {:?}\ntypes {types:?}", &ops[..ops.len().min(40)]);
}

/// What the front end makes of the text of one annotated function.
fn read(source: &str) -> Result<CheckedKernel, String> {
    let mut function: syn::ItemFn = syn::parse_str(source).map_err(|error| error.to_string())?;
    let place = function.attrs.iter().position(|attr| attr.path().is_ident("kernel")).ok_or("it has no attribute")?;
    let arguments = match function.attrs.remove(place).meta {
        syn::Meta::List(list) => list.tokens,
        _ => proc_macro2::TokenStream::new(),
    };
    let compiled = kernel_ir::front::compile(arguments, quote::ToTokens::to_token_stream(&function));
    compiled.kernel.map_err(|mistakes| mistakes.into_iter().map(|m| m.message).collect::<Vec<_>>().join("; "))
}

/// `WEFT_SYNTH_KERNELS=10000` takes that many.
#[test]
fn the_rust_text_reads_back_to_the_same_ir() {
    let families: Vec<&Family> = FAMILIES.iter().collect();
    let count = std::env::var("WEFT_SYNTH_KERNELS").ok().and_then(|n| n.parse().ok()).unwrap_or(500);
    let mut failures = Vec::new();
    for index in 0..count {
        let Some(sample) = sample(family(&families, index), 7, index).0 else { continue };
        let source = kernel_ir::back::rust::write(&sample.kernel);
        let again = match read(&source) {
            Ok(again) => again,
            Err(why) => {
                failures.push(format!("{why}\n{source}"));
                continue;
            }
        };
        let mut again = (*again).clone();
        tidy::number_locals(&mut again);
        if again != *sample.kernel {
            let (before, after) = (kernel_ir::text::print(&sample.kernel), kernel_ir::text::print(&again));
            failures.push(format!("{source}\n{before}\n{after}"));
        }
    }
    assert!(failures.is_empty(), "{} of {count} differ:\n{}", failures.len(), failures[..failures.len().min(8)].join("\n\n"));
}
