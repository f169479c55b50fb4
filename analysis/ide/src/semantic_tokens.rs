//! Semantic highlighting.

mod built_in;
mod escapes;

use std::collections::VecDeque;

use syntax::ast;
use syntax::{AstNode, Parse, SyntaxElement, SyntaxKind, SyntaxKind::*, SyntaxNode, SyntaxToken, TextRange};

/// A highlighted range. May span several lines.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SemanticToken {
    pub range: TextRange,
    pub kind: SemanticTokenKind,
    pub modifiers: SemanticTokenModifiers,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SemanticTokenKind {
    Comment,
    Keyword,
    /// Literal text in quotes or heredocs, and the text of templates.
    String,
    /// A string without quotes.
    Bareword,
    Escape,
    Number,
    Regex,
    Operator,
    Variable,
    Parameter,
    /// An attribute of a resource, or a bare key of a hash.
    Property,
    Function,
    /// A built-in function that reads like a keyword, such as `include` and `return`.
    Statement,
    /// A Puppet class.
    Class,
    /// A data type, resource type or defined type.
    Type,
    /// Tags around the code in a template.
    TemplateTag,
}

impl SemanticTokenKind {
    /// Returns whether a grammar finds the tokens as well, and with more detail: documentation tags in
    /// comments, the embedded language of a heredoc, groups of a regular expression, kinds of keywords.
    pub fn is_lexical(self) -> bool {
        match self {
            Self::Comment
            | Self::Keyword
            | Self::String
            | Self::Escape
            | Self::Number
            | Self::Regex
            | Self::Operator
            | Self::Statement
            | Self::TemplateTag => true,
            Self::Bareword
            | Self::Variable
            | Self::Parameter
            | Self::Property
            | Self::Function
            | Self::Class
            | Self::Type => false,
        }
    }
}

/// Modifiers of a token, each set only if it is certain.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct SemanticTokenModifiers {
    /// The token introduces the name.
    pub declaration: bool,
    /// The variable cannot be assigned.
    pub readonly: bool,
    /// The name is built into Puppet.
    pub default_library: bool,
}

impl SemanticTokenModifiers {
    const NONE: Self = Self { declaration: false, readonly: false, default_library: false };
    const DECLARATION: Self = Self { declaration: true, ..Self::NONE };
    const BUILT_IN_VARIABLE: Self = Self { readonly: true, default_library: true, ..Self::NONE };

    fn default_library_if(condition: bool) -> Self {
        Self { default_library: condition, ..Self::NONE }
    }
}

/// Returns the tokens that touch `range`, or of the whole file if `None`, in order and without overlaps.
pub(crate) fn semantic_tokens(parse: &Parse, range: Option<TextRange>) -> Vec<SemanticToken> {
    let wanted = range.unwrap_or(TextRange::new(0, u32::MAX));
    let mut highlighter = Highlighter {
        wanted,
        found: Vec::new(),
        parameters: Vec::new(),
        heredocs: VecDeque::new(),
        text: StringText::Plain,
    };
    highlighter.enter_template(parse);
    for element in parse.syntax().descendants_with_tokens() {
        if element.text_range().start >= wanted.end {
            break;
        }
        match element {
            SyntaxElement::Node(node) => highlighter.enter(&node),
            SyntaxElement::Token(token) => highlighter.token(&token),
        }
    }
    highlighter.found
}

struct Highlighter {
    wanted: TextRange,
    found: Vec<SemanticToken>,
    /// Definitions and lambdas around the current position, with the names of their parameters.
    parameters: Vec<ParameterScope>,
    /// Escape rules of the heredocs whose bodies are still to come.
    heredocs: VecDeque<escapes::HighlightedEscapes>,
    /// Kind of string that literal text at the current position belongs to.
    text: StringText,
}

struct ParameterScope {
    range: TextRange,
    names: Vec<String>,
    /// True if names of outer scopes are visible.
    is_lambda: bool,
}

#[derive(Clone, Copy)]
enum StringText {
    Plain,
    Heredoc { escapes: escapes::HighlightedEscapes, end: u32 },
}

