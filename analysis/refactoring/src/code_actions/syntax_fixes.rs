//! Fixes of syntax errors: missing delimiters and quotes.

use check::Code;
use syntax::TextRange;
use syntax::ast::{self, AstNode};

use super::subject::FixSubject;
use crate::CodeAction;
use crate::lines::indentation;

/// Returns the first fix that leaves fewer syntax errors.
pub(super) fn fixes(subject: &FixSubject<'_>) -> Option<CodeAction> {
    let parse = project::parse(subject.db, subject.file);
    let helps = |action: &CodeAction| {
        let edits = action.change.edits.first().map(|(_, edits)| &edits[..]).unwrap_or_default();
        let edited = parse.edited(&crate::assists::apply(subject.text, edits).into());
        edited.errors().len() < parse.errors().len()
    };
    candidates(subject).into_iter().find(helps)
}

fn candidates(subject: &FixSubject<'_>) -> Vec<CodeAction> {
    let (_, help) = codes::split_message(&subject.diagnostic.message);
    let Some(help) = help.first() else { return Vec::new() };
    match subject.diagnostic.code {
        Code::SyntaxError if help.starts_with("add the closing `") => closed_delimiter(subject, help),
        Code::UnclosedHeredoc => ended_heredoc(subject, help).unwrap_or_default(),
        _ => candidate(subject, help).into_iter().collect(),
    }
}

/// Adds the end of a heredoc: before the first line that is indented no more than its header, or at the end of the
/// file.
fn ended_heredoc(subject: &FixSubject<'_>, help: &str) -> Option<Vec<CodeAction>> {
    let (text, start) = (subject.text, subject.diagnostic.range.start);
    let line = help.strip_prefix("add a line with `")?.strip_suffix('`')?;
    let outer = crate::lines::indentation(text, start).len();
    let indent = inner_indentation(text, start);
    let header_end = start as usize + text.get(start as usize..)?.find('\n')?;
    let mut ends = Vec::new();
    let mut at = header_end;
    for after in text[header_end + 1..].split('\n') {
        let is_outside = !after.trim().is_empty() && crate::lines::indentation(after, 0).len() <= outer;
        if is_outside && at > header_end {
            ends.push(text[..at].trim_end().len().max(header_end));
            break;
        }
        at += after.len() + 1;
    }
    ends.push(text.trim_end().len());
    let fix = |end: usize| {
        let at = TextRange::empty(end as u32);
        subject.edit(format!("Add `{line}`"), at, format!("\n{indent}{line}"))
    };
    Some(ends.into_iter().map(fix).collect())
}

/// Adds a closing delimiter at the end of the line, before the next line that is indented as little, or at the end of the
/// file.
fn closed_delimiter(subject: &FixSubject<'_>, help: &str) -> Vec<CodeAction> {
    let Some(delimiter) = help.split('`').nth(1) else { return Vec::new() };
    let start = subject.diagnostic.range.start;
    let indent = crate::lines::indentation(subject.text, start);
    let end = TextRange::empty(subject.text.trim_end().len() as u32);
    let title = format!("Add `{delimiter}`");
    let rest = subject.text.get(start as usize..).unwrap_or_default();
    let line = rest.split('\n').next().unwrap_or_default();
    let inner = start + line.trim_end_matches(['}', ';', ' ', '\t', '\r']).len() as u32;
    let mut fixes = vec![subject.edit(title.clone(), TextRange::empty(inner), delimiter)];
    fixes.extend(closing(subject, help));
    fixes.push(subject.edit(title.clone(), end, format!("\n{indent}{delimiter}")));
    if delimiter == "}" {
        if let Some(at) = outer_line(subject.text, start, indent) {
            fixes.push(subject.edit(title, TextRange::empty(at), format!("{indent}{delimiter}\n")));
        }
        fixes.reverse();
    }
    fixes
}

/// Returns the start of the first line below `offset` that is indented at most as far as `indent`.
fn outer_line(text: &str, offset: u32, indent: &str) -> Option<u32> {
    let mut at = offset as usize + text[offset as usize..].find('\n')? + 1;
    for line in text[at..].split_inclusive('\n') {
        let code = line.trim_start_matches([' ', '\t']);
        if !code.trim().is_empty() && line.len() - code.len() <= indent.len() {
            return Some(at as u32);
        }
        at += line.len();
    }
    None
}

