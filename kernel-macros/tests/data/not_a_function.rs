#[kernel()]
struct Point;