impl Highlighter {
    fn enter(&mut self, node: &SyntaxNode) {
        match node.kind() {
            HEREDOC_BODY => {
                let escapes = self.heredocs.pop_front().unwrap_or_default();
                self.text = StringText::Heredoc { escapes, end: node.text_range().end };
            }
            CLASS_DEFINITION | DEFINED_TYPE | FUNCTION_DEFINITION | PLAN_DEFINITION | NODE_DEFINITION
            | LAMBDA => {
                self.enter_scope(node);
            }
            _ => {}
        }
    }

    /// The parameters of a template are visible in the whole file.
    fn enter_template(&mut self, parse: &Parse) {
        if parse.tree().epp_parameters().is_some() {
            self.enter_scope(&parse.syntax());
        }
    }

    fn enter_scope(&mut self, node: &SyntaxNode) {
        self.leave_scopes(node.text_range().start);
        let list = node.children().find_map(ast::ParameterList::cast);
        let names = list.into_iter().flat_map(|it| it.parameters()).filter_map(|it| it.name());
        self.parameters.push(ParameterScope {
            range: node.text_range(),
            names: names.collect(),
            is_lambda: node.kind() == LAMBDA,
        });
    }

    fn leave_scopes(&mut self, offset: u32) {
        while self.parameters.last().is_some_and(|it| it.range.end <= offset) {
            self.parameters.pop();
        }
    }

    fn is_parameter(&self, name: &str) -> bool {
        for scope in self.parameters.iter().rev() {
            if scope.names.iter().any(|it| it == name) {
                return true;
            }
            if !scope.is_lambda {
                return false;
            }
        }
        false
    }

    fn add(&mut self, range: TextRange, kind: SemanticTokenKind, modifiers: SemanticTokenModifiers) {
        if !range.is_empty() && range.intersects(self.wanted) {
            self.found.push(SemanticToken { range, kind, modifiers });
        }
    }

    fn token(&mut self, token: &SyntaxToken) {
        use SemanticTokenKind as Kind;
        const NONE: SemanticTokenModifiers = SemanticTokenModifiers::NONE;
        let range = token.text_range();
        self.leave_scopes(range.start);
        match token.kind() {
            COMMENT | BLOCK_COMMENT | EPP_COMMENT => self.add(range, Kind::Comment, NONE),
            NUMBER => self.add(range, Kind::Number, NONE),
            REGEX => self.add(range, Kind::Regex, NONE),
            EPP_TEXT | HEREDOC_END | DQ_START | DQ_END => self.add(range, Kind::String, NONE),
            HEREDOC_START => {
                self.heredocs.push_back(escapes::HighlightedEscapes::of_heredoc(token.text()));
                self.add(range, Kind::String, NONE);
            }
            SQ_STRING => self.string(token, escapes::HighlightedEscapes::SINGLE_QUOTED),
            DQ_STRING => self.string(token, escapes::HighlightedEscapes::DOUBLE_QUOTED),
            STRING_TEXT => {
                let escapes = self.escapes_of_text(token);
                self.string(token, escapes);
            }
            EPP_OPEN | EPP_OPEN_EXPR | EPP_CLOSE | EPP_CLOSE_EXPR => self.add(range, Kind::TemplateTag, NONE),
            INTERPOLATION_START | INTERPOLATION_END => self.add(range, Kind::Operator, NONE),
            VARIABLE => self.variable(token),
            NAME | CLASSREF | WORD => self.name(token),
            kind if kind.is_keyword() => self.keyword(token),
            kind if is_operator(kind) => self.add(range, Kind::Operator, NONE),
            _ => {}
        }
    }

    fn escapes_of_text(&self, token: &SyntaxToken) -> escapes::HighlightedEscapes {
        let in_string = token.parent().is_some_and(|it| it.kind() == INTERPOLATED_STRING);
        match self.text {
            StringText::Heredoc { escapes, end } if !in_string && token.text_range().end <= end => escapes,
            _ => escapes::HighlightedEscapes::DOUBLE_QUOTED,
        }
    }

