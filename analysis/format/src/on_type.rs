//! Edits after a typed character: the body that Enter opens, the indentation of a closing bracket, a comma that
//! a completion already inserted, and the alignment of arrows around the cursor, also while values are missing.

use syntax::SyntaxKind::{self, *};
use syntax::{Language, Parse, SyntaxNode, SyntaxToken};

use crate::document::width;
use crate::{FormatEdit, FormatOptions};

/// Maximum number of tokens of a block whose arrows are aligned. Larger blocks are generated.
const MAX_TOKENS: usize = 4_000;

/// Maximum number of blocks that end before the cursor whose arrows are aligned.
const MAX_CLOSED_BLOCKS: usize = 8;

/// Returns the edits after `typed` was typed before the offset `cursor`. They only change the line of the
/// cursor, a blank line before it, the comma after the value before it, and the arrows of the block around it. In EPP templates, nothing changes.
pub fn edits_on_type(parse: &Parse, cursor: u32, typed: char, options: &FormatOptions) -> Vec<FormatEdit> {
    if parse.language() == Language::Epp {
        return Vec::new();
    }
    let root = parse.syntax();
    let text = parse.text();
    let context = TypedCharacter { root: &root, text, cursor, options };
    let mut edits = match typed {
        '\n' => context.after_line_break(),
        '}' | ')' | ']' => context.after_closing_bracket(),
        '>' if text[..cursor as usize].ends_with("=>") || text[..cursor as usize].ends_with("+>") => {
            context.aligned(cursor)
        }
        ',' => context.after_comma(),
        ';' => context.aligned(cursor),
        _ => Vec::new(),
    };
    edits.sort_by_key(|it| it.start);
    edits
}

struct TypedCharacter<'t> {
    root: &'t SyntaxNode,
    text: &'t str,
    cursor: u32,
    options: &'t FormatOptions,
}

/// An arrow after a name that begins its line.
struct AlignedEntry {
    /// Width in characters of the line before the arrow, without the whitespace before it.
    name_width: u32,
    /// Whitespace between the name and the arrow.
    gap: (u32, u32),
}

