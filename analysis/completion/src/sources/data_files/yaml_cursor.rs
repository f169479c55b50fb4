//! Position of the cursor in a possibly broken YAML text, determined from the lines around it.

/// Position in a YAML text where a key or value may be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct YamlCursor<'t> {
    /// Keys around the cursor, outermost first, and `None` for the item of a list. Includes the key of a
    /// value.
    pub(super) path: Vec<Option<String>>,
    /// True after a key; otherwise a key or the item of a list begins here.
    pub(super) is_value: bool,
    /// Text of the key or value before the cursor, without its opening quote.
    pub(super) typed: &'t str,
    /// Offset of `typed`.
    pub(super) start: usize,
    /// Offset of the end of the word around the cursor.
    pub(super) end: usize,
    pub(super) quote: Option<char>,
    /// Other keys of the same mapping.
    pub(super) given: Vec<String>,
    /// Indentation of the key or value.
    pub(super) column: usize,
    /// True if a colon follows the word.
    pub(super) has_colon: bool,
}

/// Key or list item that contains the lines with a larger indentation.
struct YamlLevel {
    column: usize,
    step: Option<String>,
    /// True before a block scalar (`|`, `>`).
    has_text: bool,
    /// True if a value follows on the same line.
    has_value: bool,
}

/// Returns the position at an offset; `None` in comments and block scalars, and where a value is complete.
pub(super) fn cursor(text: &str, offset: usize) -> Option<YamlCursor<'_>> {
    let before = text.get(..offset)?;
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let mut levels: Vec<YamlLevel> = Vec::new();
    for line in before[..line_start].lines() {
        read_line(line, &mut levels);
    }
    let line = &before[line_start..];
    let indentation = indentation(line);
    if levels.last().is_some_and(|it| it.has_text && indentation > it.column) || is_comment(line) {
        return None;
    }
    let column = enter_items(line, &mut levels);
    let content = &line[column..];
    let is_value = matches!(split_key(content), Some((_, rest)) if !rest.is_empty());
    let (value, given) = match split_key(content).filter(|_| is_value) {
        Some((key, rest)) => {
            place(&mut levels, YamlLevel::new(column, Some(key)));
            (rest.trim_start(), Vec::new())
        }
        None => {
            close(&mut levels, column, false);
            if levels.last().is_some_and(|it| it.has_value) {
                return None;
            }
            (content, siblings(text, line_start, offset, column, column > indentation))
        }
    };
    let mut path: Vec<Option<String>> = levels.into_iter().map(|it| it.step).collect();
    let value = match value.strip_prefix('[').filter(|_| is_value) {
        Some(list) => {
            path.push(None);
            list[list.rfind([',', '[']).map_or(0, |at| at + 1)..].trim_start()
        }
        None => value,
    };
    if value.starts_with(['{', '|', '>', '&', '*', '!']) {
        return None;
    }
    let quote = value.chars().next().filter(|it| matches!(it, '"' | '\''));
    let typed = quote.map_or(value, |_| &value[1..]);
    if quote.is_some_and(|quote| typed.contains(quote)) {
        return None;
    }
    let rest = text[offset..].lines().next().unwrap_or_default();
    let length = match quote {
        Some(quote) => rest.find(quote).unwrap_or(0),
        None => rest.find([' ', '\t', ',', ']', '#', '"', '\'']).unwrap_or(rest.trim_end().len()),
    };
    let word = &rest[..length];
    let word = if quote.is_none() { word.strip_suffix(':').unwrap_or(word) } else { word };
    let end = offset + word.len();
    let has_colon = rest[word.len()..].trim_start_matches(['"', '\'']).starts_with(':');
    let start = offset - typed.len();
    Some(YamlCursor { path, is_value, typed, start, end, quote, given, column, has_colon })
}

impl YamlCursor<'_> {
    /// Returns the path with `*` for the items of lists.
    pub(super) fn steps(&self) -> Vec<&str> {
        self.path.iter().map(|it| it.as_deref().unwrap_or("*")).collect()
    }
}

impl YamlLevel {
    fn new(column: usize, step: Option<String>) -> YamlLevel {
        YamlLevel { column, step, has_text: false, has_value: false }
    }
}

