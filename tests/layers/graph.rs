//! Faults in the imports of a crate: cycles between files, and imports against the order of layers.

use crate::modules::Imports;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The cycles between files: strongly connected components with more than one file, each with the imports that close
/// it.
pub(crate) fn circles(imports: &Imports) -> Vec<String> {
    let mut direct: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (from, to) in imports.keys() {
        direct.entry(from).or_default().push(to);
    }
    // For each file, all files that its imports reach.
    let mut reached: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for file in direct.keys() {
        let mut open = vec![*file];
        let reached = reached.entry(file).or_default();
        while let Some(next) = open.pop() {
            open.extend(direct.get(next).into_iter().flatten().filter(|file| reached.insert(file)));
        }
    }
    let mut circles = Vec::new();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for (file, beyond) in &reached {
        let leads_back = |other: &&str| reached.get(other).is_some_and(|beyond| beyond.contains(file));
        let circle: BTreeSet<&str> = beyond.iter().copied().filter(leads_back).collect();
        if circle.is_empty() || seen.contains(file) {
            continue;
        }
        seen.extend(&circle);
        let inside = |from: &str, to: &str| circle.contains(from) && circle.contains(to);
        circles.push(format!("a circle of {} files\n{}", circle.len(), describe(imports, inside)));
    }
    circles
}

/// The imports against an order of layers, lowest first: `ir ops < verify < back interp`. A name stands for a module
/// with all its submodules, unless a longer name covers them. A module may import from lower layers. The modules of one
/// layer may not import from each other. The root of the crate is above all layers.
pub(crate) fn against_the_order(order: &str, files: &BTreeMap<&str, &str>, imports: &Imports) -> Vec<String> {
    let layers: Vec<Vec<&str>> = order.split('<').map(|layer| layer.split_whitespace().collect()).collect();
    let place = |file: &str| {
        let path = files[file];
        if path.is_empty() {
            return Some((layers.len(), ""));
        }
        let below = |name: &str| path.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
        let named = layers.iter().enumerate().flat_map(|(layer, names)| names.iter().map(move |name| (layer, *name)));
        named.filter(|(_, name)| below(name)).max_by_key(|(_, name)| name.len())
    };
    let mut mistakes: Vec<String> = Vec::new();
    let unknown = files.keys().filter(|file| place(file).is_none());
    mistakes.extend(unknown.map(|file| format!("{file} belongs to no layer\n")));
    let wrong = |from: &str, to: &str| match (place(from), place(to)) {
        (Some((from, importer)), Some((to, definer))) => from < to || from == to && importer != definer,
        _ => false,
    };
    match describe(imports, wrong) {
        none if none.is_empty() => {}
        wrong => mistakes.push(format!("imports against the order {order}\n{wrong}")),
    }
    mistakes
}

/// A line for each import for which `of_interest` holds.
fn describe(imports: &Imports, of_interest: impl Fn(&str, &str) -> bool) -> String {
    let mut lines = String::new();
    for ((from, to), names) in imports.iter().filter(|((from, to), _)| of_interest(from, to)) {
        let names = names.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        writeln!(lines, "    {from} → {to}: {names}").expect("a string takes everything");
    }
    lines
}