impl TypedCharacter<'_> {
    fn after_line_break(&self) -> Vec<FormatEdit> {
        let line_start = line_start(self.text, self.cursor);
        let before = &self.text[line_start as usize..self.cursor as usize];
        let Some(last) = self.code_before(line_start) else { return Vec::new() };
        if !before.trim().is_empty() {
            return Vec::new();
        }
        let mut edits = match last.kind() {
            R_BRACE => self.closed_blocks(&last),
            COMMA | SEMICOLON => self.aligned(last.text_range().end),
            _ if self.is_in_arrows(&last) => self.aligned(last.text_range().end),
            _ => Vec::new(),
        };
        edits.extend(self.opened_body(&last, line_start));
        edits.extend(self.joined_comma(&last));
        edits.extend(self.trimmed_blank_line(line_start));
        edits
    }

    /// Returns the edits after a comma, which completions of attributes and keys also insert.
    fn after_comma(&self) -> Vec<FormatEdit> {
        let mut edits = self.aligned(self.cursor);
        let typed = self.root.tokens_at(self.cursor).find(|it| it.text_range().end == self.cursor);
        if typed.is_some_and(|it| it.kind() == COMMA && self.is_in_arrows(&it)) {
            edits.extend(self.lone_comma().map(|end| replacement(self.cursor, end, String::new())));
        }
        edits
    }

    /// Returns the edits that move a comma that is alone on the line of the cursor to the end of the entry before
    /// it.
    fn joined_comma(&self, last: &SyntaxToken) -> Vec<FormatEdit> {
        let Some(end) = self.lone_comma() else { return Vec::new() };
        let removed = replacement(self.cursor, end, String::new());
        let value_end = last.text_range().end;
        match last.kind() {
            COMMA => vec![removed],
            kind if ends_value(kind) => vec![replacement(value_end, value_end, ",".to_owned()), removed],
            _ => Vec::new(),
        }
    }

    /// Returns the end of a comma between the entries of a list that is the rest of the line of the cursor.
    fn lone_comma(&self) -> Option<u32> {
        let line = self.text[self.cursor as usize..].lines().next()?;
        if line.trim() != "," {
            return None;
        }
        let end = self.cursor + line.trim_end().len() as u32;
        let comma = self.root.tokens_at(end).find(|it| it.text_range().end == end && it.kind() == COMMA)?;
        enclosing_opener(&comma).map(|_| end)
    }

    /// Returns the edit that removes the indentation of a blank line before a line. Editors only remove
    /// indentation that they inserted themselves, and not after an edit of the server.
    fn trimmed_blank_line(&self, line_start: u32) -> Option<FormatEdit> {
        let before = self.text[..line_start as usize].strip_suffix('\n')?;
        let line = before.rsplit('\n').next().unwrap_or(before).trim_end_matches('\r');
        let start = self.text[..before.len()].rfind('\n').map_or(0, |at| at as u32 + 1);
        let is_blank = !line.is_empty() && line.chars().all(|it| it == ' ' || it == '\t');
        is_blank.then(|| replacement(start, start + line.len() as u32, String::new()))
    }

    /// Returns the edits that align the blocks that end at a closing brace and directly before it.
    fn closed_blocks(&self, last: &SyntaxToken) -> Vec<FormatEdit> {
        let before = |it: &SyntaxToken| {
            let mut tokens = std::iter::successors(it.prev_token(), SyntaxToken::prev_token);
            tokens.find(|it| !it.kind().is_trivia())
        };
        let braces = std::iter::successors(Some(last.clone()), before);
        let braces = braces.take(MAX_CLOSED_BLOCKS).take_while(|it| it.kind() == R_BRACE);
        braces.flat_map(|it| self.aligned(it.text_range().end)).collect()
    }

    /// Returns the edits that indent the first line of a body and give its closing bracket a line.
    fn opened_body(&self, last: &SyntaxToken, line_start: u32) -> Vec<FormatEdit> {
        let indent = indentation(self.text, last.text_range().start);
        let closers: &[char] = match last.kind() {
            L_BRACE | SELECTOR_BRACE => &['}'],
            L_PAREN | LINE_START_PAREN => &[')'],
            L_BRACK | LIST_START => &[']'],
            COLON if self.ends_title(last) => &['}'],
            _ => return self.continued_line(last, line_start).into_iter().collect(),
        };
        let rest = &self.text[self.cursor as usize..];
        let line = rest.lines().next().unwrap_or_default();
        let inner = self.deeper(indent);
        let mut edits = Vec::new();
        if line.trim_start().starts_with(closers) {
            let blank = (line.len() - line.trim_start().len()) as u32;
            let close = self.cursor + blank;
            // Replaces the bracket, since an insertion at the cursor would move the cursor.
            let bracket = &self.text[close as usize..close as usize + 1];
            edits.push(replacement(self.cursor, close + 1, format!("\n{indent}{bracket}")));
        } else if !line.trim().is_empty() {
            return Vec::new();
        }
        if self.text[line_start as usize..self.cursor as usize] != inner {
            edits.push(replacement(line_start, self.cursor, inner));
        }
        edits
    }

    /// Returns the edit that indents a line after one that does not open a body: the next argument or operand, or the
    /// statement after one that has several lines.
    fn continued_line(&self, last: &SyntaxToken, line_start: u32) -> Option<FormatEdit> {
        let is_on_line_of_last = |offset: u32| self.line_of(offset) == self.line_of(last.text_range().end);
        let indent = match last.kind() {
            COMMA => {
                let opener = enclosing_opener(last)?;
                if closing_of(opener.kind()) == Some(R_BRACE) {
                    return None;
                }
                // An argument that ends here may have begun on a line above.
                let start =
                    opener_of_closed(last.prev_token()?).unwrap_or_else(|| last.clone()).text_range().start;
                let indent = indentation(self.text, start);
                if self.line_of(opener.text_range().start) == self.line_of(start) {
                    self.deeper(indent)
                } else {
                    indent.to_owned()
                }
            }
            R_PAREN | R_BRACK | R_BRACE => {
                let start = opener_of_closed(last.clone())?.text_range().start;
                (!is_on_line_of_last(start)).then(|| indentation(self.text, start).to_owned())?
            }
            HEREDOC_END => {
                let mut before = std::iter::successors(last.prev_token(), SyntaxToken::prev_token);
                let start = before.find(|it| it.kind() == HEREDOC_START)?;
                indentation(self.text, start.text_range().start).to_owned()
            }
            kind if continues(kind) => {
                let statement = last.parent()?.ancestors().find(|it| {
                    it.parent().is_none_or(|around| matches!(around.kind(), BLOCK | SOURCE_FILE))
                })?;
                if !is_on_line_of_last(statement.text_range().start) {
                    return None;
                }
                self.deeper(indentation(self.text, statement.text_range().start))
            }
            _ => return None,
        };
        let is_indented = self.text[line_start as usize..self.cursor as usize] == indent;
        (!is_indented).then(|| replacement(line_start, self.cursor, indent))
    }

    fn deeper(&self, indent: &str) -> String {
        format!("{indent}{}", " ".repeat(self.options.indent as usize))
    }

    /// Returns the offset at which the line of an offset starts.
    fn line_of(&self, offset: u32) -> u32 {
        line_start(self.text, offset)
    }

    /// Returns true for the colon after a title or the values of a case.
    fn ends_title(&self, colon: &SyntaxToken) -> bool {
        enclosing_opener(colon).is_some_and(|it| matches!(it.kind(), L_BRACE))
    }

    fn after_closing_bracket(&self) -> Vec<FormatEdit> {
        let close = self.root.tokens_at(self.cursor).find(|it| it.text_range().end == self.cursor);
        let Some(close) = close.filter(|it| matches!(it.kind(), R_BRACE | R_PAREN | R_BRACK)) else {
            return Vec::new();
        };
        let mut edits = self.aligned(close.text_range().start);
        let start = line_start(self.text, self.cursor);
        let before = &self.text[start as usize..close.text_range().start as usize];
        if before.trim().is_empty()
            && let Some(open) = enclosing_opener(&close)
        {
            let indent = indentation(self.text, open.text_range().start);
            if indent != before {
                edits.push(replacement(start, close.text_range().start, indent.to_owned()));
            }
        }
        edits
    }

    /// Returns the last token of code before an offset; `None` inside of strings, comments and heredocs.
    fn code_before(&self, offset: u32) -> Option<SyntaxToken> {
        let mut token = self.root.tokens_at(offset).find(|it| it.text_range().start < offset)?;
        let is_open = |it: &SyntaxToken| it.text_range().end > offset || it.text_range().end == self.cursor;
        if !token.kind().is_trivia() && is_open(&token) && token.text().contains('\n') {
            return None;
        }
        while token.kind().is_trivia() {
            if token.kind() == BLOCK_COMMENT && token.text_range().end > offset {
                return None;
            }
            token = token.prev_token()?;
        }
        let no_code = matches!(token.kind(), STRING_TEXT | DQ_START | HEREDOC_START | EPP_TEXT);
        (!no_code).then_some(token)
    }

    fn is_in_arrows(&self, token: &SyntaxToken) -> bool {
        let start = line_start(self.text, token.text_range().start) as usize;
        self.text[start..token.text_range().end as usize].contains("=>")
    }

    /// Returns the edits that align the arrows of the block that contains the token before `offset`.
    fn aligned(&self, offset: u32) -> Vec<FormatEdit> {
        if !self.options.align_arrows {
            return Vec::new();
        }
        let token = self.root.tokens_at(offset).find(|it| it.text_range().start < offset);
        let Some(token) = token.filter(|it| !matches!(it.kind(), COMMENT | BLOCK_COMMENT)) else {
            return Vec::new();
        };
        let Some(block) = block_around(&token) else { return Vec::new() };
        let entries = self.entries(&block);
        let Some(widest) = entries.iter().map(|it| it.name_width).max() else { return Vec::new() };
        let edit = |entry: &AlignedEntry| {
            let (start, end) = entry.gap;
            let padding = (widest - entry.name_width + 1) as usize;
            let is_aligned = (end - start) as usize == padding;
            let has_cursor = start <= self.cursor && self.cursor <= end;
            (!is_aligned && !has_cursor).then(|| replacement(start, end, " ".repeat(padding)))
        };
        entries.iter().filter_map(edit).collect()
    }

    fn entries(&self, block: &[SyntaxToken]) -> Vec<AlignedEntry> {
        let mut entries = Vec::new();
        for (at, arrow) in block.iter().enumerate() {
            if !matches!(arrow.kind(), FAT_ARROW | PLUS_ARROW) {
                continue;
            }
            let Some(name_end) = at.checked_sub(1).map(|it| block[it].text_range().end) else { continue };
            let start = line_start(self.text, name_end);
            let line = &self.text[start as usize..name_end as usize];
            // Code on the line before the name, such as the opening brace, would be torn apart while it is typed.
            let name_start = block[at - 1].text_range().start.max(start);
            let is_first = self.text[start as usize..name_start as usize].trim().is_empty();
            let gap = &self.text[name_end as usize..arrow.text_range().start as usize];
            if is_first && gap.chars().all(|it| it == ' ') && !line.contains('\t') {
                let gap = (name_end, arrow.text_range().start);
                entries.push(AlignedEntry { name_width: width(line), gap });
            }
        }
        entries
    }
}

