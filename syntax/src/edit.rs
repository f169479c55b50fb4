//! Parsing again after an edit: the smallest run of statements around it that stands alone is read, and the rest of the green
//! tree is taken over.
//!
//! What comes out is equal to what [`crate::parse`] makes of the new text; where that is not certain, nothing comes out, and the
//! whole text is read. A run of statements stands alone where the tokens in front of it and behind it stay what they were: it is
//! lexed from the start of a statement up to the start of one behind the edit, and parsed plainly with the next tokens in sight.

use std::sync::Arc;

use rowan::{GreenNode, GreenNodeData, NodeOrToken};

use crate::lexer::{self, Lexed, Suspect, Token};
use crate::parser::{self, Fragment, Input, Parser};
use crate::recovery::{Inside, Layout, Recovery, layout};
use crate::tree::{GreenElement, Tree, kind_of};
use crate::{Diagnostic, Language, Parse, Severity, SyntaxKind, SyntaxKind::*, TextRange, grammar};

/// Below that many nodes runs are tried; nothing there comes near the limits of depth.
const MAX_DEPTH: usize = 60;
/// So many runs are tried, from the inside out, none larger than this.
const MAX_TRIES: usize = 4;
const MAX_RUN: u32 = 256 * 1024;
/// The parser looks no further ahead.
const LOOKAHEAD: usize = 5;

/// The tree of `text`, made of that of an older text, and how many tokens were read for it; `None` where it has to be made anew.
pub(crate) fn edited(old: &Parse, text: &Arc<str>) -> Option<(Parse, usize)> {
    let is_in_doubt = |error: &Diagnostic| {
        matches!(error.code, "heredoc-in-string" | "byte-order-mark" | "nesting-too-deep")
            || (error.severity == Severity::Error && is_about_an_end(error.code))
    };
    if old.language == Language::Epp
        || text.len() >= u32::MAX as usize
        || text.starts_with('\u{feff}')
        || old.all_errors.iter().any(is_in_doubt)
        || (old.has_errors() && !old.suspects.is_empty())
    {
        return None;
    }
    let change = Change::between(old.tree.text(), text)?;
    // What was broken is read again, too.
    let broken = old.all_errors.iter().filter(|error| error.severity == Severity::Error);
    let touched = broken.fold(change.old, |touched, error| touched.cover(error.range));
    let containers = containers(old.tree.green(), touched);
    for depth in (0..containers.len()).rev().take(MAX_TRIES) {
        let container = &containers[depth];
        let Some(run) = Run::around(container, touched, old.tree.text()) else { continue };
        if run.old.len() > MAX_RUN {
            return None;
        }
        let Some(mut lexed) = run.lex(text, old.language, &change) else { continue };
        let read = match run.read(text, &mut lexed, None) {
            // What was broken may have kept apart what the plain grammar takes together.
            Reading::Fits(_) if old.has_errors() && !stand_apart(&containers[..=depth], &run) => continue,
            Reading::Fits(read) => read,
            Reading::Refused if is_local(old, &change, text, &run, &containers[..=depth]) => {
                match run.read(text, &mut lexed, Some(container)) {
                    Reading::Fits(read) => read,
                    _ => continue,
                }
            }
            _ => continue,
        };
        let suspects = run.moved_suspects(&old.suspects, &change, &lexed.suspects);
        let mut errors = run.moved_errors(&old.all_errors, &change, lexed.errors);
        errors.extend(read.errors);
        if errors.iter().any(|error| error.severity == Severity::Error) && !suspects.is_empty() {
            return None;
        }
        let (errors, all_errors) = crate::causes(text, errors);
        let mut node = container.node.splice_children(run.first..run.end, read.elements);
        for (parent, index) in container.path.iter().rev() {
            node = parent.replace_child(*index, NodeOrToken::Node(node));
        }
        let tree = Tree::new(node, text.clone());
        let parse = Parse { tree, errors, all_errors, suspects, language: old.language };
        return Some((parse, lexed.own));
    }
    None
}

