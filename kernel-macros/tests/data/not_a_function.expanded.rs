rt::compile_error! {
    "`#[kernel]` does not understand this\n\nnote: a kernel is a plain function; its parser says: expected `fn`\nhelp: write `#[kernel]` before `fn name(…) { … }`"
}
struct Point;