/// Returns the tokens of the level of `token` up to its brackets, without trivia; a nested group counts as its
/// closing bracket. A body of a resource that has several ends at the semicolon.
fn block_around(token: &SyntaxToken) -> Option<Vec<SyntaxToken>> {
    let opener = match closing_of(token.kind()) {
        // Directly after the opening brace.
        Some(R_BRACE) => Some(token.clone()),
        _ => enclosing_opener(token),
    };
    let opener = opener.filter(|it| matches!(it.kind(), L_BRACE | SELECTOR_BRACE))?;
    let mut bodies = vec![Vec::new()];
    let mut own = 0;
    let mut depth = 0usize;
    let mut next = opener.next_token();
    for _ in 0..MAX_TOKENS {
        let Some(current) = next else { break };
        let kind = current.kind();
        next = current.next_token();
        if kind.is_trivia() {
            continue;
        }
        let is_close = is_closing(kind);
        if is_close && depth == 0 {
            return bodies.into_iter().nth(own);
        }
        depth = if is_close { depth - 1 } else { depth };
        if depth == 0 && !opens(kind) {
            if current.text_range().end <= token.text_range().end {
                own = bodies.len() - 1;
            }
            if kind == SEMICOLON {
                bodies.push(Vec::new());
            } else if let Some(last) = bodies.last_mut() {
                last.push(current);
            }
        }
        if opens(kind) {
            depth += 1;
        }
    }
    // Without a closing bracket the block may have swallowed what follows it.
    None
}

