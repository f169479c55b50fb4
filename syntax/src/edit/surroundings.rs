//! Checks that the surroundings of a run stay unchanged: by their layout if the new text has errors, by their
//! tokens if the old text had some.

use rowan::{GreenNodeData, NodeOrToken};

use crate::recovery::{Layout, layout};
use crate::tree::{Tree, kind_of};
use crate::{Parse, SyntaxKind, SyntaxKind::*, TextRange, grammar, lexer, parser};

use super::change::Change;
use super::container::{Container, first_tokens, length};
use super::known_layout::{KnownLayout, KnownStatements, StatementIndentation};
use super::run::{RunTokens, StatementRun};

/// Statements around a run that the plain grammar rejects.
pub(super) struct RunSurroundings<'e> {
    pub(super) old: &'e Parse,
    pub(super) change: &'e Change,
    /// The new text.
    pub(super) text: &'e str,
    pub(super) run: &'e StatementRun,
    pub(super) tokens: &'e RunTokens,
    /// Containers of the run, innermost last.
    pub(super) containers: &'e [Container<'e>],
}

impl RunSurroundings<'_> {
    /// Returns true if recovery affects only the run in the innermost container.
    ///
    /// That is the case if the layout shows where each surrounding statement ends. `layout` caches facts about the new
    /// text.
    pub(super) fn are_independent(&self, layout: &mut KnownLayout) -> bool {
        self.are_plain()
            && layout.is_consistent(self.text, self.old.language)
            && self.run_is_inside()
            && self.next_statement_stays()
            && layout.check_statements(|statements| self.follow_indentation(statements))
    }

    /// Returns true if the statements of all containers are independent of their surroundings.
    fn are_plain(&self) -> bool {
        let Some(innermost) = self.containers.last() else { return false };
        let kinds = innermost.path.iter().map(|(node, _)| kind_of(node.kind()));
        kinds.chain([kind_of(innermost.node.kind())]).all(is_plain)
    }

    /// Returns true if the run begins on a line of its own and all of its lines are indented deeper than its block.
    fn run_is_inside(&self) -> bool {
        let text = self.text;
        let Some(around) = closer_indentation(self.old.tree.text(), self.containers) else { return false };
        let is_deeper =
            |offset: u32| around.is_none_or(|around| layout::indentation_of(text, offset) > around + 1);
        let mut line_starts = self.tokens.starts().filter(|start| is_first_on_line(text, *start));
        is_first_on_line(text, self.run.old.start) && line_starts.all(is_deeper)
    }

    /// Returns true if the tokens after the run begin their line in both texts, with the same indentation.
    fn next_statement_stays(&self) -> bool {
        let (old_text, following): (&str, u32) = (self.old.tree.text(), self.run.old.end);
        let moved = || self.change.moved(following);
        self.run.following.is_empty()
            || is_first_on_line(self.text, moved())
                && layout::indentation_of(self.text, moved()) == layout::indentation_of(old_text, following)
                && is_first_on_line(old_text, following)
    }

    /// Returns true if the statements of all containers, except for the run, end where their indentation suggests.
    fn follow_indentation(&self, statements: &mut KnownStatements) -> bool {
        let RunSurroundings { old, run, containers, .. } = *self;
        containers.iter().enumerate().all(|(depth, container)| {
            let inner = containers.get(depth + 1);
            let way = inner.map(|inner| inner.path[container.path.len()].1);
            let is_read_again = |index: usize, range: TextRange| {
                way == Some(index) || (inner.is_none() && run.old.contains_range(range))
            };
            statements_follow_indentation(old, statements, container.node, container.start, &is_read_again)
                && inner.is_none_or(|inner| branches_follow_indentation(old, statements, container, inner))
        })
    }
}

/// Returns true for kinds of nodes whose statements are independent of their surroundings.
fn is_plain(kind: SyntaxKind) -> bool {
    matches!(
        kind,
        SOURCE_FILE
            | BLOCK
            | CLASS_DEFINITION
            | DEFINED_TYPE
            | FUNCTION_DEFINITION
            | NODE_DEFINITION
            | PLAN_DEFINITION
            | IF_EXPR
            | ELSIF_CLAUSE
            | ELSE_CLAUSE
            | UNLESS_EXPR
            | CASE_EXPR
            | CASE_OPTION
    )
}