/// Is the error about something that never ends, so that it concerns all that follows?
fn is_about_an_end(code: &str) -> bool {
    code.starts_with("unclosed-") || code.starts_with("heredoc") || code.starts_with("epp")
}

/// What an edit replaced, and by what.
struct Change {
    old: TextRange,
    new: TextRange,
}

impl Change {
    /// The smallest change that makes the one text the other; `None` where they are the same.
    fn between(old: &str, new: &str) -> Option<Change> {
        let (old, new) = (old.as_bytes(), new.as_bytes());
        let start = common_prefix(old, new);
        if start == old.len() && start == new.len() {
            return None;
        }
        let most = old.len().min(new.len()) - start;
        let end = common_suffix(&old[old.len() - most..], &new[new.len() - most..]);
        let range = |length: usize| TextRange::new(start as u32, (length - end) as u32);
        Some(Change { old: range(old.len()), new: range(new.len()) })
    }

    /// Where an offset behind the change is in the new text.
    fn moved(&self, offset: u32) -> u32 {
        offset - self.old.end + self.new.end
    }
}

/// So many bytes are compared at once.
const CHUNK: usize = 1024;

fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    let chunks = a.chunks_exact(CHUNK).zip(b.chunks_exact(CHUNK)).take_while(|(a, b)| a == b).count() * CHUNK;
    chunks + a[chunks..].iter().zip(&b[chunks..]).take_while(|(a, b)| a == b).count()
}

fn common_suffix(a: &[u8], b: &[u8]) -> usize {
    let chunks =
        a.rchunks_exact(CHUNK).zip(b.rchunks_exact(CHUNK)).take_while(|(a, b)| a == b).count() * CHUNK;
    let (a, b) = (&a[..a.len() - chunks], &b[..b.len() - chunks]);
    chunks + a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count()
}

/// A node that holds statements: the file, or a block.
struct Container<'g> {
    node: &'g GreenNodeData,
    start: u32,
    /// The nodes above it, from the root on, each with the number of the child that leads to it.
    path: Vec<(&'g GreenNodeData, usize)>,
}

impl Container<'_> {
    /// What recovery knows when it reads statements here.
    fn recovery(&self, layout: Layout) -> Recovery {
        let owner = self.path.last().map(|(node, _)| kind_of(node.kind()));
        let inside = match owner {
            Some(IF_EXPR | ELSIF_CLAUSE | UNLESS_EXPR) => Inside::ConditionalBlock,
            _ => Inside::Block,
        };
        Recovery::within(layout, inside)
    }
}

fn length(element: &NodeOrToken<&GreenNodeData, &rowan::GreenTokenData>) -> u32 {
    match element {
        NodeOrToken::Node(node) => node.text_len().into(),
        NodeOrToken::Token(token) => token.text_len().into(),
    }
}

/// The nodes with statements that hold `range` between their braces, from the root on.
fn containers(root: &GreenNode, range: TextRange) -> Vec<Container<'_>> {
    let mut found = Vec::new();
    let mut path: Vec<(&GreenNodeData, usize)> = Vec::new();
    let (mut node, mut start): (&GreenNodeData, u32) = (root, 0);
    loop {
        if matches!(kind_of(node.kind()), SOURCE_FILE | BLOCK) {
            found.push(Container { node, start, path: path.clone() });
        }
        let mut at = start;
        let inner = node.children().enumerate().find_map(|(index, child)| {
            let begin = at;
            at += length(&child);
            let child = child.into_node().filter(|_| begin < range.start && range.end < at)?;
            Some((index, child, begin))
        });
        match inner {
            Some((index, child, begin)) if path.len() < MAX_DEPTH => {
                path.push((node, index));
                (node, start) = (child, begin);
            }
            _ => return found,
        }
    }
}

/// A run of statements in a container, and what stands between and behind them.
struct Run {
    /// The first of its elements among the container's children, and one behind the last.
    first: usize,
    end: usize,
    /// Where it stood in the old text.
    old: TextRange,
    /// The tokens that follow, in the old text.
    behind: Vec<(SyntaxKind, TextRange)>,
}

