//! Distribution of the attributes of the author's function over the items that it expands to.

use syn::punctuated::Punctuated;
use syn::{Attribute, Meta, Token, parse_quote};

/// The attributes of a function, by target.
#[derive(Default)]
pub(super) struct Attributes {
    /// For the type of the kernel.
    pub(super) on_type: Vec<Attribute>,
    /// For every other emitted item.
    pub(super) on_items: Vec<Attribute>,
    /// For the function with the author's body.
    pub(super) on_body: Vec<Attribute>,
}

/// The items that an attribute applies to.
enum Target {
    /// The public item: documentation and deprecation.
    Type,
    /// All items: conditional compilation and lint levels.
    Everything,
    /// The code of the body.
    Body,
}

impl Attributes {
    /// Distributes `attrs`.
    pub(super) fn of(attrs: &[Attribute]) -> Attributes {
        let mut found = Attributes::default();
        for attr in attrs {
            match conditional(&attr.meta) {
                Some((condition, metas)) => {
                    for meta in metas {
                        found.add(&meta, parse_quote!(#[cfg_attr(#condition, #meta)]));
                    }
                }
                None => found.add(&attr.meta, attr.clone()),
            }
        }
        found
    }

    fn add(&mut self, meta: &Meta, attr: Attribute) {
        match target(meta) {
            Target::Type => self.on_type.push(attr),
            Target::Body => self.on_body.push(attr),
            Target::Everything => {
                self.on_type.push(attr.clone());
                self.on_items.push(attr);
            }
        }
    }

    /// Whether the author has given an `inline` attribute.
    pub(super) fn says_inline(&self) -> bool {
        self.on_body.iter().any(|attr| attr.path().is_ident("inline"))
    }
}

fn target(meta: &Meta) -> Target {
    let path = meta.path();
    let is = |names: &[&str]| names.iter().any(|name| path.is_ident(name));
    if is(&["doc", "deprecated"]) {
        Target::Type
    } else if is(&["cfg", "allow", "warn", "deny", "forbid"]) {
        Target::Everything
    } else {
        // `expect` too: on several items, each copy would have to be fulfilled.
        Target::Body
    }
}

/// The condition and the attributes of a `cfg_attr`.
fn conditional(meta: &Meta) -> Option<(Meta, Vec<Meta>)> {
    let Meta::List(list) = meta else { return None };
    if !list.path.is_ident("cfg_attr") {
        return None;
    }
    let metas = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).ok()?;
    let mut metas = metas.into_iter();
    Some((metas.next()?, metas.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::ToTokens;

    fn spelled(attrs: &[Attribute]) -> Vec<String> {
        attrs.iter().map(|attr| attr.to_token_stream().to_string().replace(' ', "")).collect()
    }

    #[test]
    fn each_attribute_goes_where_it_means_something() {
        let function: syn::ItemFn = parse_quote! {
            #[doc = "d"]
            #[cfg(unix)]
            #[allow(lint)]
            #[expect(lint)]
            #[cfg_attr(unix, inline, doc = "e")]
            fn f() {}
        };
        let found = Attributes::of(&function.attrs);
        assert_eq!(
            spelled(&found.on_type),
            [r#"#[doc="d"]"#, "#[cfg(unix)]", "#[allow(lint)]", r#"#[cfg_attr(unix,doc="e")]"#]
        );
        assert_eq!(spelled(&found.on_items), ["#[cfg(unix)]", "#[allow(lint)]"]);
        assert_eq!(spelled(&found.on_body), ["#[expect(lint)]", "#[cfg_attr(unix,inline)]"]);
        assert!(!found.says_inline());
    }
}