    fn string(&mut self, token: &SyntaxToken, escapes: escapes::HighlightedEscapes) {
        let start = token.text_range().start;
        let mut text_from = 0;
        for escape in escapes.find(token.text()) {
            self.add_string(start, text_from..escape.start);
            let range = TextRange::new(start + escape.start as u32, start + escape.end as u32);
            self.add(range, SemanticTokenKind::Escape, SemanticTokenModifiers::NONE);
            text_from = escape.end;
        }
        self.add_string(start, text_from..token.text().len());
    }

    fn add_string(&mut self, start: u32, part: std::ops::Range<usize>) {
        let range = TextRange::new(start + part.start as u32, start + part.end as u32);
        self.add(range, SemanticTokenKind::String, SemanticTokenModifiers::NONE);
    }

    fn variable(&mut self, token: &SyntaxToken) {
        let name = token.text().trim_start_matches('$').trim_start_matches("::");
        let parent = token.parent();
        let is_declared_parameter = parent.as_ref().is_some_and(|it| it.kind() == PARAMETER);
        let (kind, modifiers) = if is_declared_parameter {
            (SemanticTokenKind::Parameter, SemanticTokenModifiers::DECLARATION)
        } else if self.is_parameter(token.text().trim_start_matches('$')) {
            (SemanticTokenKind::Parameter, SemanticTokenModifiers::NONE)
        } else if built_in::is_variable(name) {
            (SemanticTokenKind::Variable, SemanticTokenModifiers::BUILT_IN_VARIABLE)
        } else if parent.is_some_and(|it| is_assigned(&it)) {
            (SemanticTokenKind::Variable, SemanticTokenModifiers::DECLARATION)
        } else {
            (SemanticTokenKind::Variable, SemanticTokenModifiers::NONE)
        };
        self.add(token.text_range(), kind, modifiers);
    }

    fn keyword(&mut self, token: &SyntaxToken) {
        // Attributes and hash keys may be named like keywords.
        let Some(parent) = token.parent() else { return };
        let is_first = parent.first_token().is_some_and(|it| it == *token);
        match parent.kind() {
            ATTRIBUTE if is_first => self.name(token),
            QUALIFIED_NAME if token.kind() != CLASS_KW || is_bare_key(&parent) => self.name(token),
            METHOD_CALL_EXPR | LITERAL_STRING | DEFINITION_NAME if token.kind() != DEFAULT_KW => {
                self.name(token)
            }
            _ if matches!(token.kind(), AND_KW | OR_KW | IN_KW) => {
                self.add(token.text_range(), SemanticTokenKind::Operator, SemanticTokenModifiers::NONE);
            }
            _ => self.add(token.text_range(), SemanticTokenKind::Keyword, SemanticTokenModifiers::NONE),
        }
    }

    fn name(&mut self, token: &SyntaxToken) {
        if let Some((kind, modifiers)) = meaning_of_name(token) {
            self.add(token.text_range(), kind, modifiers);
        }
    }
}

fn is_operator(kind: SyntaxKind) -> bool {
    (EQ..=STAR).contains(&kind)
        || matches!(kind, PERCENT | BANG | AT | AT_AT | QUESTION)
        || matches!(kind, BEFORE_ARROW | NOTIFY_ARROW | REQUIRE_ARROW | SUBSCRIBE_ARROW)
}

/// Returns whether this variable, or an array that contains it, is the left side of an assignment.
fn is_assigned(variable: &SyntaxNode) -> bool {
    let mut node = variable.clone();
    while let Some(parent) = node.parent() {
        match parent.kind() {
            ARRAY_EXPR => node = parent,
            ASSIGNMENT_EXPR => {
                let assignment = ast::AssignmentExpr::cast(parent);
                return assignment.and_then(|it| it.lhs()).is_some_and(|it| *it.syntax() == node);
            }
            _ => return false,
        }
    }
    false
}

type Meaning = (SemanticTokenKind, SemanticTokenModifiers);

