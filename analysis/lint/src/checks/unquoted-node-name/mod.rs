//! `unquoted_node_name`: the name of a node without quotes.

use crate::manifest::Manifest;
use crate::report::CheckReport;
use crate::strings::quoted;
use crate::token::TokenKind;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for node in tokens.of(TokenKind::Node) {
        let Some((brace, _)) = tokens.block_after(node) else { continue };
        for name in (node..brace).filter(|&it| tokens.kind(it) == TokenKind::Name) {
            report.at(name, "unquoted node name").fix(quoted(manifest, name));
        }
    }
}
