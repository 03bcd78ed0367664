//! Race detection.
//!
//! The interpreter runs threads one after the other, so a missing atomic, which loses updates on a GPU, still computes
//! the right sum here. A race is visible in the accesses instead: an element that a thread writes must be accessed by
//! that thread only, unless all accesses to it are atomic.

use super::engine::Engine;
use super::run::{Fault, TRIPS, check_launch};
use super::tid::row_major;
use super::watch::Watch;
use crate::data::Arg;
use crate::rewrite::shared_arrays;
use crate::verify::{VerifiedKernel, verify};

/// Runs a launch of `dim`, and checks that no two threads access an element where one of them writes it, unless both
/// accesses are atomic. In a block kernel, these are two blocks, or two threads of a block in the same phase; the arrays that
/// a block shares are checked, too.
///
/// # Errors
/// A fault that names the element of the first race, or an error of [`run`](super::run).
pub fn check_races(kernel: &VerifiedKernel, dim: &[usize], args: &mut [Arg]) -> Result<(), Fault> {
    check_launch(kernel, dim, args).map_err(|message| Fault { message, thread: Vec::new() })?;
    if kernel.block.is_none() {
        return check(kernel, dim, args);
    }
    let (visible, shared) = shared_arrays::as_params(kernel);
    let visible = verify(visible).expect("what is shared may be a parameter");
    let mut all = args.to_vec();
    all.extend(shared.into_iter().map(|(ty, len)| Arg::zeros(ty, &[dim, &[len as usize]].concat())));
    let result = check(&visible, dim, &mut all);
    args.iter_mut().zip(all).for_each(|(arg, after)| *arg = after);
    result
}

fn check(kernel: &VerifiedKernel, dim: &[usize], args: &mut [Arg]) -> Result<(), Fault> {
    let watch = Watch::new(args.iter().map(|arg| arg.len()));
    let mut engine = Engine::new(kernel, kernel.program(), args, 1, TRIPS, None);
    engine.watch = Some(Box::new(watch));
    for (number, tid) in row_major(dim).enumerate() {
        if let Some(watch) = &mut engine.watch {
            watch.start(number);
        }
        let result = engine.run(&[tid]);
        let race = engine.watch.as_ref().and_then(|watch| watch.race);
        if let Some((array, element)) = race {
            let name = &kernel.param(array).name;
            let who = match kernel.block {
                None => "this thread and another one",
                Some(_) => "this block and another one, or two threads of it in one phase,",
            };
            let message =
                format!("a data race: {who} access element {element} of `{name}`, and one of them writes to it");
            return Err(Fault { message, thread: tid.to_vec() });
        }
        result.map_err(|message| Fault { message, thread: tid.to_vec() })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Data;
    use crate::ir::Type;
    use crate::text::parse;
    use crate::verify::verify;

    /// Whether four threads that do `body` to `x` and `y` meet.
    fn meet(body: &str) -> bool {
        let text = format!(
            "#[kernel(family = \"f\", dim = 1)]\nfn k(x: &mut [f32; 4], y: &mut [f32; 4],) {{\nlet i.0: usize = tid(0);\n{body}\n}}\n"
        );
        let kernel = verify(parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))).unwrap();
        let arg = || Arg { ty: Type::F32, shape: vec![4], data: Data::F32(vec![1.0; 4]) };
        check_races(&kernel, &[4], &mut [arg(), arg()]).is_err()
    }

    #[test]
    fn threads_meet_where_one_writes() {
        assert!(meet("y[0usize] += x[i.0];"));
        assert!(meet("y[0usize] = 2f32;"));
        assert!(meet("y[i.0] = x[i.0]; x[3usize - i.0] = 0f32;"));
        assert!(meet("atomic_add(y[0usize], 1f32); x[i.0] = y[0usize];"));
        assert!(meet("if i.0 == 2usize { y[0usize] = 1f32; } else { atomic_add(y[0usize], x[i.0]); }"));
    }

    #[test]
    fn threads_may_read_and_add_together() {
        assert!(!meet("y[i.0] = x[0usize] + x[3usize];"));
        assert!(!meet("y[i.0] = x[i.0]; y[i.0] += 1f32; x[i.0] = y[i.0];"));
        assert!(!meet("atomic_add(y[0usize], x[i.0]);"));
        assert!(!meet("if i.0 == 2usize { y[0usize] = x[0usize]; }"));
    }
}
