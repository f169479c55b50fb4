//! Strings encrypted by hiera-eyaml: reports blocks that cannot be decrypted.

use codes::Code;
use hiera::data::{Content, DataNode, HieraData};
use syntax::TextRange;

use crate::Diagnostic;

const START: &str = "ENC[";

pub(super) fn check(data: &HieraData, found: &mut Vec<Diagnostic>) {
    let Some(root) = &data.root else { return };
    root.walk(&mut |node: &DataNode| {
        let Content::Scalar { text, .. } = &node.content else { return };
        if node.value.as_str().is_some() {
            found.extend(problem(text).map(|problem| diagnostic(node.range, problem)));
        }
    });
}

fn diagnostic(range: TextRange, problem: &str) -> Diagnostic {
    Diagnostic::new(Code::DataEncrypted, range, format!("invalid encrypted block: {problem}"))
}

/// Returns the reason why the first invalid block of a string cannot be decrypted. The string may consist of
/// several blocks and other text.
fn problem(text: &str) -> Option<&'static str> {
    let mut rest = text;
    while let Some(start) = rest.find(START) {
        rest = &rest[start + START.len()..];
        let Some(end) = rest.find(']') else {
            // Other text may mention `ENC[`.
            return (start == 0 && has_method(rest)).then_some("missing `]`");
        };
        let block = &rest[..end];
        let encoded = block.split_once(',').map_or(block, |(_, encoded)| encoded);
        if has_method(block) || start == 0 && rest.len() == end + 1 {
            let problem = problem_of_base64(encoded);
            if problem.is_some() {
                return problem;
            }
        }
        rest = &rest[end + 1..];
    }
    None
}

fn has_method(block: &str) -> bool {
    let method = block.split_once(',').map_or("", |(method, _)| method);
    !method.is_empty() && method.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

fn problem_of_base64(encoded: &str) -> Option<&'static str> {
    let encoded: String = encoded.split_whitespace().collect();
    let digits = encoded.trim_end_matches('=');
    let is_digit = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/');
    if encoded.is_empty() {
        return Some("no data");
    }
    if !digits.bytes().all(is_digit) || encoded.len() - digits.len() > 2 {
        return Some("not base64");
    }
    (!encoded.len().is_multiple_of(4)).then_some("truncated base64")
}
