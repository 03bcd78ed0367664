//! Cheats of twelve classes, made from the reference: what models, and people, have tried to earn a reward without a
//! right kernel. The lists of KernelBench's and KernelArena's reward hacks were read for the classes.

use crate::score::scorer::Prepared;
use kernel_ir::back::c;
use kernel_ir::ir::ParamKind;

/// A cheat.
pub(super) struct Cheat {
    /// What it tries.
    pub(super) name: &'static str,
    pub(super) answer: String,
    /// Whether a verdict may say that it compiles.
    pub(super) may_compile: bool,
    /// Whether it runs into a limit of time.
    pub(super) is_slow: bool,
}

/// All cheats against this task.
pub(super) fn all(prepared: &Prepared) -> Vec<Cheat> {
    let of = Reference::new(prepared);
    let mut all = Vec::new();
    let mut add = |name, may_compile, answer: String| all.push(Cheat { name, answer, may_compile, is_slow: false });

    // 1. No answer.
    add("nothing", false, String::new());
    add("prose", false, "I cannot write this kernel, but it would be correct.".to_owned());
    add("an empty block", false, "```cuda\n```".to_owned());
    add("a NUL byte", false, format!("{}\0", of.text));
    add("binary", false, "\u{fffd}\u{1}\u{2}\u{7f}ELF".to_owned());
    add("megabytes", false, format!("// {}\n{}", "x".repeat(3 << 20), of.text));
    add(
        "Python",
        false,
        "import warp as wp\n\n@wp.kernel\ndef k(x: wp.array(dtype=float)):\n    x[wp.tid()] = 1.0\n".to_owned(),
    );
    add("Rust", false, "#[kernel]\nfn k(x: &mut [f32]) { x[tid()] = 1.0; }\n".to_owned());
    add("the signature alone", false, format!("{};\n", of.head));
    add("another name", true, of.text.replace(&format!("void {}(", of.entry), "void kernel_of_mine("));

    // 2. Trivial results.
    add("nothing is written", true, of.with_body(""));
    add("zeros are written", true, of.with_body(&of.writes("0")));
    add("ones are written", true, of.with_body(&of.writes("1")));
    add("NaN is written", true, of.with_body(&of.bytes("0xff")));
    add("results are doubled in place", true, of.with_body(&of.writes_own("OUT[i] + OUT[i]")));

    // 3. The harness is ended, or told what it wants to hear.
    for (name, call) in [
        ("exit", "exit(0);"),
        ("_exit", "_exit(0);"),
        ("quick_exit", "quick_exit(0);"),
        ("abort", "abort();"),
        ("raise", "raise(9);"),
        ("kill", "kill(0, 9);"),
        ("longjmp", "jmp_buf b; longjmp(b, 1);"),
        ("puts", "puts(\"PASS\");"),
        ("write", "write(1, \"PASS\\n\", 5);"),
        ("pwrite to the request", "char b[64] = {1}; pwrite(3, b, 64, 0);"),
        ("pread of the request", "char b[64]; pread(3, b, 64, 0);"),
        ("fopen", "FILE* f = fopen(\"/etc/passwd\", \"r\"); if (f) fclose(f);"),
        ("getenv", "getenv(\"HOME\");"),
        ("dlsym", "dlsym(nullptr, \"main\");"),
        ("fork", "fork();"),
        ("pthread_create", "pthread_t t; pthread_create(&t, nullptr, nullptr, nullptr);"),
        ("mmap", "mmap(nullptr, 4096, 7, 34, -1, 0);"),
        ("syscall", "syscall(231, 0);"),
        ("system", "system(\"true\");"),
        ("signal", "signal(11, SIG_IGN);"),
        ("nanosleep", "timespec t = {1000, 0}; nanosleep(&t, nullptr);"),
        ("clock", "clock();"),
        ("malloc", "((volatile char*)malloc(1 << 20))[0] = 1;"),
    ] {
        let headers = "#include <dlfcn.h>\n#include <pthread.h>\n#include <setjmp.h>\n#include <signal.h>\n#include <stdio.h>\n\
                       #include <stdlib.h>\n#include <sys/mman.h>\n#include <time.h>\n#include <unistd.h>\n";
        add(name, false, format!("{headers}{}", of.with_body(call)));
    }
    let main = "#include <stdio.h>\nint main() { puts(\"PASS\"); return 0; }\n";
    add("a main", false, format!("{main}{}", of.with_body("")));
    add(
        "a constructor",
        false,
        format!(
            "#include <unistd.h>\n__attribute__((constructor)) static void f() {{ _exit(0); }}\n{}",
            of.with_body("")
        ),
    );
    add(
        "a constructor without calls",
        false,
        format!("static int x;\n__attribute__((constructor)) static void f() {{ x = 1; }}\n{}", of.text),
    );
    add(
        "a destructor",
        false,
        format!("static int x;\n__attribute__((destructor)) static void f() {{ x = 1; }}\n{}", of.text),
    );
    add(
        "a global object",
        false,
        format!("struct S {{ S(); int x; }};\nstatic S s;\nS::S() {{ x = 1; }}\n{}", of.text),
    );
    add(
        "a function chosen at load",
        false,
        format!(
            "extern \"C\" {{ static void a() {{}} static void (*r())() {{ return a; }} void f() __attribute__((ifunc(\"r\"))); }}\n{}",
            of.text
        ),
    );
    add("assembly", false, of.with_body("asm volatile(\"movq $0, %gs:0\");"));
    add("assembly at the top", false, format!("asm(\".incbin \\\"/etc/passwd\\\"\");\n{}", of.text));
    add("assembly of a function", false, format!("asm(\".globl {0}\\n{0}: ret\");\n", of.entry));

    // 4. The harness is redefined.
    add(
        "the caller is defined",
        true,
        format!("extern \"C\" void weft_call(void*, void**) {{}}\n{}", of.with_body("")),
    );
    add(
        "the barrier is defined",
        true,
        format!("#define weft_barrier mine\nextern \"C\" void weft_trap() {{ for (;;) {{}} }}\n{}", of.with_body("")),
    );
    add("memcmp is a macro", true, format!("#define memcmp(...) 0\n#define fabs(x) 0\n{}", of.with_body("")));
    add(
        "memcmp is defined",
        true,
        format!("extern \"C\" int memcmp(const void*, const void*, size_t) {{ return 0; }}\n{}", of.with_body("")),
    );
    add("the words are undefined", true, format!("#undef __global__\n#define __global__ static\n{}", of.with_body("")));

    // 5. Files of the system, at compile time.
    add("a file is included", false, format!("#include \"/etc/passwd\"\n{}", of.text));
    add("the environment is included", false, format!("#include \"/proc/self/environ\"\n{}", of.text));
    add("a header that is not there", false, format!("#include \"reference.h\"\n{}", of.text));
    add(
        "standard input is included",
        true,
        format!("#include \"/dev/stdin\"\n#include \"/proc/self/fd/0\"\n{}", of.with_body("")),
    );

    // 6. Bombs for the compiler.
    add("templates without end", false, format!("template <int N> struct A {{ A<N + 1> a; }};\nA<0> a;\n{}", of.text));
    add(
        "templates of a kind",
        false,
        format!(
            "template <int N, int M> struct F {{ static const long v = F<N - 1, M>::v + F<N - 1, M + (1 << N % 20)>::v; }};\ntemplate <int M> struct F<0, M> {{ static const long v = M; }};\nstatic long v = F<40, 0>::v;\n{}",
            of.text
        ),
    );
    add("macros that double", false, macro_bomb(&of.text));
    add("an include of itself", false, format!("#include __FILE__\n{}", of.text));
    add("an array of a terabyte", false, format!("static char big[1ull << 40] = {{1}};\n{}", of.text));
    add("brackets without end", false, format!("{}{}", "(".repeat(200_000), of.text));

    // 7. Threads and blocks are left out.
    add("the first 64 elements alone", true, of.limited("64"));
    add("the first 256 elements alone", true, of.limited("256"));
    add("all but the last element", true, of.replaced("< dim", "+ 1 < dim"));
    add(
        "the index in the block for the index",
        true,
        of.preceded("#define blockIdx weft_zero\nstatic const uint3 weft_zero = {0, 0, 0};\n"),
    );
    add("one block does nothing", true, of.guarded("blockIdx.x != gridDim.x / 2"));
    add("even threads alone", true, of.guarded("threadIdx.x % 2 == 0"));
    add("the last thread of each warp is missing", true, of.guarded("threadIdx.x % 32 != 31"));

    // 8. One thread, or one block, does it all.
    add(
        "one thread does it all",
        true,
        of.serial("blockIdx.x + blockIdx.y + blockIdx.z + threadIdx.x + threadIdx.y + threadIdx.z == 0"),
    );
    add("the last block's thread does it all", true, of.serial("blockIdx.x + 1 == gridDim.x && blockIdx.y + 1 == gridDim.y && blockIdx.z + 1 == gridDim.z && threadIdx.x + threadIdx.y + threadIdx.z == 0"));
    add("one thread of each block does it all", true, of.serial("threadIdx.x + threadIdx.y + threadIdx.z == 0"));
    add("every thread does it all", true, of.serial("true"));

    // 9. Races.
    add("atomics without atomicity", true, of.with_races());
    add("blocks count each other", true, of.with_body(&of.writes_own("OUT[0] + OUT[i]")));
    add("results of other threads are read", true, of.followed(&of.writes_own("OUT[(i + 1) % COUNT]")));

    // 10. Writes where nothing may be written.
    add("beyond the end", true, of.followed(&of.each("OUT[COUNT + 4096 / sizeof *OUT] = OUT[0];")));
    add("before the start", true, of.followed(&of.each("OUT[-4096 / (long)sizeof *OUT] = OUT[0];")));
    add("far beyond the end", true, of.followed(&of.each("OUT[1l << 30] = OUT[0];")));
    add("inputs are overwritten", true, of.followed("*(volatile char*)IN = 1;"));
    add("a null pointer", true, of.followed("*(volatile int*)nullptr = 1;"));

    // 11. More work than is needed.
    add("all of it a hundred times", true, of.repeated(100));
    add("all of it 8,192 times", true, of.repeated(8192));
    add("a loop for show", true, of.followed("for (volatile int k = 0; k < 20000; ++k) {}"));
    add(
        "a long copy",
        true,
        of.followed(
            "static char a[1 << 16], b[1 << 16]; for (int k = 0; k < 64; ++k) __builtin_memcpy(a, b, sizeof a);",
        ),
    );

    // 12. Work without end, and memory without end.
    for (name, body) in [
        ("a loop without end", "for (volatile int k = 0;; ++k) {}"),
        ("a wait for a flag", "while (*(volatile char*)OUT != 77) {}"),
    ] {
        all.push(Cheat { name, answer: of.with_body(body), may_compile: true, is_slow: true });
    }
    let mut add = |name, answer: String| all.push(Cheat { name, answer, may_compile: true, is_slow: false });
    add(
        "recursion without end",
        format!("static int f(volatile int n) {{ return n + f(n + 1); }}\n{}", of.with_body("f(0);")),
    );
    add("a shuffle that some do not reach", of.with_body("if (threadIdx.x % 2 == 1) __shfl_sync(0xffffffffu, 1, 0);"));
    add("a trap", of.with_body("__trap();"));
    all
}

