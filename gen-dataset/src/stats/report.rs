//! The report: a dataset as one self-contained HTML page, with statistics and samples to browse.
//!
//! `page.html` is a template with gaps, `style.css` its style, and `browse.js` shows and searches samples. The samples
//! are embedded as JSON. Their texts are highlighted and thereby escaped here, so the script never handles raw text.

use super::highlight::{Language, escaped, highlighted};
use super::survey::{ALL, FamilySurvey, Survey, ratio};
use crate::model::{AdjointCheck, Agreement, CoverageCheck, Record, TolerancePolicy};
use crate::out::{Stats, tier_name};
use serde::Serialize;
use std::collections::BTreeMap;

const PAGE: &str = include_str!("report/page.html");
const STYLE: &str = include_str!("report/style.css");
const SCRIPT: &str = include_str!("report/browse.js");

/// The plot that is taller than a screen.
const LONG: &str = "operations";

/// Chooses samples of a dataset, equally many of each family where possible. The choice is by a hash of seed and id, so
/// it does not depend on the order of records.
#[derive(Debug)]
pub(crate) struct Sampler {
    wanted: usize,
    seed: u64,
    families: BTreeMap<String, BTreeMap<[u8; 32], Record>>,
}

impl Sampler {
    /// A sampler for `wanted` samples.
    pub(crate) fn new(wanted: usize, seed: u64) -> Sampler {
        Sampler { wanted, seed, families: BTreeMap::new() }
    }

    /// Considers a record.
    pub(crate) fn look(&mut self, record: Record) {
        let hash = blake3::Hasher::new().update(&self.seed.to_le_bytes()).update(record.id.as_bytes()).finalize();
        let chosen = self.families.entry(record.metadata.category.clone()).or_default();
        chosen.insert(*hash.as_bytes(), record);
        // Each new family lowers the share of the others. The records with the largest hashes are dropped.
        let most = self.wanted.div_ceil(self.families.len());
        for chosen in self.families.values_mut() {
            while chosen.len() > most {
                chosen.pop_last();
            }
        }
    }

    /// The samples, sorted by family and name.
    pub(crate) fn samples(self) -> Vec<Record> {
        // If there are too many, the last samples of the larger families are dropped.
        let mut ranked: Vec<(usize, Record)> =
            self.families.into_values().flat_map(|chosen| chosen.into_values().enumerate()).collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        ranked.truncate(self.wanted);
        let mut samples: Vec<Record> = ranked.into_iter().map(|(_, record)| record).collect();
        let place = |record: &Record| {
            let metadata = &record.metadata;
            (metadata.category.clone(), metadata.kernel_name.clone(), record.id.clone())
        };
        samples.sort_by_cached_key(place);
        samples
    }
}

/// A sample as `browse.js` reads it.
#[derive(Serialize)]
struct SampleView<'a> {
    id: &'a str,
    name: &'a str,
    family: &'a str,
    tier: u8,
    facts: Vec<(&'static str, String)>,
    panes: Vec<Pane>,
}

/// A text of a sample with its title.
#[derive(Serialize)]
struct Pane {
    title: String,
    direction: &'static str,
    html: String,
}

/// The page of the dataset `title`, with its counts, `plots` and samples, and with the output `judged` of `validate`.
pub(crate) fn page(
    title: &str,
    (stats, survey): (&Stats, &Survey),
    plots: &[(&str, String)],
    samples: &[Record],
    judged: Option<&str>,
) -> String {
    let samples: Vec<SampleView> = samples.iter().map(sample).collect();
    // In HTML a script ends at the first `</script`, even inside a string.
    let samples = serde_json::to_string(&samples).unwrap_or_default().replace('<', "\\u003c");
    let (long, short): (Vec<_>, Vec<_>) = plots.iter().partition(|(name, _)| *name == LONG);
    let short: String = short.into_iter().map(|(_, svg)| svg.as_str()).collect();
    let long: String = long.into_iter().map(|(_, svg)| format!("<div class=\"scroll\">{svg}</div>")).collect();
    let judged = judged.map(|words| format!("<section>\n<h2>Judges</h2>\n<pre>{}</pre>\n</section>", escaped(words)));
    let filling = |gap: &str| match gap {
        "title" => escaped(title),
        "style" => STYLE.to_owned(),
        "script" => SCRIPT.to_owned(),
        "summary" => summary(stats, survey),
        "plots" => format!("<div class=\"plots\">{short}{long}</div>"),
        "samples" => samples.clone(),
        "judged" => judged.clone().unwrap_or_default(),
        _ => String::new(),
    };
    filled(PAGE, filling)
}

/// The template with each `{{gap}}` filled. Filled text is not scanned for gaps again.
fn filled(text: &str, filling: impl Fn(&str) -> String) -> String {
    let mut parts = text.split("{{");
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once("}}") {
            Some((gap, rest)) => filled += &(filling(gap) + rest),
            None => filled += part,
        }
    }
    filled
}

