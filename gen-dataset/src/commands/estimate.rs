//! What a dataset takes in disk and time, roughly, before it is made.

use super::term;
use crate::model::{Config, Format, JudgeKind, Settings};
use std::path::Path;
use std::process::Command;

/// What is not worth a word.
const LARGE: u64 = 1 << 30;
/// Seconds of one core for a record without judges; `docs/performance.md` has the measurement.
const PROVEN: f64 = 0.002;
/// The bytes of a record in the journal.
const JOURNALED: f64 = 4e3;

/// What a dataset takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Estimate {
    records: usize,
    /// Bytes on the disk.
    bytes: u64,
    /// Seconds of one core.
    seconds: f64,
}

impl Estimate {
    /// What a dataset of `settings` takes.
    pub(super) fn of(settings: &Settings) -> Estimate {
        // Of 200 synthesised records, as JSONL; then what the format makes of that.
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
            // A file takes up whole blocks.
            Format::Files => 2.0,
        };
        let judges: f64 = settings
            .judges
            .iter()
            .map(|judge| match judge.judge {
                JudgeKind::Nvrtc => 0.005,
                JudgeKind::Cxx | JudgeKind::Warp => 0.6,
            })
            .sum();
        let records = settings.count as f64;
        Estimate {
            records: settings.count,
            bytes: (records * (jsonl * factor + JOURNALED)) as u64,
            seconds: records * (PROVEN + judges),
        }
    }

    /// Whether it is worth a word.
    pub(super) fn is_large(&self) -> bool {
        self.bytes > LARGE
    }

    /// What it takes with `jobs` threads, in words.
    pub(super) fn told(&self, jobs: usize) -> String {
        let threads = if jobs == 1 { "one thread".to_owned() } else { format!("{jobs} threads") };
        let time = term::duration(self.seconds / jobs as f64);
        format!("{} records take about {} of disk, and {time} on {threads}", self.records, term::size(self.bytes))
    }

    /// Why not to begin, if only `free` bytes are left on the disk; `None` if there are enough, or nobody knows.
    pub(super) fn refusal(&self, jobs: usize, free: Option<u64>) -> Option<String> {
        let free = free.filter(|free| self.bytes > *free)?;
        Some(format!(
            "{}, but {} of disk are free; choose a smaller `--count` or another `--output`, or say `--yes`",
            self.told(jobs),
            term::size(free)
        ))
    }
}

/// How many bytes are free where `folder` is or will be, as `df` says; `None` if it cannot be asked.
pub(super) fn free_disk(folder: &Path) -> Option<u64> {
    let folder = std::path::absolute(folder).ok()?;
    let there = folder.ancestors().find(|folder| folder.exists())?;
    let output = Command::new("df").arg("-Pk").arg(there).output().ok()?;
    available(&String::from_utf8_lossy(&output.stdout))
}

/// The bytes that are available by what `df -Pk` prints: the number before the one with a percent sign.
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
            "1000000000000 records take about 23.09 PiB of disk, and 32 years on 2 threads, but 1.00 TiB of disk are free; \
             choose a smaller `--count` or another `--output`, or say `--yes`"
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
