//! Text: n-grams, and distances of words.

use kernel_rt::prelude::*;

/// A letter in lower case, 1 to 26; 27 for a digit, 0 for what separates words.
#[device]
fn letter(byte: u8) -> u32 {
    match byte {
        97..=122 => byte as u32 - 96,
        65..=90 => byte as u32 - 64,
        48..=57 => 27,
        _ => 0,
    }
}

/// Counts the n-grams of letters inside of words, and the words themselves by length, in tables of hashes ("feature hashing").
/// A thread looks at the n-grams that start at its byte: one to four letters. `doubled` counts letters that are followed by
/// themselves. A second table with another hash makes a
/// count-min sketch, so the smaller of two counts bounds a frequency. `lengths[0]` counts longer words, too.
#[kernel(family = "atomic")]
pub fn count_ngrams(
    #[domain(0..1000000)] salt: u32,
    #[domain(1..5)] most: usize,
    #[domain(32..123)] text: &[u8],
    #[shape(2, 64)] sketch: &mut Array2<u32>,
    #[shape(4)] totals: &mut [u32],
    #[shape(12)] lengths: &mut [u32],
    #[shape(28)] doubled: &mut [u32],
) {
    let i = tid();
    let mut hash = 2166136261u32 ^ salt;
    let mut other = 5381u32;
    let mut n = 0;
    while n < most && i + n < text.len() {
        let symbol = letter(text[i + n]);
        if symbol == 0 {
            break;
        }
        // FNV-1a by Fowler, Noll and Vo, and the hash of Bernstein.
        hash = (hash ^ symbol).wrapping_mul(16777619);
        other = other.wrapping_mul(33).wrapping_add(symbol);
        let mixed = (hash ^ (hash >> 15)).wrapping_mul(0x85ebca6b);
        let again = (other ^ (other >> 13)).wrapping_mul(0xc2b2ae35);
        atomic_add(&mut sketch[[0, (mixed >> 26) as usize]], 1);
        atomic_add(&mut sketch[[1, (again >> 26) as usize]], 1);
        atomic_add(&mut totals[n], 1);
        n += 1;
    }
    let first = letter(text[i]);
    if first != 0 && i + 1 < text.len() && letter(text[i + 1]) == first {
        atomic_add(&mut doubled[first as usize], 1);
    }
    // A word is counted where it starts.
    let starts = first != 0 && (i == 0 || letter(text[i - 1]) == 0);
    if starts {
        let mut end = i + 1;
        while end < text.len() && letter(text[end]) != 0 {
            end += 1;
        }
        let length = end - i;
        atomic_add(&mut lengths[if length < lengths.len() { length } else { 0 }], 1);
    }
}

/// Edit distances of pairs of words, with exchanges of neighbours (Damerau, 1964, in the form of optimal string alignment), by
/// dynamic programming over three rows of the table. Costs are for insertions, deletions, changes of a letter and exchanges;
/// changing the case costs 1. Words end at a byte that is no letter, or after eight letters.
#[kernel(family = "nested_loop")]
pub fn word_distance(
    #[domain(2..5)] insertion: u32,
    #[domain(2..5)] deletion: u32,
    #[domain(2..5)] change: u32,
    #[domain(1..4)] exchange: u32,
    #[shape(dim0, 8)]
    #[domain(88..123)]
    words: &Array2<u8>,
    #[shape(dim0, 8)]
    #[domain(88..123)]
    others: &Array2<u8>,
    distance: &mut [u32],
    lengths: &mut [UVec2],
) {
    const MOST: usize = 8;
    let i = tid();
    let (mut rows, mut columns) = (0, 0);
    while rows < MOST && letter(words[[i, rows]]) != 0 {
        rows += 1;
    }
    while columns < MOST && letter(others[[i, columns]]) != 0 {
        columns += 1;
    }
    let mut before = [0u32; 9];
    let mut above = [0u32; 9];
    let mut row = [0u32; 9];
    for c in 0..columns + 1 {
        above[c] = c as u32 * insertion;
    }
    for r in 1..rows + 1 {
        row[0] = r as u32 * deletion;
        for c in 1..columns + 1 {
            let (a, b) = (words[[i, r - 1]], others[[i, c - 1]]);
            let cost = if a == b {
                0
            } else if letter(a) == letter(b) {
                1
            } else {
                change
            };
            let mut best = above[c - 1] + cost;
            best = best.min(above[c] + deletion).min(row[c - 1] + insertion);
            if r > 1 && c > 1 && a == others[[i, c - 2]] && words[[i, r - 2]] == b {
                best = best.min(before[c - 2] + exchange);
            }
            row[c] = best;
        }
        for c in 0..columns + 1 {
            before[c] = above[c];
            above[c] = row[c];
        }
    }
    distance[i] = above[columns];
    lengths[i] = UVec2::new(rows as u32, columns as u32);
}
