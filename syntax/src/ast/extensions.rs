//! Accessors beyond the node table: operators, values of literals, joined arguments.

use super::*;
use crate::TextRange;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOperator {
    /// `!`
    Not,
    /// `-`
    Minus,
    /// `*`
    Unfold,
}

impl UnaryExpr {
    pub fn operator(&self) -> Option<UnaryOperator> {
        Some(match self.operator_token()?.kind() {
            BANG => UnaryOperator::Not,
            MINUS => UnaryOperator::Minus,
            _ => UnaryOperator::Unfold,
        })
    }
}

macro_rules! operators {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $kind:ident $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum $name { $($variant,)* }

        impl $name {
            /// Returns the operator of a token kind.
            pub fn from_kind(kind: SyntaxKind) -> Option<$name> {
                match kind {
                    $($kind => Some($name::$variant),)*
                    _ => None,
                }
            }

            /// Returns the source text of the operator.
            pub fn text(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }
        }
    };
}

operators! {
    BinaryOperator {
        Add = PLUS "+",
        Subtract = MINUS "-",
        Multiply = STAR "*",
        Divide = SLASH "/",
        Modulo = PERCENT "%",
        ShiftLeft = SHIFT_LEFT "<<",
        ShiftRight = SHIFT_RIGHT ">>",
        Equal = EQ_EQ "==",
        NotEqual = NOT_EQ "!=",
        Less = LT "<",
        LessOrEqual = LT_EQ "<=",
        Greater = GT ">",
        GreaterOrEqual = GT_EQ ">=",
        Match = MATCH "=~",
        NoMatch = NO_MATCH "!~",
        In = IN_KW "in",
        And = AND_KW "and",
        Or = OR_KW "or",
    }
}

operators! {
    RelationshipOperator {
        Before = BEFORE_ARROW "->",
        Notify = NOTIFY_ARROW "~>",
        Require = REQUIRE_ARROW "<-",
        Subscribe = SUBSCRIBE_ARROW "<~",
    }
}

operators! {
    AssignmentOperator {
        Assign = EQ "=",
        Append = PLUS_EQ "+=",
        Delete = MINUS_EQ "-=",
    }
}

impl BinaryExpr {
    pub fn operator_token(&self) -> Option<SyntaxToken> {
        self.0.tokens().find(|it| BinaryOperator::from_kind(it.kind()).is_some())
    }

    pub fn operator(&self) -> Option<BinaryOperator> {
        BinaryOperator::from_kind(self.operator_token()?.kind())
    }
}

impl RelationshipExpr {
    pub fn operator(&self) -> Option<RelationshipOperator> {
        RelationshipOperator::from_kind(self.operator_token()?.kind())
    }
}

impl AssignmentExpr {
    pub fn operator(&self) -> Option<AssignmentOperator> {
        AssignmentOperator::from_kind(self.operator_token()?.kind())
    }
}

/// Value of a number literal, without sign.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum NumberValue {
    /// `value` is capped at `u128::MAX`; validation rejects values above `i64::MAX`. The radix is 8, 10 or
    /// 16.
    Integer {
        value: u128,
        radix: u8,
    },
    Float(f64),
}

impl NumberValue {
    /// Parses the text of a `NUMBER` token. Returns `None` if it is not a number (a float out of range,
    /// `0.0e1`).
    pub fn parse(text: &str) -> Option<NumberValue> {
        if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            return Some(NumberValue::Integer { value: digits_value(digits, 16)?, radix: 16 });
        }
        if text.bytes().any(|b| matches!(b, b'.' | b'e' | b'E')) {
            let zero_mantissa = text.split(['.', 'e', 'E']).next()?.bytes().all(|b| b == b'0');
            let exponent_at = text.find(['e', 'E']);
            let is_zero = |at: usize| text[..at].bytes().all(|b| matches!(b, b'0' | b'.'));
            if zero_mantissa && exponent_at.is_some_and(is_zero) {
                return None;
            }
            let value: f64 = text.parse().ok()?;
            return value.is_finite().then_some(NumberValue::Float(value));
        }
        let radix = if text.len() > 1 && text.starts_with('0') { 8 } else { 10 };
        Some(NumberValue::Integer { value: digits_value(text, radix)?, radix: radix as u8 })
    }
}

fn digits_value(digits: &str, radix: u32) -> Option<u128> {
    let mut value: u128 = 0;
    for c in digits.chars() {
        value = value.saturating_mul(radix as u128).saturating_add(c.to_digit(radix)? as u128);
    }
    (!digits.is_empty()).then_some(value)
}

impl LiteralNumber {
    pub fn value(&self) -> Option<NumberValue> {
        NumberValue::parse(self.number_token()?.text())
    }
}

impl LiteralBoolean {
    pub fn value(&self) -> bool {
        self.token().is_some_and(|it| it.kind() == TRUE_KW)
    }
}

impl LiteralRegex {
    /// Returns the pattern between the slashes, with `\/` replaced by `/`.
    pub fn pattern(&self) -> Option<String> {
        let token = self.token()?;
        let text = token.text();
        let inner = text.strip_prefix('/')?;
        Some(inner.strip_suffix('/').unwrap_or(inner).replace("\\/", "/"))
    }
}

impl VariableExpr {
    /// Returns the name without `$`; empty for a lone `$`.
    pub fn name(&self) -> Option<String> {
        self.token().map(|token| variable_name(token.text()).to_owned())
    }
}

