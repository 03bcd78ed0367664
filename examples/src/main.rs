//! t
use examples::*;
macro_rules! go { ($n:expr, $s:expr, $($m:ident)*) => { match $n { $(stringify!($m) => $m::run(&kernel_rt::Device::cpu(), $s),)* _ => panic!() } } }
fn main(){ let t=std::time::Instant::now();
let n=std::env::args().nth(1).unwrap(); let size: usize=std::env::args().nth(2).unwrap().parse().unwrap();
let r=go!(&*n, size, cloth sph rigid lbm heat pendulum options mlp smoothing deconvolution raymarch splats).unwrap(); print!("{r}"); println!("{:?}",t.elapsed());
let p=r.picture.to_png().unwrap(); println!("{} {:?}", p.len(), r.picture.size()); std::fs::write(format!("/tmp/{n}.png"),p).unwrap(); }
