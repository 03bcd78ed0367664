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
