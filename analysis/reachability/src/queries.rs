//! Queries of single files.

use std::sync::Arc;

use project::{Db, File, FileKind, FileRole};

use crate::code::mentions_in_code;
use crate::data::{KeyMentions, mentions_in_data};
use crate::mentions::{MentionSet, MentionedNames};

/// Sets the LRU capacity, in files, of the queries of this crate.
pub fn set_lru_capacities(db: &mut dyn Db, files: usize) {
    code_mentions::set_lru_capacity(db, files);
    ruby_mentions::set_lru_capacity(db, files);
    data_mentions::set_lru_capacity(db, files);
}

/// Returns what the definitions of a manifest or EPP template mention, in the order of
/// [`project::item_summary`].
#[salsa::tracked(returns(clone), lru = 0)]
pub(crate) fn code_mentions(db: &dyn Db, file: File) -> Arc<[MentionedNames]> {
    if file.is_large(db) || !file.contents(db).has_text() {
        return Arc::new([]);
    }
    let module = match file.role(db) {
        FileRole::Module { module, .. } => Some(module.name(db).as_str()),
        FileRole::Loose | FileRole::MainManifest => None,
    };
    mentions_in_code(&project::parse_once(db, file), module).into()
}

/// Returns what a Ruby file, an ERB template, or any other text mentions.
#[salsa::tracked(returns(clone), lru = 0)]
pub(crate) fn ruby_mentions(db: &dyn Db, file: File) -> Arc<MentionedNames> {
    let text = file.contents(db).text().unwrap_or_default();
    let is_template = project::file_kind(db, file) == FileKind::ErbTemplate;
    Arc::new(mentions_in_text(&text, !is_template))
}

pub(crate) fn mentions_in_text(text: &str, has_comments: bool) -> MentionedNames {
    let mut found = MentionSet::default();
    found.text(text, has_comments);
    found.finish()
}

/// Returns the keys of a data file with what their values mention.
#[salsa::tracked(returns(clone), lru = 0)]
pub(crate) fn data_mentions(db: &dyn Db, file: File) -> Arc<[KeyMentions]> {
    mentions_in_data(&project::hiera_data(db, file)).into()
}
