//! Bit manipulation of integers: Gray and Morton codes, parities, digit sums, greatest common divisors.

use super::super::generator::{Generator, Term};
use kernel_ir::ir::{Expr, Stmt, StmtKind, Type};
use kernel_ir::ops::Op;
use kernel_ir::ops::build::{Operand, Var};

/// The shifts and masks that spread 16 bits over the even positions, for a Morton code.
const SPREAD2: [(i64, i64); 4] = [(8, 0x00ff_00ff), (4, 0x0f0f_0f0f), (2, 0x3333_3333), (1, 0x5555_5555)];
/// The shifts and masks that spread 10 bits over every third position.
const SPREAD3: [(i64, i64); 4] = [(16, 0x0300_00ff), (8, 0x0300_f00f), (4, 0x030c_30c3), (2, 0x0924_9249)];
/// The shifts and masks that reverse the bits of a word by swapping halves.
const SWAPS: [(i64, i64); 5] = [(1, 0x5555_5555), (2, 0x3333_3333), (4, 0x0f0f_0f0f), (8, 0x00ff_00ff), (16, 0xffff)];

impl Generator {
    /// A bit manipulation of a 32-bit word.
    pub(super) fn bit_trick(&mut self) {
        match self.rng.below(11) {
            0 => self.gray_code(),
            1 => self.gray_decoded(),
            2 | 3 => self.morton(),
            4 => self.parity(),
            5 => self.mixed_labels(),
            6 => self.reversed(),
            7 => self.fields(),
            8 => self.lowest_bit(),
            9 => self.collatz(),
            _ => self.greatest_divisor(),
        }
    }

    /// A word to work on. A long term gets a name.
    fn word_of(&mut self, wishes: &[&str]) -> Term {
        let ty = Type::U32;
        let depth = self.rng.below(2).min(self.depth);
        let word = self.term(ty, depth);
        // A literal would make the result a constant.
        let word = if word.is_literal() { self.leaf(ty) } else { word };
        let word = if word.is_literal() { self.thread_word() } else { word };
        if word.size == 1 {
            return word;
        }
        let bound = self.bind(wishes, word);
        self.items.last_mut().into_iter().for_each(|item| item.uses = 1);
        bound
    }

    fn thread_word(&mut self) -> Term {
        let thread = self.thread_term();
        let (low, high) = thread.samples.range();
        self.known(thread.expr.cast(Type::U32), low, high)
    }

    /// A word with at most `bits` bits.
    fn short_word(&mut self, wishes: &[&str], bits: u32) -> Term {
        let word = self.word_of(wishes);
        let mask = f64::from((1u32 << bits) - 1);
        if word.samples.range().1 <= mask {
            return word;
        }
        let masked = word.expr & Expr::number(mask as i64, Type::U32);
        let masked = self.known(masked, 0.0, mask);
        self.bind(wishes, masked)
    }

    fn give_word(&mut self, wishes: &[&str], word: Expr, most: f64) {
        let word = self.known(word, 0.0, most);
        self.bind(wishes, word);
    }

    fn gray_code(&mut self) {
        let word = self.word_of(&["n_code", "binary", "ordinal"]);
        let shifted = &word.expr >> 1;
        let args = if self.rng.percent(60) { (word.expr, shifted) } else { (shifted, word.expr) };
        self.give_word(&["gray", "gray_code", "reflected"], args.0 ^ args.1, 4.2e9);
        self.tell("morton", "makes a Gray code");
    }

    /// Decodes a Gray code, by a loop or by halves.
    fn gray_decoded(&mut self) {
        let word = self.word_of(&["gray_in", "code_word", "encoded"]);
        let local = self.hidden(&["binary", "decoded", "plain"], word.expr.clone());
        if self.rng.percent(50) {
            for distance in [16, 8, 4, 2, 1] {
                let shifted = local >> distance;
                self.push(local.update(Op::BitXor, shifted));
            }
        } else {
            let start = word.expr >> 1;
            let rest = self.hidden(&["mask", "rest", "shifted"], start);
            let left = || rest.expr();
            let body = vec![local.update(Op::BitXor, left()), rest.update(Op::Shr, 1)];
            self.push(Stmt::while_loop(left().differs(0), body));
        }
        let decoded = self.known(local.expr(), 0.0, 4.2e9);
        self.offer(decoded);
        self.tell("bits", "turns a Gray code back");
    }

