//! Typed views over the tree: one line per node in the table below, and the remaining accessors in
//! submodules.
//!
//! A view wraps a node at no cost. An accessor returns `Option` if the tree may lack the child; in a file
//! without errors that happens only where the language makes the child optional.

use crate::{SyntaxKind, SyntaxKind::*, SyntaxNode, SyntaxToken};

pub use extensions::{
    AccessOrCallArgument, AssignmentOperator, BinaryOperator, NumberValue, RelationshipOperator,
};
pub use extensions::{ResourceForm, UnaryOperator, resource_form};
pub use strings::{HeredocHeader, StringPart};

/// Typed view of a node.
pub trait AstNode: Sized {
    fn can_cast(kind: SyntaxKind) -> bool;
    fn cast(node: SyntaxNode) -> Option<Self>;
    fn syntax(&self) -> &SyntaxNode;
}

pub(crate) fn child<N: AstNode>(node: &SyntaxNode) -> Option<N> {
    children(node).next()
}

pub(crate) fn children<N: AstNode>(node: &SyntaxNode) -> impl Iterator<Item = N> + use<N> {
    node.children_of(N::can_cast).filter_map(N::cast)
}

/// Returns the first child of type `N` after the first token of kind `after`.
pub(crate) fn child_after<N: AstNode>(node: &SyntaxNode, after: SyntaxKind) -> Option<N> {
    let mut elements = node.children_with_tokens().skip_while(|it| it.kind() != after);
    elements.next()?;
    elements.filter_map(|it| it.into_node()).find_map(N::cast)
}

/// Returns the first child of type `N` before the first token of kind `before`, or any first child if there
/// is no such token.
pub(crate) fn child_before<N: AstNode>(node: &SyntaxNode, before: SyntaxKind) -> Option<N> {
    node.children_with_tokens()
        .take_while(|it| it.kind() != before)
        .filter_map(|it| it.into_node())
        .find_map(N::cast)
}

pub(crate) fn nth_child<N: AstNode>(node: &SyntaxNode, n: usize) -> Option<N> {
    children(node).nth(n)
}

