use super::columns::split;
use crate::text;

#[test]
fn other_parameters_stay_as_they_are() {
    let kernel = text::parse(
        "struct P { x: vec3, n: u32, on: bool, }
        #[kernel(family = \"f\", dim = 1)]
        fn k(
            at: &[u32; dim(0)] in 0..dim(0),
            all: &mut [P; dim(0)] in -2.0f64..2.0f64,
            y: &mut [f32; all.extent(0)],
        ) { let i.0: usize = tid(0); y[i.0] = all[at[i.0] as usize].x.y; }",
    )
    .expect("it is IR");
    let columns = text::print(&split(&kernel).kernel);
    for line in [
        "at: &[u32; dim(0)] in 0..dim(0),",
        "all.x: &mut [vec3; dim(0)] in -2.0f64..2.0f64,",
        "all.n: &mut [u32; dim(0)] in 0..8,",
        "all.on: &mut [bool; dim(0)] in false..=true,",
        "y: &mut [f32; all.x.extent(0)],",
        "y[i.0] = all.x[at[i.0] as usize].y;",
    ] {
        assert!(columns.contains(line), "{line}\n{columns}");
    }
}