fn candidate(subject: &FixSubject<'_>, help: &str) -> Option<CodeAction> {
    let range = subject.diagnostic.range;
    match subject.diagnostic.code {
        Code::UnclosedString | Code::UnclosedComment | Code::EppUnclosedTag | Code::EppUnclosedComment => {
            closing(subject, help)
        }
        Code::UnclosedInterpolation | Code::HeredocUnclosedParenthesis => closing(subject, help),
        Code::HeredocWithoutText => {
            let tag =
                subject.text.get(range.as_range())?.strip_prefix("@(")?.split([')', ':', '/']).next()?;
            let tag = tag.trim().trim_matches('"');
            let end = subject.text.len() as u32;
            let line_break = if subject.text.ends_with('\n') { "" } else { "\n" };
            let indent = inner_indentation(subject.text, range.start);
            let text = format!("{line_break}{indent}| {tag}\n");
            Some(subject.edit("Add an empty text", TextRange::empty(end), text))
        }
        Code::HeredocEscape => {
            let letter = subject.diagnostic.message.split('`').nth(1)?;
            let text = subject.text.get(range.as_range())?;
            let slash = text.rfind('/')?;
            let at = range.start + (slash + text[slash..].find(letter)?) as u32;
            let removed = TextRange::new(at, at + letter.len() as u32);
            Some(subject.edit(format!("Remove `{letter}`"), removed, ""))
        }
        Code::ByteOrderMark => {
            let mark = '\u{feff}'.len_utf8() as u32;
            let is_here = subject.text.starts_with('\u{feff}');
            is_here.then(|| subject.edit("Remove the byte-order mark", TextRange::new(0, mark), ""))
        }
        Code::QuotedName => {
            let text = subject.text.get(range.as_range())?;
            let name = text.trim_matches(['\'', '"']);
            (name.len() + 2 == text.len()).then(|| subject.edit("Remove the quotes", range, name))
        }
        Code::SyntaxError => by_help(subject, help),
        _ => None,
    }
}

/// Adds the delimiter that the advice names: at the end of the line for strings, of the range otherwise.
fn closing(subject: &FixSubject<'_>, help: &str) -> Option<CodeAction> {
    let delimiter = help.split('`').nth(1)?;
    let range = subject.diagnostic.range;
    let rest = subject.text.get(range.start as usize..)?;
    let line_end = range.start + rest.find(['\n', '\r']).unwrap_or(rest.len()) as u32;
    let line = subject.text.get(range.start as usize..line_end as usize)?;
    let at = match subject.diagnostic.code {
        Code::UnclosedString => range.start + end_of_string(line) as u32,
        Code::UnclosedInterpolation => range.start + end_of_interpolation(line) as u32,
        Code::HeredocUnclosedParenthesis => {
            let tag = line.trim_start_matches("@(");
            let length = tag
                .find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '"' | ':' | '/'))
                .unwrap_or(tag.len());
            line_end - (tag.len() - length) as u32
        }
        _ => range.start + line.trim_end().len() as u32,
    };
    let space = matches!(
        subject.diagnostic.code,
        Code::UnclosedComment | Code::EppUnclosedTag | Code::EppUnclosedComment
    );
    let text = if space { format!(" {delimiter}") } else { delimiter.to_owned() };
    Some(subject.edit(format!("Add `{delimiter}`"), TextRange::empty(at), text))
}

/// Returns the length of the string at the start of a line that has lost its end: punctuation that ends a list or
/// statement is not part of it.
fn end_of_string(line: &str) -> usize {
    line.trim_end().trim_end_matches([',', ';', ')', '}', ']', ' ']).len()
}

/// Returns the offset at which the interpolation at the start of a line ends.
fn end_of_interpolation(line: &str) -> usize {
    let name = line.strip_prefix("${").unwrap_or(line);
    let length =
        name.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | ':' | '[' | ']' | '\'' | '.'));
    line.len() - name.len() + length.unwrap_or(name.len())
}

