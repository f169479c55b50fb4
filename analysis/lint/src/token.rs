//! What a manifest is to a check of style: one list of tokens, blanks, line breaks and the parts of strings included.
//!
//! The tokens are cut as puppet-lint cuts them, whose checks speak of them: a variable holds the accesses written directly
//! behind it, a name before `(` is a function's, a string with interpolations is what stands between them.

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Newline,
    /// The blanks at the beginning of a line.
    Indent,
    /// Other blanks.
    Whitespace,
    Comment,
    /// `// …`, which is none in Puppet.
    SlashComment,
    BlockComment,
    Name,
    /// A name, or a keyword, directly before `(`.
    FunctionName,
    ClassRef,
    /// One of Puppet's own data types.
    Type,
    Variable,
    /// A variable in a string, without braces.
    UnenclosedVariable,
    Number,
    /// In double quotes, without interpolation.
    DoubleQuoted,
    SingleQuoted,
    /// From the quote up to the first interpolation.
    StringStart,
    /// Between two interpolations.
    StringMiddle,
    /// From the last interpolation to the quote.
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
    /// Operators that no check asks for.
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
    /// A keyword that no check asks for.
    Keyword,
    /// What belongs to no language.
    Unknown,
}

impl Kind {
    /// Whether it is blanks, a line break or a comment.
    pub(crate) fn is_formatting(self) -> bool {
        matches!(
            self,
            Kind::Newline
                | Kind::Indent
                | Kind::Whitespace
                | Kind::Comment
                | Kind::SlashComment
                | Kind::BlockComment
        )
    }

    /// Whether it is blanks or a line break.
    pub(crate) fn is_blank(self) -> bool {
        matches!(self, Kind::Newline | Kind::Indent | Kind::Whitespace)
    }

    pub(crate) fn is_comment(self) -> bool {
        matches!(self, Kind::Comment | Kind::SlashComment | Kind::BlockComment)
    }

    pub(crate) fn is_variable(self) -> bool {
        matches!(self, Kind::Variable | Kind::UnenclosedVariable)
    }

    fn opening(self) -> bool {
        matches!(self, Kind::LeftBrace | Kind::LeftBracket | Kind::LeftParen)
    }

    fn closing(self) -> bool {
        matches!(self, Kind::RightBrace | Kind::RightBracket | Kind::RightParen)
    }

    /// The bracket on the other side.
    pub(crate) fn counterpart(self) -> Kind {
        match self {
            Kind::LeftBrace => Kind::RightBrace,
            Kind::RightBrace => Kind::LeftBrace,
            Kind::LeftBracket => Kind::RightBracket,
            Kind::RightBracket => Kind::LeftBracket,
            Kind::LeftParen => Kind::RightParen,
            Kind::RightParen => Kind::LeftParen,
            other => other,
        }
    }
}

/// A token: offsets in bytes, lines and columns from 1, columns in characters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// What is between the quotes, behind the `$`, behind the `#`.
    pub(crate) value_start: u32,
    pub(crate) value_end: u32,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// The tokens of a text. A token is named by its index.
#[derive(Debug)]
pub(crate) struct Tokens<'t> {
    text: &'t str,
    list: Vec<Token>,
    /// For each token the last one before it that is not formatting.
    previous_code: Vec<Option<u32>>,
    /// For each token the first one behind it that is not formatting.
    next_code: Vec<Option<u32>>,
    /// For each bracket the one on its other side.
    partners: Vec<Option<u32>>,
}

impl<'t> Tokens<'t> {
    pub(crate) fn new(text: &'t str, list: Vec<Token>) -> Tokens<'t> {
        let code_before = |seen: &mut Option<u32>, index: usize, token: &Token| {
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

    pub(crate) fn get(&self, index: usize) -> &Token {
        &self.list[index]
    }

    pub(crate) fn kind(&self, index: usize) -> Kind {
        self.list[index].kind
    }

    /// The kind of a token that may not be there.
    pub(crate) fn kind_of(&self, index: Option<usize>) -> Option<Kind> {
        index.map(|index| self.kind(index))
    }

    pub(crate) fn line(&self, index: usize) -> u32 {
        self.list[index].line
    }

    pub(crate) fn value(&self, index: usize) -> &'t str {
        let token = &self.list[index];
        &self.text[token.value_start as usize..token.value_end as usize]
    }

    /// The token as it is written.
    pub(crate) fn source(&self, index: usize) -> &'t str {
        let token = &self.list[index];
        &self.text[token.start as usize..token.end as usize]
    }

    /// How many characters it takes.
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

    pub(crate) fn next_code_kind(&self, index: usize) -> Option<Kind> {
        self.kind_of(self.next_code(index))
    }

    pub(crate) fn previous_code_kind(&self, index: usize) -> Option<Kind> {
        self.kind_of(self.previous_code(index))
    }

    /// The next token that is neither blank nor a line break: a comment counts.
    pub(crate) fn next_solid(&self, index: usize) -> Option<usize> {
        (index + 1..self.len()).find(|&it| !self.kind(it).is_blank())
    }

    pub(crate) fn previous_solid(&self, index: usize) -> Option<usize> {
        (0..index).rev().find(|&it| !self.kind(it).is_blank())
    }

    /// The bracket on the other side.
    pub(crate) fn partner(&self, index: usize) -> Option<usize> {
        self.partners[index].map(|it| it as usize)
    }

    /// The first `{` behind `index` that is not within other brackets, and its `}`. It is looked for in few tokens: what names
    /// a class or asks for a value is not long.
    pub(crate) fn block_behind(&self, index: usize) -> Option<(usize, usize)> {
        let mut at = index + 1;
        for _ in 0..1024 {
            match self.list.get(at)?.kind {
                Kind::LeftBrace => return Some((at, self.partner(at)?)),
                Kind::LeftParen | Kind::LeftBracket => at = self.partner(at)?,
                Kind::RightBrace | Kind::RightParen | Kind::RightBracket => return None,
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// The next token of these kinds behind `index` that is not within brackets that open behind `index`; `None` where such
    /// brackets do not close.
    pub(crate) fn next_of(&self, index: usize, wanted: &[Kind]) -> Option<usize> {
        self.outside_brackets(index + 1..self.len(), wanted, Kind::opening)
    }

    /// The same before `index`.
    pub(crate) fn previous_of(&self, index: usize, wanted: &[Kind]) -> Option<usize> {
        self.outside_brackets((0..index).rev(), wanted, Kind::closing)
    }

    fn outside_brackets(
        &self,
        mut places: impl Iterator<Item = usize>,
        wanted: &[Kind],
        begins: impl Fn(Kind) -> bool,
    ) -> Option<usize> {
        let mut open: Vec<Kind> = Vec::new();
        places.find(|&at| {
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
        self.kind(index) == Kind::Whitespace && self.source(index) == " "
    }

    /// The indexes of all tokens of a kind.
    pub(crate) fn of(&self, kind: Kind) -> impl Iterator<Item = usize> {
        self.indexes().filter(move |&it| self.kind(it) == kind)
    }
}

fn partners(list: &[Token]) -> Vec<Option<u32>> {
    let mut partners = vec![None; list.len()];
    let mut open: [Vec<usize>; 3] = Default::default();
    for (at, token) in list.iter().enumerate() {
        let slot = match token.kind {
            Kind::LeftBrace | Kind::RightBrace => 0,
            Kind::LeftBracket | Kind::RightBracket => 1,
            Kind::LeftParen | Kind::RightParen => 2,
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
