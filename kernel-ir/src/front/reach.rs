//! The device items that another item may need. A struct comes with methods, of which most kernels need few.

use super::links::{DeviceItem, Devices, Link, Source};
use super::methods::Method;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::HashSet;

/// The methods of a struct that count as needed with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Methods {
    /// All of them: the code that uses the struct is not known.
    All,
    /// Those that the code names, and operators that it contains.
    Named,
}

impl Devices {
    /// The items that the kernel `item` needs, in the same order. It refers to the direct links.
    pub fn needed_by_kernel(&self, item: &TokenStream) -> Devices {
        self.needed(item, &self.links, None, Methods::Named)
    }

    /// The items that the device item `source` may need where it is used, in the same order and without `source` itself.
    pub fn needed_by(&self, source: &Source) -> Devices {
        self.needed(&source.item, &source.links, Some(&source.id), Methods::All)
    }

    fn needed(&self, item: &TokenStream, links: &[Link], own: Option<&str>, methods: Methods) -> Devices {
        let blocks: Vec<Option<Method>> = self.sources.iter().map(|source| method(&source.item)).collect();
        // Nothing else comes unasked.
        if methods == Methods::Named && blocks.iter().all(Option::is_none) {
            return self.clone();
        }
        let mut needed = Needed { items: own.map(str::to_owned).into_iter().collect(), ..Needed::default() };
        needed.add(item, links);
        let is_new = |needed: &Needed, place: usize| {
            let source = &self.sources[place];
            !needed.items.contains(&source.id) && needed.reaches(source, blocks[place].as_ref(), methods)
        };
        while let Some(place) = (0..self.sources.len()).find(|place| is_new(&needed, *place)) {
            let Source { id, item, links, .. } = &self.sources[place];
            needed.items.insert(id.clone());
            needed.add(item, links);
        }
        let is_needed = |source: &&Source| needed.items.contains(&source.id) && own != Some(&source.id);
        Devices { sources: self.sources.iter().filter(is_needed).cloned().collect(), links: links.to_vec() }
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