/// Updates the levels at the end of a line.
fn read_line(line: &str, levels: &mut Vec<YamlLevel>) {
    let content = line.trim();
    let indentation = indentation(line);
    if content.is_empty() || levels.last().is_some_and(|it| it.has_text && indentation > it.column) {
        return;
    }
    if content.starts_with('#') {
        return;
    }
    if matches!(content, "---" | "...") {
        levels.clear();
        return;
    }
    let column = enter_items(line, levels);
    let content = line[column..].trim_end();
    let value = match split_key(content) {
        Some((key, rest)) => {
            place(levels, YamlLevel::new(column, Some(key)));
            rest.trim_start()
        }
        None => content,
    };
    if let Some(last) = levels.last_mut() {
        last.has_text = value.starts_with(['|', '>']);
        last.has_value = !value.is_empty() && !value.starts_with(['#', '&', '!']);
    }
}

/// Adds the list items that a line begins; returns the column after them.
fn enter_items(line: &str, levels: &mut Vec<YamlLevel>) -> usize {
    let mut column = indentation(line);
    loop {
        let content = &line[column..];
        let Some(rest) = content.strip_prefix('-').filter(|it| it.is_empty() || it.starts_with(' ')) else {
            return column;
        };
        place(levels, YamlLevel::new(column, None));
        column += 1 + rest.len() - rest.trim_start_matches(' ').len();
    }
}

fn place(levels: &mut Vec<YamlLevel>, level: YamlLevel) {
    close(levels, level.column, level.step.is_none());
    levels.push(level);
}

/// Removes the levels that end before a key or list item at a column.
fn close(levels: &mut Vec<YamlLevel>, column: usize, is_item: bool) {
    while let Some(last) = levels.last() {
        // The items of a list may have the indentation of its key.
        let contains = last.column < column || (last.column == column && is_item && last.step.is_some());
        if contains {
            return;
        }
        levels.pop();
    }
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

fn is_comment(line: &str) -> bool {
    let mut quote = None;
    let mut is_after_space = true;
    for character in line.chars() {
        match quote {
            Some(open) if open == character => quote = None,
            None if matches!(character, '"' | '\'') && is_after_space => quote = Some(character),
            None if character == '#' && is_after_space => return true,
            _ => {}
        }
        is_after_space = matches!(character, ' ' | '\t' | '[' | ',');
    }
    false
}

/// Splits `key: value`. The value begins with the space after the colon.
fn split_key(content: &str) -> Option<(String, &str)> {
    let quote = content.chars().next().filter(|it| matches!(it, '"' | '\''));
    if let Some(quote) = quote {
        let (key, rest) = content[1..].split_once(quote)?;
        return Some((key.to_owned(), rest.trim_start().strip_prefix(':')?));
    }
    if content.starts_with(['[', '{', '#', '|', '>', '&', '*', '!', '%', '@']) {
        return None;
    }
    let mut colons = content.match_indices(':').map(|(at, _)| at);
    let at = colons.find(|at| content[at + 1..].is_empty() || content[at + 1..].starts_with([' ', '\t']))?;
    Some((content[..at].trim_end().to_owned(), &content[at + 1..]))
}

/// Returns the keys at a column of the mapping that contains a line, without the key at the offset.
fn siblings(text: &str, line_start: usize, offset: usize, column: usize, is_first: bool) -> Vec<String> {
    let key = |line: &str| {
        let mut levels = Vec::new();
        let at = enter_items(line, &mut levels);
        let (key, _) = split_key(&line[at..])?;
        (at == column).then_some(key)
    };
    let is_empty = |line: &&str| line.trim().is_empty() || line.trim_start().starts_with('#');
    let mut keys = Vec::new();
    for line in text[..line_start].lines().rev().filter(|it| !is_empty(it)) {
        if is_first {
            break;
        }
        keys.extend(key(line));
        if indentation(line) < column {
            break;
        }
    }
    let after = text[offset..].find('\n').map_or(text.len(), |at| offset + at + 1);
    let below = text[after..].lines().filter(|it| !is_empty(it));
    keys.extend(below.take_while(|line| indentation(line) >= column).filter_map(key));
    keys
}

#[cfg(test)]
#[path = "yaml_cursor_tests.rs"]
mod tests;
