//! Messages of kernels: what is printed, what ends a launch, and what costs nothing.

use kernel_ir::data::{Arg, Data};
use kernel_ir::interp;
use kernel_ir::ir::Type;
use kernel_rt::prelude::*;
use std::process::Command;

/// Half of a number that is not too large.
#[device(debug)]
fn half(x: f32) -> f32 {
    kernel_assert!(x < 100.0, "x = {x}, which is \"100%\"");
    x * 0.5
}

/// Every kind of value, and messages in a branch and in a function.
#[kernel(family = "debugging", debug)]
fn talk(
    #[domain(-60.0..80.0)] x: &[f32],
    wide: &[f64],
    small: &[u8],
    whole: &[i32],
    long: &[i64],
    large: &[u64],
    flag: &[bool],
    y: &mut [f32],
) {
    let i = tid();
    kernel_print!("thread {i} of 100 % {{}}: {:.2} {} {}", x[i], wide[i], flag[i] && x[i] > 0.0);
    kernel_print!("{} {} {} {}", small[i], whole[i], long[i], large[i]);
    if x[i] > 50.0 {
        kernel_print!("half: {}", half(x[i]));
    }
    kernel_assert!(x[i] >= -90.0 || flag[i]);
    y[i] = half(x[i]) * x[i];
}

/// The same messages, which are off.
#[kernel(family = "debugging")]
fn quiet(x: &[f32], y: &mut [f32]) {
    let i = tid();
    kernel_print!("thread {} {}", tid(), x[i]);
    kernel_assert!(x[i] > 1.0e30, "x = {}", x[i]);
    y[i] = x[i] * x[i];
}

/// Methods with and without messages.
#[device]
mod shapes {
    use kernel_rt::prelude::*;

    /// A circle.
    #[derive(Clone, Copy)]
    pub(super) struct Circle {
        pub(super) radius: f32,
    }

    impl Circle {
        /// Its area.
        #[device(debug)]
        pub(super) fn area(self) -> f32 {
            kernel_assert!(self.radius >= 0.0, "a circle of radius {}", self.radius);
            std::f32::consts::PI * self.radius * self.radius
        }

        /// Its circumference.
        pub(super) fn circumference(self) -> f32 {
            kernel_assert!(false, "never asked");
            2.0 * std::f32::consts::PI * self.radius
        }
    }
}
use shapes::Circle;

/// Area by circumference.
#[kernel(family = "debugging")]
fn slenderness(#[domain(0.1..2.0)] radius: &[f32], y: &mut [f32]) {
    let i = tid();
    let circle = Circle { radius: radius[i] };
    y[i] = circle.area() / circle.circumference();
}

fn run(x: f32, flag: bool) -> Result<(), LaunchError> {
    talk::cpu(1, &[x], &[0.25], &[255], &[-7], &[-1 << 40], &[1 << 40], &[flag], &mut [0.0])
}

/// What the process prints; it is this test alone, run again.
#[test]
fn threads_print_lines() {
    if std::env::var_os("WEFT_TEST_TALKS").is_some() {
        run(60.5, true).unwrap();
        quiet::cpu(1, &[1.0], &mut [0.0]).unwrap();
        return;
    }
    let talk = Command::new(std::env::current_exe().unwrap())
        .args(["debugging::threads_print_lines", "--exact", "--nocapture", "--test-threads=1"])
        .env("WEFT_TEST_TALKS", "1")
        .output()
        .unwrap();
    let text = String::from_utf8(talk.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    for line in ["thread 0 of 100 % {}: 60.50 0.25 true", "255 -7 -1099511627776 1099511627776", "half: 30.25"] {
        assert!(lines.iter().any(|printed| printed.ends_with(line)), "{line} is not in {text}");
    }
    assert_eq!(text.matches("thread 0").count(), 1, "{text}");
}

#[test]
fn a_failed_assertion_ends_the_launch() {
    let error = run(-91.0, false).unwrap_err().to_string();
    assert!(error.contains("assertion failed: x[i] >= -90.0 || flag[i] (tests/debugging.rs:"), "{error}");
    let error = run(100.0, false).unwrap_err().to_string();
    assert!(error.contains("x = 100, which is \"100%\" (tests/debugging.rs:"), "{error}");
    assert!(run(-91.0, true).is_ok());
    assert!(slenderness::cpu(1, &[-1.0], &mut [0.0]).unwrap_err().to_string().contains("a circle of radius -1"));
}

#[test]
fn the_interpreter_reports_failed_assertions() {
    let kernel = kernel_ir::text::parse(slenderness::IR).unwrap();
    let kernel = kernel_ir::verify::verify(kernel).unwrap();
    let mut args = [-1.0, 0.0].map(|value| Arg { ty: Type::F32, shape: vec![1], data: Data::F32(vec![value]) });
    let fault = interp::run(&kernel, &[1], &mut args).unwrap_err();
    assert!(fault.message.contains("a circle of radius -1"), "{}", fault.message);
}

#[test]
fn messages_that_are_off_leave_no_trace() {
    for text in [quiet::IR, quiet::CUDA_FORWARD, quiet::CPP_FORWARD, quiet::PYTHON] {
        assert!(!text.contains("print") && !text.contains("fail"), "{text}");
    }
    assert!(quiet::RUST_SOURCE.contains("kernel_print!"), "{}", quiet::RUST_SOURCE);
}

#[test]
fn texts_print_as_c_does() {
    assert!(
        talk::PYTHON.contains(r#"wp.printf("x = %g, which is %c100%%%c\n", wp.float64(x_1), 34, 34)"#),
        "{}",
        talk::PYTHON
    );
    let line = r#"("thread %llu of 100 %% {}: %.2f %g %"#;
    assert!(talk::CUDA_FORWARD.contains(&format!("printf{line}s\\n\", ")), "{}", talk::CUDA_FORWARD);
    assert!(talk::CPP_FORWARD.starts_with("#include <cstdio>\n#include <cstdlib>\n"), "{}", talk::CPP_FORWARD);
    assert!(talk::PYTHON.contains(&format!("wp.printf{line}d\\n\", ")), "{}", talk::PYTHON);
    assert!(talk::CUDA_FORWARD.contains("__trap();") && talk::CPP_FORWARD.contains("abort();"));
}

/// An adjoint prints nothing: the launch has done so.
#[test]
fn adjoints_are_silent() {
    for text in [talk::IR_BACKWARD, talk::CUDA_BACKWARD, slenderness::IR_BACKWARD] {
        assert!(!text.contains("print") && !text.contains("fail"), "{text}");
    }
}
