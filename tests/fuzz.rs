//! Fuzzing of the front end with broken kernels. For any tokens it must return a kernel or mistakes, and never panic. A
//! kernel must read back from its text form.
//!
//! Case `n` is the same in every run on every machine. `WEFT_FUZZ_CASES` sets the number of cases, `WEFT_FUZZ_FIRST`
//! the first.

mod corpus;

use crate::messages::fault;
use crate::rng::Rng;
use corpus::{CORPUS, NUMBERS, VOCABULARY};
use kernel_ir::front::compile;
use kernel_ir::text;
use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The number of cases without `WEFT_FUZZ_CASES`.
const CASES: u64 = 100_000;

/// A token, or one bracket of a group.
#[derive(Clone)]
enum Piece {
    Token(TokenTree),
    Open(Delimiter),
    Close,
}

fn pieces(tokens: TokenStream) -> Vec<Piece> {
    let mut found = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                found.push(Piece::Open(group.delimiter()));
                found.extend(pieces(group.stream()));
                found.push(Piece::Close);
            }
            token => found.push(Piece::Token(token)),
        }
    }
    found
}

fn pieces_of(source: &str) -> Vec<Piece> {
    pieces(source.parse().expect("the source is Rust tokens"))
}

/// The pieces as tokens. Unmatched closing brackets are dropped, and unmatched opening ones closed at the end.
fn assemble(pieces: &[Piece]) -> TokenStream {
    let mut open: Vec<(Delimiter, TokenStream)> = vec![(Delimiter::None, TokenStream::new())];
    let close = |open: &mut Vec<(Delimiter, TokenStream)>| {
        if let Some((delimiter, inside)) = open.pop() {
            let group = TokenTree::Group(Group::new(delimiter, inside));
            match open.last_mut() {
                Some((_, around)) => around.extend([group]),
                None => open.push((Delimiter::None, group.into())),
            }
        }
    };
    for piece in pieces {
        match piece {
            Piece::Token(token) => open.last_mut().expect("the outermost stays").1.extend([token.clone()]),
            Piece::Open(delimiter) => open.push((*delimiter, TokenStream::new())),
            Piece::Close if open.len() > 1 => close(&mut open),
            Piece::Close => {}
        }
    }
    while open.len() > 1 {
        close(&mut open);
    }
    open.pop().expect("the outermost stays").1
}

/// The material of the mutations.
struct Stock {
    kernels: Vec<Vec<Piece>>,
    words: Vec<Vec<Piece>>,
    numbers: Vec<Vec<Piece>>,
}

impl Stock {
    fn new() -> Stock {
        let words = VOCABULARY.split_whitespace();
        // A lone `'` and some signs are not tokens by themselves.
        let words = words.filter_map(|word| word.parse::<TokenStream>().ok()).map(pieces).collect();
        let numbers = NUMBERS.iter().map(|number| pieces_of(number)).collect();
        Stock { kernels: CORPUS.iter().map(|source| pieces_of(source)).collect(), words, numbers }
    }

    /// A broken kernel.
    fn case(&self, rng: &mut Rng) -> Vec<Piece> {
        if rng.below(16) == 0 {
            return self.random_body(rng);
        }
        let mut kernel = rng.choose(&self.kernels).clone();
        for _ in 0..=rng.below(2) {
            self.mutate(&mut kernel, rng);
        }
        kernel
    }

    /// A function whose body is random tokens.
    fn random_body(&self, rng: &mut Rng) -> Vec<Piece> {
        let mut kernel = pieces_of("fn k(x: &[f32], out: &mut [f32], m: Mat3, v: Vec3, k: i32)");
        kernel.push(Piece::Open(Delimiter::Brace));
        for _ in 0..rng.below(40) {
            match rng.below(6) {
                0 => kernel.push(Piece::Open(rng.pick(&BRACKETS))),
                1 => kernel.push(Piece::Close),
                _ => kernel.extend(rng.choose(&self.words).iter().cloned()),
            }
        }
        kernel
    }

