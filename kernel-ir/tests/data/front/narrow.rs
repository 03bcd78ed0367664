//- literals, limits and casts
fn k(a: i8, b: u8, x: f32, out: &mut [i16]) {
    let c = 200u8;
    let d = -128i8;
    let e = u16::MAX;
    let f = i16::MIN;
    let g: u8 = 0xff;
    let h = x as u8;
    let i = a as u16;
    let j = b as usize;
    let k = (b > c) as u8;
    out[j] = f + a as i16;
    let l = e.wrapping_mul(i) ^ (g as u16) << k;
    let m = d.abs().max(a);
    let n = h + l as u8 + m as u8;
}

//- loops and matches
fn k(n: u8, m: i8, out: &mut [u8]) {
    for k in 0..n {
        out[k as usize] = match k {
            0 => 1,
            1..=9 => k,
            u8::MAX => 3,
            _ => 2,
        };
    }
    for k in (m..=i8::MAX).rev().step_by(3) {
        out[0] ^= k as u8;
    }
}

//- byte literals
fn upper_case(text: &[u8], out: &mut [u8]) {
    let i = tid();
    out[i] = match text[i] {
        b'a'..=b'z' => text[i] - (b'a' - b'A'),
        b'\n' | b'\t' => b' ',
        other => other,
    };
}