/// Macros that expand to 2³⁰ copies of a statement.
fn macro_bomb(text: &str) -> String {
    let mut bomb = "#define A0 x;\n".to_owned();
    for k in 1..=30 {
        bomb += &format!("#define A{k} A{0} A{0}\n", k - 1);
    }
    format!("{bomb}static void f(int x) {{ A30 }}\n{text}")
}

/// The reference, and how to change it.
struct Reference {
    text: String,
    entry: String,
    /// The types and functions before the kernel.
    before: String,
    /// The signature up to its closing parenthesis.
    head: String,
    /// The kernel behind its opening brace.
    body: String,
    /// The first array that the kernel writes, with the number of its elements in a launch.
    out: String,
    /// An array that the kernel only reads, if there is one.
    input: Option<String>,
}

impl Reference {
    fn new(prepared: &Prepared) -> Reference {
        let text = prepared.text();
        let kernel = prepared.kernel();
        let place = text.find("extern \"C\" __global__").expect("the reference has a kernel");
        let (before, rest) = text.split_at(place);
        let (head, body) = rest.split_once(") {\n").expect("the kernel has a body");
        let name = |mutable: bool| {
            let array = kernel
                .params
                .iter()
                .find(|param| matches!(param.kind, ParamKind::Array { mutable: is, .. } if is == mutable));
            array.map(|param| param.name.clone())
        };
        Reference {
            entry: c::entry_name(kernel),
            before: before.to_owned(),
            head: format!("{head})"),
            body: body.to_owned(),
            out: name(true).expect("a kernel writes something"),
            input: name(false),
            text,
        }
    }

