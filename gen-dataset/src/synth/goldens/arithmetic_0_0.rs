/// Response from lag and channel: response = −pow(clamp(lag[thread], channel, 12), 4).
#[kernel(family = "arithmetic")]
pub fn weigh_response(#[domain(-6..6)] lag: &[i32], #[domain(-8..8)] channel: i32, response: &mut [i32]) {
    let thread = tid();
    let attenuated = lag[thread].clamp(channel, 12).pow(4);
    response[thread] = -attenuated;
}