/// What became of a run.
enum Reading {
    Fits(Read),
    /// The plain grammar refuses the whole text, whatever follows.
    Refused,
    /// It does not stand alone.
    Open,
}

struct Read {
    elements: Vec<GreenElement>,
    errors: Vec<Diagnostic>,
}

impl Run {
    /// The smallest run that holds what is `touched`, and on both sides of it enough for what is outside to stay what it was.
    fn around(container: &Container<'_>, touched: TextRange, text: &str) -> Option<Run> {
        let is_block = kind_of(container.node.kind()) == BLOCK;
        let interior = usize::from(is_block);
        let mut first = (interior, container.start + interior as u32);
        let mut before_first = None;
        let mut behind = None;
        let mut at = container.start;
        let mut last = (0, container.start);
        for (index, child) in container.node.children().enumerate() {
            let start = at;
            at += length(&child);
            last = (index, start);
            let NodeOrToken::Node(node) = child else { continue };
            if matches!(kind_of(node.kind()), HEREDOC_BODY | ERROR) {
                continue;
            }
            if start < touched.start {
                if index != interior && !is_first_on_line(text, start) {
                    continue;
                }
                before_first = Some(first);
                first = (index, start);
                // While its first two tokens stay, nothing in front of the statement can take them.
                if touched.start > start + length_of_tokens(node, 2) {
                    before_first = None;
                }
            } else if start > touched.end {
                behind = Some((index, start));
                break;
            }
        }
        let first = before_first.unwrap_or(first);
        let end = match behind {
            Some(end) => end,
            None if is_block => last,
            None => (container.node.children().len(), at),
        };
        if is_block && behind.is_none() {
            let closer = container.node.children().last()?;
            if closer.into_token().map(|it| kind_of(it.kind())) != Some(R_BRACE) || end.1 < touched.end {
                return None;
            }
        }
        let mut tokens = Vec::new();
        let mut at = end.1;
        for child in container.node.children().skip(end.0).take(2 * LOOKAHEAD) {
            first_tokens(child, &mut at, &mut tokens);
        }
        Some(Run { first: first.0, end: end.0, old: TextRange::new(first.1, end.1), behind: tokens })
    }

    /// The tokens of the run in the new text, and those that follow; `None` where it cannot be lexed alone.
    fn lex(&self, text: &str, language: Language, change: &Change) -> Option<RunTokens> {
        let (from, to) = (self.old.start as usize, change.moved(self.old.end) as usize);
        let line = memchr::memrchr2(b'\n', b'\r', &text.as_bytes()[..from]).map_or(0, |at| at + 1);
        // The text of a heredoc that begins in front may stand in the run.
        if memchr::memmem::find(&text.as_bytes()[line..from], b"@(").is_some() {
            return None;
        }
        let follows_blank = || text[..to].ends_with([' ', '\t', '\n', '}', ';']);
        match self.behind.first().map(|(kind, _)| *kind) {
            None | Some(R_BRACE) => {}
            // What these are depends on what stands before them.
            Some(REGEX | L_PAREN | LINE_START_PAREN | L_BRACK | L_BRACE) => return None,
            Some(_) if !follows_blank() => return None,
            Some(_) => {}
        }
        let mut lexed = lexer::lex_part(&text[..to], language, from, line)?;
        let ends_in_comment = lexed.tokens.iter().rev().nth(1).is_some_and(|token| token.kind == COMMENT);
        let is_in_doubt = |error: &Diagnostic| {
            matches!(error.code, "heredoc-in-string" | "byte-order-mark" | "nesting-too-deep")
                || (error.severity == Severity::Error && is_about_an_end(error.code))
        };
        if lexed.errors.iter().any(is_in_doubt) || (ends_in_comment && !self.behind.is_empty()) {
            return None;
        }
        let (errors, suspects) = (std::mem::take(&mut lexed.errors), std::mem::take(&mut lexed.suspects));
        let mut inputs = parser::fragments(&lexed);
        let count = inputs[0].len();
        let own = lexed.tokens.len() - 1;
        for (kind, range) in &self.behind {
            inputs[0].push(Input { kind: *kind, token: lexed.tokens.len() as u32 });
            lexed.tokens.push(Token { kind: *kind, start: change.moved(range.start) });
            lexed.tokens.push(Token { kind: WHITESPACE, start: change.moved(range.end) });
        }
        Some(RunTokens { lexed, own, inputs, count, errors, suspects })
    }

