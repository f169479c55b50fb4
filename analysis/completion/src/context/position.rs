//! Position of the cursor, and what is expected there.

use super::CommentPart;
use syntax::{SyntaxKind, SyntaxNode};

pub(crate) enum CursorPosition {
    /// Beginning of a statement.
    Statement {
        /// True outside of all definitions.
        is_top: bool,
        /// True after the block of an `if` or `unless`.
        is_alternative: bool,
    },
    Expression(Expectation),
    Type,
    /// After the dot of a method call; the receiver.
    Method(Option<SyntaxNode>),
    /// After `$`.
    Variable {
        /// Attribute, parameter, key or variable that gets its value here.
        target: Option<String>,
    },
    /// Inside of `${`, where variables have no `$`.
    Interpolation,
    ClassName,
    /// Type of a resource, after `@`.
    ResourceType,
    /// Title in `class { '...'`.
    ClassTitle,
    AttributeName {
        resource: ResourceAtCursor,
        /// Attributes that are set already.
        given: Vec<String>,
    },
    /// In a collector's `<| |>`.
    QueryAttribute(ResourceAtCursor),
    DefinitionName(SyntaxKind),
    /// In the head of a class, where `inherits` may follow.
    ClassHead,
    /// Between two operands.
    Operator,
    /// After a conditional, where `else` and `elsif` may follow.
    AfterConditional,
    Comment(CommentPart),
}

/// Expected use of a value, as far as the syntax shows it.
#[derive(Clone)]
pub(crate) enum Expectation {
    Anything,
    Attribute {
        resource: ResourceAtCursor,
        name: String,
    },
    /// Element of an array.
    Element(Box<Expectation>),
    /// Value for a key of a hash.
    Entry {
        hash: Box<Expectation>,
        key: String,
    },
    /// Key of a hash, with its existing keys.
    Key {
        hash: Box<Expectation>,
        given: Vec<String>,
    },
    /// Operand of a comparison with an expression.
    SameAs(SyntaxNode),
    Argument {
        function: String,
        index: usize,
        earlier: Vec<String>,
        /// Variable before the dot of a method call.
        receiver: Option<SyntaxNode>,
    },
    /// Key in an access of a variable, with the preceding keys.
    AccessKey {
        variable: String,
        keys: Vec<String>,
        /// Node of the variable.
        node: Option<SyntaxNode>,
    },
    /// Argument in the brackets after a type.
    TypeArgument {
        name: String,
    },
    /// Default of a parameter.
    Default(SyntaxNode),
    /// Operand of a relationship operator such as `->`.
    Relationship,
}

/// Owner of attributes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ResourceAtCursor {
    /// Name of the type, in lower case.
    OfType(String),
    Class(String),
}

impl CursorPosition {
    pub(super) fn statement(is_top: bool) -> CursorPosition {
        CursorPosition::Statement { is_top, is_alternative: false }
    }
}
