//! Placement of suppression comments in a text, where they change neither code nor template output nor data.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

use hiera::data::{self, DataFormat, DataNode};
use syntax::{Language, Parse, SyntaxKind, SyntaxNode, SyntaxToken, TextRange, pn};
use types::Indistinguishable;

/// Form of a comment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommentForm {
    /// At the end of the line.
    Trailing,
    /// On their own lines, before and after.
    Surrounding,
}

/// Rules to suppress on a line.
#[derive(Clone, Debug)]
pub struct LinePlan {
    pub rules: BTreeSet<&'static str>,
    pub form: CommentForm,
}

/// Plans by line, counted from 0.
pub type Plans = BTreeMap<usize, LinePlan>;

/// A text with comments.
pub struct CommentedText {
    pub text: String,
    /// Number of comments, where a pair counts once.
    pub comments: usize,
    /// Line of the original text for each line, counted from 0; for a new comment a line that it was planned for.
    pub original_lines: Vec<usize>,
    /// Lines whose plan cannot be carried out.
    pub refused: Vec<usize>,
}

/// Text that is inserted into another.
struct Insertion {
    at: usize,
    text: String,
}

/// Language of a text, as far as comments depend on it.
enum Commented {
    Puppet(Parse),
    Yaml(Option<DataNode>),
    /// The comments; `None` if the code cannot be read.
    Ruby(Option<Vec<TextRange>>),
    Erb,
    /// A format without comments.
    Other,
}

/// A text that comments are added to.
pub struct Commenter<'t> {
    path: &'t Path,
    text: &'t str,
    language: Language,
    kind: Commented,
    /// Range of each line without its line break.
    lines: Vec<Range<usize>>,
}

