//! `unquoted_node_name`: the name of a node without quotes.

use crate::manifest::Manifest;
use crate::report::Report;
use crate::strings::quoted;
use crate::token::Kind;

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    let tokens = &manifest.tokens;
    for node in tokens.of(Kind::Node) {
        let Some((brace, _)) = tokens.block_behind(node) else { continue };
        for name in (node..brace).filter(|&it| tokens.kind(it) == Kind::Name) {
            report.at(name, "the name of the node has no quotes").fix(quoted(manifest, name));
        }
    }
}
