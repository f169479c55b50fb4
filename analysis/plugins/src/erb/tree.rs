//! What the Ruby code of a template says.

use smol_str::SmolStr;
use syntax::TextRange;

#[derive(Clone, PartialEq, Debug)]
pub struct Expression {
    /// In the template.
    pub range: TextRange,
    pub kind: Box<ExpressionKind>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ExpressionKind {
    /// Writes a text between tags: [`super::ErbTemplate::texts`].
    Text(usize),
    /// `<%= x %>`
    Output(Expression),
    /// `_erbout << x`, which wants a string.
    Append(Expression),
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
    Array(Vec<Expression>),
    Hash(Vec<(Expression, Expression)>),
    Range {
        first: Option<Expression>,
        last: Option<Expression>,
        is_exclusive: bool,
    },
    /// `*x`, in lists of arguments or elements.
    Splat(Expression),
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
        place: Place,
        value: Expression,
    },
    /// `x += 1`, `x ||= 1`
    OperatorAssignment {
        place: Place,
        operator: OperatorKind,
        value: Expression,
    },
    Call {
        receiver: Option<Expression>,
        name: SmolStr,
        arguments: Vec<Expression>,
        block: Option<Block>,
        /// `&.`
        is_safe: bool,
        /// A name alone, without receiver and arguments.
        is_name: bool,
    },
    And(Expression, Expression),
    Or(Expression, Expression),
    Not(Expression),
    /// `defined?(x)`
    Defined(Expression),
    If {
        condition: Expression,
        then: Vec<Expression>,
        otherwise: Vec<Expression>,
    },
    Case {
        subject: Option<Expression>,
        cases: Vec<Case>,
        otherwise: Vec<Expression>,
    },
    While {
        condition: Expression,
        body: Vec<Expression>,
        /// `until`
        is_negated: bool,
        /// The body runs before the condition is looked at for the first time.
        is_body_first: bool,
    },
    /// `for x in list`
    For {
        place: Place,
        list: Expression,
        body: Vec<Expression>,
    },
    Sequence(Vec<Expression>),
    /// The body of a `begin` with `rescue`: what it gives when nothing is raised. `otherwise` is the `else`.
    Rescued {
        body: Vec<Expression>,
        otherwise: Vec<Expression>,
        ensure: Vec<Expression>,
    },
    Define(MethodDefinition),
    Next(Option<Expression>),
    Break(Option<Expression>),
    Return(Option<Expression>),
    /// What is beyond this tree.
    Unsupported,
}

#[derive(Clone, PartialEq, Debug)]
pub enum TextPart {
    Text(SmolStr),
    Code(Vec<Expression>),
}

/// What can stand on the left of `=`.
#[derive(Clone, PartialEq, Debug)]
pub enum Place {
    LocalVariable {
        name: SmolStr,
        depth: u32,
    },
    InstanceVariable(SmolStr),
    /// `x[i]`
    Index {
        receiver: Expression,
        arguments: Vec<Expression>,
    },
    /// `a, *b, c`
    Several {
        front: Vec<Place>,
        rest: Option<Option<Box<Place>>>,
        back: Vec<Place>,
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
pub enum Block {
    /// `{ |a, b| ... }`
    Code {
        parameters: Vec<Parameter>,
        /// Is there one parameter and a comma behind it?
        has_trailing_comma: bool,
        body: Vec<Expression>,
    },
    /// `&:name`
    Method(SmolStr),
    Unsupported,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Parameter {
    Required(SmolStr),
    Optional(SmolStr, Expression),
    /// `*name`
    Rest(Option<SmolStr>),
    /// `(a, b)`
    Several(Place),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    pub patterns: Vec<Expression>,
    pub body: Vec<Expression>,
}

/// `def name(a, b = 1)`
#[derive(Clone, PartialEq, Debug)]
pub struct MethodDefinition {
    pub name: SmolStr,
    pub parameters: Vec<Parameter>,
    pub body: Vec<Expression>,
}