    /// Interleaves the bits of two or three coordinates.
    fn morton(&mut self) {
        let (count, bits, steps) = if self.rng.percent(60) { (2, 16, SPREAD2) } else { (3, 10, SPREAD3) };
        let names = [["mx", "bx", "px_bits"], ["my", "by", "py_bits"], ["mz", "bz", "pz_bits"]];
        let spread: Vec<Var> = (0..count)
            .map(|number: usize| {
                let word = match self.tid.get(number) {
                    Some(index) if self.rng.percent(60) => index.cast(Type::U32),
                    _ => self.word_of(&["cell_word", "coord_bits", "grid_x"]).expr,
                };
                let bounded = word & Expr::number((1 << bits) - 1, Type::U32);
                let local = self.hidden(&names[number], bounded);
                self.spread_bits(local, &steps);
                local
            })
            .collect();
        let mut code: Option<Expr> = None;
        for (number, local) in spread.into_iter().enumerate() {
            let part = local.expr();
            let part = match number {
                0 => part,
                _ => part << Expr::number(number as i64, Type::U32),
            };
            code = Some(match code {
                Some(code) => code | part,
                None => part,
            });
        }
        if let Some(code) = code {
            self.give_word(&["morton", "z_order", "interleaved", "code"], code, 4.2e9);
        }
        self.tell("bits", format!("interleaves the bits of {count} coordinates"));
    }

    /// `x = (x | x << 8) & 0x00ff00ff;` and so on.
    fn spread_bits(&mut self, local: Var, steps: &[(i64, i64)]) {
        let op = self.rng.pick(&[Op::BitOr, Op::BitOr, Op::BitXor]);
        for (distance, mask) in steps {
            let moved = local << *distance;
            let next = Expr::op(op, [local.expr(), moved]) & *mask;
            self.push(local.set(next));
        }
    }

    fn parity(&mut self) {
        let word = self.word_of(&["word_in", "codeword", "payload_bits"]);
        let kind = self.rng.below(3);
        let parity = match kind {
            0 => self.ones(word.expr) & 1,
            1 => {
                let local = self.hidden(&["folded", "parity_word", "p"], word.expr);
                for distance in [16, 8, 4, 2, 1] {
                    let shifted = local >> distance;
                    self.push(local.update(Op::BitXor, shifted));
                }
                local & 1
            }
            _ => {
                // The Hamming distance of two words.
                let other = self.word_of(&["other_word", "reference_bits"]);
                self.ones(word.expr ^ other.expr)
            }
        };
        let (wishes, most): (&[&str], f64) = match kind {
            2 => (&["hamming", "bit_distance", "differing"], 33.0),
            _ => (&["parity", "odd_bits", "check_bit"], 2.0),
        };
        self.give_word(wishes, parity, most);
        self.tell("xorshift", if kind == 2 { "counts differing bits" } else { "finds a parity" }.to_owned());
    }

    /// The number of bits that are set, by the operation or by Kernighan's loop.
    fn ones(&mut self, word: Expr) -> Expr {
        let ty = Type::U32;
        if self.rng.percent(60) {
            return Expr::op(Op::CountOnes, [word]);
        }
        let rest = self.hidden(&["bits_left", "rest", "v_bits"], word);
        let count = self.hidden(&["ones", "set_bits", "popcount"], Expr::number(0, ty));
        let lower = Expr::op(Op::WrappingSub, [rest.expr(), Expr::number(1, ty)]);
        let body = vec![rest.update(Op::BitAnd, lower), count.update(Op::Add, 1)];
        self.push(Stmt::while_loop(rest.differs(0), body));
        count.expr()
    }

