//! `stats`: prints statistics of a dataset by family, as tables or JSON, and writes plots.

use super::term;
use crate::cli::StatsArgs;
use crate::error::Error;
use crate::files::{pretty, write_whole};
use crate::model::Record;
use crate::out::{Stored, rejects, stored};
use crate::stats::plot::Chart;
use crate::stats::survey::{ALL, Counts, FamilySurvey, Lengths, Survey, Traits, ratio};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::fs;
use std::path::Path;

/// The number of records that are read at a time.
const CHUNK: usize = 256;

/// The number of operations in a row of the table.
const BESIDE: usize = 4;

/// Prints the statistics of the dataset that `args` names.
pub(crate) fn stats(args: &StatsArgs) -> Result<(), Error> {
    let survey = survey(&args.dir, args.rare_below, &mut drop)?;
    if let Some(folder) = &args.plots {
        fs::create_dir_all(folder).map_err(Error::io("create", folder))?;
        for (name, svg) in plots(&survey) {
            let file = folder.join(name).with_extension("svg");
            write_whole(&file, svg.as_bytes())?;
        }
    }
    match args.json {
        true => term::print(&String::from_utf8_lossy(&pretty(&survey)?)),
        false => term::print(&text(&survey)),
    }
}

/// The survey of the dataset in `dir`. Operations in fewer records than `rare_below` are rare. `look` also gets each
/// record.
pub(crate) fn survey(dir: &Path, rare_below: Option<usize>, look: &mut dyn FnMut(Record)) -> Result<Survey, Error> {
    let (_, mut records) = stored(dir)?;
    let mut survey = Survey::new();
    loop {
        let chunk = records.by_ref().take(CHUNK).collect::<Result<Vec<Stored>, Error>>()?;
        if chunk.is_empty() {
            break;
        }
        let read = |item: &Stored| {
            let read = item.record().and_then(|record| Ok((Traits::of(&record)?, record)));
            read.map_err(|why| Error::Invalid(format!("{}: {why}", item.location)))
        };
        for (traits, record) in chunk.par_iter().map(read).collect::<Result<Vec<(Traits, Record)>, Error>>()? {
            survey.record(&traits);
            look(record);
        }
    }
    rejects(dir)?.iter().for_each(|reject| survey.reject(reject));
    survey.finish(rare_below);
    Ok(survey)
}

/// The families in order, with the total last.
fn in_order(survey: &Survey) -> Vec<(&str, &FamilySurvey)> {
    let families = survey.families.iter().map(|(name, family)| (name.as_str(), family));
    let (all, mut each): (Vec<_>, Vec<_>) = families.partition(|(name, _)| *name == ALL);
    each.extend(all);
    each
}

/// A share as a percentage.
fn percent(part: f64) -> String {
    format!("{:.2} %", 100.0 * part)
}

fn text(survey: &Survey) -> String {
    let rows = |cells: &dyn Fn(&FamilySurvey) -> Vec<String>| -> Vec<Vec<String>> {
        let row = |(name, family): (&str, &FamilySurvey)| [vec![name.to_owned()], cells(family)].concat();
        in_order(survey).into_iter().map(row).collect()
    };
    let overview = rows(&|family| {
        vec![
            family.records.to_string(),
            family.skeletons.to_string(),
            percent(family.largest_skeleton),
            percent(ratio(family.near_before, family.compared)),
            percent(ratio(family.near_after, family.records)),
            shown(&family.tiers),
            shown(&family.dims),
            shown(&family.loop_depth),
            shown(&family.difficulty),
        ]
    });
    let headings = [
        "family",
        "records",
        "skeletons",
        "largest",
        "near before",
        "after",
        "tiers",
        "launch axes",
        "loop depth",
        "difficulty",
    ];
    let mut text = term::table(&headings, &overview);
    text += "\n";
    text += &term::table(&["family", "scalar types"], &rows(&|family| vec![shown(&family.scalars)]));
    text += "\nTokens (words and signs): 5th, 50th and 95th percentile, and most\n";
    let texts: Vec<&str> = survey.families.get(ALL).map_or(Vec::new(), |all| all.tokens.keys().copied().collect());
    let lengths = rows(&|family| {
        let of = |text: &&str| match family.tokens.get(text) {
            Some(lengths) => format!("{} {} {} {}", lengths.p5, lengths.p50, lengths.p95, lengths.most),
            None => String::new(),
        };
        texts.iter().map(of).collect()
    });
    text += &term::table(&[&["family"], &texts[..]].concat(), &lengths);
    text += "\n";
    text += &operations(survey);
    let reasons = survey.families.get(ALL).map(|all| shown(&all.rejects)).unwrap_or_default();
    text + &format!("rejected: {}\n", if reasons.is_empty() { "none" } else { &reasons })
}