impl<'t> Commenter<'t> {
    /// Creates a commenter for the text of a file, which is read in `language` if it is Puppet code.
    pub fn new(path: &'t Path, text: &'t str, language: Language) -> Commenter<'t> {
        let kind = Commented::of(path, text, language);
        Commenter { path, text, language, kind, lines: line_ranges(text) }
    }

    /// Adds the comments, each at a location where it changes neither code nor data.
    pub fn commented(&self, plans: &Plans) -> CommentedText {
        let whole = self.attempt(plans);
        if self.has_same_meaning(&whole.text) {
            return whole;
        }
        // Find the lines that are the cause.
        let mut accepted = Plans::new();
        let mut refused = Vec::new();
        for (line, plan) in plans {
            accepted.insert(*line, plan.clone());
            if !self.has_same_meaning(&self.attempt(&accepted).text) {
                accepted.remove(line);
                refused.push(*line);
            }
        }
        let mut commented = self.attempt(&accepted);
        commented.refused.extend(refused);
        commented
    }

    /// Adds the comments without a comparison.
    fn attempt(&self, plans: &Plans) -> CommentedText {
        let mut insertions = Vec::new();
        let mut refused = Vec::new();
        let mut around: BTreeMap<(usize, usize), (usize, BTreeSet<&'static str>)> = BTreeMap::new();
        let mut comments = 0;
        for (line, plan) in plans {
            match plan.form {
                CommentForm::Trailing => match self.trailing(*line, &words(&plan.rules)) {
                    Some(insertion) => {
                        comments += 1;
                        insertions.push(insertion);
                    }
                    None => refused.push(*line),
                },
                CommentForm::Surrounding => match self.surroundings(*line) {
                    Some(lines) => {
                        around.entry(lines).or_insert((*line, BTreeSet::new())).1.extend(&plan.rules);
                    }
                    None => refused.push(*line),
                },
            }
        }
        comments += around.len();
        let mut added: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for ((first, last), (planned, rules)) in around {
            let pair = [(first, words(&rules)), (last + 1, "lint:endignore".to_owned())];
            for (line, words) in pair {
                insertions.push(self.separate(first, line, &words));
                added.entry(line).or_default().push(planned);
            }
        }
        insertions.sort_by_key(|it| it.at);
        let mut text = String::with_capacity(self.text.len() + 64 * insertions.len());
        let mut at = 0;
        for insertion in insertions {
            text.push_str(&self.text[at..insertion.at]);
            text.push_str(&insertion.text);
            at = insertion.at;
        }
        text.push_str(&self.text[at..]);
        let mut original_lines = Vec::new();
        for line in 0..=self.lines.len() {
            original_lines.extend(added.get(&line).into_iter().flatten());
            original_lines.push(line);
        }
        CommentedText { text, comments, original_lines, refused }
    }

    /// Returns the comment at the end of a line; `None` if the line has no room for one.
    fn trailing(&self, line: usize, words: &str) -> Option<Insertion> {
        let range = self.lines.get(line)?.clone();
        let written = &self.text[range.clone()];
        match &self.kind {
            Commented::Puppet(parse) => trailing_in_puppet(&parse.syntax(), range, written, words),
            Commented::Ruby(comments) => trailing_in_ruby(comments.as_deref()?, range, written, words),
            Commented::Yaml(_) => {
                let comment = written.find('#').map(|at| range.start + at);
                let code = written.split('#').next().unwrap_or_default();
                match comment {
                    _ if code.trim().is_empty() => None,
                    Some(_) if !code.ends_with([' ', '\t']) => None,
                    Some(start) => Some(in_comment(self.text, start, words)),
                    None => Some(at_end(range.end, written, words)),
                }
            }
            Commented::Erb => {
                let before = &self.text[..range.end];
                let is_in_tag = before.rfind("<%").is_some_and(|open| before.rfind("%>") < Some(open));
                let is_trimmed = written.trim_end().ends_with("-%>");
                let has_room = !is_in_tag && !is_trimmed && !written.contains('#');
                has_room.then(|| Insertion { at: range.end, text: format!("<%# {words} %>") })
            }
            Commented::Other => None,
        }
    }

    /// Returns the first and the last of the lines around a line that comments can be put between.
    fn surroundings(&self, line: usize) -> Option<(usize, usize)> {
        let first = (0..=line).rev().find(|it| self.is_boundary(*it))?;
        let after = (line + 1..=self.lines.len()).find(|it| self.is_boundary(*it))?;
        Some((first, after - 1))
    }

    /// Returns the offset at which a line starts.
    fn start_of(&self, line: usize) -> usize {
        self.lines.get(line).map_or(self.text.len(), |it| it.start)
    }

    /// Returns true if a comment can be put on a new line before a line.
    fn is_boundary(&self, line: usize) -> bool {
        let at = self.start_of(line) as u32;
        match &self.kind {
            Commented::Puppet(parse) => is_boundary_in_puppet(&parse.syntax(), at),
            // A comment would become a part of a block scalar or of a string.
            Commented::Yaml(_) | Commented::Ruby(Some(_)) => {
                let continues = matches!(&self.kind, Commented::Ruby(_)) && self.continues_in_ruby(line);
                let (before, after) = self.text.split_at(at as usize);
                let line_break = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
                !continues && self.has_same_meaning(&format!("{before}{line_break}# x\n{after}"))
            }
            Commented::Ruby(None) | Commented::Erb | Commented::Other => false,
        }
    }

    /// Returns true if a line of Ruby code continues the one before, so that no comment may be between them.
    fn continues_in_ruby(&self, line: usize) -> bool {
        let line_at = |line: usize| self.lines.get(line).map_or("", |it| &self.text[it.clone()]);
        let is_call = line_at(line).trim_start().starts_with(['.', '&']);
        is_call || line > 0 && line_at(line - 1).ends_with('\\')
    }

    /// Returns a comment on its own line before `line`, indented like the line `like`.
    fn separate(&self, like: usize, line: usize, words: &str) -> Insertion {
        let indented = &self.text[self.lines[like].clone()];
        let indentation = &indented[..indented.len() - indented.trim_start().len()];
        let at = self.start_of(line);
        let line_break = if self.text.contains("\r\n") { "\r\n" } else { "\n" };
        let is_template_text =
            matches!(&self.kind, Commented::Puppet(parse) if is_template_text(&parse.syntax(), at as u32));
        let comment = if is_template_text {
            format!("<%# {words} -%>{line_break}")
        } else {
            format!("{indentation}# {words}{line_break}")
        };
        let is_after_line = at == 0 || self.text[..at].ends_with('\n');
        Insertion { at, text: if is_after_line { comment } else { format!("{line_break}{comment}") } }
    }

    /// Returns true if another text differs from this one only by comments.
    fn has_same_meaning(&self, text: &str) -> bool {
        match (&self.kind, Commented::of(self.path, text, self.language)) {
            (Commented::Puppet(old), Commented::Puppet(new)) => {
                old.errors().is_empty() && new.errors().is_empty() && pn::to_pn(old) == pn::to_pn(&new)
            }
            (Commented::Yaml(Some(old)), Commented::Yaml(Some(new))) => {
                old.value.is_indistinguishable(&new.value)
            }
            (Commented::Yaml(old), Commented::Yaml(new)) => old.is_none() && new.is_none(),
            (Commented::Ruby(Some(old)), Commented::Ruby(Some(new))) => {
                ruby_code(self.text, old).eq(ruby_code(text, &new))
            }
            _ => true,
        }
    }
}

