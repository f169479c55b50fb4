//! Strings encrypted by hiera-eyaml.

const START: &str = "ENC[";

/// Returns true for a block as in the editor of `eyaml edit`: `DEC::PKCS7[secret]!`, `DEC(1)::PKCS7[secret]!`.
pub fn is_decrypted_block(text: &str) -> bool {
    let rest = text.trim().strip_prefix("DEC").map(|it| match it.strip_prefix('(') {
        Some(rest) => rest.trim_start_matches(|it: char| it.is_ascii_digit()).strip_prefix(')').unwrap_or(it),
        None => it,
    });
    let block = rest.and_then(|it| it.strip_prefix("::")).and_then(|it| it.split_once('['));
    block.is_some_and(|(method, rest)| {
        method.bytes().all(|it| it.is_ascii_alphanumeric()) && !method.is_empty() && rest.ends_with("]!")
    })
}

/// Returns the reason why the first invalid block of a string cannot be decrypted. The string may consist of
/// several blocks and other text.
pub fn problem_of_blocks(text: &str) -> Option<&'static str> {
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