    /// Mixes words of labels by shifts, and derives a class or a number.
    fn mixed_labels(&mut self) {
        let ty = Type::U32;
        let label = self.word_of(&["label_word", "id_bits", "key_in"]);
        let salt = self.rng.pick(&[0x9e37_79b9_i64, 0x85eb_ca6b, 0x27d4_eb2f, 0x1656_67b1]);
        let op = self.rng.pick(&[Op::BitXor, Op::WrappingAdd]);
        let start = Expr::op(op, [label.expr, Expr::number(salt, ty)]);
        let local = self.hidden(&["mixed", "xs", "shuffled", "scrambled"], start);
        let shifts = self.rng.pick(&[[13, 17, 5], [7, 9, 8], [5, 13, 6], [6, 21, 7]]);
        let rounds = self.rng.pick(&[1, 1, 2]);
        let statements = [(Op::Shl, shifts[0]), (Op::Shr, shifts[1]), (Op::Shl, shifts[2])]
            .map(|(op, by)| local.update(Op::BitXor, Expr::op(op, [local.expr(), Expr::number(by, ty)])));
        if rounds == 1 {
            self.block.extend(statements);
        } else {
            let variable = self.local("_round", Type::I32, false);
            self.push(Stmt::for_loop(variable, 0, rounds, statements));
        }
        if self.rng.percent(50) {
            let classes = self.rng.pick(&[4, 6, 8, 10, 16]);
            let class = local % classes;
            self.give_word(&["class_id", "color_id", "bucket_id", "lane"], class, classes as f64);
        } else {
            let word = self.known(local.expr(), 0.0, 4.2e9);
            self.offer(word);
        }
        self.tell("bits", "mixes the bits of a label");
    }

    fn reversed(&mut self) {
        let ty = Type::U32;
        let word = self.word_of(&["word_in", "index_bits", "v_in"]);
        let local = self.hidden(&["reversed", "flipped", "rev"], word.expr);
        if self.rng.percent(40) {
            // Reverses a few bits one by one, as in the index of a Fourier transform.
            let bits = self.rng.pick(&[4, 5, 8, 10]);
            let turned = self.hidden(&["rev_bits", "mirrored_bits"], Expr::number(0, ty));
            let variable = self.local("_bit", Type::I32, false);
            let moved = turned << 1;
            let low = local & 1;
            let body = vec![turned.set(moved | low), local.update(Op::Shr, 1)];
            self.push(Stmt::for_loop(variable, 0, bits, body));
            let word = self.known(turned.expr(), 0.0, f64::from(1u32 << bits));
            self.offer(word);
        } else {
            for (distance, mask) in SWAPS {
                let upper = local >> distance;
                let upper = upper & mask;
                let lower = local & mask;
                let lower = lower << distance;
                self.push(local.set(upper | lower));
            }
            let word = self.known(local.expr(), 0.0, 4.2e9);
            self.offer(word);
        }
        self.tell("collatz", "turns bits around");
    }

    /// Packs small numbers into a word, or unpacks them.
    fn fields(&mut self) {
        let ty = Type::U32;
        let width = self.rng.pick(&[4, 8, 8, 5]);
        let mask = (1i64 << width) - 1;
        if self.rng.percent(50) {
            let mut packed: Option<Expr> = None;
            for number in 0..self.rng.pick(&[2, 3, 4]) {
                let field = self.short_word(&["field_a", "field_b", "field_c", "field_d"], width);
                let field = match number {
                    0 => field.expr,
                    _ => field.expr << Expr::number(number * i64::from(width), ty),
                };
                packed = Some(match packed {
                    Some(packed) => packed | field,
                    None => field,
                });
            }
            if let Some(packed) = packed {
                self.give_word(&["rgba", "packed_fields", "bitfield", "record_bits"], packed, 4.2e9);
            }
            self.tell("bits", format!("packs fields of {width} bits"));
        } else {
            let word = self.word_of(&["packed_in", "rgba_in", "record_in"]);
            for (number, wishes) in
                [(0, ["low_byte", "red"]), (1, ["second_field", "green"]), (2, ["third_field", "blue"])]
            {
                let moved = match number {
                    0 => word.expr.clone(),
                    _ => &word.expr >> Expr::number(number * i64::from(width), ty),
                };
                self.give_word(&wishes, moved & mask, mask as f64 + 1.0);
                if self.rng.percent(30) {
                    break;
                }
            }
            self.tell("bits", format!("takes fields of {width} bits apart"));
        }
    }