impl Commented {
    fn of(path: &Path, text: &str, language: Language) -> Commented {
        if path.extension().is_some_and(|it| it == "pp" || it == "epp") {
            return Commented::Puppet(syntax::parse(text, language));
        }
        if path.file_name().is_some_and(|it| it == "Puppetfile")
            || path.extension().is_some_and(|it| it == "rb")
        {
            return Commented::Ruby(plugins::comments::comments(text));
        }
        match path.extension().and_then(|it| it.to_str()) {
            Some("erb") => Commented::Erb,
            Some("yaml" | "yml" | "eyaml") => Commented::Yaml(data::read(DataFormat::Yaml, text).root),
            _ => Commented::Other,
        }
    }
}

fn line_ranges(text: &str) -> Vec<Range<usize>> {
    let mut at = 0;
    let line = |line: &str| {
        let start = at;
        at += line.len();
        start..start + line.trim_end_matches(['\n', '\r']).len()
    };
    text.split_inclusive('\n').map(line).collect()
}

/// Returns the words of a comment that suppresses rules.
fn words(rules: &BTreeSet<&'static str>) -> String {
    let words: Vec<String> = rules.iter().map(|it| format!("lint:ignore:{it}")).collect();
    words.join(" ")
}

/// Returns a new comment at the end of a line.
fn at_end(end: usize, line: &str, words: &str) -> Insertion {
    let space = if line.ends_with([' ', '\t']) { "" } else { " " };
    Insertion { at: end, text: format!("{space}# {words}") }
}

/// Adds words at the beginning of a comment, where they are required.
fn in_comment(text: &str, start: usize, words: &str) -> Insertion {
    let comment = &text[start..];
    let marker = comment.len() - comment.trim_start_matches('#').len();
    let is_followed = comment[marker..].starts_with(|it: char| !it.is_whitespace());
    Insertion { at: start + marker, text: format!(" {words}{}", if is_followed { " " } else { "" }) }
}

/// Returns the comment at the end of a line of Ruby code.
fn trailing_in_ruby(
    comments: &[TextRange],
    line: Range<usize>,
    written: &str,
    words: &str,
) -> Option<Insertion> {
    let comment = comments.iter().map(|it| it.start as usize).find(|it| line.contains(it));
    let code = &written[..comment.map_or(written.len(), |it| it - line.start)];
    if code.trim().is_empty() || code.ends_with('\\') {
        return None;
    }
    Some(match comment {
        Some(start) => {
            let insertion = in_comment(&written[start - line.start..], 0, words);
            Insertion { at: insertion.at + start, ..insertion }
        }
        None => at_end(line.end, written, words),
    })
}

