//! Ciphers and checksums: arithmetic of bits.

use kernel_rt::prelude::*;

/// A quarter round of ChaCha on four of the sixteen words.
#[device]
fn quarter_round(words: &mut [u32; 16], a: usize, b: usize, c: usize, d: usize) {
    words[a] = words[a].wrapping_add(words[b]);
    words[d] = (words[d] ^ words[a]).rotate_left(16);
    words[c] = words[c].wrapping_add(words[d]);
    words[b] = (words[b] ^ words[c]).rotate_left(12);
    words[a] = words[a].wrapping_add(words[b]);
    words[d] = (words[d] ^ words[a]).rotate_left(8);
    words[c] = words[c].wrapping_add(words[d]);
    words[b] = (words[b] ^ words[c]).rotate_left(7);
}

/// Encrypts a text with ChaCha20 (RFC 8439), 64 bytes a thread, in words in little-endian order: the words of the state are mixed
/// in ten double rounds, added to what they were, and combined with the text by exclusive or. Decrypting is the same.
#[kernel(family = "arithmetic")]
pub fn chacha20(
    #[domain(0..1000000)] counter: u32,
    #[shape(8)]
    #[domain(0..4294967295)]
    key: &[u32],
    #[shape(3)]
    #[domain(0..4294967295)]
    nonce: &[u32],
    #[shape(dim0, 16)]
    #[domain(0..4294967295)]
    text: &mut Array2<u32>,
    check: &mut [u32],
) {
    let i = tid();
    let mut words = [0u32; 16];
    let mut start = [0u32; 16];
    // "expand 32-byte k"
    start[0] = 0x61707865;
    start[1] = 0x3320646e;
    start[2] = 0x79622d32;
    start[3] = 0x6b206574;
    for k in 0..8 {
        start[4 + k] = key[k];
    }
    start[12] = counter.wrapping_add(i as u32);
    for k in 0..3 {
        start[13 + k] = nonce[k];
    }
    for k in 0..16 {
        words[k] = start[k];
    }
    for _ in 0..10 {
        quarter_round(&mut words, 0, 4, 8, 12);
        quarter_round(&mut words, 1, 5, 9, 13);
        quarter_round(&mut words, 2, 6, 10, 14);
        quarter_round(&mut words, 3, 7, 11, 15);
        quarter_round(&mut words, 0, 5, 10, 15);
        quarter_round(&mut words, 1, 6, 11, 12);
        quarter_round(&mut words, 2, 7, 8, 13);
        quarter_round(&mut words, 3, 4, 9, 14);
    }
    let mut sum = 0u32;
    for k in 0..16 {
        text[[i, k]] ^= words[k].wrapping_add(start[k]);
        sum = sum.rotate_left(5) ^ text[[i, k]];
    }
    check[i] = sum;
}
