//! Every row of the table, as instructions in groups of threads, against [`apply`].

use crate::data::{Arg, Data};
use crate::interp::ops::apply;
use crate::interp::ops::tests::{bits, draw};
use crate::interp::run::{lanes, run};
use crate::interp::value::Value;
use crate::ir::Type;
use crate::ops::{Op, Syntax, TABLE};
use crate::text::parse;
use crate::verify::verify;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// How many times each row is applied.
const SAMPLES: usize = 500;

/// The type of array elements that hold such values.
fn held(ty: Type) -> Type {
    match ty {
        Type::BOOL => Type::I32,
        Type::INDEX => Type::U64,
        other => other,
    }
}

fn append(all: &mut Data, one: &Data) {
    match (all, one) {
        (Data::I32(all), Data::Bool(one)) => all.extend(one.iter().map(|x| i32::from(*x))),
        (Data::U64(all), Data::Index(one)) => all.extend(one.iter().map(|x| *x as u64)),
        (Data::I8(all), Data::I8(one)) => all.extend(one),
        (Data::U8(all), Data::U8(one)) => all.extend(one),
        (Data::I16(all), Data::I16(one)) => all.extend(one),
        (Data::U16(all), Data::U16(one)) => all.extend(one),
        (Data::I32(all), Data::I32(one)) => all.extend(one),
        (Data::U32(all), Data::U32(one)) => all.extend(one),
        (Data::I64(all), Data::I64(one)) => all.extend(one),
        (Data::U64(all), Data::U64(one)) => all.extend(one),
        (Data::F16(all), Data::F16(one)) => all.extend(one),
        (Data::BF16(all), Data::BF16(one)) => all.extend(one),
        (Data::F32(all), Data::F32(one)) => all.extend(one),
        (Data::F64(all), Data::F64(one)) => all.extend(one),
        (all, one) => panic!("{all:?} {one:?}"),
    }
}

/// A kernel that applies `op` to the elements of its arrays.
fn text(op: Op, types: &[Type], ret: Type) -> String {
    let params: String = types.iter().enumerate().map(|(p, ty)| format!("p{p}: &[{}; dim(0)], ", held(*ty))).collect();
    let operand = |(place, ty): (usize, &Type)| match *ty {
        Type::BOOL => format!("(p{place}[i.0] != 0i32)"),
        Type::INDEX if op == Op::Row => "1usize".to_owned(),
        Type::INDEX => format!("(p{place}[i.0] as usize)"),
        _ => format!("p{place}[i.0]"),
    };
    let operands: Vec<String> = types.iter().enumerate().map(operand).collect();
    let value = match (op.def().rust, operands.as_slice()) {
        (Syntax::Infix(sign), [a, b]) => format!("({a} {sign} {b})"),
        (Syntax::Prefix(sign), [a]) => format!("({sign}{a})"),
        (_, operands) if op == Op::Splat => format!("splat<{ret}>({})", operands.join(", ")),
        (_, operands) => format!("{}({})", op.name(), operands.join(", ")),
    };
    let cast = if held(ret) == ret { String::new() } else { format!(" as {}", held(ret)) };
    format!(
        "#[kernel(family = \"f\", dim = 1)]\nfn k({params}y: &mut [{}; dim(0)],) {{\nlet i.0: usize = tid(0);\ny[i.0] = {value}{cast};\n}}\n",
        held(ret)
    )
}

fn check_row(op: Op, types: &[Type], ret: Type, rng: &mut ChaCha8Rng) {
    let array = |ty: Type| Data::zeros(held(ty).scalar(), 0);
    let mut operands: Vec<Data> = types.iter().map(|ty| array(*ty)).collect();
    let (mut expected, mut count) = (array(ret), 0);
    for _ in 0..SAMPLES {
        let mut drawn: Vec<Data> = types.iter().map(|ty| draw(*ty, rng)).collect();
        if op == Op::Row {
            drawn[1] = Data::Index(vec![1]);
        }
        let values: Vec<Value<f32, f64>> =
            types.iter().zip(&drawn).map(|(ty, data)| Value::read(*ty, data, 0)).collect();
        let Ok(result) = apply(op, &values, ret) else { continue };
        let mut data = Data::zeros(ret.scalar(), ret.components());
        result.write(ret, &mut data, 0);
        append(&mut expected, &data);
        operands.iter_mut().zip(&drawn).for_each(|(all, one)| append(all, one));
        count += 1;
    }
    assert!(count > 1, "{op:?} {types:?} nearly always fails");
    let text = text(op, types, ret);
    let kernel = verify(parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))).unwrap();
    assert!(lanes(kernel.program(), &[count], count) > 1);
    let arg = |(ty, data)| Arg { ty: held(ty), shape: vec![count], data };
    let mut args: Vec<Arg> = types.iter().copied().zip(operands).map(arg).collect();
    args.push(Arg::zeros(held(ret), &[count]));
    run(&kernel, &[count], &mut args).unwrap_or_else(|fault| panic!("{fault:?}\n{text}"));
    let found = bits(&args[types.len()].data);
    let different = found.iter().zip(bits(&expected)).position(|(found, expected)| *found != expected);
    assert_eq!(different, None, "{text}");
}

#[test]
fn every_row_gives_the_same_bits_in_groups() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for def in &TABLE {
        for (row, t) in def.rows() {
            let types: Vec<Type> = row.args.iter().map(|pat| pat.apply(t)).collect();
            check_row(def.op, &types, row.ret.apply(t), &mut rng);
        }
    }
}
