//! Markdown with untrusted text. **No image, executable link, HTML or mention in the text becomes active.**

use super::visible::{visible, visible_text};

/// Formats text as an inline code span, whatever it contains.
pub fn code_span(text: &str) -> String {
    let text = visible(text);
    let fence = "`".repeat(longest_run(&text) + 1);
    let is_padded = text.is_empty() || text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']);
    let pad = if is_padded { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Formats code as a fenced block whose fence does not occur in the code.
pub fn code_block(language: &str, code: &str) -> String {
    let code = visible_text(code);
    let fence = "`".repeat(longest_run(&code).max(2) + 1);
    let end = if code.ends_with('\n') { "" } else { "\n" };
    format!("{fence}{language}\n{code}{end}{fence}")
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Escapes all Markdown markup in text.
pub fn plain(text: &str) -> String {
    let text = visible(text);
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            // Mentions of users and references to issues.
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

/// Makes Markdown documentation safe to render.
///
/// The markup is kept, but HTML, images and links to anything but web pages are escaped. Whatever is not
/// certainly code is treated as text.
pub fn inert(markdown: &str) -> String {
    let markdown = visible_text(markdown);
    let has_simple_fences = has_simple_fences(&markdown);
    let mut out = String::with_capacity(markdown.len() + 16);
    let mut paragraph: Vec<&str> = Vec::new();
    // Closing fence of the open code block.
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

/// Returns true if code fences only occur at the beginning of lines, so that it is certain what is code.
fn has_simple_fences(markdown: &str) -> bool {
    markdown.lines().all(|line| {
        let rest = line.trim_start_matches('`');
        !rest.contains("```") && !line.contains("~~~")
    })
}

fn end_paragraph(out: &mut String, lines: &mut Vec<&str>) {
    // Lines can only be handled separately if each one closes the code spans that it opens.
    let has_simple_spans = lines.iter().all(|line| spans(line).is_some());
    if !has_simple_spans {
        out.push_str(&escape_text(&lines.concat()));
        lines.clear();
        return;
    }
    let mut text = String::new();
    for line in lines.drain(..) {
        for (is_code, part) in spans(line).unwrap_or_default() {
            if is_code {
                out.push_str(&escape_text(&std::mem::take(&mut text)));
                out.push_str(part);
            } else {
                text.push_str(part)
            }
        }
    }
    out.push_str(&escape_text(&text));
}

/// Splits a line into parts, each with true for code between backticks; `None` if that is ambiguous.
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

/// Returns the length of a line break tag (`<br>`, `<br/>`, `<br />`) at the beginning of a text.
fn break_length(text: &str) -> Option<usize> {
    let name = text.get(..3).filter(|it| it.eq_ignore_ascii_case("<br"))?;
    let rest = &text[name.len()..];
    let end = rest.trim_start_matches(' ').trim_start_matches('/');
    end.starts_with('>').then(|| text.len() - end.len() + 1)
}

/// Replaces the HTML line breaks in a text with those of Markdown.
pub fn with_line_breaks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        match break_length(rest) {
            Some(length) => {
                rest = rest[length..].trim_start_matches(' ');
                rest = rest.strip_prefix('\n').unwrap_or(rest);
                out.truncate(out.trim_end_matches(' ').len());
                out.push_str(if out.is_empty() || rest.is_empty() { "" } else { "  \n" });
            }
            None => {
                out.push('<');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// Escapes text outside of code.
fn escape_text(text: &str) -> String {
    let text = &with_line_breaks(text);
    let mut out = String::with_capacity(text.len() + 8);
    let mut last = ' ';
    for (at, c) in text.char_indices() {
        let after = &text[at + c.len_utf8()..];
        match c {
            '<' if is_page(after)
                && after.find('>') < after.find([' ', '\n', '<']).or(Some(usize::MAX))
                && after.contains('>') =>
            {
                out.push('<')
            }
            '<' if after.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?')) => {
                out.push_str("&lt;");
            }
            '[' if last == '!' => out.push_str("\\["),
            '(' if last == ']' && !leads_to_page(after) => out.push_str("\\("),
            ':' if last == ']' && !leads_to_page(after) => out.push_str("\\:"),
            c => out.push(c),
        }
        last = c;
    }
    out
}

/// Returns true if the target after `](` or `]:` is a web page or an anchor.
fn leads_to_page(after: &str) -> bool {
    let address = after.trim_start();
    address.starts_with('#') || is_page(address)
}

fn is_page(address: &str) -> bool {
    let begins = |with: &str| address.get(..with.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(with));
    begins("https://") || begins("http://")
}

#[cfg(test)]
#[path = "markdown_tests.rs"]
mod tests;
