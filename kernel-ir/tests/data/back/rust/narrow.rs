#[kernel(family = "f")]
pub fn narrow(n: u8, a: &[i8], b: &[u16], bytes: &mut [u8], words: &mut [i16], words_2: &mut [u16]) {
    let i = tid();
    bytes[i] = (n + 200) >> 1;
    bytes[i] = if n > 9 { n } else { 9 };
    bytes[i] = n.min(5);
    bytes[i] += !n;
    words[i] = (a[i] as i16).wrapping_mul(-300);
    words[i] <<= 2;
    words_2[i] = b[i].wrapping_mul(40503);
    words_2[i] = b[i].abs_diff(7).clamp(1, b[i] / 2);
    for k in 0..n {
        bytes[k as usize] = -a[i] as u8;
    }
    for k in (-100..=100i8).rev().step_by(3) {
        words[i] -= k as i16;
    }
    for k in b[i]..=65535 {
        words_2[i] ^= k;
    }
}
