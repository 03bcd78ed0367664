//! The conversions of floats of 16 bits in C++, for all numbers of both types.

use super::run::output;
use crate::ir::FloatFormat;

/// Prints for each number of both types, in hexadecimal: its bits as a `float`; and the bits to which the `float` itself
/// rounds, those in the middle between it and the next number, and the neighbours of that one.
const CONVERSIONS: &str = "
template <class T> void print(float (*widen)(T), T (*round)(float)) {
    for (unsigned int bits = 0; bits < 65536; ++bits) {
        const T number = {(unsigned short)bits}, next = {(unsigned short)(bits + 1)};
        const float value = widen(number);
        const float middle = value + (widen(next) - value) / 2.0f;
        unsigned int raw;
        memcpy(&raw, &value, sizeof raw);
        std::printf(\"%x\", raw);
        for (float x : {value, middle, nextafterf(middle, INFINITY), nextafterf(middle, -INFINITY)}) {
            std::printf(\" %x\", round(x).bits);
        }
        std::printf(\"\\n\");
    }
}
int main() {
    print<__half>(__half2float, __float2half_rn);
    print<__nv_bfloat16>(__bfloat162float, __float2bfloat16_rn);
}
";

#[test]
fn all_conversions_are_those_of_the_interpreter() {
    let source = format!(
        "#include <cmath>\n#include <cstdio>\n#include <cstring>\n#include <initializer_list>\nusing std::memcpy;\n{}{CONVERSIONS}",
        include_str!("../halves.h")
    );
    let Some(printed) = output("halves", &source) else { return };
    let mut lines = printed.lines();
    for format in [FloatFormat::F16, FloatFormat::BF16] {
        for bits in 0..=u16::MAX {
            let value = format.from_bits(bits);
            let middle = value + (format.from_bits(bits.wrapping_add(1)) - value) / 2.0;
            let rounded = [value, middle, middle.next_up(), middle.next_down()].map(|x| format.round(x.into()) as f32);
            let line = lines.next().unwrap();
            let found: Vec<u32> = line.split(' ').map(|word| u32::from_str_radix(word, 16).unwrap()).collect();
            let is_same =
                |wide: f32, found: u32| wide.to_bits() == found || (wide.is_nan() && f32::from_bits(found).is_nan());
            assert!(is_same(value, found[0]), "{format:?} {bits:#06x}: {line}");
            for (expected, found) in rounded.into_iter().zip(&found[1..]) {
                let found = format.from_bits(*found as u16);
                assert!(
                    is_same(expected, found.to_bits()),
                    "{format:?} {bits:#06x}: {line}, {found} and not {expected}"
                );
            }
        }
    }
    assert!(lines.next().is_none());
}