    /// Reads the run plainly, or with recovery where its container is given.
    fn read(&self, text: &str, tokens: &mut RunTokens, recovers_in: Option<&Container<'_>>) -> Reading {
        let RunTokens { lexed, own, inputs, count, .. } = tokens;
        let count = *count;
        let mut events = Vec::with_capacity(inputs.len());
        let mut errors = Vec::new();
        for (index, input) in inputs.iter().enumerate() {
            let recovery = recovers_in.map(|container| match index {
                0 => container.recovery(Layout::new(text, lexed, input, true)),
                _ => Recovery::new(Layout::unknown()),
            });
            let mut parser = Parser::new(text, lexed, input, recovery);
            if index == 0 {
                grammar::statements_up_to(&mut parser, count);
            } else {
                grammar::heredoc_body(&mut parser);
            }
            if !self.behind.is_empty()
                && parser.recovery_ref().is_some_and(|it| it.layout.has_looked_behind())
            {
                return Reading::Open;
            }
            let expected = if index == 0 { count } else { input.len() };
            match parser.finish_part(expected) {
                Ok((read, found)) => {
                    events.push(read);
                    errors.extend(found);
                }
                Err(at) if index > 0 || at < count || !is_balanced(&input[..count]) => {
                    return Reading::Refused;
                }
                Err(_) => return Reading::Open,
            }
        }
        if recovers_in.is_some() && errors.is_empty() {
            return Reading::Open;
        }
        let behind = lexed.tokens.split_off(*own);
        lexed.tokens.push(Token { kind: EOF, ..behind[0] });
        let first_inputs = inputs[0].split_off(count);
        let mut fragments: Vec<_> =
            inputs.iter().zip(events).map(|(input, events)| Fragment { input, events }).collect();
        let (root, too_deep) = parser::build_tree(text, lexed, &mut fragments, MAX_DEPTH);
        drop(first_inputs);
        if too_deep.is_some() {
            return Reading::Open;
        }
        Reading::Fits(Read { elements: root.children().map(NodeOrToken::to_owned).collect(), errors })
    }

    /// The errors outside of the run, moved, and those that the lexer found in it.
    fn moved_errors(&self, old: &[Diagnostic], change: &Change, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let is_outside = |error: &&Diagnostic| error.severity != Severity::Error;
        let outside = || old.iter().filter(is_outside);
        let mut errors: Vec<Diagnostic> =
            outside().filter(|error| error.range.start < self.old.start).cloned().collect();
        errors.extend(found);
        let moved = |range: TextRange| match range.start >= self.old.end {
            true => TextRange::new(change.moved(range.start), change.moved(range.end)),
            false => range,
        };
        errors.extend(outside().filter(|error| error.range.start >= self.old.end).map(|error| Diagnostic {
            range: moved(error.range),
            related: error.related.iter().map(|(range, text)| (moved(*range), text.clone())).collect(),
            ..error.clone()
        }));
        errors
    }

    /// The same for what may have lost its end.
    fn moved_suspects(&self, old: &Arc<[Suspect]>, change: &Change, found: &[Suspect]) -> Arc<[Suspect]> {
        if old.is_empty() && found.is_empty() {
            return old.clone();
        }
        let before = old.iter().filter(|it| it.offset() < self.old.start).copied();
        let behind = old.iter().filter(|it| it.offset() >= self.old.end);
        let behind = behind.map(|it| it.at(change.moved(it.offset())));
        let mut suspects: Vec<Suspect> = before.chain(found.iter().copied()).chain(behind).collect();
        suspects.sort_unstable();
        suspects.dedup();
        suspects.into()
    }
}