/// Returns the indentation of the closing brace of the innermost block, `Some(None)` without a block. `None` if
/// a closing brace around the run could seem to close something in the run.
fn closer_indentation(old_text: &str, containers: &[Container<'_>]) -> Option<Option<u32>> {
    let mut around: Option<u32> = None;
    for container in containers.iter().filter(|container| kind_of(container.node.kind()) == BLOCK) {
        let closer = container.start + u32::from(container.node.text_len()) - 1;
        let indentation = layout::indentation_of(old_text, closer);
        if !is_first_on_line(old_text, closer) || around.is_some_and(|it| indentation <= it + 1) {
            return None;
        }
        around = Some(indentation);
    }
    Some(around)
}

/// Returns true if each statement of a file or block is indented deeper than its container, and its own lines
/// deeper than itself. `spared` selects statements to skip by child index and range.
fn statements_follow_indentation(
    old: &Parse,
    statements: &mut KnownStatements,
    node: &GreenNodeData,
    start: u32,
    spared: &dyn Fn(usize, TextRange) -> bool,
) -> bool {
    let text: &str = old.tree.text();
    let closer = start + u32::from(node.text_len()).saturating_sub(1);
    let around = (kind_of(node.kind()) == BLOCK).then(|| layout::indentation_of(text, closer));
    // Reading the lengths first lets the processor load many nodes at once.
    let lengths: Vec<u32> = node.children().map(|child| length(&child)).collect();
    let mut at = start;
    node.children().zip(lengths).enumerate().all(|(index, (child, length))| {
        let range = TextRange::new(at, at + length);
        at = range.end;
        let kind = kind_of(child.kind());
        if kind.is_trivia() || matches!(kind, HEREDOC_BODY | L_BRACE | R_BRACE) {
            return true;
        }
        let indentation =
            is_first_on_line(text, range.start).then(|| layout::indentation_of(text, range.start));
        // A line that is not indented deeper than its container would end the container.
        let is_inside =
            around.is_none_or(|around| indentation.is_none_or(|indentation| indentation > around + 1));
        is_inside
            && child.into_node().is_none_or(|child| {
                spared(index, range)
                    || statements.get(child, StatementIndentation { indentation, around }, || {
                        ends_at_indentation(&old.tree, range, range)
                            || (lines_are_deeper(text, range, around) && ends_where_recovery_does(old, range))
                    })
            })
    })
}

/// Returns true if all lines of a statement after the first one, except comments, are indented deeper than
/// the container.
fn lines_are_deeper(text: &str, range: TextRange, around: Option<u32>) -> bool {
    let is_deeper = |line: &str| {
        line.trim_start().is_empty()
            || line.trim_start().starts_with('#')
            || around.is_none_or(|around| layout::indentation(line.as_bytes().iter()) > around + 1)
    };
    text[range.as_range()].lines().skip(1).all(is_deeper)
}

/// Returns true if recovery ends a statement that is the first on its line where the plain grammar does. Runs
/// the recovery code itself.
fn ends_where_recovery_does(old: &Parse, range: TextRange) -> bool {
    let text: &str = old.tree.text();
    let (from, to) = (range.start as usize, range.end as usize);
    let line = memchr::memrchr(b'\n', &text.as_bytes()[..from]).map_or(0, |at| at + 1);
    let Some(lexed) = is_first_on_line(text, range.start)
        .then(|| lexer::lex_part(&text[..to], old.language, from, line))
        .flatten()
    else {
        return false;
    };
    let inputs = parser::fragments(&lexed);
    let count = inputs[0].len();
    inputs.len() == 1
        && lexed.errors.is_empty()
        && Layout::new(text, &lexed, &inputs[0], true).end_of_statement(&inputs[0], 0, count) == count
}

/// Like [`statements_follow_indentation`], for the parts of a statement of `container` besides the block `inner`:
/// its head, its end and its other branches.
fn branches_follow_indentation(
    old: &Parse,
    statements: &mut KnownStatements,
    container: &Container<'_>,
    inner: &Container<'_>,
) -> bool {
    let tree = &old.tree;
    let offset_of = |node: &GreenNodeData, start: u32, index: usize| {
        start + node.children().take(index).map(|child| length(&child)).sum::<u32>()
    };
    let mut way = inner.path[container.path.len()..].iter();
    let Some((node, index)) = way.next() else { return true };
    let mut start = offset_of(node, container.start, *index);
    let statement = node.children().nth(*index).map_or(0, |child| length(&child));
    let statement = TextRange::new(start, start + statement);
    let block = TextRange::new(inner.start, inner.start + u32::from(inner.node.text_len()));
    let has_layout = is_first_on_line(tree.text(), statement.start)
        && ends_at_indentation(tree, statement, TextRange::new(statement.start, block.start + 1))
        && ends_at_indentation(tree, statement, TextRange::new(block.end - 1, statement.end));
    has_layout
        && way.all(|(node, index)| {
            let mut at = start;
            let branches = node.children().enumerate().all(|(other, child)| {
                let begin = at;
                at += length(&child);
                other == *index
                    || child
                        .into_node()
                        .is_none_or(|child| branch_follows_indentation(old, statements, child, begin))
            });
            start = offset_of(node, start, *index);
            branches
        })
}

/// Like [`statements_follow_indentation`], for a branch of a conditional or `case`.
fn branch_follows_indentation(
    old: &Parse,
    statements: &mut KnownStatements,
    node: &GreenNodeData,
    start: u32,
) -> bool {
    let text: &str = old.tree.text();
    let range = TextRange::new(start, start + u32::from(node.text_len()));
    match kind_of(node.kind()) {
        BLOCK => {
            let is_on_one_line = memchr::memchr(b'\n', &text.as_bytes()[range.as_range()]).is_none();
            is_on_one_line
                || (is_first_on_line(text, range.end - 1)
                    && statements_follow_indentation(old, statements, node, start, &|_, _| false))
        }
        ELSIF_CLAUSE | ELSE_CLAUSE | CASE_OPTION => {
            let mut at = start;
            node.children().all(|child| {
                let begin = at;
                at += length(&child);
                child
                    .into_node()
                    .is_none_or(|child| branch_follows_indentation(old, statements, child, begin))
            })
        }
        _ => true,
    }
}

/// Returns true if no statement in the containers, except those of the run, could continue the previous one.
pub(super) fn are_separate(containers: &[Container<'_>], run: &StatementRun) -> bool {
    containers.iter().enumerate().all(|(depth, container)| {
        let is_innermost = depth + 1 == containers.len();
        let mut after_name = false;
        container.node.children().enumerate().all(|(index, child)| {
            let NodeOrToken::Node(node) = child else { return true };
            let kind = kind_of(node.kind());
            if kind == HEREDOC_BODY {
                return true;
            }
            if is_innermost && (run.first..run.end).contains(&index) {
                return !std::mem::replace(&mut after_name, false);
            }
            let is_separate = !after_name && kind != ERROR && begins_statement(node);
            after_name = kind == QUALIFIED_NAME;
            is_separate
        })
    })
}

/// Returns true if a statement begins with a token that cannot continue the previous one.
fn begins_statement(node: &GreenNodeData) -> bool {
    // These begin with a keyword. There may be thousands of them, so that reading their tokens takes long.
    if matches!(kind_of(node.kind()), CLASS_DEFINITION | DEFINED_TYPE | NODE_DEFINITION | IF_EXPR | CASE_EXPR)
    {
        return true;
    }
    let mut first = Vec::new();
    first_tokens(NodeOrToken::Node(node), &mut 0, &mut first);
    first.first().is_none_or(|(kind, _)| {
        !matches!(kind, MINUS | STAR | L_BRACE | L_BRACK | L_PAREN | REGEX | DOT | PIPE | COMMA)
            && grammar::starts_expression(*kind)
    })
}

pub(super) fn is_first_on_line(text: &str, offset: u32) -> bool {
    let before = text.as_bytes()[..offset as usize].iter().rev();
    before.copied().find(|byte| !matches!(byte, b' ' | b'\t')).is_none_or(|byte| byte == b'\n')
}

/// Returns true if the lines in `part` of the statement at `range` are indented deeper than the statement or
/// begin with a closing token.
fn ends_at_indentation(tree: &Tree, range: TextRange, part: TextRange) -> bool {
    let text: &str = tree.text();
    let bytes = text.as_bytes();
    let mut line_breaks = memchr::memchr_iter(b'\n', &bytes[part.as_range()]).peekable();
    if line_breaks.peek().is_none() {
        return true;
    }
    if !is_first_on_line(text, range.start) {
        return false;
    }
    let own = layout::indentation_of(text, range.start);
    line_breaks.all(|at| {
        let line = &bytes[part.start as usize + at + 1..part.end as usize];
        is_deeper_or_closes(line, own) || is_within_token(tree, part.start + at as u32)
    })
}

/// Returns true if a line is indented deeper than `own` or begins with a closing token.
fn is_deeper_or_closes(line: &[u8], own: u32) -> bool {
    let mut indentation = 0;
    let mut rest = line;
    while let [blank @ (b' ' | b'\t'), following @ ..] = rest {
        indentation += layout::width(*blank);
        if indentation > own {
            return true;
        }
        rest = following;
    }
    match rest.first() {
        None | Some(b'\n' | b'\r' | b'#') => true,
        Some(b'}' | b')' | b']' | b'{') => indentation + 1 >= own,
        Some(b'e') if rest.starts_with(b"else") || rest.starts_with(b"elsif") => indentation + 1 >= own,
        Some(_) => false,
    }
}

/// Returns true if the line break at this offset is inside a string, a comment or a heredoc.
fn is_within_token(tree: &Tree, offset: u32) -> bool {
    tree.root().token_of_byte(offset).is_some_and(|token| token.kind() != WHITESPACE)
}