/// Returns the fix that the advice of a syntax error describes.
fn by_help(subject: &FixSubject<'_>, help: &str) -> Option<CodeAction> {
    let range = subject.diagnostic.range;
    let after = |open: &str| {
        let at = subject.text.get(range.start as usize..)?.find(open)? as u32;
        Some(TextRange::empty(range.start + at + 1))
    };
    let indent = inner_indentation(subject.text, range.start);
    match help {
        "write `class { 'name': }`" => Some(subject.edit("Add a class name", after("{")?, " 'name':")),
        "write `name { 'title': ... }`" => Some(subject.edit("Add a title", after("{")?, " 'title':")),
        "add at least one option" => {
            let outer = crate::lines::indentation(subject.text, range.start);
            let text = format!("\n{indent}default: {{ }}\n{outer}");
            Some(subject.edit("Add `default`", inside_braces(subject)?, text))
        }
        "add at least one `value => result`" => {
            Some(subject.edit("Add `default`", inside_braces(subject)?, " default => undef "))
        }
        "remove the quotes" => {
            let name = subject.text.get(range.as_range())?.trim_matches(['\'', '"']);
            Some(subject.edit("Remove the quotes", range, name))
        }
        _ if help.starts_with("add an expression, or write") => {
            let at = range.start + subject.text.get(range.start as usize..)?.find("${")? as u32;
            Some(subject.edit("Replace with `\\${`", TextRange::empty(at), "\\"))
        }
        "begin the parameter name with `$`" => {
            Some(subject.edit("Add `$`", TextRange::empty(range.start), "$"))
        }
        "write `$name`" => {
            let text = subject.text.get(range.start as usize..)?;
            let name = text.strip_prefix("${")?.split('}').next()?;
            let end = range.start + name.len() as u32 + 3;
            let new = format!("${}", name.trim());
            Some(subject.edit(format!("Replace with `{new}`"), TextRange::new(range.start, end), new))
        }
        "use `==` to compare values" => {
            let is_here = subject.text.get(range.as_range())? == "=";
            is_here.then(|| subject.edit("Replace with `==`", range, "=="))
        }
        "use `;` only between two statements" => without_separator(subject),
        "use `else`, or `if` with the negated condition" => negated(subject),
        "add the keyword `class`" => keyword(subject, "class"),
        "add the keyword `case` before the value" => keyword(subject, "case"),
        "add `{` before the first key of the hash" => {
            let before = subject.text.get(..range.start as usize)?.trim_end();
            let key = before.rfind([' ', '\t', '\n', '(', '[', ','])? as u32 + 1;
            let rest = subject.text.get(key as usize..)?;
            let line = rest.split('\n').next()?;
            let entry = line.trim_end().trim_end_matches([',', ';', ')', ']']);
            let entry_range = TextRange::new(key, key + entry.len() as u32);
            Some(subject.edit("Add braces", entry_range, format!("{{ {entry} }}")))
        }
        _ if help.starts_with("swap `") => swapped(subject, help),
        _ if help.starts_with("add parentheses around the arguments") => super::advice::parentheses(subject),
        _ => None,
    }
}

/// Removes a `;` and the spaces before it.
fn without_separator(subject: &FixSubject<'_>) -> Option<CodeAction> {
    let range = subject.diagnostic.range;
    let is_here = subject.text.get(range.as_range())? == ";";
    let before = subject.text.get(..range.start as usize)?.trim_end_matches([' ', '\t']).len() as u32;
    is_here.then(|| subject.edit("Remove `;`", TextRange::new(before, range.end), ""))
}

/// Turns `unless` with an `elsif` clause into `if`.
fn negated(subject: &FixSubject<'_>) -> Option<CodeAction> {
    let root = project::parse(subject.db, subject.file).syntax();
    let token = root.tokens_at(subject.diagnostic.range.start).last()?;
    let is_before = |it: &syntax::SyntaxNode| it.text_range().start <= subject.diagnostic.range.start;
    let mut around = token.ancestors().chain(token.ancestors().filter_map(|it| it.prev_sibling()));
    let unless = around.find_map(|it| ast::UnlessExpr::cast(it).filter(|it| is_before(it.syntax())))?;
    let condition = unless.condition()?.syntax().text_range();
    let start = unless.syntax().text_range().start;
    let text = subject.text.get(condition.as_range())?;
    let new = format!("if !({text})");
    Some(subject.edit("Replace with `if`", TextRange::new(start, condition.end), new))
}

/// Adds a keyword at the start of the line.
fn keyword(subject: &FixSubject<'_>, word: &str) -> Option<CodeAction> {
    let before = subject.text.get(..subject.diagnostic.range.start as usize)?;
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    let indent = crate::lines::indentation(subject.text, line as u32).len();
    let at = TextRange::empty((line + indent) as u32);
    Some(subject.edit(format!("Add `{word}`"), at, format!("{word} ")))
}

/// Swaps two adjacent tokens.
fn swapped(subject: &FixSubject<'_>, help: &str) -> Option<CodeAction> {
    let mut tokens = help.split('`').skip(1).step_by(2);
    let (first, second) = (tokens.next()?, tokens.next()?);
    let start = subject.diagnostic.range.start;
    let text = subject.text.get(start as usize..)?;
    let rest = text.strip_prefix(first)?;
    let spaces = &rest[..rest.len() - rest.trim_start().len()];
    rest.trim_start().strip_prefix(second)?;
    let range = TextRange::new(start, start + (first.len() + spaces.len() + second.len()) as u32);
    Some(subject.edit(format!("Swap `{first}` and `{second}`"), range, format!("{second}{spaces}{first}")))
}

/// Returns the range between the next braces.
fn inside_braces(subject: &FixSubject<'_>) -> Option<TextRange> {
    let start = subject.diagnostic.range.start;
    let text = subject.text.get(start as usize..)?;
    let open = text.find('{')? as u32;
    let close = text.get(open as usize..)?.find('}')? as u32 + open;
    Some(TextRange::new(start + open + 1, start + close))
}

/// Returns the indentation of a statement in a body whose braces are at `outer`.
pub(super) fn inner_indentation(text: &str, outer: u32) -> String {
    format!("{}{}", indentation(text, outer), crate::lines::indentation_step(text))
}