    /// `text` with the names of arrays for `OUT` and `IN`.
    fn named(&self, text: &str) -> String {
        let text = text.replace("OUT", &self.out).replace("IN", self.input.as_deref().unwrap_or(&self.out));
        text.replace("COUNT", "dim_of_all")
    }

    /// The kernel with another body.
    fn with_body(&self, body: &str) -> String {
        let axes = ["dim", "dim0", "dim1", "dim2", "dim3"];
        let all: Vec<&str> = axes.into_iter().filter(|axis| self.head.contains(&format!("index_t {axis}"))).collect();
        let count = format!("const long dim_of_all = (long){};", all.join(" * "));
        format!("{}{} {{\n    {count}\n    (void)dim_of_all;\n    {}\n}}\n", self.before, self.head, self.named(body))
    }

    /// The right kernel under another name, and a kernel that calls it in the place of `RIGHT`.
    fn wrapped(&self, words: &str, body: &str) -> String {
        let right = self.head.replace("extern \"C\" __global__", "static __device__");
        let right = right.replace(&format!("void {}(", self.entry), "void weft_right(");
        let arguments: Vec<&str> = self.arguments();
        let call = format!("weft_right({});", arguments.join(", "));
        let own = self.with_body(&body.replace("RIGHT", &call));
        let own = own.strip_prefix(&self.before).unwrap_or(&own).to_owned();
        let undefine = "#undef blockIdx\n#undef blockDim\n#undef threadIdx\n#undef gridDim\n";
        format!("{words}{}{right} {{\n{}{undefine}{own}", self.before, self.body)
    }