    fn mutate(&self, kernel: &mut Vec<Piece>, rng: &mut Rng) {
        if kernel.is_empty() {
            return kernel.extend(rng.choose(&self.words).iter().cloned());
        }
        let at = rng.below(kernel.len());
        let end = (at + 1 + rng.below(6)).min(kernel.len());
        match rng.below(14) {
            9.. => self.replace_one(kernel, rng),
            0 => drop(kernel.drain(at..end)),
            1 => {
                let copy = kernel[at..end].to_vec();
                let to = rng.below(kernel.len());
                kernel.splice(to..to, copy);
            }
            2 => {
                let other = rng.below(kernel.len());
                kernel.swap(at, other);
            }
            3 => drop(kernel.splice(at..end, rng.choose(&self.words).iter().cloned())),
            4 => {
                let other = rng.choose(&self.kernels);
                let from = rng.below(other.len());
                kernel.truncate(at);
                kernel.extend_from_slice(&other[from..]);
            }
            5 => {
                let number = rng.choose(&self.numbers);
                let literals: Vec<usize> = (0..kernel.len())
                    .filter(|place| matches!(kernel[*place], Piece::Token(TokenTree::Literal(_))))
                    .collect();
                if !literals.is_empty() {
                    let place = rng.pick(&literals);
                    kernel.splice(place..=place, number.iter().cloned());
                }
            }
            6 => {
                let depth = [3, 30, 300][rng.below(3)];
                let bracket = rng.pick(&BRACKETS);
                kernel.splice(end..end, vec![Piece::Close; depth]);
                kernel.splice(at..at, vec![Piece::Open(bracket); depth]);
            }
            7 => {
                let times = [3, 30, 300][rng.below(3)];
                let run: Vec<Piece> = kernel[at..end].to_vec();
                let copies = run.iter().cycle().take(run.len() * times).cloned();
                kernel.splice(at..at, copies);
            }
            _ => kernel.splice(at..at, rng.choose(&self.words).iter().cloned()).for_each(drop),
        }
    }

    /// Replaces a token by one of the same kind, from this kernel or another. The result is often a valid kernel, or
    /// nearly one.
    fn replace_one(&self, kernel: &mut [Piece], rng: &mut Rng) {
        let kind = |piece: &Piece| match piece {
            Piece::Token(TokenTree::Ident(_)) => 1,
            Piece::Token(TokenTree::Literal(_)) => 2,
            Piece::Token(TokenTree::Punct(_)) => 3,
            _ => 0,
        };
        let at = rng.below(kernel.len());
        let (wanted, home) = (kind(&kernel[at]), rng.below(3) > 0);
        let source = if home { &*kernel } else { rng.choose(&self.kernels) };
        let same: Vec<&Piece> = source.iter().filter(|piece| wanted > 0 && kind(piece) == wanted).collect();
        if !same.is_empty() {
            kernel[at] = (rng.pick(&same)).clone();
        }
    }

    /// The arguments of `#[kernel]`, mostly valid.
    fn attribute(&self, rng: &mut Rng) -> TokenStream {
        if rng.below(8) > 0 {
            return TokenStream::new();
        }
        let mut attribute = pieces_of("family = \"control_flow\"");
        for _ in 0..rng.below(3) {
            self.mutate(&mut attribute, rng);
        }
        assemble(&attribute)
    }
}

const BRACKETS: [Delimiter; 4] = [Delimiter::Parenthesis, Delimiter::Brace, Delimiter::Bracket, Delimiter::None];

