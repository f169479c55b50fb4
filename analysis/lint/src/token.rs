//! Token list of a manifest, including whitespace, line breaks and the parts of strings.
//!
//! Text is tokenized like in puppet-lint, because its checks depend on that: a variable includes the accesses
//! that directly follow it, a name before `(` is a function, and a string with interpolations is split into
//! the parts between them.

/// Kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    Newline,
    /// Whitespace at the beginning of a line.
    Indent,
    /// Whitespace elsewhere.
    Whitespace,
    Comment,
    /// `// …`, which is not a comment in Puppet.
    SlashComment,
    BlockComment,
    Name,
    /// A name or keyword directly before `(`.
    FunctionName,
    ClassRef,
    /// One of Puppet's data types.
    Type,
    Variable,
    /// A variable in a string, without braces.
    UnenclosedVariable,
    Number,
    /// A double-quoted string without interpolation.
    DoubleQuoted,
    SingleQuoted,
    /// The part from the quote to the first interpolation.
    StringStart,
    /// The part between two interpolations.
    StringMiddle,
    /// The part from the last interpolation to the quote.
    StringEnd,
    HeredocOpen,
    Heredoc,
    HeredocStart,
    HeredocMiddle,
    HeredocEnd,
    Regex,
    LeftBracket,
    RightBracket,
    LeftBrace,
    RightBrace,
    LeftParen,
    RightParen,
    Equal,
    EqualEqual,
    NotEqual,
    Match,
    NoMatch,
    GreaterEqual,
    Greater,
    LessEqual,
    Less,
    FatArrow,
    PlusArrow,
    ShiftLeft,
    ShiftRight,
    Before,
    Notify,
    Require,
    Subscribe,
    Question,
    Pipe,
    At,
    Colon,
    Comma,
    Dot,
    Semicolon,
    Not,
    Plus,
    Minus,
    /// Operators that no check needs to distinguish.
    Operator,
    Case,
    Class,
    Default,
    Define,
    If,
    Elsif,
    Inherits,
    Node,
    Undef,
    True,
    False,
    Unless,
    Function,
    /// Keywords that no check needs to distinguish.
    Keyword,
    /// Invalid text.
    Unknown,
}

impl TokenKind {
    /// Returns true for whitespace, line breaks and comments.
    pub(crate) fn is_formatting(self) -> bool {
        matches!(
            self,
            TokenKind::Newline
                | TokenKind::Indent
                | TokenKind::Whitespace
                | TokenKind::Comment
                | TokenKind::SlashComment
                | TokenKind::BlockComment
        )
    }

    /// Returns true for whitespace and line breaks.
    pub(crate) fn is_blank(self) -> bool {
        matches!(self, TokenKind::Newline | TokenKind::Indent | TokenKind::Whitespace)
    }

    pub(crate) fn is_comment(self) -> bool {
        matches!(self, TokenKind::Comment | TokenKind::SlashComment | TokenKind::BlockComment)
    }

    pub(crate) fn is_variable(self) -> bool {
        matches!(self, TokenKind::Variable | TokenKind::UnenclosedVariable)
    }

    fn opening(self) -> bool {
        matches!(self, TokenKind::LeftBrace | TokenKind::LeftBracket | TokenKind::LeftParen)
    }

    fn closing(self) -> bool {
        matches!(self, TokenKind::RightBrace | TokenKind::RightBracket | TokenKind::RightParen)
    }

    /// Returns the matching kind of bracket.
    pub(crate) fn counterpart(self) -> TokenKind {
        match self {
            TokenKind::LeftBrace => TokenKind::RightBrace,
            TokenKind::RightBrace => TokenKind::LeftBrace,
            TokenKind::LeftBracket => TokenKind::RightBracket,
            TokenKind::RightBracket => TokenKind::LeftBracket,
            TokenKind::LeftParen => TokenKind::RightParen,
            TokenKind::RightParen => TokenKind::LeftParen,
            other => other,
        }
    }
}

/// Token with byte offsets and its 1-based line and column; columns are in characters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StyleToken {
    pub(crate) kind: TokenKind,
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Range of the text between the quotes, after the `$` or after the `#`.
    pub(crate) value_start: u32,
    pub(crate) value_end: u32,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// Tokens of a text. A token is identified by its index.
#[derive(Debug)]
pub(crate) struct Tokens<'t> {
    text: &'t str,
    list: Vec<StyleToken>,
    /// For each token, the preceding one that is not formatting.
    previous_code: Vec<Option<u32>>,
    /// For each token, the following one that is not formatting.
    next_code: Vec<Option<u32>>,
    /// For each bracket, the matching one.
    partners: Vec<Option<u32>>,
}

