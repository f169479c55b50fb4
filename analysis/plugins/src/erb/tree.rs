//! What the Ruby code of a template says.

use smol_str::SmolStr;
use syntax::TextRange;

#[derive(Clone, PartialEq, Debug)]
pub struct RubyExpression {
    /// In the template.
    pub range: TextRange,
    pub kind: Box<RubyExpressionKind>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum RubyExpressionKind {
    /// Writes a text between tags: [`super::ErbTemplate::texts`].
    Text(usize),
    /// `<%= x %>`
    Output(RubyExpression),
    /// `_erbout << x`, which wants a string.
    Append(RubyExpression),
    Nil,
    Boolean(bool),
    Integer(i64),
    Float(f64),
    String(SmolStr),
    Symbol(SmolStr),
    /// `"a#{b}"`
    InterpolatedString(Vec<TextPart>),
    /// `:"a#{b}"`
    InterpolatedSymbol(Vec<TextPart>),
    /// Options: those of `imx` that are set.
    Pattern {
        parts: Vec<TextPart>,
        options: SmolStr,
    },
    /// Elements may be splats.
    Array(Vec<RubyExpression>),
    Hash(Vec<(RubyExpression, RubyExpression)>),
    Range {
        first: Option<RubyExpression>,
        last: Option<RubyExpression>,
        is_exclusive: bool,
    },
    /// `*x`, in lists of arguments or elements.
    Splat(RubyExpression),
    /// Without `@`.
    InstanceVariable(SmolStr),
    /// A variable of the block that many blocks further out.
    LocalVariable {
        name: SmolStr,
        depth: u32,
    },
    /// `Foo::Bar`, a leading `::` left out.
    Constant(SmolStr),
    /// `$1`; `$&` is 0.
    MatchGroup(u32),
    /// `self`
    Template,
    Assignment {
        place: AssignTarget,
        value: RubyExpression,
    },
    /// `x += 1`, `x ||= 1`
    OperatorAssignment {
        place: AssignTarget,
        operator: OperatorKind,
        value: RubyExpression,
    },
    Call {
        receiver: Option<RubyExpression>,
        name: SmolStr,
        arguments: Vec<RubyExpression>,
        block: Option<RubyBlock>,
        /// `&.`
        is_safe: bool,
        /// A name alone, without receiver and arguments.
        is_name: bool,
    },
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
        /// `until`
        is_negated: bool,
        /// The body runs before the condition is looked at for the first time.
        is_body_first: bool,
    },
    /// `for x in list`
    For {
        place: AssignTarget,
        list: RubyExpression,
        body: Vec<RubyExpression>,
    },
    Sequence(Vec<RubyExpression>),
    /// The body of a `begin` with `rescue`: what it gives when nothing is raised. `otherwise` is the `else`.
    Rescued {
        body: Vec<RubyExpression>,
        otherwise: Vec<RubyExpression>,
        ensure: Vec<RubyExpression>,
    },
    Define(MethodDefinition),
    Next(Option<RubyExpression>),
    Break(Option<RubyExpression>),
    Return(Option<RubyExpression>),
    /// What is beyond this tree.
    Unsupported,
}

#[derive(Clone, PartialEq, Debug)]
pub enum TextPart {
    Text(SmolStr),
    Code(Vec<RubyExpression>),
}

/// What can stand on the left of `=`.
#[derive(Clone, PartialEq, Debug)]
pub enum AssignTarget {
    LocalVariable {
        name: SmolStr,
        depth: u32,
    },
    InstanceVariable(SmolStr),
    /// `x[i]`
    Index {
        receiver: RubyExpression,
        arguments: Vec<RubyExpression>,
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
    /// `+=` is `+`.
    Method(SmolStr),
}

#[derive(Clone, PartialEq, Debug)]
pub enum RubyBlock {
    /// `{ |a, b| ... }`
    Code {
        parameters: Vec<RubyBlockParameter>,
        /// Is there one parameter and a comma behind it?
        has_trailing_comma: bool,
        body: Vec<RubyExpression>,
    },
    /// `&:name`
    Method(SmolStr),
    Unsupported,
}

#[derive(Clone, PartialEq, Debug)]
pub enum RubyBlockParameter {
    Required(SmolStr),
    Optional(SmolStr, RubyExpression),
    /// `*name`
    Rest(Option<SmolStr>),
    /// `(a, b)`
    Several(AssignTarget),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    pub patterns: Vec<RubyExpression>,
    pub body: Vec<RubyExpression>,
}

/// `def name(a, b = 1)`
#[derive(Clone, PartialEq, Debug)]
pub struct MethodDefinition {
    pub name: SmolStr,
    pub parameters: Vec<RubyBlockParameter>,
    pub body: Vec<RubyExpression>,
}