/// The tokens of a run.
struct RunTokens {
    lexed: Lexed,
    /// How many of the tokens are the run's; the others follow it.
    own: usize,
    inputs: Vec<Vec<Input>>,
    /// How many the grammar sees of its own.
    count: usize,
    errors: Vec<Diagnostic>,
    suspects: Vec<Suspect>,
}

fn is_balanced(input: &[Input]) -> bool {
    let mut depth = 0i64;
    for token in input {
        match token.kind {
            L_PAREN | LINE_START_PAREN | L_BRACK | LIST_START | L_BRACE | SELECTOR_BRACE => depth += 1,
            R_PAREN | R_BRACK | R_BRACE => depth -= 1,
            _ => {}
        }
    }
    depth == 0
}

/// Does recovery read nothing but the run of the innermost container otherwise than the plain grammar read it? True where the
/// layout tells where each statement around it ends.
fn is_local(old: &Parse, change: &Change, text: &str, run: &Run, containers: &[Container<'_>]) -> bool {
    let Some(innermost) = containers.last() else { return false };
    let old_text: &str = old.tree.text();
    let kinds = innermost.path.iter().map(|(node, _)| kind_of(node.kind()));
    let are_plain = kinds.chain([kind_of(innermost.node.kind())]).all(|kind| {
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
    });
    if !are_plain || !layout::is_neat(text, old.language) {
        return false;
    }
    // What is not closed in the run must not seem to be closed by what closes around it.
    let mut around = None;
    let indentation_at = |offset: u32| layout::indentation_of(old_text, offset);
    for container in containers.iter().filter(|container| kind_of(container.node.kind()) == BLOCK) {
        let closer = container.start + u32::from(container.node.text_len()) - 1;
        if !is_first_on_line(old_text, closer) || around.is_some_and(|it| indentation_at(closer) <= it + 1) {
            return false;
        }
        around = Some(indentation_at(closer));
    }
    let new = &text[run.old.start as usize..change.moved(run.old.end) as usize];
    let is_deeper = |line: &str| {
        line.trim().is_empty() || around.is_none_or(|it| layout::indentation(line.as_bytes().iter()) > it + 1)
    };
    let is_first_deeper = around.is_none_or(|it| indentation_at(run.old.start) > it + 1);
    if !(is_first_on_line(old_text, run.old.start) && is_first_deeper && new.lines().skip(1).all(is_deeper)) {
        return false;
    }
    let behind = run.old.end;
    if !run.behind.is_empty() {
        let moved = change.moved(behind);
        let stays = is_first_on_line(text, moved)
            && layout::indentation_of(text, moved) == indentation_at(behind)
            && is_first_on_line(old_text, behind);
        if !stays {
            return false;
        }
    }
    containers.iter().enumerate().all(|(depth, container)| {
        let inner = containers.get(depth + 1);
        let way = inner.map(|inner| inner.path[container.path.len()].1);
        let is_read_again = |index: usize, range: TextRange| {
            way == Some(index) || (inner.is_none() && run.old.contains_range(range))
        };
        statements_are_laid_out(old_text, container.node, container.start, &is_read_again)
            && inner.is_none_or(|inner| surroundings_are_laid_out(old_text, container, inner))
    })
}

/// Does each statement of a file or block that is not `spared` (by its number among the children, and its place) lie deeper than
/// what holds it, with its own lines deeper than itself?
fn statements_are_laid_out(
    text: &str,
    node: &GreenNodeData,
    start: u32,
    spared: &dyn Fn(usize, TextRange) -> bool,
) -> bool {
    let closer = start + u32::from(node.text_len()).saturating_sub(1);
    let around = (kind_of(node.kind()) == BLOCK).then(|| layout::indentation_of(text, closer));
    let mut at = start;
    node.children().enumerate().all(|(index, child)| {
        let range = TextRange::new(at, at + length(&child));
        at = range.end;
        let kind = kind_of(child.kind());
        if kind.is_trivia() || matches!(kind, HEREDOC_BODY | L_BRACE | R_BRACE) {
            return true;
        }
        // A line that is not deeper than what holds it would end that.
        let is_inside = around.is_none_or(|around| {
            !is_first_on_line(text, range.start) || layout::indentation_of(text, range.start) > around + 1
        });
        is_inside && (kind.is_token() || spared(index, range) || ends_as_laid_out(text, range, range))
    })
}

/// The same for what a statement of `container` holds beside the block `inner`: its head, its end, its other branches.
fn surroundings_are_laid_out(text: &str, container: &Container<'_>, inner: &Container<'_>) -> bool {
    let offset_of = |node: &GreenNodeData, start: u32, index: usize| {
        start + node.children().take(index).map(|child| length(&child)).sum::<u32>()
    };
    let mut way = inner.path[container.path.len()..].iter();
    let Some((node, index)) = way.next() else { return true };
    let mut start = offset_of(node, container.start, *index);
    let statement = node.children().nth(*index).map_or(0, |child| length(&child));
    let statement = TextRange::new(start, start + statement);
    let block = TextRange::new(inner.start, inner.start + u32::from(inner.node.text_len()));
    let is_laid_out = is_first_on_line(text, statement.start)
        && ends_as_laid_out(text, statement, TextRange::new(statement.start, block.start + 1))
        && ends_as_laid_out(text, statement, TextRange::new(block.end - 1, statement.end));
    is_laid_out
        && way.all(|(node, index)| {
            let mut at = start;
            let branches = node.children().enumerate().all(|(other, child)| {
                let begin = at;
                at += length(&child);
                other == *index
                    || child.into_node().is_none_or(|child| branch_is_laid_out(text, child, begin))
            });
            start = offset_of(node, start, *index);
            branches
        })
}

/// The same for a branch of a condition or case.
fn branch_is_laid_out(text: &str, node: &GreenNodeData, start: u32) -> bool {
    let range = TextRange::new(start, start + u32::from(node.text_len()));
    match kind_of(node.kind()) {
        BLOCK => {
            let is_on_one_line = memchr::memchr(b'\n', &text.as_bytes()[range.as_range()]).is_none();
            is_on_one_line
                || (is_first_on_line(text, range.end - 1)
                    && statements_are_laid_out(text, node, start, &|_, _| false))
        }
        ELSIF_CLAUSE | ELSE_CLAUSE | CASE_OPTION => {
            let mut at = start;
            node.children().all(|child| {
                let begin = at;
                at += length(&child);
                child.into_node().is_none_or(|child| branch_is_laid_out(text, child, begin))
            })
        }
        _ => true,
    }
}

/// Does none of the statements in the containers, those of the run aside, go on with the one before it?
fn stand_apart(containers: &[Container<'_>], run: &Run) -> bool {
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
            let mut first = Vec::new();
            first_tokens(child, &mut 0, &mut first);
            let begins = first.first().is_none_or(|(kind, _)| {
                !matches!(kind, MINUS | STAR | L_BRACE | L_BRACK | L_PAREN | REGEX | DOT | PIPE | COMMA)
                    && grammar::starts_expression(*kind)
            });
            let stands_apart = begins && !after_name && kind != ERROR;
            after_name = kind == QUALIFIED_NAME;
            stands_apart
        })
    })
}

