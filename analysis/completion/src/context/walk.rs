//! Backward traversal of the tokens before the cursor, by bracket level. The text after the cursor is
//! ignored, so that syntax errors there do not matter.

use syntax::{SyntaxKind, SyntaxKind::*, SyntaxNode, SyntaxToken, TextRange};

/// Tokens of one bracket level before the cursor, nearest first. Balanced brackets are a single step.
pub(super) struct BracketLevel {
    pub(super) steps: Vec<BracketStep>,
    /// The bracket that is open on this level; `None` at the top level.
    pub(super) opener: Option<SyntaxToken>,
}

#[derive(Clone)]
pub(super) enum BracketStep {
    Token(SyntaxToken),
    /// Everything from an opening bracket or quote to its closing one.
    Group {
        open: SyntaxToken,
        close: SyntaxToken,
    },
}

/// Maximum number of steps on a level; lists with more elements are generated.
const MAX_STEPS: usize = 20_000;

impl BracketStep {
    /// Returns the last token of the step.
    pub(super) fn last(&self) -> &SyntaxToken {
        match self {
            BracketStep::Token(token) => token,
            BracketStep::Group { close, .. } => close,
        }
    }

    pub(super) fn kind(&self) -> SyntaxKind {
        match self {
            BracketStep::Token(token) => token.kind(),
            BracketStep::Group { open, .. } => open.kind(),
        }
    }

    pub(super) fn is(&self, kind: SyntaxKind) -> bool {
        matches!(self, BracketStep::Token(token) if token.kind() == kind)
    }
}

impl BracketLevel {
    /// Returns the level that contains an offset, which must not be inside of a token.
    pub(super) fn before(root: &SyntaxNode, offset: u32) -> BracketLevel {
        BracketLevel::from(root.tokens_at(offset).find(|token| token.text_range().start < offset))
    }

    /// Returns the level that ends before a token.
    pub(super) fn before_token(token: &SyntaxToken) -> BracketLevel {
        BracketLevel::from(token.prev_token())
    }

    /// Returns the level around the open bracket of this one.
    pub(super) fn outer(&self) -> Option<BracketLevel> {
        Some(BracketLevel::before_token(self.opener.as_ref()?))
    }

    fn from(mut token: Option<SyntaxToken>) -> BracketLevel {
        let mut steps = Vec::new();
        while let Some(current) = token {
            if steps.len() >= MAX_STEPS {
                return BracketLevel { steps, opener: None };
            }
            let kind = current.kind();
            if kind.is_trivia() {
                token = current.prev_token();
            } else if let Some(open) = opening_of(&current) {
                token = open.prev_token();
                // The text of a heredoc is between the lines; `@(...)` represents its value.
                if kind != HEREDOC_END {
                    steps.push(BracketStep::Group { open, close: current });
                }
            } else if opens(&current) {
                return BracketLevel { steps, opener: Some(current) };
            } else {
                token = current.prev_token();
                steps.push(BracketStep::Token(current));
            }
        }
        BracketLevel { steps, opener: None }
    }

    /// Returns the steps up to the nearest token of one of these kinds, exclusive.
    pub(super) fn until(&self, kinds: &[SyntaxKind]) -> &[BracketStep] {
        let end = self.steps.iter().position(|step| kinds.iter().any(|kind| step.is(*kind)));
        &self.steps[..end.unwrap_or(self.steps.len())]
    }
}

fn opens(token: &SyntaxToken) -> bool {
    match token.kind() {
        PIPE => token.parent().is_some_and(|it| it.kind() == PARAMETER_LIST),
        kind => matches!(
            kind,
            L_BRACE
                | SELECTOR_BRACE
                | L_PAREN
                | LINE_START_PAREN
                | L_BRACK
                | LIST_START
                | INTERPOLATION_START
                | COLLECT_START
                | EXPORTED_START
                | DQ_START
        ),
    }
}

/// Returns the bracket that matches a closing one.
fn opening_of(close: &SyntaxToken) -> Option<SyntaxToken> {
    let openers: &[SyntaxKind] = match close.kind() {
        R_BRACE => &[L_BRACE, SELECTOR_BRACE],
        R_PAREN => &[L_PAREN, LINE_START_PAREN],
        R_BRACK => &[L_BRACK, LIST_START],
        INTERPOLATION_END => &[INTERPOLATION_START],
        COLLECT_END => &[COLLECT_START],
        EXPORTED_END => &[EXPORTED_START],
        DQ_END => &[DQ_START],
        HEREDOC_END => return close.parent()?.first_token(),
        PIPE => {
            let list = close.parent().filter(|it| it.kind() == PARAMETER_LIST)?;
            return list.first_token().filter(|open| open != close && open.kind() == PIPE);
        }
        _ => return None,
    };
    let parent = close.parent()?;
    if parent.kind() != ERROR {
        let open = parent.tokens().find(|it| openers.contains(&it.kind()));
        if let Some(open) = open.filter(|it| it.text_range().start < close.text_range().start) {
            return Some(open);
        }
    }
    count_back(close, openers)
}

/// Finds the matching bracket among tokens that the parser could not structure.
fn count_back(close: &SyntaxToken, openers: &[SyntaxKind]) -> Option<SyntaxToken> {
    let mut depth = 0usize;
    let mut token = close.prev_token();
    for _ in 0..MAX_STEPS {
        let current = token?;
        if current.kind() == close.kind() {
            depth += 1;
        } else if openers.contains(&current.kind()) {
            match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return Some(current),
            }
        }
        token = current.prev_token();
    }
    None
}

/// Returns the names before arrows on the level of an offset, both before and after the offset, up to a `;`.
pub(super) fn names_before_arrows(root: &SyntaxNode, level: &BracketLevel, offset: u32) -> Vec<String> {
    let mut names = Vec::new();
    let own = level.until(&[SEMICOLON]);
    for pair in own.windows(2) {
        if let [BracketStep::Token(arrow), BracketStep::Token(name)] = pair
            && matches!(arrow.kind(), FAT_ARROW | PLUS_ARROW)
        {
            names.push(name.text().to_owned());
        }
    }
    let mut token = root.tokens_at(offset).find(|token| token.text_range().start >= offset);
    if token.is_none() {
        token = root.tokens_at(offset).last().and_then(|it| it.next_token());
    }
    let mut depth = 0usize;
    let mut last: Option<SyntaxToken> = None;
    for _ in 0..MAX_STEPS {
        let Some(current) = token else { break };
        match current.kind() {
            L_BRACE | SELECTOR_BRACE | L_PAREN | LINE_START_PAREN | L_BRACK | LIST_START
            | INTERPOLATION_START => depth += 1,
            R_BRACE | R_PAREN | R_BRACK | INTERPOLATION_END => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => break,
            },
            // The next title of a resource.
            SEMICOLON | COLON if depth == 0 => break,
            FAT_ARROW | PLUS_ARROW if depth == 0 => {
                names.extend(last.take().map(|name| name.text().to_owned()));
            }
            _ => {}
        }
        if !current.kind().is_trivia() {
            last = Some(current.clone());
        }
        token = current.next_token();
    }
    names
}

/// Returns the range between two offsets, which is empty if they are out of order.
pub(super) fn between(start: u32, end: u32) -> TextRange {
    TextRange::new(start.min(end), end)
}
