//! The way back from the cursor, bracket by bracket. What is behind the cursor plays no part in it, so that it does not
//! matter how broken that is.

use syntax::{SyntaxKind, SyntaxKind::*, SyntaxNode, SyntaxToken, TextRange};

/// What stands directly in one pair of brackets in front of the cursor, the nearest first. Balanced brackets are one step.
pub(super) struct BracketLevel {
    pub(super) steps: Vec<BracketStep>,
    /// The bracket that is open here; `None` outside of all.
    pub(super) opener: Option<SyntaxToken>,
}

#[derive(Clone)]
pub(super) enum BracketStep {
    Token(SyntaxToken),
    /// From an opening bracket or quote to its closing one.
    Group {
        open: SyntaxToken,
        close: SyntaxToken,
    },
}

/// Longer ones are not walked through: whoever writes thousands of elements into one list is not typing them.
const MAX_STEPS: usize = 20_000;

impl BracketStep {
    /// The token it ends with.
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
    /// The level that an offset, at which a token begins or no token is, lies in.
    pub(super) fn before(root: &SyntaxNode, offset: u32) -> BracketLevel {
        BracketLevel::from(root.tokens_at(offset).find(|token| token.text_range().start < offset))
    }

    /// The level that ends in front of a token.
    pub(super) fn before_token(token: &SyntaxToken) -> BracketLevel {
        BracketLevel::from(token.prev_token())
    }

    /// The level around the bracket that is open in this one.
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
                // The text of a heredoc stands between the lines; where it is used says `@(...)`.
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

    /// The steps up to the nearest token of one of these kinds, without it.
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

/// The bracket that a closing one closes.
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

/// Among tokens of which the parser has made no tree.
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

/// The names in front of an arrow, directly in the braces around an offset, in front of it and behind it, up to a `;`.
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

/// The range between two tokens' edges.
pub(super) fn between(start: u32, end: u32) -> TextRange {
    TextRange::new(start.min(end), end)
}