/// Runs one case. The error describes a wrong answer.
fn run(attr: TokenStream, item: TokenStream) -> Result<bool, String> {
    match compile(attr, item).kernel {
        Ok(kernel) => {
            let printed = text::print(&kernel);
            match text::parse(&printed) {
                Ok(back) if back == *kernel => Ok(true),
                Ok(back) => Err(format!("another kernel comes back:\n{printed}\n{}", text::print(&back))),
                Err(error) => Err(format!("line {}: {}\n{printed}", error.line, error.message)),
            }
        }
        Err(diagnostics) if diagnostics.is_empty() => Err("refused without a mistake".to_owned()),
        Err(diagnostics) => match diagnostics.iter().find_map(fault) {
            Some(fault) => Err(fault),
            None => Ok(false),
        },
    }
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |value| value.parse().unwrap_or_else(|_| panic!("{name} is not a number")))
}

#[test]
fn the_corpus_compiles() {
    for source in CORPUS {
        let item: TokenStream = source.parse().expect("the source is Rust tokens");
        assert_eq!(run(TokenStream::new(), item), Ok(true), "{source}");
    }
}

#[test]
fn broken_kernels_are_answered() {
    let first = setting("WEFT_FUZZ_FIRST", 0);
    let cases = setting("WEFT_FUZZ_CASES", CASES);
    let workers = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let accepted: u64 = std::thread::scope(|scope| {
        let spawn = |worker| {
            // The default stack size of a thread. The front end must refuse deep nesting before this stack overflows.
            std::thread::Builder::new().stack_size(2 << 20).spawn_scoped(scope, move || {
                let stock = Stock::new();
                (first..first + cases)
                    .skip(worker as usize)
                    .step_by(workers as usize)
                    .filter(|n| check(&stock, *n))
                    .count()
            })
        };
        let handles: Vec<_> = (0..workers).map(|worker| spawn(worker).expect("a thread starts")).collect();
        handles.into_iter().map(|handle| handle.join().expect("every case is answered") as u64).sum()
    });
    // If hardly any mutation compiled, only the parser would be tested. A small run is too small for that check.
    assert!(cases < 1000 || accepted * 50 > cases, "only {accepted} of {cases} cases are kernels");
}

/// Runs case `n`. Returns whether it is a kernel.
fn check(stock: &Stock, n: u64) -> bool {
    let mut rng = Rng::new(n);
    let attr = stock.attribute(&mut rng);
    let item = assemble(&stock.case(&mut rng));
    match catch_unwind(AssertUnwindSafe(|| run(attr.clone(), item.clone()))) {
        Ok(Ok(accepted)) => accepted,
        Ok(Err(wrong)) => panic!("case {n}: {wrong}\n#[kernel({attr})]\n{item}"),
        Err(_) => panic!("case {n} panics:\n#[kernel({attr})]\n{item}"),
    }
}

#[test]
fn deep_nesting_is_answered() {
    let depth = 100_000;
    let repeat = |before: &str, middle: &str, after: &str, depth: usize| {
        let (before, after) = (pieces_of_open(before), pieces_of_open(after));
        let mut kernel = pieces_of("fn k(x: f32, mut y: f32, a: &[i32])");
        kernel.push(Piece::Open(Delimiter::Brace));
        kernel.extend(pieces_of("y ="));
        kernel.extend(before.iter().cycle().take(before.len() * depth).cloned());
        kernel.extend(pieces_of(middle));
        kernel.extend(after.iter().cycle().take(after.len() * depth).cloned());
        assemble(&kernel)
    };
    let shapes = [
        ("(", "x", ")"),
        ("{", "x", "}"),
        ("-", "x", ""),
        ("", "x", "+ x"),
        ("", "x", ".sin()"),
        ("", "x", "as f32"),
        ("(x +", "x", ")"),
        ("f32::sin(", "x", ")"),
        ("if x > 1.0 { x } else", "{ x }", ""),
        ("if x > 1.0 {", "x", "} else { y }"),
        ("1.0 + if x > 1.0 { y += 1.0;", "x", "} else { y }"),
        ("a[", "0", "] as usize"),
        ("y =", "x", ""),
        ("return", "x", ""),
        ("x > 1.0 &&", "x > 2.0", ""),
        ("for i in 0..3 {", "y = x;", "}"),
        ("|a|", "x", ""),
        ("match x { _ => {", "x", "}}"),
        ("Vec::<", "f32", ">"),
        ("<", "f32", ">::A"),
        ("f::<0,", "f32", ">"),
        ("f::<i32, fn(i32) ->", "f32", ">"),
        ("f::<{ 0 },", "f32", ">"),
        ("|a, b|", "x", ""),
        ("{ x } as f32 +", "x", ""),
        ("{ x }(x) +", "x", ""),
        ("for S { a } in", "x", "{ }"),
        ("if { x > 1.0 } { x } else", "{ x }", ""),
        ("..", "x", ""),
    ];
    for (before, middle, after) in shapes {
        for depth in [10, 100, 300, 1000, depth] {
            if let Err(wrong) = run(TokenStream::new(), repeat(before, middle, after, depth)) {
                panic!("{before} {middle} {after} {depth} deep: {wrong}");
            }
        }
    }
}

