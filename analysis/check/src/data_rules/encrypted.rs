//! Strings encrypted by hiera-eyaml: reports blocks that cannot be decrypted, and secrets that are not encrypted.

use codes::Code;
use hiera::data::{Content, DataNode, HieraData};
use syntax::TextRange;
use weaknesses::encryption::{is_decrypted_block, problem_of_blocks};
use weaknesses::secrets::{is_secret_literal, secret_kind};

use crate::Diagnostic;

pub(super) fn check(data: &HieraData, found: &mut Vec<Diagnostic>) {
    let Some(root) = &data.root else { return };
    root.walk(&mut |node: &DataNode| {
        let Some(text) = string(node) else { return };
        found.extend(problem_of_blocks(text).map(|problem| diagnostic(node.range, problem)));
        if is_decrypted_block(text) {
            let problem = "decrypted block is neither encrypted nor valid data";
            let message = codes::with_help(problem, "encrypt it with `eyaml edit`");
            found.push(Diagnostic::new(Code::DataEncrypted, node.range, message));
        }
    });
    if has_encrypted(data) {
        root.walk(&mut |node: &DataNode| {
            for entry in node.entries() {
                let (Some(name), Some(text)) = (entry.key.value.as_str(), string(&entry.value)) else {
                    continue;
                };
                if secret_kind(name).is_some_and(|it| is_secret_literal(it, text, false))
                    && !is_decrypted_block(text)
                {
                    let problem =
                        format!("value of `{name}` is not encrypted, unlike other values of this file");
                    let message = codes::with_help(problem, "encrypt it with `eyaml encrypt`");
                    found.push(Diagnostic::new(Code::DataEncrypted, entry.value.range, message));
                }
            }
        });
    }
}

/// Returns true if the file has an encrypted value.
pub(super) fn has_encrypted(data: &HieraData) -> bool {
    let mut is_found = false;
    if let Some(root) = &data.root {
        root.walk(&mut |node: &DataNode| is_found |= string(node).is_some_and(hiera::data::is_encrypted));
    }
    is_found
}

fn string(node: &DataNode) -> Option<&str> {
    match &node.content {
        Content::Scalar { text, .. } if node.value.as_str().is_some() => Some(text),
        _ => None,
    }
}

fn diagnostic(range: TextRange, problem: &str) -> Diagnostic {
    Diagnostic::new(Code::DataEncrypted, range, format!("invalid encrypted block: {problem}"))
}