/// The figures at the top of the page.
fn summary(stats: &Stats, survey: &Survey) -> String {
    let none = FamilySurvey::default();
    let all = survey.families.get(ALL).unwrap_or(&none);
    let percent = |part: f64| format!("{:.2} %", 100.0 * part);
    let proven: usize = all.tiers.iter().filter(|(tier, _)| **tier >= 4).map(|(_, records)| records).sum();
    let tiles = [
        ("records", all.records.to_string()),
        ("skeletons", all.skeletons.to_string()),
        ("with the most common skeleton", percent(all.largest_skeleton)),
        ("near-duplicates before the pass", percent(ratio(all.near_before, all.compared))),
        ("near-duplicates after it", percent(ratio(all.near_after, all.records))),
        ("with a proven adjoint", percent(ratio(proven, all.records))),
        ("launches executed", stats.verification.launches.to_string()),
        ("rejected", stats.rejected.to_string()),
    ];
    let tiles: String =
        tiles.iter().map(|(name, figure)| format!("<div><strong>{}</strong>{name}</div>", escaped(figure))).collect();
    let checks = &stats.verification;
    let mut rows: Vec<(String, String)> = checks
        .tiers
        .iter()
        .map(|(tier, records)| (format!("tier {tier}: {}", tier_name(*tier)), records.to_string()))
        .collect();
    rows.extend(checks.toolchains.iter().map(|(program, records)| (program.clone(), format!("{records} records"))));
    rows.extend(
        [
            ("executed again, poisoned and in the opposite order", checks.again.to_string()),
            ("of these with the same bits", checks.again_bit_equal.to_string()),
            ("every statement executed, every gradient moved", checks.covered.to_string()),
            ("executed by the CPU version too", checks.interpreter_vs_cpu.to_string()),
            ("of these with the same bits", checks.bit_equal.to_string()),
            ("largest relative distance", format!("{:.1e}", checks.worst_relative.max(checks.again_worst_relative))),
            ("adjoints that agree with dual numbers", checks.adjoints.to_string()),
            ("largest relative error of an adjoint in f64", format!("{:.1e}", checks.worst_adjoint_error_f64)),
            ("the same in the types that it declares", format!("{:.1e}", checks.worst_adjoint_error_as_declared)),
        ]
        .map(|(name, figure)| (name.to_owned(), figure)),
    );
    rows.extend(all.rejects.iter().map(|(reason, count)| (format!("rejected: {reason}"), count.to_string())));
    let rows: String = rows
        .iter()
        .map(|(name, figure)| format!("<tr><td>{}</td><td>{}</td></tr>\n", escaped(name), escaped(figure)))
        .collect();
    format!(
        "<div class=\"tiles\">{tiles}</div>\n<details><summary>Evidence and rejects</summary>\n<table>\n{rows}</table>\n</details>"
    )
}

/// The coverage of a record in words.
fn coverage(check: &CoverageCheck) -> String {
    let pair = |[some, all]: [usize; 2], what: &str| format!("{some} of {all} {what}");
    let own = [pair(check.statements, "statements"), pair(check.branches, "branches")];
    let adjoint = check.adjoint_statements.map(|found| pair(found, "statements of the adjoint"));
    own.into_iter().chain(adjoint).chain(check.missing.iter().cloned()).collect::<Vec<_>>().join("; ")
}