    /// The lowest bit that is set, the next power of two, or the position of the highest bit.
    fn lowest_bit(&mut self) {
        let ty = Type::U32;
        let word = self.word_of(&["word_in", "free_slots", "flags_word"]);
        let one = || Expr::number(1, ty);
        match self.rng.below(4) {
            0 => {
                let negative = (!&word.expr).wrapping_add(one());
                let lowest = word.expr & negative;
                self.give_word(&["lowest", "lowest_set", "isolated"], lowest, 4.2e9);
            }
            1 => {
                let cleared = Expr::op(Op::WrappingSub, [word.expr.clone(), one()]);
                let cleared = word.expr & cleared;
                self.give_word(&["cleared", "without_lowest", "is_power_test"], cleared, 4.2e9);
            }
            2 => {
                let zeros = Expr::op(Op::LeadingZeros, [word.expr | one()]);
                let place = Expr::number(31, ty) - zeros;
                self.give_word(&["log2_floor", "msb", "highest_set"], place, 32.0);
            }
            _ => {
                let start = Expr::op(Op::WrappingSub, [word.expr, one()]);
                let local = self.hidden(&["filled", "pow2", "round_up"], start);
                for distance in [1, 2, 4, 8, 16] {
                    let shifted = local >> distance;
                    self.push(local.update(Op::BitOr, shifted));
                }
                let next = local.wrapping_add(one());
                self.give_word(&["next_pow2", "rounded_up", "capacity_pow2"], next, 4.2e9);
            }
        }
        self.tell("bits", "works on the lowest or highest bit of a word");
    }

    /// The number of Collatz steps from `n` to 1. Numbers that start below 1000 stay below 2²¹, so nothing overflows.
    fn collatz(&mut self) {
        let ty = self.rng.pick(&[Type::U32, Type::U64, Type::I32]);
        let start = self.leaf(ty);
        let start = self.fit_int(start, 1, 700);
        let number = |value| Expr::number(value, ty);
        let local = self.hidden(&["n_now", "value_now", "c_n"], start.expr);
        let count = self.hidden(&["stops", "steps_taken", "orbit_length"], Expr::number(0, Type::I32));
        let even = match self.rng.percent(50) {
            true => local & 1,
            false => local % 2,
        };
        let even = even.equals(0);
        let half = match self.rng.percent(50) {
            true => local.update(Op::Div, 2),
            false => local.update(Op::Shr, 1),
        };
        let triple = number(3) * local + 1;
        let body = vec![Stmt::branch(even, [half], [local.set(triple)]), count.update(Op::Add, 1)];
        let most = self.rng.pick(&[20, 40, 64]);
        let counted = count.lt(Expr::number(most, Type::I32));
        let goes_on = local.differs(1);
        self.push(Stmt::while_loop(goes_on.and(counted), body));
        let count = self.known(count.expr(), 0.0, most as f64 + 1.0);
        self.offer(count);
        self.tell("bits", "counts the steps of a Collatz sequence");
    }

    /// Euclid's algorithm, or the sum of the digits of a number.
    fn greatest_divisor(&mut self) {
        let ty = self.rng.pick(&[Type::U32, Type::I32]);
        let zero = || Expr::number(0, ty);
        let first = self.leaf(ty);
        let first = self.fit_int(first, 1, 1000);
        let a = self.hidden(&["a_now", "big", "x_gcd"], first.expr);
        if self.rng.percent(50) {
            let second = self.leaf(ty);
            let second = self.fit_int(second, 1, 1000);
            let b = self.hidden(&["b_now", "small", "y_gcd"], second.expr);
            let name = self.one_of(&["remainder", "rem", "left_over"]);
            let rest = self.local_named(name, ty, false);
            let body = vec![rest.declare(a % b), a.set(b.expr()), b.set(rest.expr())];
            self.push(Stmt::while_loop(b.differs(0), body));
            let divisor = self.known(a.expr(), 1.0, 1000.0);
            self.offer(divisor);
            self.tell("bits", "finds a greatest common divisor");
            return;
        }
        let base = self.rng.pick(&[10, 10, 2, 3, 7]);
        let sum = self.hidden(&["digit_sum", "digit_total", "checksum"], zero());
        let digit = a % base;
        let digit = if self.rng.percent(30) { &digit * &digit } else { digit };
        let add = Stmt::new(StmtKind::Update { place: sum.place(), op: Op::Add, value: digit });
        let body = vec![add, a.update(Op::Div, Expr::number(base, ty))];
        self.push(Stmt::while_loop(a.gt(0), body));
        let sum = self.known(sum.expr(), 0.0, 500.0);
        self.offer(sum);
        self.tell("bits", format!("sums up the digits of a number in base {base}"));
    }
}
