//- literals out of range
fn k() {
    let a: i32 = 2147483648;
    let b = -1 as u32;
    let c: usize = 5_000_000_000;
    let d = 1e39_f32;
    let e: u32 = -1;
    let g = 4294967296 as u32;
    let h = 256u8;
    let i: i8 = -129;
    let j: u16 = 65_536;
    let k = -1i16 - 32_768;
}

//- literals that the language lacks
fn k() {
    let a = "text";
    let b = 'c';
    let c = 1u8;
    let d = b"x";
    let e = 1i128;
    let f = 1.0f16;
}
