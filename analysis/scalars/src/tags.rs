//! Resource tags with structural sharing of inherited tags.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use smol_str::SmolStr;

/// Tags of a resource. Cloning them and inheriting those of another resource are cheap.
#[derive(Clone, Debug, Default)]
pub struct Tags(Arc<TagNode>);

#[derive(Debug, Default)]
struct TagNode {
    own: FxHashSet<SmolStr>,
    inherited: Vec<Tags>,
    /// True if there may be further, unknown tags, own or inherited.
    is_incomplete: bool,
}

impl TagNode {
    fn inheriting(inherited: Vec<Tags>) -> TagNode {
        let is_incomplete = inherited.iter().any(Tags::is_incomplete);
        TagNode { own: FxHashSet::default(), inherited, is_incomplete }
    }
}

impl Tags {
    /// Returns all tags in alphabetical order.
    pub fn sorted(&self) -> Vec<SmolStr> {
        let mut found = FxHashSet::default();
        self.any_set(|own| {
            found.extend(own.iter().cloned());
            false
        });
        let mut sorted: Vec<SmolStr> = found.into_iter().collect();
        sorted.sort_unstable();
        sorted
    }

    pub fn contains(&self, tag: &SmolStr) -> bool {
        self.any_set(|own| own.contains(tag))
    }

    /// Returns true if there may be further, unknown tags.
    pub fn is_incomplete(&self) -> bool {
        self.0.is_incomplete
    }

    /// Adds a tag and its segments. Existing clones are not affected.
    pub fn add(&mut self, tag: &str) {
        self.edit(|node| add_tag(&mut node.own, tag));
    }

    /// Adds an unknown tag. Existing clones are not affected.
    pub fn add_unknown(&mut self) {
        if !self.0.is_incomplete {
            self.edit(|node| node.is_incomplete = true);
        }
    }

    fn edit(&mut self, edit: impl FnOnce(&mut TagNode)) {
        if Arc::get_mut(&mut self.0).is_none() {
            self.0 = Arc::new(TagNode::inheriting(vec![self.clone()]));
        }
        if let Some(node) = Arc::get_mut(&mut self.0) {
            edit(node);
        }
    }

    /// Adds a snapshot of the tags of another resource.
    pub fn inherit(&mut self, other: &Tags) {
        let is_empty = other.0.own.is_empty() && other.0.inherited.is_empty() && !other.0.is_incomplete;
        if is_empty || Arc::ptr_eq(&self.0, &other.0) {
            return;
        }
        let replaces = |known: &Tags| {
            let is_in_other = |it: &Tags| Arc::ptr_eq(&it.0, &known.0);
            is_in_other(other) || other.0.inherited.iter().any(is_in_other)
        };
        match Arc::get_mut(&mut self.0) {
            Some(node) => {
                node.inherited.retain(|known| !replaces(known));
                node.inherited.push(other.clone());
                node.is_incomplete |= other.0.is_incomplete;
            }
            None => self.0 = Arc::new(TagNode::inheriting(vec![self.clone(), other.clone()])),
        }
    }

    /// Visits the sets of tags until `is_wanted` returns true for one of them.
    fn any_set(&self, mut is_wanted: impl FnMut(&FxHashSet<SmolStr>) -> bool) -> bool {
        if self.0.inherited.is_empty() {
            return is_wanted(&self.0.own);
        }
        let (mut waiting, mut seen) = (vec![self], FxHashSet::default());
        while let Some(next) = waiting.pop() {
            if seen.insert(Arc::as_ptr(&next.0)) {
                if is_wanted(&next.0.own) {
                    return true;
                }
                waiting.extend(&next.0.inherited);
            }
        }
        false
    }
}

/// Compares the sets of known tags.
impl PartialEq for Tags {
    fn eq(&self, other: &Tags) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.sorted() == other.sorted()
    }
}

/// Returns true if the string is a valid tag. See "Tags" under "Names" in the Puppet specification.
pub fn is_valid_tag(text: &str) -> bool {
    let text = text.strip_suffix('\n').unwrap_or(text);
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.starts_with(is_word) && text.chars().all(|c| is_word(c) || matches!(c, ':' | '.' | '-'))
}

/// Adds a tag and its segments in lowercase. Invalid tags are ignored.
fn add_tag(tags: &mut FxHashSet<SmolStr>, tag: &str) {
    let is_plain = tag.bytes().all(|it| it.is_ascii() && !it.is_ascii_uppercase());
    let tag: SmolStr = if is_plain { tag.into() } else { tag.to_lowercase().into() };
    if tags.contains(&tag) || !is_valid_tag(&tag) {
        return;
    }
    if tag.contains(':') {
        tags.extend(tag.split("::").filter(|it| !it.is_empty()).map(SmolStr::new));
    }
    tags.insert(tag);
}