fn sample(record: &Record) -> SampleView<'_> {
    let (metadata, checks) = (&record.metadata, &record.verification);
    let errors = |agreement: &Agreement| match agreement.bit_equal {
        true => "the same bits".to_owned(),
        false => format!(
            "at most {:.1e}, {:.1e} relative, {} ulp apart",
            agreement.worst_absolute, agreement.worst_relative, agreement.worst_ulp
        ),
    };
    let mut facts = vec![
        ("id", record.id.clone()),
        ("family", metadata.category.clone()),
        ("tier", format!("{}: {}", record.tier, tier_name(record.tier))),
        ("split", record.split.clone()),
        ("origin", format!("{}, seed {}, index {}", metadata.origin, metadata.seed, metadata.index)),
        ("signature", metadata.signature.clone()),
        ("launches", checks.shapes.iter().map(|shape| format!("{shape:?}")).collect::<Vec<_>>().join(" ")),
        ("toolchains", checks.toolchains.join(", ")),
        (
            "tolerances",
            match checks.tolerance_policy {
                TolerancePolicy::SameBits => "same bits".to_owned(),
                TolerancePolicy::EightMachines => format!("eight machines, up to {} ulp", checks.allowed_ulp),
            },
        ),
        ("executed again", errors(&checks.interpreter_again)),
    ];
    facts.extend(checks.coverage.as_ref().map(|found| ("coverage", coverage(found))));
    facts.extend(checks.interpreter_vs_cpu.as_ref().map(|agreement| ("CPU version", errors(agreement))));
    facts.extend(checks.adjoint.as_ref().map(|adjoint| {
        let AdjointCheck { error_f64, bound_f64, error_as_declared, bound_as_declared, .. } = adjoint;
        let bounds =
            format!("{error_f64:.1e} of {bound_f64:.0e} in f64, {error_as_declared:.1e} of {bound_as_declared:.0e}");
        ("adjoint against dual numbers", bounds)
    }));
    let pane = |title, direction, text: Option<&String>, language| {
        text.map(|text| Pane { title, direction, html: highlighted(text, language) })
    };
    let panes = [
        pane("Warp Python".to_owned(), "forward", Some(&record.python_source), Language::Python),
        pane("Rust".to_owned(), "forward", Some(&record.rust_source), Language::Rust),
    ];
    let forward = record.targets.iter().map(|(target, text)| {
        let language = Language::of_extension(target.extension);
        pane(target.name.to_owned(), "forward", text.forward.as_ref(), language)
    });
    let backward = record.targets.iter().map(|(target, text)| {
        let language = Language::of_extension(target.extension);
        pane(format!("{}, backward", target.name), "backward", text.backward.as_ref(), language)
    });
    SampleView {
        id: &record.id,
        name: &metadata.kernel_name,
        family: &metadata.category,
        tier: record.tier,
        facts,
        panes: panes.into_iter().chain(forward).chain(backward).flatten().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::Dataset;
    use crate::stats::survey::Traits;

    fn records(count: &str) -> (Stats, Vec<Record>) {
        let dataset = Dataset::new(&[]);
        let stats = dataset.generate(&["--source", "synth", "--count", count]).unwrap().unwrap();
        (stats, dataset.records())
    }

    fn chosen(records: &[Record], wanted: usize, seed: u64) -> Vec<Record> {
        let mut sampler = Sampler::new(wanted, seed);
        records.iter().for_each(|record| sampler.look(record.clone()));
        sampler.samples()
    }

    #[test]
    fn samples_are_spread_over_the_families() {
        let (_, records) = records("80");
        let samples = chosen(&records, 30, 1);
        let mut families: BTreeMap<&str, usize> = BTreeMap::new();
        samples.iter().for_each(|record| *families.entry(&record.metadata.category).or_default() += 1);
        assert_eq!((samples.len(), families.len()), (30, 15));
        assert!(families.values().all(|count| *count == 2), "{families:?}");
        // The choice depends on the seed and not on the order of the records.
        let backwards: Vec<Record> = records.iter().rev().cloned().collect();
        assert_eq!(chosen(&backwards, 30, 1), samples);
        assert_ne!(chosen(&records, 30, 2), samples);
        assert_eq!((chosen(&records, 5, 1).len(), chosen(&records, 1000, 1).len()), (5, 80));
    }

    /// A column of code is wide enough for most lines. Longer lines scroll.
    #[test]
    fn wide_screens_have_more_columns_of_code() {
        let rule = |name: &str| STYLE.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" { ")).unwrap();
        let (_, columns) = rule(".panes").split_once("repeat(auto-fit, minmax(min(").unwrap();
        let (least, _) = columns.split_once("px, 100%), 1fr))").unwrap();
        let least: u32 = least.parse().unwrap();
        // The page also has margins, the list, a gap, and the padding and borders of the sample.
        let columns = |screen: u32| (screen.min(2400) - 48 - 280 - 12 - 22 + 8) / (least + 8);
        assert_eq!([1400, 1920, 2560].map(columns), [2, 3, 4]);
        assert_eq!(STYLE.matches(".panes").count(), 1, "no other rule says how many columns there are");
        assert!(rule("pre").contains("overflow: auto"));
    }

    #[test]
    fn a_page_needs_nothing_else_and_cannot_be_broken_out_of() {
        let (stats, mut records) = records("13");
        let evil = "</script><script>alert(1)</script><img src=x onerror=alert(1)> {{style}} & \"";
        records[0].python_source = evil.to_owned();
        records[0].metadata.kernel_name = evil.to_owned();
        let mut survey = Survey::new();
        records.iter().for_each(|record| survey.record(&Traits::of(record).unwrap()));
        survey.finish(None);
        let html = page(evil, (&stats, &survey), &[(LONG, "<svg></svg>".to_owned())], &records, Some(evil));
        assert_eq!(html.matches("<script").count(), 2);
        assert_eq!((html.matches("</script").count(), html.matches("<img").count()), (2, 0));
        assert_eq!(html.matches("<style>").count(), 1);
        assert!(!html.contains("src=\"") && !html.contains("href=") && !html.contains("url("));
        let (_, rest) = html.split_once("id=\"samples\">").unwrap();
        let samples: serde_json::Value = serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap();
        assert_eq!(samples.as_array().unwrap().len(), 13);
        let evil_one = samples.as_array().unwrap().iter().find(|sample| sample["name"] == evil).unwrap();
        assert_eq!(evil_one["panes"][0]["title"], "Warp Python");
        assert!(evil_one["panes"][0]["html"].as_str().unwrap().starts_with("&lt;/script&gt;"));
    }
}
