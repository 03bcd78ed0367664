/// Denoised and spectrum from lag, bits and feedback: denoised = ((n_code ^ (n_code >> 1)) % 32) − bits[thread]
/// + pow(!lag[thread], 2); spectrum = pow(!lag[thread], 2) − ln_1p(feedback). Each thread makes a Gray code.
#[kernel(family = "arithmetic")]
pub fn scale_spectrum(
    #[domain(0..6)] lag: &[i32],
    #[domain(1..12)] bits: &[i32],
    denoised: &mut [i32],
    #[domain(-0.6..0.6)] feedback: f32,
    spectrum: &mut [f32],
) {
    let thread = tid();
    let n_code = lag[thread].leading_zeros();
    let reflected = n_code ^ (n_code >> 1);
    let echo = (!lag[thread]).pow(2);
    denoised[thread] = (reflected % 32) as i32 - bits[thread] + echo;
    spectrum[thread] = echo as f32 - feedback.ln_1p();
}
