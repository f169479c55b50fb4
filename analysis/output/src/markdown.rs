//! Markdown that holds words of a repository. **No picture, link that runs something, HTML or mention of theirs gets live.**

use super::visible::{visible, visible_text};

/// A text as code within a line, whatever it holds.
pub fn code_span(text: &str) -> String {
    let text = visible(text);
    let fence = "`".repeat(longest_run(&text) + 1);
    let is_padded = text.is_empty() || text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']);
    let pad = if is_padded { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Lines of code, between fences that none of them can end.
pub fn code_block(language: &str, code: &str) -> String {
    let code = visible_text(code);
    let fence = "`".repeat(longest_run(&code).max(2) + 1);
    let end = if code.ends_with('\n') { "" } else { "\n" };
    format!("{fence}{language}\n{code}{end}{fence}")
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Words of a repository as plain words of Markdown: nothing of them is markup.
pub fn plain(text: &str) -> String {
    let text = visible(text);
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            // Neither a person nor a number of a ticket is meant.
            '@' => out.push_str("&#64;"),
            '#' => out.push_str("&#35;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '(' | ')' | '!' | '|' | '~' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

/// Documentation as it may be laid out: the markup stays, but there is no HTML in it, no picture, and no link to anything but a
/// page of the web. Where it is not certain that something is code it is taken for text.
pub fn inert(markdown: &str) -> String {
    let markdown = visible_text(markdown);
    let has_simple_fences = has_simple_fences(&markdown);
    let mut out = String::with_capacity(markdown.len() + 16);
    let mut paragraph: Vec<&str> = Vec::new();
    // What ends the block of code that is open.
    let mut fence: Option<String> = None;
    for line in markdown.split_inclusive('\n') {
        let backticks = leading_backticks(line);
        match &fence {
            Some(end) => {
                out.push_str(line);
                if line.trim_end() == end {
                    fence = None;
                }
            }
            None if has_simple_fences && backticks >= 3 => {
                end_paragraph(&mut out, &mut paragraph);
                out.push_str(line);
                fence = Some("`".repeat(backticks));
            }
            None if line.trim().is_empty() => {
                end_paragraph(&mut out, &mut paragraph);
                out.push_str(line);
            }
            None => paragraph.push(line),
        }
    }
    end_paragraph(&mut out, &mut paragraph);
    if let Some(end) = fence {
        if !out.ends_with('\n') {
            out.push('\n');
        }
        out.push_str(&end);
    }
    out
}

fn leading_backticks(line: &str) -> usize {
    line.len() - line.trim_start_matches('`').len()
}

/// Do blocks of code begin and end at the beginning of lines only, so that there is no doubt about what is code?
fn has_simple_fences(markdown: &str) -> bool {
    markdown.lines().all(|line| {
        let rest = line.trim_start_matches('`');
        !rest.contains("```") && !line.contains("~~~")
    })
}

fn end_paragraph(out: &mut String, lines: &mut Vec<&str>) {
    // Only where each line closes what it opens, lines can be looked at one by one.
    let has_simple_spans = lines.iter().all(|line| spans(line).is_some());
    if !has_simple_spans {
        out.push_str(&inert_text(&lines.concat()));
        lines.clear();
        return;
    }
    let mut text = String::new();
    for line in lines.drain(..) {
        for (is_code, part) in spans(line).unwrap_or_default() {
            match is_code {
                false => text.push_str(part),
                true => {
                    out.push_str(&inert_text(&std::mem::take(&mut text)));
                    out.push_str(part);
                }
            }
        }
    }
    out.push_str(&inert_text(&text));
}

/// The parts of a line, and which of them are code between backticks; `None` where that is in doubt.
fn spans(line: &str) -> Option<Vec<(bool, &str)>> {
    let mut parts = Vec::new();
    let mut rest = line;
    while let Some(start) = rest.find('`') {
        if rest[..start].ends_with('\\') {
            return None;
        }
        parts.push((false, &rest[..start]));
        rest = &rest[start..];
        let length = leading_backticks(rest);
        let mut end = length;
        loop {
            end += rest[end..].find('`')?;
            let found = leading_backticks(&rest[end..]);
            end += found;
            if found == length {
                break;
            }
        }
        parts.push((true, &rest[..end]));
        rest = &rest[end..];
    }
    parts.push((false, rest));
    Some(parts)
}

/// Text that is no code.
fn inert_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut last = ' ';
    for (at, c) in text.char_indices() {
        let behind = &text[at + c.len_utf8()..];
        match c {
            '<' if is_page(behind)
                && behind.find('>') < behind.find([' ', '\n', '<']).or(Some(usize::MAX))
                && behind.contains('>') =>
            {
                out.push('<')
            }
            '<' if behind.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?')) => {
                out.push_str("&lt;");
            }
            '[' if last == '!' => out.push_str("\\["),
            '(' if last == ']' && !leads_to_page(behind) => out.push_str("\\("),
            ':' if last == ']' && !leads_to_page(behind) => out.push_str("\\:"),
            c => out.push(c),
        }
        last = c;
    }
    out
}

/// Is what stands behind `](` or `]:` the address of a page, or a place in this one?
fn leads_to_page(behind: &str) -> bool {
    let address = behind.trim_start();
    address.starts_with('#') || is_page(address)
}

fn is_page(address: &str) -> bool {
    let begins = |with: &str| address.get(..with.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(with));
    begins("https://") || begins("http://")
}

#[cfg(test)]
#[path = "markdown_tests.rs"]
mod tests;
