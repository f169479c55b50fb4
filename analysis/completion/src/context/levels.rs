//! Context at an offset, derived from the enclosing brackets and the tokens before the offset.

use syntax::ast::{self, AstNode};
use syntax::{SyntaxKind, SyntaxKind::*, SyntaxNode, SyntaxToken};

use super::position::{CursorPosition, Expectation, ResourceAtCursor};
use super::resources::{resource_of, unquoted};
use super::walk::{self, BracketLevel, BracketStep};

/// Bracket level before an offset.
pub(super) struct LevelReading<'r> {
    pub(super) root: &'r SyntaxNode,
    pub(super) text: &'r str,
    pub(super) start: u32,
    pub(super) level: &'r BracketLevel,
}

impl LevelReading<'_> {
    pub(super) fn position(&self) -> Option<CursorPosition> {
        let Some(before) = self.level.steps.first() else { return self.at_opener() };
        let parent = before.last().parent();
        let parent = parent.as_ref();
        match before.kind() {
            DOT => {
                let call = parent.cloned().and_then(ast::MethodCallExpr::cast);
                return Some(CursorPosition::Method(
                    call.and_then(|it| it.receiver()).map(|it| it.syntax().clone()),
                ));
            }
            CLASS_KW | DEFINE_KW | FUNCTION_KW | TYPE_KW | PLAN_KW => {
                let is_key = self.is_key(before);
                return (!is_key).then(|| CursorPosition::DefinitionName(before.kind()));
            }
            INHERITS_KW => return Some(CursorPosition::ClassName),
            NODE_KW | APPLY_KW => return None,
            AT | AT_AT => return Some(CursorPosition::ResourceType),
            SHIFT_RIGHT if parent.is_some_and(|it| it.kind() == RETURN_TYPE) => {
                return Some(CursorPosition::Type);
            }
            EQ if parent.is_some_and(|it| matches!(it.kind(), TYPE_ALIAS | TYPE_MAPPING)) => {
                return Some(CursorPosition::Type);
            }
            // `type X = ` before the parser recognizes an alias.
            EQ if self.is_after_type_name() => return Some(CursorPosition::Type),
            EPP_TEXT | EPP_EMPTY_TEXT => return Some(CursorPosition::statement(false)),
            ERROR_TOKEN => return None,
            _ => {}
        }
        match self.level.opener.as_ref().map(|opener| (opener.kind(), opener)) {
            None => self.in_block(true),
            Some((L_BRACE | SELECTOR_BRACE, opener)) => self.in_braces(opener),
            Some((PIPE, _)) => self.in_parameters(),
            Some((L_PAREN | LINE_START_PAREN, opener)) if is_in(opener, PARAMETER_LIST) => {
                self.in_parameters()
            }
            Some((COLLECT_START | EXPORTED_START, opener)) => self.in_query(opener),
            Some((_, _)) => self.in_list(),
        }
    }

    /// Returns the context directly after the opening bracket, or at the beginning of the file.
    fn at_opener(&self) -> Option<CursorPosition> {
        let Some(opener) = &self.level.opener else { return Some(CursorPosition::statement(true)) };
        match opener.kind() {
            L_BRACE | SELECTOR_BRACE => self.in_braces(opener),
            PIPE => Some(CursorPosition::Type),
            L_PAREN | LINE_START_PAREN if is_in(opener, PARAMETER_LIST) => Some(CursorPosition::Type),
            COLLECT_START | EXPORTED_START => self.in_query(opener),
            INTERPOLATION_START => Some(CursorPosition::Interpolation),
            DQ_START => None,
            _ => self.in_list(),
        }
    }

    /// Returns true if a keyword is the name of an attribute or a key.
    fn is_key(&self, keyword: &BracketStep) -> bool {
        let in_pairs = self.level.opener.as_ref().is_some_and(|opener| {
            opener.parent().is_some_and(|it| {
                matches!(it.kind(), HASH_EXPR | RESOURCE_EXPR | RESOURCE_DEFAULTS | UNTITLED_RESOURCE)
            })
        });
        in_pairs && keyword.kind() != CLASS_KW
    }

    fn is_after_type_name(&self) -> bool {
        let mut own = self.level.steps.iter().skip(1);
        own.next().is_some_and(|it| it.is(CLASSREF)) && own.next().is_some_and(|it| it.is(TYPE_KW))
    }

    fn in_braces(&self, opener: &SyntaxToken) -> Option<CursorPosition> {
        let parent = opener.parent()?;
        match parent.kind() {
            BLOCK | CLASS_DEFINITION => self.in_block(false),
            HASH_EXPR => self.in_pairs(Pairs::Hash),
            SELECTOR_EXPR => self.in_pairs(Pairs::Selector(parent)),
            CASE_EXPR => self.in_case(parent),
            RESOURCE_EXPR | UNTITLED_RESOURCE => self.in_resource(opener),
            RESOURCE_DEFAULTS | RESOURCE_OVERRIDE | COLLECT_EXPR => {
                let resource = resource_of(self.level, opener)?;
                self.in_pairs(Pairs::Attributes(resource))
            }
            TYPE_DEFINITION => None,
            _ => self.in_unknown_braces(opener),
        }
    }

    /// Returns the context in braces that the parser could not classify, based on the tokens before them.
    fn in_unknown_braces(&self, opener: &SyntaxToken) -> Option<CursorPosition> {
        let outer = self.level.outer()?;
        let before = outer.steps.first();
        match before.map(BracketStep::kind) {
            Some(NAME | CLASS_KW) => self.in_resource(opener),
            Some(CLASSREF | COLLECT_START | EXPORTED_START) => {
                let resource = resource_of(self.level, opener)?;
                self.in_pairs(Pairs::Attributes(resource))
            }
            Some(EQ | FAT_ARROW | COMMA | L_PAREN) => self.in_pairs(Pairs::Hash),
            _ => self.in_block(false),
        }
    }

    fn in_block(&self, is_file: bool) -> Option<CursorPosition> {
        let is_top = is_file;
        let Some(before) = self.level.steps.first() else { return Some(CursorPosition::statement(is_top)) };
        if before.is(SEMICOLON) {
            return Some(CursorPosition::statement(is_top));
        }
        if let Some(position) = self.statement_argument() {
            return Some(position);
        }
        if let Some(position) = self.after_operator(before, || self.statement_expectation()) {
            return Some(position);
        }
        match before.kind() {
            ELSE_KW => None,
            COMMA | COLON | FAT_ARROW => None,
            // After the complete head of a definition, a conditional or a lambda, a brace follows.
            _ if self.is_on_same_line(before) => self.after_operand(before),
            _ => Some(CursorPosition::Statement { is_top, is_alternative: closes_conditional(before) }),
        }
    }

    /// Returns true if the offset is on the line of the previous step.
    fn is_on_same_line(&self, before: &BracketStep) -> bool {
        let end = before.last().text_range().end;
        let gap = self.text.get(end as usize..self.start as usize).unwrap_or_default();
        !gap.contains('\n')
    }

    fn after_operand(&self, before: &BracketStep) -> Option<CursorPosition> {
        match before {
            BracketStep::Token(token) if is_in(token, DEFINITION_NAME) || self.is_class_head() => {
                self.is_class_head().then_some(CursorPosition::ClassHead)
            }
            BracketStep::Group { open, .. } if is_in(open, PARAMETER_LIST) => {
                self.is_class_head().then_some(CursorPosition::ClassHead)
            }
            BracketStep::Group { open, .. } if open.kind() == L_BRACE => {
                closes_conditional(before).then_some(CursorPosition::AfterConditional)
            }
            BracketStep::Token(token) if token.kind() == NAME && is_plain_name(token) => None,
            _ if self.start > before.last().text_range().end => Some(CursorPosition::Operator),
            _ => None,
        }
    }

    /// Returns true after `class name` or `class name (...)`.
    fn is_class_head(&self) -> bool {
        let mut steps = self.level.steps.iter().peekable();
        if steps
            .peek()
            .is_some_and(|it| matches!(it, BracketStep::Group { open, .. } if open.kind() != DQ_START))
        {
            steps.next();
        }
        let is_name = steps.next().is_some_and(|it| matches!(it.kind(), NAME | WORD));
        is_name && steps.next().is_some_and(|it| it.is(CLASS_KW))
    }

    /// Returns the context after a function that takes its arguments without parentheses.
    fn statement_argument(&self) -> Option<CursorPosition> {
        let mut steps = self.level.steps.iter();
        let mut index = 0;
        let mut step = steps.next()?;
        // `include a, b, `: only single values between the commas.
        while step.is(COMMA) {
            index += 1;
            steps.next()?;
            step = steps.next()?;
        }
        let BracketStep::Token(name) = step else { return None };
        let follows = index > 0 || self.is_on_same_line(step);
        let is_call = name.kind() == NAME && syntax::STATEMENT_CALLS.contains(&name.text()) && follows;
        let begins_statement = |next: Option<&BracketStep>| {
            next.is_none_or(|it| {
                !matches!(it.kind(), DOT | FAT_ARROW | EQ | COMMA | AT | AT_AT | FUNCTION_KW | DEFINE_KW)
            })
        };
        if !is_call || !begins_statement(steps.next()) {
            return None;
        }
        Some(match name.text() {
            function if hir::takes_class_names(function) => CursorPosition::ClassName,
            function => CursorPosition::Expression(Expectation::Argument {
                function: function.to_owned(),
                index,
                earlier: Vec::new(),
                receiver: None,
            }),
        })
    }

    /// Returns the context after a token that an operand follows; `None` for other tokens.
    fn after_operator(
        &self,
        before: &BracketStep,
        otherwise: impl Fn() -> Expectation,
    ) -> Option<CursorPosition> {
        let BracketStep::Token(token) = before else { return None };
        let expected = match token.kind() {
            EQ_EQ | NOT_EQ => {
                let lhs = token.parent().and_then(ast::BinaryExpr::cast).and_then(|it| it.lhs());
                lhs.map_or(Expectation::Anything, |it| Expectation::SameAs(it.syntax().clone()))
            }
            MATCH | NO_MATCH => return Some(CursorPosition::Type),
            BEFORE_ARROW | NOTIFY_ARROW | REQUIRE_ARROW | SUBSCRIBE_ARROW => Expectation::Relationship,
            EQ | PLUS_EQ | MINUS_EQ => otherwise(),
            QUESTION => return None,
            IF_KW | UNLESS_KW | CASE_KW | ELSIF_KW | AND_KW | OR_KW | IN_KW | BANG | GT | GT_EQ | LT
            | LT_EQ | SHIFT_LEFT | SHIFT_RIGHT | PLUS | MINUS | STAR | SLASH | PERCENT | EPP_OPEN_EXPR => {
                Expectation::Anything
            }
            _ => return None,
        };
        Some(CursorPosition::Expression(expected))
    }

    /// Returns the expectation for the right side of an assignment, which is unknown.
    fn statement_expectation(&self) -> Expectation {
        Expectation::Anything
    }

    fn in_resource(&self, opener: &SyntaxToken) -> Option<CursorPosition> {
        let resource = resource_of(self.level, opener)?;
        let outer = self.level.outer()?;
        // `File { }` or `File['x'] { }` with an incomplete attribute.
        if outer.steps.first().is_some_and(|it| !matches!(it.kind(), NAME | CLASS_KW)) {
            return self.in_pairs(Pairs::Attributes(resource));
        }
        let own = self.level.until(&[SEMICOLON]);
        let has_title = own.iter().any(|step| step.is(COLON));
        let has_pairs = own.iter().any(|step| matches!(step.kind(), FAT_ARROW | PLUS_ARROW));
        if has_title || has_pairs {
            return self.in_pairs(Pairs::Attributes(resource));
        }
        match (own.first(), resource) {
            (None, ResourceAtCursor::Class(_)) => Some(CursorPosition::ClassTitle),
            (None, ResourceAtCursor::OfType(_)) => Some(CursorPosition::Expression(Expectation::Anything)),
            // Attributes without a title.
            (Some(before), resource @ ResourceAtCursor::OfType(_)) if before.is(COMMA) => {
                self.in_pairs(Pairs::Attributes(resource))
            }
            _ => None,
        }
    }

    /// Returns the context in braces that contain `key => value`.
    fn in_pairs(&self, pairs: Pairs) -> Option<CursorPosition> {
        let own = self.level.until(&[COMMA, SEMICOLON, COLON]);
        let Some(before) = own.first() else {
            let nearest = self.level.steps.first();
            // After the `:` of a selector or hash nothing is valid.
            if nearest.is_some_and(|it| it.is(COLON)) && !matches!(pairs, Pairs::Attributes(_)) {
                return None;
            }
            return self.at_key(&pairs);
        };
        let arrow = own.iter().position(|step| matches!(step.kind(), FAT_ARROW | PLUS_ARROW));
        match arrow {
            Some(0) => Some(CursorPosition::Expression(self.value_of(&pairs, own))),
            Some(_) => {
                if let Some(position) = self.after_operator(before, || Expectation::Anything) {
                    return Some(position);
                }
                if self.is_on_same_line(before) {
                    return self.after_operand(before);
                }
                // A comma is missing.
                self.at_key(&pairs)
            }
            None => {
                if self.is_on_same_line(before) {
                    return self.after_operator(before, || Expectation::Anything);
                }
                self.at_key(&pairs)
            }
        }
    }

    fn at_key(&self, pairs: &Pairs) -> Option<CursorPosition> {
        Some(match pairs {
            Pairs::Attributes(resource) => {
                let given = walk::names_before_arrows(self.root, self.level, self.start);
                CursorPosition::AttributeName { resource: resource.clone(), given }
            }
            Pairs::Hash => {
                let given = walk::names_before_arrows(self.root, self.level, self.start);
                let given = given.iter().map(|it| unquoted(it).to_owned()).collect();
                CursorPosition::Expression(Expectation::Key {
                    hash: Box::new(self.expected_outside()),
                    given,
                })
            }
            Pairs::Selector(selector) => {
                let lhs = ast::SelectorExpr::cast(selector.clone()).and_then(|it| it.lhs());
                CursorPosition::Expression(
                    lhs.map_or(Expectation::Anything, |it| Expectation::SameAs(it.syntax().clone())),
                )
            }
        })
    }

    /// Returns the expectation for the value after the arrow of the nearest pair.
    fn value_of(&self, pairs: &Pairs, own: &[BracketStep]) -> Expectation {
        let arrow = own.iter().position(|step| matches!(step.kind(), FAT_ARROW | PLUS_ARROW));
        let key = arrow.and_then(|at| own.get(at + 1));
        let key = key.map(|step| unquoted(step.last().text()).to_owned()).unwrap_or_default();
        match pairs {
            Pairs::Attributes(resource) => Expectation::Attribute { resource: resource.clone(), name: key },
            Pairs::Hash => Expectation::Entry { hash: Box::new(self.expected_outside()), key },
            Pairs::Selector(_) => self.expected_outside(),
        }
    }

    /// Returns the expectation for the bracket around this level.
    fn expected_outside(&self) -> Expectation {
        let (Some(outer), Some(opener)) = (self.level.outer(), &self.level.opener) else {
            return Expectation::Anything;
        };
        let start = opener.text_range().start;
        LevelReading { root: self.root, text: self.text, start, level: &outer }.expectation()
    }

    /// Returns the expectation for the operand being written on this level.
    fn expectation(&self) -> Expectation {
        let Some(opener) = &self.level.opener else { return self.expected_of_statement() };
        let parent = opener.parent();
        let kind = parent.as_ref().map(SyntaxNode::kind);
        let own = self.level.until(&[COMMA, SEMICOLON, COLON]);
        let has_arrow = own.iter().any(|step| matches!(step.kind(), FAT_ARROW | PLUS_ARROW));
        match (opener.kind(), kind) {
            (L_BRACE, Some(BLOCK | CLASS_DEFINITION)) => self.expected_of_statement(),
            (L_BRACE, Some(HASH_EXPR)) if has_arrow => self.value_of(&Pairs::Hash, own),
            (SELECTOR_BRACE, _) if has_arrow => self.expected_outside(),
            (L_BRACE, _) if has_arrow => match resource_of(self.level, opener) {
                Some(resource) => self.value_of(&Pairs::Attributes(resource), own),
                None => Expectation::Anything,
            },
            (L_BRACE | SELECTOR_BRACE, _) => Expectation::Anything,
            (_, Some(PARAMETER_LIST)) => match own.iter().find(|step| step.is(EQ)) {
                Some(eq) => eq.last().parent().map_or(Expectation::Anything, Expectation::Default),
                None => Expectation::Anything,
            },
            _ => self.expected_in_list(opener),
        }
    }

    fn expected_of_statement(&self) -> Expectation {
        match self.statement_argument() {
            Some(CursorPosition::Expression(expected)) => expected,
            _ => Expectation::Anything,
        }
    }

    fn in_case(&self, case: SyntaxNode) -> Option<CursorPosition> {
        let test = ast::CaseExpr::cast(case).and_then(|it| it.test());
        let label = test.map_or(Expectation::Anything, |it| Expectation::SameAs(it.syntax().clone()));
        match self.level.steps.first() {
            None => Some(CursorPosition::Expression(label)),
            Some(before) if before.is(COMMA) => Some(CursorPosition::Expression(label)),
            Some(before @ BracketStep::Group { open, .. })
                if open.kind() == L_BRACE && !self.is_on_same_line(before) =>
            {
                Some(CursorPosition::Expression(label))
            }
            _ => None,
        }
    }

    fn in_parameters(&self) -> Option<CursorPosition> {
        let own = self.level.until(&[COMMA]);
        let Some(before) = own.first() else { return Some(CursorPosition::Type) };
        let eq = own.iter().position(|step| step.is(EQ));
        match eq {
            Some(0) => {
                let parameter = own[0].last().parent().filter(|it| it.kind() == PARAMETER);
                Some(CursorPosition::Expression(
                    parameter.map_or(Expectation::Anything, Expectation::Default),
                ))
            }
            Some(_) => match self.after_operator(before, || Expectation::Anything) {
                Some(position) => Some(position),
                None if self.is_on_same_line(before) => self.after_operand(before),
                None => None,
            },
            None => None,
        }
    }

    fn in_query(&self, opener: &SyntaxToken) -> Option<CursorPosition> {
        let outer = self.level.outer()?;
        let Some(BracketStep::Token(type_name)) = outer.steps.first() else { return None };
        let resource =
            ResourceAtCursor::OfType(type_name.text().trim_start_matches(':').to_ascii_lowercase());
        let _ = opener;
        match self.level.steps.as_slice() {
            [] => Some(CursorPosition::QueryAttribute(resource)),
            [BracketStep::Token(token), ..] if matches!(token.kind(), AND_KW | OR_KW) => {
                Some(CursorPosition::QueryAttribute(resource))
            }
            [BracketStep::Token(operator), BracketStep::Token(name), ..]
                if matches!(operator.kind(), EQ_EQ | NOT_EQ) =>
            {
                Some(CursorPosition::Expression(Expectation::Attribute {
                    resource,
                    name: name.text().to_owned(),
                }))
            }
            _ => None,
        }
    }

    /// Returns the context in parentheses or square brackets.
    fn in_list(&self) -> Option<CursorPosition> {
        let opener = self.level.opener.as_ref()?;
        let own = self.level.until(&[COMMA]);
        let Some(before) = own.first() else {
            return Some(self.list_position(self.expected_in_list(opener)));
        };
        let arrow = own.iter().position(|step| step.is(FAT_ARROW));
        if arrow == Some(0) {
            let key = own.get(1).map(|step| unquoted(step.last().text()).to_owned()).unwrap_or_default();
            let hash = Box::new(self.expected_in_list(opener));
            return Some(CursorPosition::Expression(Expectation::Entry { hash, key }));
        }
        if opener.kind() == INTERPOLATION_START && self.level.steps.is_empty() {
            return Some(CursorPosition::Interpolation);
        }
        if let Some(position) = self.after_operator(before, || Expectation::Anything) {
            return Some(position);
        }
        if before.is(COLON) || before.is(SEMICOLON) {
            return None;
        }
        if self.is_on_same_line(before) { self.after_operand(before) } else { None }
    }

    /// Returns the context at the beginning of a list element.
    fn list_position(&self, expected: Expectation) -> CursorPosition {
        match &expected {
            Expectation::Argument { function, .. } if hir::takes_class_names(function) => {
                CursorPosition::ClassName
            }
            _ => CursorPosition::Expression(expected),
        }
    }

    /// Returns the expectation for an element of the parentheses or brackets around this level.
    fn expected_in_list(&self, opener: &SyntaxToken) -> Expectation {
        let commas = self.level.steps.iter().filter(|step| step.is(COMMA)).count();
        let Some(outer) = self.level.outer() else { return Expectation::Anything };
        let kind = opener.parent().map(|it| it.kind());
        match (opener.kind(), kind) {
            (L_BRACK, Some(ARGUMENT_LIST)) => access(&outer).unwrap_or(Expectation::Anything),
            (L_PAREN | LINE_START_PAREN, Some(ARGUMENT_LIST)) => {
                let is_method = outer.steps.get(1).is_some_and(|it| it.is(DOT));
                match outer.steps.first() {
                    Some(BracketStep::Token(name)) if name.kind() == NAME => Expectation::Argument {
                        function: name.text().trim_start_matches("::").to_owned(),
                        index: commas + usize::from(is_method),
                        earlier: earlier_texts(self.level),
                        receiver: outer.steps.get(2).filter(|_| is_method).and_then(receiver),
                    },
                    _ => Expectation::Anything,
                }
            }
            (L_BRACK | LIST_START, _) => Expectation::Element(Box::new(self.expected_outside())),
            (L_PAREN | LINE_START_PAREN, _) => self.expected_outside(),
            _ => Expectation::Anything,
        }
    }
}