fn is_first_on_line(text: &str, offset: u32) -> bool {
    let before = text.as_bytes()[..offset as usize].iter().rev();
    before.copied().find(|byte| !matches!(byte, b' ' | b'\t')).is_none_or(|byte| byte == b'\n')
}

/// Are the lines in `part` of the statement at `range` indented deeper than the statement, or closing ones?
fn ends_as_laid_out(text: &str, range: TextRange, part: TextRange) -> bool {
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
        let indentation = layout::indentation(line.iter());
        let rest =
            line.iter().position(|byte| !matches!(byte, b' ' | b'\t')).map_or(&[][..], |at| &line[at..]);
        match rest.first() {
            None | Some(b'\n' | b'\r' | b'#') => true,
            Some(b'}' | b')' | b']' | b'{') => indentation + 1 >= own,
            Some(b'e') if rest.starts_with(b"else") || rest.starts_with(b"elsif") => indentation + 1 >= own,
            Some(_) => indentation > own,
        }
    })
}

/// How many bytes the first `count` tokens of a node take that the grammar sees, and what stands between them.
fn length_of_tokens(node: &GreenNodeData, count: usize) -> u32 {
    fn walk(node: &GreenNodeData, left: &mut usize) -> u32 {
        let mut sum = 0;
        for child in node.children() {
            if *left == 0 {
                break;
            }
            sum += match child {
                NodeOrToken::Node(node) => walk(node, left),
                NodeOrToken::Token(token) => {
                    *left -= usize::from(!kind_of(token.kind()).is_trivia());
                    token.text_len().into()
                }
            };
        }
        sum
    }
    let mut left = count;
    walk(node, &mut left)
}