/// The table of operations with their counts, and the list of rare ones.
fn operations(survey: &Survey) -> String {
    let cells: Vec<[String; 3]> = survey
        .operations
        .iter()
        .map(|(name, found)| [(*name).to_owned(), found.records.to_string(), found.uses.to_string()])
        .collect();
    let rows: Vec<Vec<String>> = cells
        .chunks(BESIDE)
        .map(|chunk| {
            let mut row = chunk.concat();
            row.resize(3 * BESIDE, String::new());
            row
        })
        .collect();
    let rare = match survey.rare.is_empty() {
        true => "none".to_owned(),
        false => survey.rare.join(" "),
    };
    format!(
        "{}operations in fewer than {}: {rare}\n",
        term::table(&["operation", "records", "uses"].repeat(BESIDE), &rows),
        term::number(survey.rare_below, "record")
    )
}

/// Counts as text: `a 1, b 2`.
fn shown<K: ToString>(counts: &Counts<K>) -> String {
    counts.iter().map(|(key, count)| format!("{} {count}", key.to_string())).collect::<Vec<_>>().join(", ")
}

/// The plots as SVG, by name.
pub(crate) fn plots(survey: &Survey) -> Vec<(&'static str, String)> {
    let families = in_order(survey);
    let each = || families.iter().filter(|(name, _)| *name != ALL);
    let counts = |of: &dyn Fn(&FamilySurvey) -> usize| -> Vec<(String, usize)> {
        each().map(|(name, family)| ((*name).to_owned(), of(family))).collect()
    };
    let mut operations: Vec<(String, usize)> =
        survey.operations.iter().map(|(name, found)| ((*name).to_owned(), found.records)).collect();
    operations.sort_by(|(_, a), (_, b)| b.cmp(a));
    let mut plots = vec![
        ("records", Chart::bars("Records of each family", false, &counts(&|family| family.records)).svg()),
        ("skeletons", Chart::bars("Skeletons of each family", false, &counts(&|family| family.skeletons)).svg()),
        ("tiers", shares("Tiers", &families, |family| &family.tiers).svg()),
        ("loop_depth", shares("Depth of loop nests", &families, |family| &family.loop_depth).svg()),
        ("launch_axes", shares("Launch axes", &families, |family| &family.dims).svg()),
        (
            "scalar_types",
            shares("Scalar types, by how many records use them", &families, |family| &family.scalars).svg(),
        ),
    ];
    // Registered kernels have no difficulty.
    if families.iter().any(|(_, family)| !family.difficulty.is_empty()) {
        plots.push(("difficulty", shares("Difficulty", &families, |family| &family.difficulty).svg()));
    }
    if let Some(all) = survey.families.get(ALL) {
        let range = |(name, lengths): (&&str, &Lengths)| ((*name).to_owned(), [lengths.p5, lengths.p50, lengths.p95]);
        let ranges: Vec<_> = all.tokens.iter().map(range).collect();
        plots.push(("tokens", Chart::ranges("Tokens of each text: 5th, 50th and 95th percentile", &ranges).svg()));
    }
    plots.push(("operations", Chart::bars("Records with each operation", true, &operations).svg()));
    plots
}

/// The chart of the shares of each value within each family.
fn shares<K: ToString + Ord + Clone>(
    title: &str,
    families: &[(&str, &FamilySurvey)],
    of: impl Fn(&FamilySurvey) -> &Counts<K>,
) -> Chart {
    let mut kinds: Vec<K> = families.iter().flat_map(|(_, family)| of(family).keys().cloned()).collect();
    kinds.sort();
    kinds.dedup();
    let row = |(name, family): &(&str, &FamilySurvey)| {
        let counts = kinds.iter().map(|kind| of(family).get(kind).copied().unwrap_or_default());
        ((*name).to_owned(), counts.collect())
    };
    let rows: Vec<_> = families.iter().map(row).collect();
    Chart::shares(title, kinds.iter().map(ToString::to_string).collect(), &rows)
}