/// The pieces of a source whose brackets need not match.
fn pieces_of_open(source: &str) -> Vec<Piece> {
    let mut found = Vec::new();
    for part in source.split_inclusive(|c: char| "()[]{}".contains(c)) {
        let bracket = part.chars().last().filter(|c| "()[]{}".contains(*c));
        found.extend(pieces_of(part.trim_end_matches(|c: char| "()[]{}".contains(c))));
        match bracket {
            Some('(') => found.push(Piece::Open(Delimiter::Parenthesis)),
            Some('[') => found.push(Piece::Open(Delimiter::Bracket)),
            Some('{') => found.push(Piece::Open(Delimiter::Brace)),
            Some(_) => found.push(Piece::Close),
            None => {}
        }
    }
    found
}

#[test]
fn names_that_mean_something_elsewhere_come_back() {
    let words = "tid f32 vec3 max dim extent col kernel NAN atomic_add x r#as r#break r#const r#continue r#else r#enum \
        r#false r#fn r#for r#if r#impl r#in r#let r#loop r#match r#mod r#move r#mut r#pub r#ref r#return r#static \
        r#struct r#trait r#true r#type r#unsafe r#use r#where r#while r#yield r#dyn r#async r#await r#abstract";
    let wrong: Vec<String> = words
        .split_whitespace()
        .filter_map(|name| {
            let source = format!(
                "fn {name}({name}: f32, mut k: f32, out: &mut [f32]) {{
                    k = {name} + 1.0; out[0] = {name}; let {name} = ({name} - 2.0) as f64; out[1] = {name} as f32;
                    if {name} > 1.0 {{ return; }} k = {name}.max({name}) as f32;
                }}"
            );
            run(TokenStream::new(), source.parse().expect("the source is Rust tokens")).err()
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn tokens_that_no_lexer_makes_are_answered() {
    let negative = TokenTree::Literal(Literal::i32_unsuffixed(-5));
    let float = TokenTree::Literal(Literal::f64_suffixed(-0.5));
    let lone = TokenTree::Punct(Punct::new('-', Spacing::Joint));
    let name = TokenTree::Ident(Ident::new("k", Span::call_site()));
    let empty = TokenTree::Group(Group::new(Delimiter::None, TokenStream::new()));
    for odd in [negative, float, lone, name, empty] {
        for source in ["out[0] = ; ", "let k = - ; ", "out[] = 1.0;"] {
            let mut body = pieces_of(source);
            for place in 0..=body.len() {
                body.insert(place, Piece::Token(odd.clone()));
                let mut kernel = pieces_of("fn f(out: &mut [f32])");
                kernel.push(Piece::Open(Delimiter::Brace));
                kernel.extend(body.iter().cloned());
                if let Err(wrong) = run(TokenStream::new(), assemble(&kernel)) {
                    panic!("{odd} in {source}: {wrong}");
                }
                body.remove(place);
            }
        }
    }
}