/// Returns the lines of Ruby code without comments, blank lines, and spaces at the end.
fn ruby_code<'t>(text: &'t str, comments: &'t [TextRange]) -> impl Iterator<Item = &'t str> {
    let code = line_ranges(text).into_iter().map(move |line| {
        let comment = comments.iter().map(|it| it.start as usize).find(|it| line.contains(it));
        text[line.start..comment.unwrap_or(line.end)].trim_end()
    });
    code.filter(|it| !it.is_empty())
}

fn trailing_in_puppet(
    root: &SyntaxNode,
    line: Range<usize>,
    written: &str,
    words: &str,
) -> Option<Insertion> {
    let (start, end) = (line.start as u32, line.end as u32);
    let before = root.tokens_at(end).find(|it| it.text_range().start < end)?;
    let on_line: Vec<SyntaxToken> = std::iter::successors(Some(before.clone()), SyntaxToken::prev_token)
        .take_while(|it| it.text_range().end > start)
        .collect();
    let is_code = |it: &SyntaxToken| {
        !(matches!(it.kind(), SyntaxKind::WHITESPACE | SyntaxKind::COMMENT | SyntaxKind::BLOCK_COMMENT)
            || is_template_kind(it.kind()) && it.text().trim().is_empty())
    };
    if !on_line.iter().any(is_code) {
        return None;
    }
    if is_template_text(root, end) {
        let is_trimmed = before.kind() == SyntaxKind::EPP_TRIMMED || written.trim_end().ends_with("-%>");
        return (!is_trimmed).then(|| Insertion { at: line.end, text: format!("<%# {words} %>") });
    }
    let last = on_line.iter().find(|it| it.kind() != SyntaxKind::WHITESPACE)?;
    let is_cut = before.text_range().end > end && before.kind() != SyntaxKind::WHITESPACE;
    if is_cut || is_in_string(&before, end) || last.kind() == SyntaxKind::HEREDOC_END {
        return None;
    }
    match last.kind() {
        SyntaxKind::COMMENT => {
            let at = last.text_range().start as usize;
            Some(in_comment(&written[at - line.start..], 0, words))
                .map(|it| Insertion { at: it.at + at, ..it })
        }
        _ => Some(at_end(line.end, written, words)),
    }
}

/// Returns true if an offset is within a string with interpolations or the text of a heredoc.
fn is_in_string(token: &SyntaxToken, at: u32) -> bool {
    token.parent().is_some_and(|parent| {
        parent.ancestors().any(|node| {
            let range = node.text_range();
            matches!(node.kind(), SyntaxKind::INTERPOLATED_STRING | SyntaxKind::HEREDOC_BODY)
                && range.start <= at
                && at < range.end
        })
    })
}

fn is_boundary_in_puppet(root: &SyntaxNode, at: u32) -> bool {
    let touching: Vec<SyntaxToken> = root.tokens_at(at).collect();
    if touching.iter().any(|it| is_in_string(it, at)) {
        return false;
    }
    let Some(before) = touching.iter().find(|it| it.text_range().start < at) else { return true };
    let is_between = before.text_range().end == at;
    let kind = before.kind();
    kind == SyntaxKind::WHITESPACE || is_template_kind(kind) || is_between
}

/// Returns true if the template text is continued at an offset, as opposed to code.
fn is_template_text(root: &SyntaxNode, at: u32) -> bool {
    let before = root.tokens_at(at).find(|it| it.text_range().start < at);
    let token = before.or_else(|| root.tokens_at(at).next());
    token.is_some_and(|it| is_template_kind(it.kind()) || at == 0 && it.kind() == SyntaxKind::EPP_OPEN)
}

/// Returns true for tokens after which template text follows.
fn is_template_kind(kind: SyntaxKind) -> bool {
    use SyntaxKind::*;
    matches!(kind, EPP_TEXT | EPP_TRIMMED | EPP_EMPTY_TEXT | EPP_COMMENT | EPP_CLOSE | EPP_CLOSE_EXPR)
}

#[cfg(test)]
#[path = "suppression_comments_tests.rs"]
mod tests;
