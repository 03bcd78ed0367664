use super::*;

#[test]
fn look() {
    let families: Vec<&Family> = FAMILIES.iter().collect();
    let count = std::env::var("N").ok().and_then(|n| n.parse().ok()).unwrap_or(13);
    for index in 0..count {
        let family = family(&families, index);
        let (sample, rejected) = sample(family, 1, index);
        for r in rejected { eprintln!("   {} {:?} {}", r.name, r.reason, r.detail); }
        if let Some(s) = sample { eprintln!("{}", kernel_ir::back::rust::write(&s.kernel)); }
    }
}