macro_rules! accessors {
    () => {};
    ($(#[$doc:meta])* $name:ident: [$type:ty], $($rest:tt)*) => {
        $(#[$doc])*
        pub fn $name(&self) -> impl Iterator<Item = $type> + use<> { children(&self.0) }
        accessors! { $($rest)* }
    };
    ($(#[$doc:meta])* $name:ident: token($($kind:ident)|+), $($rest:tt)*) => {
        $(#[$doc])*
        pub fn $name(&self) -> Option<SyntaxToken> { self.0.tokens().find(|it| matches!(it.kind(), $($kind)|+)) }
        accessors! { $($rest)* }
    };
    ($(#[$doc:meta])* $name:ident: $type:ty, after $kind:ident, $($rest:tt)*) => {
        $(#[$doc])*
        pub fn $name(&self) -> Option<$type> { child_after(&self.0, $kind) }
        accessors! { $($rest)* }
    };
    ($(#[$doc:meta])* $name:ident: $type:ty, before $kind:ident, $($rest:tt)*) => {
        $(#[$doc])*
        pub fn $name(&self) -> Option<$type> { child_before(&self.0, $kind) }
        accessors! { $($rest)* }
    };
    ($(#[$doc:meta])* $name:ident: $type:ty, nth $n:literal, $($rest:tt)*) => {
        $(#[$doc])*
        pub fn $name(&self) -> Option<$type> { nth_child(&self.0, $n) }
        accessors! { $($rest)* }
    };
    ($(#[$doc:meta])* $name:ident: $type:ty, $($rest:tt)*) => {
        $(#[$doc])*
        pub fn $name(&self) -> Option<$type> { child(&self.0) }
        accessors! { $($rest)* }
    };
}

macro_rules! ast_nodes {
    ($($(#[$doc:meta])* $name:ident = $kind:ident { $($accessors:tt)* })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, PartialEq, Eq, Hash, Debug)]
            pub struct $name(pub(crate) SyntaxNode);

            impl AstNode for $name {
                fn can_cast(kind: SyntaxKind) -> bool { kind == $kind }
                fn cast(node: SyntaxNode) -> Option<Self> { (node.kind() == $kind).then(|| $name(node)) }
                fn syntax(&self) -> &SyntaxNode { &self.0 }
            }

            impl $name {
                accessors! { $($accessors)* }
            }
        )*
    };
}

macro_rules! ast_enum {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $kind:ident,)* }) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Hash, Debug)]
        pub enum $name { $($variant($variant),)* }

        impl AstNode for $name {
            fn can_cast(kind: SyntaxKind) -> bool { matches!(kind, $($kind)|*) }
            fn cast(node: SyntaxNode) -> Option<Self> {
                match node.kind() {
                    $($kind => Some($name::$variant($variant(node))),)*
                    _ => None,
                }
            }
            fn syntax(&self) -> &SyntaxNode {
                match self { $($name::$variant(it) => &it.0,)* }
            }
        }

        $(impl From<$variant> for $name { fn from(it: $variant) -> $name { $name::$variant(it) } })*
    };
}

ast_nodes! {
    SourceFile = SOURCE_FILE {
        statements: [Expr],
        /// Returns the parameters of an EPP template.
        epp_parameters: ParameterList,
    }
    Block = BLOCK { statements: [Expr], l_brace: token(L_BRACE), r_brace: token(R_BRACE), }

    // literals
    LiteralNumber = LITERAL_NUMBER { number_token: token(NUMBER), }
    LiteralString = LITERAL_STRING {
        token: token(SQ_STRING | DQ_STRING | WORD | TYPE_KW | FUNCTION_KW),
    }
    LiteralBoolean = LITERAL_BOOLEAN { token: token(TRUE_KW | FALSE_KW), }
    LiteralUndef = LITERAL_UNDEF {}
    LiteralDefault = LITERAL_DEFAULT {}
    LiteralRegex = LITERAL_REGEX { token: token(REGEX), }
    /// Double-quoted string with interpolation. See [`InterpolatedString::parts`].
    InterpolatedString = INTERPOLATED_STRING {}
    Interpolation = INTERPOLATION { expr: Expr, }
    /// The `@(TAG)` that uses a heredoc. See [`Heredoc::body`] for its text.
    Heredoc = HEREDOC { start_token: token(HEREDOC_START), }
    HeredocBody = HEREDOC_BODY { end_token: token(HEREDOC_END), }
    QualifiedName = QUALIFIED_NAME { token: token(NAME | TYPE_KW | CLASS_KW), }
    QualifiedReference = QUALIFIED_REFERENCE { token: token(CLASSREF), }
    ReservedWord = RESERVED_WORD { token: token(ATTR_KW | PRIVATE_KW), }
    VariableExpr = VARIABLE_EXPR { token: token(VARIABLE), }
    /// List of values. Entries may be bare `key => value` pairs: [`ArrayExpr::elements`] joins adjacent ones
    /// into hashes, as Puppet does.
    ArrayExpr = ARRAY_EXPR {}
    HashExpr = HASH_EXPR { entries: [KeyedEntry], }
    KeyedEntry = KEYED_ENTRY { key: Expr, before FAT_ARROW, value: Expr, after FAT_ARROW, arrow: token(FAT_ARROW), }

    // operators
    ParenExpr = PAREN_EXPR { expr: Expr, }
    UnaryExpr = UNARY_EXPR { operand: Expr, operator_token: token(BANG | MINUS | STAR), }
    BinaryExpr = BINARY_EXPR { lhs: Expr, nth 0, rhs: Expr, nth 1, }
    AssignmentExpr = ASSIGNMENT_EXPR {
        lhs: Expr, nth 0, rhs: Expr, nth 1, operator_token: token(EQ | PLUS_EQ | MINUS_EQ),
    }
    RelationshipExpr = RELATIONSHIP_EXPR {
        lhs: Expr, nth 0, rhs: Expr, nth 1,
        operator_token: token(BEFORE_ARROW | NOTIFY_ARROW | REQUIRE_ARROW | SUBSCRIBE_ARROW),
    }
    AccessExpr = ACCESS_EXPR { lhs: Expr, keys: ArgumentList, }
    SelectorExpr = SELECTOR_EXPR { lhs: Expr, entries: [SelectorEntry], }
    SelectorEntry = SELECTOR_ENTRY { matching: Expr, before FAT_ARROW, value: Expr, after FAT_ARROW, }

    // calls
    CallExpr = CALL_EXPR {
        /// Returns the callee: a name, a type, or (an error) any other expression.
        functor: Expr,
        arguments: ArgumentList,
        lambda: Lambda,
    }
    MethodCallExpr = METHOD_CALL_EXPR {
        receiver: Expr,
        /// Returns the function name after the dot.
        name_token: token(NAME | TYPE_KW),
        arguments: ArgumentList,
        lambda: Lambda,
    }
    StatementCall = STATEMENT_CALL { name: QualifiedName, arguments: ArgumentList, }
    /// Arguments of a call or keys of an access. [`ArgumentList::arguments`] joins adjacent bare `key =>
    /// value` pairs into hashes, as Puppet does.
    ArgumentList = ARGUMENT_LIST {}
    Lambda = LAMBDA { parameters: ParameterList, return_type: ReturnType, body: Block, }

    // conditionals
    IfExpr = IF_EXPR { condition: Expr, then_block: Block, elsif_clauses: [ElsifClause], else_clause: ElseClause, }
    ElsifClause = ELSIF_CLAUSE { condition: Expr, block: Block, }
    ElseClause = ELSE_CLAUSE { block: Block, }
    UnlessExpr = UNLESS_EXPR { condition: Expr, then_block: Block, else_clause: ElseClause, }
    CaseExpr = CASE_EXPR { test: Expr, options: [CaseOption], }
    CaseOption = CASE_OPTION { values: [Expr], block: Block, }

    // catalog
    ResourceExpr = RESOURCE_EXPR {
        /// Returns the type: a name (also `class`), or another expression, which validation rejects.
        type_expr: Expr,
        bodies: [ResourceBody],
    }
    ResourceBody = RESOURCE_BODY { title: Expr, operations: [AttributeOperation], }
    VirtualExpr = VIRTUAL_EXPR { at_token: token(AT | AT_AT), resource: Expr, }
    ResourceDefaults = RESOURCE_DEFAULTS { type_expr: Expr, operations: [AttributeOperation], }
    ResourceOverride = RESOURCE_OVERRIDE { reference: Expr, operations: [AttributeOperation], }
    UntitledResource = UNTITLED_RESOURCE { name: QualifiedName, operations: [AttributeOperation], }
    Attribute = ATTRIBUTE { value: Expr, arrow: token(FAT_ARROW | PLUS_ARROW), }
    AttributeSplat = ATTRIBUTE_SPLAT { expr: Expr, }
    CollectExpr = COLLECT_EXPR { type_expr: Expr, query: Query, operations: [AttributeOperation], }
    VirtualQuery = VIRTUAL_QUERY { expr: Expr, }
    ExportedQuery = EXPORTED_QUERY { expr: Expr, }

    // definitions
    ClassDefinition = CLASS_DEFINITION {
        name: DefinitionName, parameters: ParameterList, inherits: InheritsClause, body: Block,
    }
    DefinedType = DEFINED_TYPE { name: DefinitionName, parameters: ParameterList, body: Block, }
    FunctionDefinition = FUNCTION_DEFINITION {
        name: DefinitionName, parameters: ParameterList, return_type: ReturnType, body: Block,
    }
    PlanDefinition = PLAN_DEFINITION { name: DefinitionName, parameters: ParameterList, body: Block, }
    NodeDefinition = NODE_DEFINITION { hosts: HostList, inherits: InheritsClause, body: Block, }
    /// Hosts of a node definition: [`HostName`]s, strings, regular expressions or `default`.
    HostList = HOST_LIST { hosts: [Expr], }
    /// Host given as bare words and numbers separated by dots.
    HostName = HOST_NAME {}
    /// Parent of a class (a name or `default`) or of a node (any host form).
    InheritsClause = INHERITS_CLAUSE { name: DefinitionName, host: Expr, }
    TypeAlias = TYPE_ALIAS {
        name: DefinitionName,
        /// Returns the type, list or hash after `=`; for `type A = B { }`, the type `B`.
        type_expr: Expr,
        /// Returns the hash of `type A = { }` and `type A = B { }`.
        hash: HashExpr,
    }
    TypeMapping = TYPE_MAPPING { type_expr: Expr, nth 0, mapping: Expr, nth 1, }
    TypeDefinition = TYPE_DEFINITION { name: DefinitionName, inherits: InheritsClause, body: Block, }
    DefinitionName = DEFINITION_NAME { token: token(NAME | WORD | CLASSREF | DEFAULT_KW), }
    ParameterList = PARAMETER_LIST { parameters: [Parameter], }
    Parameter = PARAMETER {
        type_expr: Expr, before VARIABLE,
        splat: token(STAR),
        variable: token(VARIABLE),
        default: Expr, after EQ,
    }
    ReturnType = RETURN_TYPE { type_expr: Expr, }
    ApplyExpr = APPLY_EXPR { arguments: ArgumentList, body: Block, }

    // EPP
    RenderString = RENDER_STRING {}
    RenderExpr = RENDER_EXPR { expr: Expr, block: Block, }
}

ast_enum! {
    /// Statement or expression.
    Expr {
        LiteralNumber = LITERAL_NUMBER,
        LiteralString = LITERAL_STRING,
        LiteralBoolean = LITERAL_BOOLEAN,
        LiteralUndef = LITERAL_UNDEF,
        LiteralDefault = LITERAL_DEFAULT,
        LiteralRegex = LITERAL_REGEX,
        InterpolatedString = INTERPOLATED_STRING,
        Heredoc = HEREDOC,
        QualifiedName = QUALIFIED_NAME,
        QualifiedReference = QUALIFIED_REFERENCE,
        ReservedWord = RESERVED_WORD,
        VariableExpr = VARIABLE_EXPR,
        ArrayExpr = ARRAY_EXPR,
        HashExpr = HASH_EXPR,
        ParenExpr = PAREN_EXPR,
        UnaryExpr = UNARY_EXPR,
        BinaryExpr = BINARY_EXPR,
        AssignmentExpr = ASSIGNMENT_EXPR,
        RelationshipExpr = RELATIONSHIP_EXPR,
        AccessExpr = ACCESS_EXPR,
        SelectorExpr = SELECTOR_EXPR,
        CallExpr = CALL_EXPR,
        MethodCallExpr = METHOD_CALL_EXPR,
        StatementCall = STATEMENT_CALL,
        IfExpr = IF_EXPR,
        UnlessExpr = UNLESS_EXPR,
        CaseExpr = CASE_EXPR,
        ResourceExpr = RESOURCE_EXPR,
        VirtualExpr = VIRTUAL_EXPR,
        ResourceDefaults = RESOURCE_DEFAULTS,
        ResourceOverride = RESOURCE_OVERRIDE,
        UntitledResource = UNTITLED_RESOURCE,
        CollectExpr = COLLECT_EXPR,
        ClassDefinition = CLASS_DEFINITION,
        DefinedType = DEFINED_TYPE,
        FunctionDefinition = FUNCTION_DEFINITION,
        PlanDefinition = PLAN_DEFINITION,
        NodeDefinition = NODE_DEFINITION,
        HostName = HOST_NAME,
        TypeAlias = TYPE_ALIAS,
        TypeMapping = TYPE_MAPPING,
        TypeDefinition = TYPE_DEFINITION,
        ApplyExpr = APPLY_EXPR,
        RenderString = RENDER_STRING,
        RenderExpr = RENDER_EXPR,
    }
}

ast_enum! {
    /// Attribute operation in the braces of a resource.
    AttributeOperation { Attribute = ATTRIBUTE, AttributeSplat = ATTRIBUTE_SPLAT, }
}

ast_enum! {
    /// `<| |>` or `<<| |>>`.
    Query { VirtualQuery = VIRTUAL_QUERY, ExportedQuery = EXPORTED_QUERY, }
}

ast_enum! {
    /// Definition of a named entity that is visible outside of its statement.
    Definition {
        ClassDefinition = CLASS_DEFINITION,
        DefinedType = DEFINED_TYPE,
        FunctionDefinition = FUNCTION_DEFINITION,
        PlanDefinition = PLAN_DEFINITION,
        NodeDefinition = NODE_DEFINITION,
        TypeAlias = TYPE_ALIAS,
        TypeMapping = TYPE_MAPPING,
        TypeDefinition = TYPE_DEFINITION,
    }
}

// After the macros that they use.
mod extensions;
mod strings;
