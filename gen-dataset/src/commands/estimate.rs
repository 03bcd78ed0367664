//! Estimates the disk space and the time that a dataset takes.

use super::term;
use crate::model::{Config, Format, JudgeKind, Settings};
use std::path::Path;
use std::process::Command;

/// Datasets up to this size get no estimate in the output.
const LARGE: u64 = 1 << 30;
/// The seconds of one core for a record without judges. `docs/performance.md` has the measurement.
const PROVEN: f64 = 0.002;
/// The size of a record in the journal, in bytes.
const JOURNALED: f64 = 4e3;

/// The resources that a dataset takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Estimate {
    records: usize,
    /// The disk space in bytes.
    bytes: u64,
    /// The seconds of one core.
    seconds: f64,
}

impl Estimate {
    /// Estimates a dataset of `settings`.
    pub(super) fn of(settings: &Settings) -> Estimate {
        // Bytes per record in JSONL, measured on 200 synthesised records, then the factor of the format.
        let jsonl: f64 = settings
            .configs
            .iter()
            .map(|config| match config {
                Config::Default => 22e3,
                Config::Sft | Config::Chat => 19e3,
                Config::Rl => 109e3,
                Config::Contrast => 28e3,
            })
            .sum();
        let factor = match settings.format {
            Format::Jsonl => 1.0,
            Format::JsonlZst => 0.2,
            Format::Parquet => 0.25,
            // Small files occupy whole disk blocks.
            Format::Files => 2.0,
        };
        let judges: f64 = settings
            .judges
            .iter()
            .map(|judge| match judge.judge {
                JudgeKind::Nvrtc => 0.005,
                JudgeKind::Hip => 0.05,
                JudgeKind::Cxx | JudgeKind::Warp => 0.6,
                JudgeKind::Vulkan => 0.3,
            })
            .sum();
        let records = settings.count as f64;
        Estimate {
            records: settings.count,
            bytes: (records * (jsonl * factor + JOURNALED)) as u64,
            seconds: records * (PROVEN + judges),
        }
    }

    /// Whether the dataset is so large that the user should see the estimate.
    pub(super) fn is_large(&self) -> bool {
        self.bytes > LARGE
    }

    /// The estimate in words, for `jobs` threads.
    pub(super) fn told(&self, jobs: usize) -> String {
        let threads = if jobs == 1 { "one thread".to_owned() } else { format!("{jobs} threads") };
        let time = term::duration(self.seconds / jobs as f64);
        format!("{} records take about {} of disk, and {time} on {threads}", self.records, term::size(self.bytes))
    }

    /// The refusal if the dataset does not fit on the disk. `None` if it fits, or if `free` is unknown.
    pub(super) fn refusal(&self, jobs: usize, free: Option<u64>) -> Option<String> {
        let free = free.filter(|free| self.bytes > *free)?;
        Some(format!(
            "{}, but only {} of disk are free; choose a smaller `--count` or another `--output`, or add `--yes`",
            self.told(jobs),
            term::size(free)
        ))
    }
}

/// The free space of the disk of `folder` in bytes, as `df` reports it. `None` if `df` fails.
pub(super) fn free_disk(folder: &Path) -> Option<u64> {
    let folder = std::path::absolute(folder).ok()?;
    let there = folder.ancestors().find(|folder| folder.exists())?;
    let output = Command::new("df").arg("-Pk").arg(there).output().ok()?;
    available(&String::from_utf8_lossy(&output.stdout))
}

/// The available bytes in the output of `df -Pk`: the number before the percentage. Names of file systems may contain
/// spaces, so columns cannot be counted from the left.
fn available(text: &str) -> Option<u64> {
    let words: Vec<&str> = text.lines().nth(1)?.split_whitespace().collect();
    let percent =
        words.iter().position(|word| word.strip_suffix('%').is_some_and(|number| number.parse::<u8>().is_ok()))?;
    words[percent.checked_sub(1)?].parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::Dataset;

    #[test]
    fn what_does_not_fit_is_refused_with_what_it_takes() {
        let dataset = Dataset::new(&[]);
        let of = |count: &str| {
            Estimate::of(&dataset.request(&["--source", "synth", "--count", count]).unwrap().spec.settings)
        };
        let huge = of("1000000000000");
        let why = huge.refusal(2, Some(1 << 40)).unwrap();
        assert_eq!(
            why,
            "1000000000000 records take about 23.09 PiB of disk, and 32 years on 2 threads, but only 1.00 TiB of disk are free; \
             choose a smaller `--count` or another `--output`, or add `--yes`"
        );
        assert!(huge.is_large() && huge.refusal(2, None).is_none());
        let small = of("1000");
        assert!(!small.is_large() && small.refusal(2, Some(1 << 30)).is_none());
        assert!(small.refusal(2, Some(1 << 20)).is_some());
        assert!(of(&u64::MAX.to_string()).refusal(1, Some(u64::MAX - 1)).is_some());
    }

    #[test]
    fn df_is_read_whatever_the_names_are() {
        let text = "Filesystem 1024-blocks Used Available Capacity Mounted on\n//a b/c 100 40 60 40% /mnt/d e\n";
        assert_eq!(available(text), Some(60 * 1024));
        assert_eq!(available(""), None);
        if cfg!(target_os = "linux") {
            assert!(free_disk(Path::new("not/there/yet")).is_some());
        }
    }
}
