//! Structs that hold arrays, through every stage. A kernel takes their fields one by one.

use kernel_rt::prelude::*;

/// Two bodies.
#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pair {
    /// The first one.
    pub(crate) a: u32,
    /// The second one.
    pub(crate) b: u32,
}

/// What is known of contacts.
#[device]
pub(crate) struct Contacts<'a> {
    /// The number of contacts.
    #[domain(1..=8)]
    pub(crate) count: u32,
    /// The bodies.
    #[shape(count)]
    pub(crate) pairs: &'a [Pair],
    /// The depths.
    #[domain(-1.0..1.0)]
    #[shape(count)]
    pub(crate) depth: &'a [f32],
    /// The stiffness of each row.
    #[domain(0.5..2.0)]
    #[shape(dim0, 2)]
    pub(crate) stiffness: &'a Array2<f32>,
    /// The forces, to which kernels add.
    #[domain(-1.0..1.0)]
    pub(crate) force: &'a mut [Vec3],
    /// The number of contacts of different bodies.
    #[shape(1)]
    pub(crate) hits: &'a mut [u32],
    /// Whether a contact counts.
    pub(crate) mask: Option<&'a [bool]>,
    /// What no kernel here needs.
    pub(crate) friction: f32,
}

/// How far a contact is in, at most 1.
#[device]
fn depth_of(contacts: &Contacts<'_>, i: usize) -> f32 {
    contacts.depth[i].min(1.0)
}

#[device]
fn push(contacts: &mut Contacts<'_>, i: usize, along: Vec3) {
    let depth = depth_of(contacts, i);
    contacts.force[i] += along * depth;
}

/// Forces of contacts.
#[kernel(family = "test")]
fn resolve_contacts(mut contacts: Contacts<'_>, #[domain(-1.0..1.0)] normal: Vec3) {
    let i = tid();
    if i >= contacts.count as usize {
        return;
    }
    if let Some(mask) = contacts.mask
        && !mask[i]
    {
        return;
    }
    if contacts.pairs[i].a != contacts.pairs[i].b {
        atomic_add(&mut contacts.hits[0], 1);
    }
    let stiffness = contacts.stiffness[[i, 0]] * depth_of(&contacts, i);
    push(&mut contacts, i, normal * stiffness);
}

#[test]
fn a_launch_takes_the_fields_in_order() {
    let pairs = [Pair { a: 0, b: 1 }, Pair { a: 2, b: 2 }];
    let (depth, stiffness) = ([0.5, 0.25], Array2::from_vec([3, 1], vec![2.0; 3]).unwrap());
    let (mut force, mut hits) = ([Vec3::ZERO; 3], [0]);
    resolve_contacts::cpu(3, 2, &pairs, &depth, &stiffness, &mut force, &mut hits, None, 0.0, Vec3::X).unwrap();
    assert_eq!((force, hits), ([Vec3::X * 0.5, Vec3::X * 0.125, Vec3::ZERO], [1]));
}

#[test]
fn the_texts_have_only_what_they_need() {
    let info = kernel_rt::registered_kernels().into_iter().find(|info| info.name == "resolve_contacts").unwrap();
    let cuda = info.texts.iter().find(|(id, _)| *id == "cuda").unwrap().1;
    assert!(cuda.contains("depth_of(const float* __restrict__ contacts_depth, index_t i)"), "{cuda}");
    assert!(info.rust_source.contains("fn resolve_contacts(mut contacts: Contacts<'_>"), "{}", info.rust_source);
}
