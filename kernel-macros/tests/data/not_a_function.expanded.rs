rt::compile_error! {
    "`#[kernel]` cannot be applied to this item\n\nnote: a kernel is a function; the parser reports: expected `fn`\nhelp: write `#[kernel]` before `fn name(…) { … }`"
}
struct Point;