/// Adds the tokens that the grammar sees first in an element that begins `at`, until there are enough; `at` is then behind it.
fn first_tokens(
    element: NodeOrToken<&GreenNodeData, &rowan::GreenTokenData>,
    at: &mut u32,
    tokens: &mut Vec<(SyntaxKind, TextRange)>,
) {
    let end = *at + length(&element);
    match element {
        NodeOrToken::Node(node) if kind_of(node.kind()) != HEREDOC_BODY => {
            for child in node.children() {
                if tokens.len() >= LOOKAHEAD {
                    break;
                }
                first_tokens(child, at, tokens);
            }
        }
        NodeOrToken::Token(token) if tokens.len() < LOOKAHEAD && !kind_of(token.kind()).is_trivia() => {
            tokens.push((kind_of(token.kind()), TextRange::new(*at, end)));
        }
        _ => {}
    }
    *at = end;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Many classes, or one as long as they are together.
    fn manifest(is_one: bool) -> String {
        let resource = "  file { '/x':\n    ensure => file, # as it is\n    mode   => '0644',\n  }\n";
        let class = |number: usize, resources: usize| {
            format!("class a::b{number} (\n  $x = 1,\n) {{\n{}}}\n\n", resource.repeat(resources))
        };
        match is_one {
            true => class(0, 2_500),
            false => (0..400).map(|number| class(number, 5)).collect(),
        }
    }

    /// Types `typed` behind `place`, in the middle of a file of 10,000 lines: only what stands around it may be read.
    fn check(is_one: bool, place: &str, typed: &str) {
        let before = manifest(is_one);
        assert!(before.lines().count() >= 10_000);
        let middle = before.len() / 2;
        let at = middle + before[middle..].find(place).expect("the place") + place.len();
        let after: Arc<str> = [&before[..at], typed, &before[at..]].concat().into();
        let old = crate::parse(&before, Language::Manifest);
        let (new, tokens) = edited(&old, &after).expect("a run that stands alone");
        assert!(tokens < 400, "{tokens} tokens were read for {typed:?} behind {place:?}");
        assert_eq!(new, crate::parse(&after, Language::Manifest));
        let (back, tokens) = edited(&new, old.tree.text()).expect("a run that stands alone");
        assert!(tokens < 400, "{tokens} tokens were read when {typed:?} was taken away");
        assert_eq!(back, old);
    }

    #[test]
    fn a_letter_in_a_large_file_reads_what_it_touches() {
        for is_one in [false, true] {
            check(is_one, "# as", "x");
            check(is_one, "ensu", "x");
            check(is_one, "'/x", "y");
            check(is_one, "  }\n", "  {\n");
            check(is_one, "=> file", " {");
            check(is_one, "  }\n", "  $x = ,\n");
        }
    }
}
