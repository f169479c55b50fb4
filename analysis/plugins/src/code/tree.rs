//! Nodes of the tree.

use std::sync::Arc;

use smol_str::SmolStr;
use syntax::TextRange;

#[derive(Clone, PartialEq, Debug)]
pub struct RubyExpression {
    /// Range in the file.
    pub range: TextRange,
    pub kind: Box<RubyExpressionKind>,
}

impl RubyExpression {
    /// Returns the range of a name without its colon or quotes. `text` is the source.
    pub fn name_range(&self, text: &str) -> TextRange {
        let is_symbol = matches!(*self.kind, RubyExpressionKind::Symbol(_));
        let is_string =
            matches!(*self.kind, RubyExpressionKind::String(_) | RubyExpressionKind::FrozenString(_));
        let Some(source) = text.get(self.range.as_range()).filter(|_| is_symbol || is_string) else {
            return self.range;
        };
        let (mut start, mut end) = (0, source.len());
        if is_symbol && source.starts_with(':') {
            start = 1;
        } else if is_symbol && source.ends_with(':') {
            end -= 1;
        }
        let inner = &source[start..end];
        if inner.len() >= 2
            && ['\'', '"'].iter().any(|quote| inner.starts_with(*quote) && inner.ends_with(*quote))
        {
            (start, end) = (start + 1, end - 1);
        }
        TextRange::new(self.range.start + start as u32, self.range.start + end as u32)
    }

