//! Synthesis of block kernels: phases with shared arrays and lanes, and tiles.
//!
//! A kernel over threads is drawn as IR. A block kernel is composed as *Rust text*, and the front end makes its IR. The
//! operations of blocks and tiles (`v.block_sum()`, `v.lanes::<8>().warp_max()`, `t.map(|v| …)`) exist in the text only:
//! the front end expands them to phases, and the writer of Rust would print the expansion. So a record has the words that
//! an author writes, its IR is that of its own text, and no expansion is written twice.
//!
//! What is random in a block kernel is drawn by the same [`Generator`](super::generator::Generator) as everywhere. The code
//! of a thread in one phase is a [`fragment`](builder): a small kernel over threads, whose parameters are all that the phase
//! reads, be it an array of the launch, a shared array, a value of the thread or a variable of the block. Each of these
//! carries its values at the sample points, so a term in a phase is as sound as one in a kernel over threads. The writer of
//! Rust writes the fragment, and its body becomes the body of the phase.
//!
//! Around the fragments stand *moves*: a reduction, a scan, a shuffle, a stencil over a shared array ([`phases`],
//! [`exchanges`]), or a product of matrices, a softmax of rows, a mask ([`tiles`]). A move knows the range of what it gives
//! from that of what it takes. Each is free of races by its form, and the proof checks it once more.

mod builder;
mod exchanges;
mod phases;
mod text;
mod tiles;

use super::families::{Family, Level};
use super::rng::Rng;
pub(super) use text::Text;

/// Draws a block kernel of the family.
pub(super) fn drawn(family: &Family, rng: Rng, difficulty: usize) -> Option<Text> {
    match family.level {
        Level::Tiles => tiles::drawn(family, rng, difficulty),
        Level::Phases | Level::Threads => phases::drawn(family, rng, difficulty),
    }
}