impl Parameter {
    /// Returns the name without `$`; empty for a lone `$`.
    pub fn name(&self) -> Option<String> {
        self.variable().map(|token| variable_name(token.text()).to_owned())
    }
}

fn variable_name(text: &str) -> &str {
    text.strip_prefix('$').unwrap_or(text)
}

impl QualifiedName {
    pub fn text(&self) -> String {
        self.token().map(|it| it.text().to_owned()).unwrap_or_default()
    }
}

impl QualifiedReference {
    /// Returns the name as written, including upper-case letters.
    pub fn text(&self) -> String {
        self.token().map(|it| it.text().to_owned()).unwrap_or_default()
    }
}

impl DefinitionName {
    /// Returns the name as written.
    pub fn text(&self) -> String {
        self.token().map(|it| it.text().to_owned()).unwrap_or_default()
    }
}

impl HostName {
    /// Returns the host with its dots, without whitespace.
    pub fn text(&self) -> String {
        self.0.tokens().filter(|it| !it.kind().is_trivia()).map(|it| it.text().to_owned()).collect()
    }
}

impl Attribute {
    /// Returns the attribute name: a name or a keyword.
    pub fn name_token(&self) -> Option<SyntaxToken> {
        self.0
            .tokens()
            .find(|it| !it.kind().is_trivia())
            .filter(|it| it.kind() == NAME || it.kind().is_keyword())
    }

    /// Returns true if the arrow is `+>`.
    pub fn is_append(&self) -> bool {
        self.arrow().is_some_and(|it| it.kind() == PLUS_ARROW)
    }
}

/// Argument of a call, key of an access, or element of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AccessOrCallArgument {
    Expr(Expr),
    /// Adjacent `key => value` pairs without braces, which form one hash.
    BareHash(Vec<KeyedEntry>),
}

impl AccessOrCallArgument {
    pub fn range(&self) -> TextRange {
        match self {
            AccessOrCallArgument::Expr(expr) => expr.syntax().text_range(),
            AccessOrCallArgument::BareHash(entries) => {
                let ranges = entries.iter().map(|it| it.syntax().text_range());
                ranges.reduce(TextRange::cover).unwrap_or_default()
            }
        }
    }
}

fn join_bare_hashes(node: &SyntaxNode) -> Vec<AccessOrCallArgument> {
    let mut arguments = Vec::new();
    for child in node.children() {
        if let Some(expr) = Expr::cast(child.clone()) {
            arguments.push(AccessOrCallArgument::Expr(expr));
        } else if let Some(entry) = KeyedEntry::cast(child) {
            match arguments.last_mut() {
                Some(AccessOrCallArgument::BareHash(entries)) => entries.push(entry),
                _ => arguments.push(AccessOrCallArgument::BareHash(vec![entry])),
            }
        }
    }
    arguments
}

impl ArgumentList {
    pub fn arguments(&self) -> Vec<AccessOrCallArgument> {
        join_bare_hashes(&self.0)
    }
}

impl ArrayExpr {
    pub fn elements(&self) -> Vec<AccessOrCallArgument> {
        join_bare_hashes(&self.0)
    }
}

impl UntitledResource {
    /// Returns true if the name belongs to a statement call. The attributes then form its hash argument, with
    /// strings as keys.
    pub fn is_statement_call(&self) -> bool {
        self.name().is_some_and(|name| crate::grammar::STATEMENT_CALLS.contains(&name.text().as_str()))
    }
}

/// Form in which a resource expression adds its resources to the catalog.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ResourceForm {
    Regular,
    /// `@`
    Virtual,
    /// `@@`
    Exported,
}

/// Returns the form given by the outermost `@` or `@@` around a resource expression, default or override.
pub fn resource_form(resource: &SyntaxNode) -> ResourceForm {
    let mut form = ResourceForm::Regular;
    let mut node = resource.parent();
    while let Some(outer) = node.and_then(VirtualExpr::cast) {
        form = match outer.at_token().map(|it| it.kind()) {
            Some(AT_AT) => ResourceForm::Exported,
            _ => ResourceForm::Virtual,
        };
        node = outer.syntax().parent();
    }
    form
}

impl Definition {
    pub fn name(&self) -> Option<DefinitionName> {
        child(self.syntax())
    }

    pub fn parameters(&self) -> Option<ParameterList> {
        child(self.syntax())
    }

    pub fn body(&self) -> Option<Block> {
        child(self.syntax())
    }

    /// Returns the name qualified with the names of the enclosing classes and plans, as Puppet's parser
    /// completes it.
    ///
    /// Returns `None` for nodes and for missing names. Names of functions and types are never qualified.
    pub fn qualified_name(&self) -> Option<String> {
        let own = self.name()?.text();
        if !matches!(
            self,
            Definition::ClassDefinition(_) | Definition::DefinedType(_) | Definition::PlanDefinition(_)
        ) {
            return Some(own);
        }
        let mut segments = vec![own];
        for outer in self.syntax().ancestors().skip(1) {
            if matches!(outer.kind(), CLASS_DEFINITION | PLAN_DEFINITION) {
                segments.extend(child::<DefinitionName>(&outer).map(|it| it.text()));
            }
        }
        segments.reverse();
        let joined = segments.join("::");
        Some(joined.strip_prefix("::").unwrap_or(&joined).to_owned())
    }
}

impl SourceFile {
    /// Returns all definitions, including nested ones, in source order.
    pub fn definitions(&self) -> impl Iterator<Item = Definition> + use<> {
        self.0.descendants().filter_map(Definition::cast)
    }
}