enum Pairs {
    Hash,
    /// The selector.
    Selector(SyntaxNode),
    Attributes(ResourceAtCursor),
}

fn is_in(token: &SyntaxToken, kind: SyntaxKind) -> bool {
    token.parent().is_some_and(|it| it.kind() == kind)
}

/// Returns true for an unparsed name at the beginning of a statement, which a title or a brace may follow.
fn is_plain_name(token: &SyntaxToken) -> bool {
    let parent = token.parent();
    parent.is_some_and(|it| matches!(it.kind(), QUALIFIED_NAME | ERROR))
}

fn closes_conditional(before: &BracketStep) -> bool {
    let BracketStep::Group { close, .. } = before else { return false };
    let owner = close.parent().filter(|it| it.kind() == BLOCK).and_then(|it| it.parent());
    owner.is_some_and(|it| matches!(it.kind(), IF_EXPR | ELSIF_CLAUSE | UNLESS_EXPR))
}

/// Returns the expectation for a key in the brackets of an access; `outer` ends before the opening bracket.
fn access(outer: &BracketLevel) -> Option<Expectation> {
    let mut keys = Vec::new();
    for step in &outer.steps {
        match step {
            BracketStep::Group { open, close } if open.kind() == L_BRACK => {
                let key = close.prev_token().filter(|it| matches!(it.kind(), SQ_STRING | DQ_STRING | NAME));
                keys.push(key.map(|it| unquoted(it.text()).to_owned()).unwrap_or_default());
            }
            BracketStep::Token(token) if token.kind() == VARIABLE => {
                keys.reverse();
                let variable = token.text().trim_start_matches('$').trim_start_matches("::").to_owned();
                return Some(Expectation::AccessKey { variable, keys, node: token.parent() });
            }
            BracketStep::Token(token) if token.kind() == CLASSREF && keys.is_empty() => {
                let name = token.text().trim_start_matches("::").to_owned();
                return Some(Expectation::TypeArgument { name });
            }
            _ => return None,
        }
    }
    None
}

/// Returns the variable before the dot of a method call.
fn receiver(step: &BracketStep) -> Option<SyntaxNode> {
    let BracketStep::Token(variable) = step else { return None };
    variable.parent().filter(|_| variable.kind() == VARIABLE)
}

/// Returns the preceding arguments that are plain strings, in order; others are empty.
fn earlier_texts(level: &BracketLevel) -> Vec<String> {
    let mut texts = Vec::new();
    for argument in level.steps.split(|step| step.is(COMMA)) {
        let text = match argument {
            [BracketStep::Token(token)] if matches!(token.kind(), SQ_STRING | DQ_STRING | NAME) => {
                unquoted(token.text()).to_owned()
            }
            _ => String::new(),
        };
        texts.push(text);
    }
    texts.reverse();
    texts
}
