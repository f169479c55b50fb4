//! Code after the word at the cursor, on the same line.

/// Beginning of the code that follows a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FollowingCode {
    /// The end of the line, or anything that does not belong to the word.
    Nothing,
    /// An opening parenthesis: an argument list.
    Parenthesis,
    /// A bracket directly after the word: the parameters of a type, or a title.
    Bracket,
    /// An opening brace or a collector: the body of a resource.
    Brace,
    /// The parameters of a lambda.
    Lambda,
    /// A literal, a name, a variable or an array: a title or an argument without parentheses.
    Operand,
    /// The colon after a title.
    Colon,
}

impl FollowingCode {
    /// Returns the code after the word that continues or ends at an offset.
    pub(crate) fn after_word(text: &str, offset: u32) -> FollowingCode {
        let rest = text.get(offset as usize..).unwrap_or_default();
        let rest = rest.trim_start_matches(|it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | ':'));
        // A single colon ends the title of a resource.
        let written = &text[..text.len() - rest.len()];
        if written.len() > offset as usize && written.ends_with(':') && !written.ends_with("::") {
            return FollowingCode::Colon;
        }
        if rest.starts_with('[') {
            return FollowingCode::Bracket;
        }
        let rest = rest.trim_start_matches([' ', '\t']);
        let mut characters = rest.chars();
        match characters.next() {
            Some('(') => FollowingCode::Parenthesis,
            Some('{') => FollowingCode::Brace,
            Some('<') if rest.starts_with("<|") || rest.starts_with("<<|") => FollowingCode::Brace,
            Some('|') if !rest.starts_with("|>") => FollowingCode::Lambda,
            Some(':') => FollowingCode::Colon,
            Some('[' | '\'' | '"' | '$') => FollowingCode::Operand,
            Some('!') if !rest.starts_with("!=") && !rest.starts_with("!~") => FollowingCode::Operand,
            Some(first) if first.is_ascii_alphanumeric() && !begins_with_operator(rest) => {
                FollowingCode::Operand
            }
            _ => FollowingCode::Nothing,
        }
    }

    /// Returns true before an argument list, with or without parentheses.
    pub(crate) fn is_argument(self) -> bool {
        matches!(self, FollowingCode::Parenthesis | FollowingCode::Operand | FollowingCode::Bracket)
    }
}

fn begins_with_operator(rest: &str) -> bool {
    let word = rest.split(|it: char| !it.is_ascii_alphanumeric() && it != '_').next().unwrap_or_default();
    matches!(word, "and" | "or" | "in" | "else" | "elsif")
}