impl<'t> Tokens<'t> {
    pub(crate) fn new(text: &'t str, list: Vec<StyleToken>) -> Tokens<'t> {
        let code_before = |seen: &mut Option<u32>, index: usize, token: &StyleToken| {
            let answer = *seen;
            if !token.kind.is_formatting() {
                *seen = Some(index as u32);
            }
            answer
        };
        let mut seen = None;
        let previous_code =
            list.iter().enumerate().map(|(index, it)| code_before(&mut seen, index, it)).collect();
        let mut seen = None;
        let mut next_code: Vec<_> =
            list.iter().enumerate().rev().map(|(index, it)| code_before(&mut seen, index, it)).collect();
        next_code.reverse();
        let partners = partners(&list);
        Tokens { text, list, previous_code, next_code, partners }
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn indexes(&self) -> std::ops::Range<usize> {
        0..self.list.len()
    }

    pub(crate) fn get(&self, index: usize) -> &StyleToken {
        &self.list[index]
    }

    pub(crate) fn kind(&self, index: usize) -> TokenKind {
        self.list[index].kind
    }

    /// Returns the kind of an optional token.
    pub(crate) fn kind_of(&self, index: Option<usize>) -> Option<TokenKind> {
        index.map(|index| self.kind(index))
    }

    pub(crate) fn line(&self, index: usize) -> u32 {
        self.list[index].line
    }

    pub(crate) fn value(&self, index: usize) -> &'t str {
        let token = &self.list[index];
        &self.text[token.value_start as usize..token.value_end as usize]
    }

    /// Returns the source text of a token.
    pub(crate) fn source(&self, index: usize) -> &'t str {
        let token = &self.list[index];
        &self.text[token.start as usize..token.end as usize]
    }

    /// Returns the width of a token in characters.
    pub(crate) fn width(&self, index: usize) -> u32 {
        self.source(index).chars().count() as u32
    }

    pub(crate) fn next(&self, index: usize) -> Option<usize> {
        (index + 1 < self.list.len()).then_some(index + 1)
    }

    pub(crate) fn previous(&self, index: usize) -> Option<usize> {
        index.checked_sub(1)
    }

    pub(crate) fn next_code(&self, index: usize) -> Option<usize> {
        self.next_code[index].map(|it| it as usize)
    }

    pub(crate) fn previous_code(&self, index: usize) -> Option<usize> {
        self.previous_code[index].map(|it| it as usize)
    }

    pub(crate) fn next_code_kind(&self, index: usize) -> Option<TokenKind> {
        self.kind_of(self.next_code(index))
    }

    pub(crate) fn previous_code_kind(&self, index: usize) -> Option<TokenKind> {
        self.kind_of(self.previous_code(index))
    }

    /// Returns the next token that is neither whitespace nor a line break; it may be a comment.
    pub(crate) fn next_solid(&self, index: usize) -> Option<usize> {
        (index + 1..self.len()).find(|&it| !self.kind(it).is_blank())
    }

    pub(crate) fn previous_solid(&self, index: usize) -> Option<usize> {
        (0..index).rev().find(|&it| !self.kind(it).is_blank())
    }

    /// Returns the matching bracket.
    pub(crate) fn partner(&self, index: usize) -> Option<usize> {
        self.partners[index].map(|it| it as usize)
    }

    /// Returns the first `{` after `index` that is not within other brackets, and its `}`.
    ///
    /// The search is limited to 1024 tokens, which is enough for the head of a definition.
    pub(crate) fn block_after(&self, index: usize) -> Option<(usize, usize)> {
        let mut at = index + 1;
        for _ in 0..1024 {
            match self.list.get(at)?.kind {
                TokenKind::LeftBrace => return Some((at, self.partner(at)?)),
                TokenKind::LeftParen | TokenKind::LeftBracket => at = self.partner(at)?,
                TokenKind::RightBrace | TokenKind::RightParen | TokenKind::RightBracket => return None,
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// Returns the next token of these kinds after `index` that is not within brackets opened after `index`;
    /// `None` if such brackets are unterminated.
    pub(crate) fn next_of(&self, index: usize, wanted: &[TokenKind]) -> Option<usize> {
        self.outside_brackets(index + 1..self.len(), wanted, TokenKind::opening)
    }

    /// Returns the preceding token of these kinds, like [`Tokens::next_of`].
    pub(crate) fn previous_of(&self, index: usize, wanted: &[TokenKind]) -> Option<usize> {
        self.outside_brackets((0..index).rev(), wanted, TokenKind::closing)
    }

    fn outside_brackets(
        &self,
        mut indexes: impl Iterator<Item = usize>,
        wanted: &[TokenKind],
        begins: impl Fn(TokenKind) -> bool,
    ) -> Option<usize> {
        let mut open: Vec<TokenKind> = Vec::new();
        indexes.find(|&at| {
            let kind = self.kind(at);
            if open.last() == Some(&kind) {
                open.pop();
                return false;
            }
            if open.is_empty() && wanted.contains(&kind) {
                return true;
            }
            if begins(kind) {
                open.push(kind.counterpart());
            }
            false
        })
    }

    pub(crate) fn is_single_space(&self, index: usize) -> bool {
        self.kind(index) == TokenKind::Whitespace && self.source(index) == " "
    }

    /// Returns the indexes of all tokens of a kind.
    pub(crate) fn of(&self, kind: TokenKind) -> impl Iterator<Item = usize> {
        self.indexes().filter(move |&it| self.kind(it) == kind)
    }
}

fn partners(list: &[StyleToken]) -> Vec<Option<u32>> {
    let mut partners = vec![None; list.len()];
    let mut open: [Vec<usize>; 3] = Default::default();
    for (at, token) in list.iter().enumerate() {
        let slot = match token.kind {
            TokenKind::LeftBrace | TokenKind::RightBrace => 0,
            TokenKind::LeftBracket | TokenKind::RightBracket => 1,
            TokenKind::LeftParen | TokenKind::RightParen => 2,
            _ => continue,
        };
        if token.kind.opening() {
            open[slot].push(at);
        } else if let Some(partner) = open[slot].pop() {
            partners[at] = Some(partner as u32);
            partners[partner] = Some(at as u32);
        }
    }
    partners
}
