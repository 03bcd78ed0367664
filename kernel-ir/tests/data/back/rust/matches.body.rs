//- values, alternatives and ranges of one integer are a match
let kind = mode % 9;
let a = match kind {
    0 => 1.0,
    1 | 2 => 2.0,
    3..=5 => 3.0,
    _ => 4.0,
};
x[tid()] = a;

//- statements, with nothing to do in other cases
match mode {
    0 => {
        x[tid()] = 1.0;
    }
    1 => {
        x[tid()] = 2.0;
    }
    4 => {
        x[tid()] = 3.0;
    }
    _ => {}
}

//- two values are an if
x[tid()] = if mode == 0 {
    1.0
} else if mode == 1 {
    2.0
} else {
    3.0
};

//- no value that an arm above takes, and no negative one
x[tid()] = if mode == 0 || mode == 1 {
    1.0
} else if mode == 1 {
    2.0
} else {
    3.0
};
x[tid()] = if mode == 0 {
    1.0
} else if mode == 1 {
    2.0
} else if mode == -1 {
    4.0
} else {
    3.0
};

//- a variable that changes would get another name
let mut kind = mode;
x[tid()] = if kind == 0 {
    1.0
} else if kind == 1 {
    2.0
} else if kind == 2 {
    3.0
} else {
    4.0
};
kind = 1;
x[tid()] += kind as f32;

//- another integer ends the chain
let kind = mode % 3;
x[tid()] = match mode {
    0 => 1.0,
    1 => 2.0,
    2 => 4.0,
    _ => if kind == 2 { 3.0 } else { 5.0 },
};