/// Classifies a name, reference or bare word by its position in the tree.
fn meaning_of_name(token: &SyntaxToken) -> Option<Meaning> {
    use SemanticTokenKind as Kind;
    use SemanticTokenModifiers as Modifiers;
    let parent = token.parent()?;
    let text = token.text().trim_start_matches("::");
    Some(match parent.kind() {
        ATTRIBUTE => (Kind::Property, Modifiers::default_library_if(built_in::is_metaparameter(text))),
        METHOD_CALL_EXPR => (Kind::Function, Modifiers::default_library_if(built_in::is_function(text))),
        QUALIFIED_REFERENCE => (Kind::Type, Modifiers::default_library_if(built_in::is_data_type(text))),
        DEFINITION_NAME => meaning_of_definition_name(&parent)?,
        QUALIFIED_NAME => meaning_of_qualified_name(&parent, text)?,
        LITERAL_STRING if is_bare_key(&parent) => (Kind::Property, Modifiers::NONE),
        LITERAL_STRING | HOST_NAME => (Kind::Bareword, Modifiers::NONE),
        _ if token.kind() == CLASSREF => {
            (Kind::Type, Modifiers::default_library_if(built_in::is_data_type(text)))
        }
        _ => return None,
    })
}

fn meaning_of_definition_name(name: &SyntaxNode) -> Option<Meaning> {
    let kind = match name.parent()?.kind() {
        CLASS_DEFINITION => SemanticTokenKind::Class,
        DEFINED_TYPE | TYPE_ALIAS | TYPE_DEFINITION => SemanticTokenKind::Type,
        FUNCTION_DEFINITION | PLAN_DEFINITION => SemanticTokenKind::Function,
        INHERITS_CLAUSE => return Some((SemanticTokenKind::Class, SemanticTokenModifiers::NONE)),
        _ => return None,
    };
    Some((kind, SemanticTokenModifiers::DECLARATION))
}

fn meaning_of_qualified_name(name: &SyntaxNode, text: &str) -> Option<Meaning> {
    use SemanticTokenKind as Kind;
    use SemanticTokenModifiers as Modifiers;
    let parent = name.parent()?;
    let is_first = parent.children().next().is_some_and(|it| it == *name);
    Some(match parent.kind() {
        CALL_EXPR | STATEMENT_CALL if is_first && built_in::is_statement(text) => {
            (Kind::Statement, Modifiers::default_library_if(true))
        }
        CALL_EXPR | STATEMENT_CALL if is_first => {
            (Kind::Function, Modifiers::default_library_if(built_in::is_function(text)))
        }
        RESOURCE_EXPR | UNTITLED_RESOURCE if is_first => {
            (Kind::Type, Modifiers::default_library_if(built_in::is_resource_type(text)))
        }
        KEYED_ENTRY if is_bare_key(name) => (Kind::Property, Modifiers::NONE),
        ARGUMENT_LIST if takes_class_names(&parent) => (Kind::Class, Modifiers::NONE),
        // In a query, the left side of `==` and `!=` is an attribute name.
        BINARY_EXPR
            if is_first
                && parent.ancestors().any(|it| matches!(it.kind(), VIRTUAL_QUERY | EXPORTED_QUERY)) =>
        {
            (Kind::Property, Modifiers::default_library_if(built_in::is_metaparameter(text)))
        }
        _ => (Kind::Bareword, Modifiers::NONE),
    })
}

/// Returns whether the node is the key of a hash entry.
fn is_bare_key(node: &SyntaxNode) -> bool {
    let entry = node.parent().filter(|it| it.kind() == KEYED_ENTRY);
    entry.and_then(|it| it.children().next()).is_some_and(|it| it == *node)
}

/// Returns whether the arguments belong to `include` or a similar function.
fn takes_class_names(arguments: &SyntaxNode) -> bool {
    let call = arguments.parent();
    let functor = call.and_then(|it| it.children().find_map(ast::QualifiedName::cast));
    functor.is_some_and(|it| hir::takes_class_names(&it.text()) || it.text() == "hiera_include")
}

impl SemanticTokenModifiers {
    /// Returns the LSP names of the modifiers, such as `declaration` and `readonly`, for tests and logs.
    pub fn names(self) -> Vec<&'static str> {
        let all = [
            (self.declaration, "declaration"),
            (self.readonly, "readonly"),
            (self.default_library, "defaultLibrary"),
        ];
        all.into_iter().filter(|it| it.0).map(|it| it.1).collect()
    }
}

#[cfg(test)]
#[path = "semantic_tokens_tests.rs"]
mod tests;