/// Returns the bracket that is open at a token.
fn enclosing_opener(token: &SyntaxToken) -> Option<SyntaxToken> {
    let mut depth = 0usize;
    let mut current = token.prev_token();
    for _ in 0..MAX_TOKENS {
        let token = current?;
        if is_closing(token.kind()) {
            depth += 1;
        } else if opens(token.kind()) {
            match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return Some(token),
            }
        }
        current = token.prev_token();
    }
    None
}

/// Returns the bracket that a closing bracket closes; `None` for other tokens.
fn opener_of_closed(token: SyntaxToken) -> Option<SyntaxToken> {
    is_closing(token.kind()).then(|| enclosing_opener(&token))?
}

/// Returns true for tokens after which an expression continues.
fn continues(kind: SyntaxKind) -> bool {
    matches!(
        kind,
        AND_KW
            | OR_KW
            | IN_KW
            | PLUS
            | MINUS
            | STAR
            | SLASH
            | PERCENT
            | EQ
            | PLUS_EQ
            | EQ_EQ
            | NOT_EQ
            | MATCH
            | NO_MATCH
            | LT
            | LT_EQ
            | GT
            | GT_EQ
    )
}

/// Returns true for tokens that end a value.
fn ends_value(kind: SyntaxKind) -> bool {
    matches!(
        kind,
        NAME | WORD
            | CLASSREF
            | VARIABLE
            | NUMBER
            | SQ_STRING
            | DQ_STRING
            | DQ_END
            | REGEX
            | R_BRACE
            | R_PAREN
            | R_BRACK
    ) || matches!(kind, UNDEF_KW | TRUE_KW | FALSE_KW | DEFAULT_KW)
}

fn opens(kind: SyntaxKind) -> bool {
    closing_of(kind).is_some()
}

fn is_closing(kind: SyntaxKind) -> bool {
    matches!(kind, R_BRACE | R_PAREN | R_BRACK | INTERPOLATION_END)
}

fn closing_of(opener: SyntaxKind) -> Option<SyntaxKind> {
    Some(match opener {
        L_BRACE | SELECTOR_BRACE => R_BRACE,
        L_PAREN | LINE_START_PAREN => R_PAREN,
        L_BRACK | LIST_START => R_BRACK,
        INTERPOLATION_START => INTERPOLATION_END,
        _ => return None,
    })
}

fn replacement(start: u32, end: u32, text: String) -> FormatEdit {
    FormatEdit { start, end, text }
}

fn line_start(text: &str, offset: u32) -> u32 {
    text[..offset as usize].rfind('\n').map_or(0, |at| at as u32 + 1)
}

/// Returns the indentation of the line that contains an offset.
fn indentation(text: &str, offset: u32) -> &str {
    let line = &text[line_start(text, offset) as usize..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}
