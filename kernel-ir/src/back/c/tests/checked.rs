//! Checked CUDA text.

use crate::back::c;
use crate::text;
use crate::verify::verify;
use expect_test::expect;

#[test]
fn indices_are_replaced_and_stores_are_looked_at() {
    let kernel = "
        #[kernel(family = \"test\", dim = 2)]
        fn shift(a: f32, x: &[f32; 4], grid: &mut [vec2; dim(0), dim(1)],) {
            let i.0: usize = tid(0);
            let j.1: usize = tid(1);
            grid[i.0, j.1].x += a * x[j.1 + 1usize];
        }";
    let kernel = verify(text::parse(kernel).unwrap()).unwrap();
    let text = c::write_checked(&kernel);
    let (_, own) = text.split_once("extern").unwrap();
    expect![[r#"
         "C" __global__ void shift(
            float a,
            const float* __restrict__ x,
            index_t x_len,
            vec2* __restrict__ grid,
            index_t grid_shape0,
            index_t grid_shape1,
            weft_fault* fault,
            index_t dim0,
            index_t dim1
        ) {
            for (index_t i = blockIdx.y * blockDim.y + threadIdx.y; i < dim0; i += gridDim.y * blockDim.y) {
                for (index_t j = blockIdx.x * blockDim.x + threadIdx.x; j < dim1; j += gridDim.x * blockDim.x) {
                    const weft_watch watch = {fault, {i, j}};
                    grid[watch.at(2, 0, i, grid_shape0) * grid_shape1 + watch.at(2, 1, j, grid_shape1)].x +=
                        a * x[watch.at(1, 0, j + 1, x_len)];
                    watch.stored(
                        2,
                        (const float*)&grid[watch.at(2, 0, i, grid_shape0) * grid_shape1 + watch.at(2, 1, j, grid_shape1)],
                        2
                    );
                }
            }
        }
    "#]].assert_eq(own);
}

#[test]
fn a_record_is_read_as_the_device_writes_it() {
    let words = [(7 << 32) | 1, (9 << 32) | 2, 30, 20, 4, 5, 0, 0];
    let fault = c::Fault::from_words(words);
    assert_eq!(fault, c::Fault { kind: 1, param: 7, axis: 2, index: 30, extent: 20, thread: [4, 5, 0, 0] });
}
