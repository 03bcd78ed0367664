//! The device items that another item may need. A struct comes with methods, of which most kernels need few.

use super::links::{DeviceItem, Devices, Link, Source};
use super::methods::Method;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::HashSet;

/// The methods of a struct that count as needed with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Methods {
    /// All of them: the code that uses the struct is not known.
    All,
    /// Those that the code names, and operators that it contains.
    Named,
}

impl Devices {
    /// The items that `item` needs, in the same order. `item` refers to the direct links.
    pub fn needed_by(&self, item: &TokenStream, methods: Methods) -> Devices {
        let blocks: Vec<Option<Method>> = self.sources.iter().map(|source| method(&source.item)).collect();
        // Nothing else comes unasked.
        if methods == Methods::Named && blocks.iter().all(Option::is_none) {
            return self.clone();
        }
        let mut needed = Needed::default();
        needed.add(item, &self.links);
        let is_new = |needed: &Needed, place: usize| {
            let source = &self.sources[place];
            !needed.items.contains(&source.id) && needed.reaches(source, blocks[place].as_ref(), methods)
        };
        while let Some(place) = (0..self.sources.len()).find(|place| is_new(&needed, *place)) {
            let Source { id, item, links, .. } = &self.sources[place];
            needed.items.insert(id.clone());
            needed.add(item, links);
        }
        let sources = self.sources.iter().filter(|source| needed.items.contains(&source.id)).cloned().collect();
        Devices { sources, links: self.links.clone() }
    }
}

/// The items that are needed, and what their code contains.
#[derive(Default)]
struct Needed {
    /// The ids of the items.
    items: HashSet<String>,
    /// The ids to which they refer.
    links: HashSet<String>,
    /// The identifiers and signs in their code.
    words: HashSet<String>,
}

impl Needed {
    fn add(&mut self, item: &TokenStream, links: &[Link]) {
        self.links.extend(links.iter().map(|link| link.id.clone()));
        self.add_words(item);
    }

    fn add_words(&mut self, tokens: &TokenStream) {
        for token in tokens.clone() {
            match token {
                TokenTree::Ident(name) => _ = self.words.insert(name.to_string()),
                TokenTree::Punct(sign) => _ = self.words.insert(sign.as_char().to_string()),
                TokenTree::Group(group) => self.add_words(&group.stream()),
                TokenTree::Literal(_) => {}
            }
        }
    }

    /// Whether the item, which `method` is if it is one, is needed, too.
    fn reaches(&self, source: &Source, method: Option<&Method>, methods: Methods) -> bool {
        let Some(method) = method else { return self.links.contains(&source.id) };
        // A method links to its own struct.
        source.links.iter().any(|link| self.items.contains(&link.id))
            && (methods == Methods::All || self.words.contains(method.word()))
    }
}

/// The method, if the item is one.
fn method(item: &TokenStream) -> Option<Method> {
    let is_block = item.clone().into_iter().any(|token| matches!(token, TokenTree::Ident(word) if word == "impl"));
    match is_block.then(|| DeviceItem::parse(item.clone()))? {
        Some(DeviceItem::Method(method)) => Some(*method),
        _ => None,
    }
}