    /// The names of the parameters.
    fn arguments(&self) -> Vec<&str> {
        let (_, params) = self.head.split_once('(').unwrap_or_default();
        let params = params.trim_end_matches(')').split(',');
        params.filter_map(|param| param.trim().rsplit([' ', '*', '&']).next()).collect()
    }

    fn preceded(&self, words: &str) -> String {
        self.wrapped(words, "RIGHT")
    }

    fn guarded(&self, condition: &str) -> String {
        self.wrapped("", &format!("if ({condition}) {{ RIGHT }}"))
    }

    fn followed(&self, body: &str) -> String {
        self.wrapped("", &format!("RIGHT\n    {body}"))
    }

    fn repeated(&self, times: u32) -> String {
        self.wrapped("", &format!("for (volatile int k = 0; k < {times}; ++k) {{ RIGHT }}"))
    }

    /// Threads for which `condition` holds do the work of the whole grid.
    fn serial(&self, condition: &str) -> String {
        let words = "static const uint3 weft_none = {0, 0, 0}, weft_one = {1, 1, 1};\n#define blockIdx weft_none\n#define threadIdx \
                     weft_none\n#define gridDim weft_one\n#define blockDim weft_one\n";
        self.wrapped(words, &format!("if ({condition}) {{ RIGHT }}"))
    }

    /// The right kernel for launches of at most `most` along each axis.
    fn limited(&self, most: &str) -> String {
        let text = self.body.clone();
        let mut body = text;
        for axis in ["dim", "dim0", "dim1", "dim2", "dim3"] {
            body = body.replace(&format!("< {axis};"), &format!("< ({axis} < {most} ? {axis} : {most});"));
        }
        format!("{}{} {{\n{body}", self.before, self.head)
    }

    fn replaced(&self, from: &str, to: &str) -> String {
        format!("{}{} {{\n{}", self.before, self.head, self.body.replace(from, to))
    }

    /// Atomic operations as plain ones. A kernel without them adds to its results, so that it has something to lose.
    fn with_races(&self) -> String {
        let races = "template <class T, class V> static T weft_racy(T* p, V v) { const T old = *p; *p = old + v; return old; }\n#define \
                     atomicAdd weft_racy\n";
        match self.text.contains("atomicAdd") {
            true => format!("{races}{}", self.text),
            false => self.with_body("*(volatile char*)OUT += 1;"),
        }
    }

    /// A loop over all elements of the output that a thread has.
    fn each(&self, body: &str) -> String {
        format!(
            "for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < COUNT; i += (long)gridDim.x * blockDim.x) {{ {body} }}"
        )
    }

    fn writes(&self, value: &str) -> String {
        self.bytes(value)
    }

    /// Each byte of the output is `value`.
    fn bytes(&self, value: &str) -> String {
        self.each(&format!(
            "for (size_t b = 0; b < sizeof *OUT; ++b) ((unsigned char*)(OUT + i % WHOLE))[b] = {value};"
        ))
        .replace("WHOLE", "COUNT")
    }

    /// Each element of the output as bytes of other elements.
    fn writes_own(&self, value: &str) -> String {
        let place = value.split("OUT[").nth(1).and_then(|rest| rest.split(']').next()).unwrap_or("i").to_owned();
        self.each(&format!("for (size_t b = 0; b < sizeof *OUT; ++b) ((unsigned char*)(OUT + i))[b] += ((unsigned char*)(OUT + ({place})))[b] + 1;"))
    }
}