    /// Returns the range of the method name in a call. `text` is the source.
    pub fn message_range(&self, text: &str) -> TextRange {
        let RubyExpressionKind::Call { receiver, name, .. } = &*self.kind else { return self.range };
        let from = receiver.as_ref().map_or(self.range.start, |receiver| receiver.range.end);
        let rest = text.get(from as usize..self.range.end as usize);
        match rest.and_then(|rest| rest.find(name.as_str())) {
            Some(at) => TextRange::new(from, from + name.len() as u32).shifted(at as u32),
            None => self.range,
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub enum RubyExpressionKind {
    /// Writes the literal part of a template at this index in [`crate::erb::ErbTemplate::texts`].
    Text(usize),
    /// `<%= x %>`
    Output(RubyExpression),
    /// `_erbout << x`, which requires a string.
    Append(RubyExpression),
    Nil,
    Boolean(bool),
    Integer(i64),
    Float(f64),
    String(SmolStr),
    /// String in a file with immutable string literals.
    FrozenString(SmolStr),
    Symbol(SmolStr),
    /// `"a#{b}"`
    InterpolatedString(Vec<TextPart>),
    /// `:"a#{b}"`
    InterpolatedSymbol(Vec<TextPart>),
    /// Regular expression. `options` are those of `imx` that are set.
    Pattern {
        parts: Vec<TextPart>,
        options: SmolStr,
    },
    /// Elements may be splats.
    Array(Vec<RubyExpression>),
    Hash {
        entries: Vec<RubyHashEntry>,
        /// True for keyword arguments of a call, without braces.
        is_keywords: bool,
    },
    Range {
        first: Option<RubyExpression>,
        last: Option<RubyExpression>,
        is_exclusive: bool,
    },
    /// `*x`, in lists of arguments or elements.
    Splat(RubyExpression),
    /// `@x`, without `@`.
    InstanceVariable(SmolStr),
    /// `@@x`, without `@@`.
    ClassVariable(SmolStr),
    /// `$x`, without `$`.
    GlobalVariable(SmolStr),
    /// Local variable of the block `depth` levels up.
    LocalVariable {
        name: SmolStr,
        depth: u32,
    },
    /// `Foo::Bar`, without a leading `::`.
    Constant(SmolStr),
    /// `x::Bar`
    ConstantOf(RubyExpression, SmolStr),
    /// `$1`; `$&` is 0.
    MatchGroup(u32),
    /// `` $` `` and `$'`: the string before or after a match.
    BesideMatch {
        is_after: bool,
    },
    /// `self`
    This,
    /// `__FILE__`
    FilePath,
    Assignment {
        target: AssignTarget,
        value: RubyExpression,
    },
    /// `x += 1`, `x ||= 1`
    OperatorAssignment {
        target: AssignTarget,
        operator: OperatorKind,
        value: RubyExpression,
    },
    /// `/(?<name>.)/ =~ text`, which sets variables named like the groups.
    MatchWithNames {
        call: RubyExpression,
        targets: Vec<AssignTarget>,
    },
    Call {
        receiver: Option<RubyExpression>,
        name: SmolStr,
        arguments: Vec<RubyExpression>,
        block: Option<RubyBlock>,
        /// True for `&.`.
        is_safe: bool,
        /// True for a bare name without receiver and arguments.
        is_name: bool,
    },
    /// `super`; without an argument list, the arguments of the method are passed.
    Super {
        arguments: Option<Vec<RubyExpression>>,
        block: Option<RubyBlock>,
    },
    Yield(Vec<RubyExpression>),
    /// `->(x) { }`
    Lambda(RubyBlock),
    And(RubyExpression, RubyExpression),
    Or(RubyExpression, RubyExpression),
    Not(RubyExpression),
    /// `defined?(x)`
    Defined(RubyExpression),
    If {
        condition: RubyExpression,
        then: Vec<RubyExpression>,
        otherwise: Vec<RubyExpression>,
    },
    Case {
        subject: Option<RubyExpression>,
        cases: Vec<Case>,
        otherwise: Vec<RubyExpression>,
    },
    While {
        condition: RubyExpression,
        body: Vec<RubyExpression>,
        /// True for `until`.
        is_negated: bool,
        /// True if the body runs before the condition is first evaluated.
        is_body_first: bool,
    },
    /// `for x in list`
    For {
        target: AssignTarget,
        list: RubyExpression,
        body: Vec<RubyExpression>,
    },
    Sequence(Vec<RubyExpression>),
    /// `begin` with `rescue` or `ensure`. `otherwise` is the `else` branch.
    Rescued {
        body: Vec<RubyExpression>,
        rescues: Vec<Rescue>,
        otherwise: Vec<RubyExpression>,
        ensure: Vec<RubyExpression>,
    },
    Retry,
    Define(Arc<MethodDefinition>),
    /// `alias new old`
    Alias {
        name: SmolStr,
        method: SmolStr,
    },
    Module(Arc<ModuleDefinition>),
    /// `class << self`
    SingletonClass(Arc<[RubyExpression]>),
    Next(Option<RubyExpression>),
    Break(Option<RubyExpression>),
    Return(Option<RubyExpression>),
    /// Unsupported code, with a description.
    Unsupported(&'static str),
}

#[derive(Clone, PartialEq, Debug)]
pub enum RubyHashEntry {
    Pair(RubyExpression, RubyExpression),
    /// `**x`
    Splat(RubyExpression),
}

#[derive(Clone, PartialEq, Debug)]
pub enum TextPart {
    Text(SmolStr),
    Code(Vec<RubyExpression>),
}

/// Target of an assignment.
#[derive(Clone, PartialEq, Debug)]
pub enum AssignTarget {
    LocalVariable {
        name: SmolStr,
        depth: u32,
    },
    InstanceVariable(SmolStr),
    ClassVariable(SmolStr),
    Constant(SmolStr),
    /// `x[i]`
    Index {
        receiver: RubyExpression,
        arguments: Vec<RubyExpression>,
    },
    /// `x.name`
    Attribute {
        receiver: RubyExpression,
        name: SmolStr,
        is_safe: bool,
    },
    /// `a, *b, c`
    Several {
        front: Vec<AssignTarget>,
        rest: Option<Option<Box<AssignTarget>>>,
        back: Vec<AssignTarget>,
    },
    Unsupported,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OperatorKind {
    Or,
    And,
    /// Operator method: `+` for `+=`.
    Method(SmolStr),
}

#[derive(Clone, PartialEq, Debug)]
pub enum RubyBlock {
    /// `{ |a, b| ... }`
    Code(Arc<BlockCode>),
    /// `&:name`
    Method(SmolStr),
    /// `&x`
    Argument(RubyExpression),
    Unsupported,
}

#[derive(Clone, PartialEq, Debug)]
pub struct BlockCode {
    pub parameters: Vec<RubyBlockParameter>,
    /// True for a single parameter followed by a comma.
    pub has_trailing_comma: bool,
    pub body: Vec<RubyExpression>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum RubyBlockParameter {
    Required(SmolStr),
    Optional(SmolStr, RubyExpression),
    /// `*name`
    Rest(Option<SmolStr>),
    /// `(a, b)`
    Several(AssignTarget),
    /// `name:`, `name: 1`
    Keyword(SmolStr, Option<RubyExpression>),
    /// `**name`
    KeywordRest(Option<SmolStr>),
    /// `&name`
    Block(Option<SmolStr>),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    pub patterns: Vec<RubyExpression>,
    pub body: Vec<RubyExpression>,
}

/// `rescue A, B => target`
#[derive(Clone, PartialEq, Debug)]
pub struct Rescue {
    /// Rescued classes; empty for `StandardError`.
    pub classes: Vec<RubyExpression>,
    pub target: Option<AssignTarget>,
    pub body: Vec<RubyExpression>,
}

/// `def name(a, b = 1)`
#[derive(Clone, PartialEq, Debug)]
pub struct MethodDefinition {
    pub name: SmolStr,
    /// True for `def self.name`.
    pub is_of_module: bool,
    pub parameters: Vec<RubyBlockParameter>,
    pub body: Vec<RubyExpression>,
}

/// `class Name < Superclass`, `module Name`
#[derive(Clone, PartialEq, Debug)]
pub struct ModuleDefinition {
    pub path: SmolStr,
    pub is_class: bool,
    pub superclass: Option<RubyExpression>,
    pub body: Vec<RubyExpression>,
}
