//! What may stand at an offset, by the brackets around it and what stands in them in front of it.

use syntax::ast::{self, AstNode};
use syntax::{SyntaxKind, SyntaxKind::*, SyntaxNode, SyntaxToken};

use super::resources::{resource_of, unquoted};
use super::walk::{self, BracketLevel, BracketStep};
use super::{CursorPlace, Expectation, ResourceAtCursor};

/// One level in front of one offset.
pub(super) struct LevelReading<'r> {
    pub(super) root: &'r SyntaxNode,
    pub(super) text: &'r str,
    pub(super) start: u32,
    pub(super) level: &'r BracketLevel,
}

impl LevelReading<'_> {
    pub(super) fn place(&self) -> Option<CursorPlace> {
        let Some(before) = self.level.steps.first() else { return self.at_opener() };
        let parent = before.last().parent();
        let parent = parent.as_ref();
        match before.kind() {
            DOT => {
                let call = parent.cloned().and_then(ast::MethodCallExpr::cast);
                return Some(CursorPlace::Method(
                    call.and_then(|it| it.receiver()).map(|it| it.syntax().clone()),
                ));
            }
            CLASS_KW | DEFINE_KW | FUNCTION_KW | TYPE_KW | PLAN_KW => {
                let is_key = self.is_key(before);
                return (!is_key).then(|| CursorPlace::DefinitionName(before.kind()));
            }
            INHERITS_KW => return Some(CursorPlace::ClassName),
            NODE_KW | APPLY_KW => return None,
            AT | AT_AT => return Some(CursorPlace::ResourceType),
            SHIFT_RIGHT if parent.is_some_and(|it| it.kind() == RETURN_TYPE) => {
                return Some(CursorPlace::Type);
            }
            EQ if parent.is_some_and(|it| matches!(it.kind(), TYPE_ALIAS | TYPE_MAPPING)) => {
                return Some(CursorPlace::Type);
            }
            // `type X = ` before the parser has seen what it is.
            EQ if self.is_behind_type_name() => return Some(CursorPlace::Type),
            EPP_TEXT | EPP_EMPTY_TEXT => return Some(CursorPlace::statement(false)),
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

    /// Right behind the bracket around it, or at the beginning of the file.
    fn at_opener(&self) -> Option<CursorPlace> {
        let Some(opener) = &self.level.opener else { return Some(CursorPlace::statement(true)) };
        match opener.kind() {
            L_BRACE | SELECTOR_BRACE => self.in_braces(opener),
            PIPE => Some(CursorPlace::Type),
            L_PAREN | LINE_START_PAREN if is_in(opener, PARAMETER_LIST) => Some(CursorPlace::Type),
            COLLECT_START | EXPORTED_START => self.in_query(opener),
            INTERPOLATION_START => Some(CursorPlace::Interpolation),
            DQ_START => None,
            _ => self.in_list(),
        }
    }

    /// Is a keyword the name of an attribute or a key: does the level hold pairs?
    fn is_key(&self, keyword: &BracketStep) -> bool {
        let in_pairs = self.level.opener.as_ref().is_some_and(|opener| {
            opener.parent().is_some_and(|it| {
                matches!(it.kind(), HASH_EXPR | RESOURCE_EXPR | RESOURCE_DEFAULTS | UNTITLED_RESOURCE)
            })
        });
        in_pairs && keyword.kind() != CLASS_KW
    }

    fn is_behind_type_name(&self) -> bool {
        let mut own = self.level.steps.iter().skip(1);
        own.next().is_some_and(|it| it.is(CLASSREF)) && own.next().is_some_and(|it| it.is(TYPE_KW))
    }

    fn in_braces(&self, opener: &SyntaxToken) -> Option<CursorPlace> {
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

    /// Of which the parser could make nothing: what stands in front of them decides.
    fn in_unknown_braces(&self, opener: &SyntaxToken) -> Option<CursorPlace> {
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

    fn in_block(&self, is_file: bool) -> Option<CursorPlace> {
        let is_top = is_file;
        let Some(before) = self.level.steps.first() else { return Some(CursorPlace::statement(is_top)) };
        if before.is(SEMICOLON) {
            return Some(CursorPlace::statement(is_top));
        }
        if let Some(place) = self.statement_argument() {
            return Some(place);
        }
        if let Some(place) = self.behind_operator(before, || self.statement_expectation()) {
            return Some(place);
        }
        match before.kind() {
            ELSE_KW => None,
            COMMA | COLON | FAT_ARROW => None,
            // The head of a definition, a conditional or a lambda is complete: a brace follows.
            _ if self.is_on_same_line(before) => self.behind_operand(before),
            _ => Some(CursorPlace::Statement { is_top, is_alternative: closes_conditional(before) }),
        }
    }

    /// On the line of what stands before.
    fn is_on_same_line(&self, before: &BracketStep) -> bool {
        let end = before.last().text_range().end;
        let gap = self.text.get(end as usize..self.start as usize).unwrap_or_default();
        !gap.contains('\n')
    }

    fn behind_operand(&self, before: &BracketStep) -> Option<CursorPlace> {
        match before {
            BracketStep::Token(token) if is_in(token, DEFINITION_NAME) || self.is_class_head() => {
                self.is_class_head().then_some(CursorPlace::ClassHead)
            }
            BracketStep::Group { open, .. } if is_in(open, PARAMETER_LIST) => {
                self.is_class_head().then_some(CursorPlace::ClassHead)
            }
            BracketStep::Group { open, .. } if open.kind() == L_BRACE => {
                closes_conditional(before).then_some(CursorPlace::BehindConditional)
            }
            BracketStep::Token(token) if token.kind() == NAME && is_plain_name(token) => None,
            _ if self.start > before.last().text_range().end => Some(CursorPlace::Operator),
            _ => None,
        }
    }

    /// `class name` or `class name (...)` in front?
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

    /// Behind a function that takes its arguments without parentheses.
    fn statement_argument(&self) -> Option<CursorPlace> {
        let mut steps = self.level.steps.iter();
        let mut index = 0;
        let mut step = steps.next()?;
        // `include a, b, `: only whole values between the commas.
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
            function if hir::takes_class_names(function) => CursorPlace::ClassName,
            function => CursorPlace::Expression(Expectation::Argument {
                function: function.to_owned(),
                index,
                earlier: Vec::new(),
            }),
        })
    }

    /// Behind a token that an operand follows. `None` when there is no such token.
    fn behind_operator(
        &self,
        before: &BracketStep,
        otherwise: impl Fn() -> Expectation,
    ) -> Option<CursorPlace> {
        let BracketStep::Token(token) = before else { return None };
        let expected = match token.kind() {
            EQ_EQ | NOT_EQ => {
                let lhs = token.parent().and_then(ast::BinaryExpr::cast).and_then(|it| it.lhs());
                lhs.map_or(Expectation::Anything, |it| Expectation::SameAs(it.syntax().clone()))
            }
            MATCH | NO_MATCH => return Some(CursorPlace::Type),
            BEFORE_ARROW | NOTIFY_ARROW | REQUIRE_ARROW | SUBSCRIBE_ARROW => Expectation::Relationship,
            EQ | PLUS_EQ | MINUS_EQ => otherwise(),
            QUESTION => return None,
            IF_KW | UNLESS_KW | CASE_KW | ELSIF_KW | AND_KW | OR_KW | IN_KW | BANG | GT | GT_EQ | LT
            | LT_EQ | SHIFT_LEFT | SHIFT_RIGHT | PLUS | MINUS | STAR | SLASH | PERCENT | EPP_OPEN_EXPR => {
                Expectation::Anything
            }
            _ => return None,
        };
        Some(CursorPlace::Expression(expected))
    }

    /// What the right side of an assignment is for: nothing is known of it.
    fn statement_expectation(&self) -> Expectation {
        Expectation::Anything
    }

    fn in_resource(&self, opener: &SyntaxToken) -> Option<CursorPlace> {
        let resource = resource_of(self.level, opener)?;
        let outer = self.level.outer()?;
        // `File { }`, `File['x'] { }` with an attribute that is not finished.
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
            (None, ResourceAtCursor::Class(_)) => Some(CursorPlace::ClassTitle),
            (None, ResourceAtCursor::OfType(_)) => Some(CursorPlace::Expression(Expectation::Anything)),
            // Attributes without a title.
            (Some(before), resource @ ResourceAtCursor::OfType(_)) if before.is(COMMA) => {
                self.in_pairs(Pairs::Attributes(resource))
            }
            _ => None,
        }
    }

    /// In braces that hold `key => value`.
    fn in_pairs(&self, pairs: Pairs) -> Option<CursorPlace> {
        let own = self.level.until(&[COMMA, SEMICOLON, COLON]);
        let Some(before) = own.first() else {
            let nearest = self.level.steps.first();
            // Behind a selector's or hash's `:` nothing makes sense.
            if nearest.is_some_and(|it| it.is(COLON)) && !matches!(pairs, Pairs::Attributes(_)) {
                return None;
            }
            return self.at_key(&pairs);
        };
        let arrow = own.iter().position(|step| matches!(step.kind(), FAT_ARROW | PLUS_ARROW));
        match arrow {
            Some(0) => Some(CursorPlace::Expression(self.value_of(&pairs, own))),
            Some(_) => {
                if let Some(place) = self.behind_operator(before, || Expectation::Anything) {
                    return Some(place);
                }
                if self.is_on_same_line(before) {
                    return self.behind_operand(before);
                }
                // A comma is missing.
                self.at_key(&pairs)
            }
            None => {
                if self.is_on_same_line(before) {
                    return self.behind_operator(before, || Expectation::Anything);
                }
                self.at_key(&pairs)
            }
        }
    }

    fn at_key(&self, pairs: &Pairs) -> Option<CursorPlace> {
        Some(match pairs {
            Pairs::Attributes(resource) => {
                let given = walk::names_before_arrows(self.root, self.level, self.start);
                CursorPlace::AttributeName { resource: resource.clone(), given }
            }
            Pairs::Hash => {
                let given = walk::names_before_arrows(self.root, self.level, self.start);
                let given = given.iter().map(|it| unquoted(it).to_owned()).collect();
                CursorPlace::Expression(Expectation::Key { hash: Box::new(self.expected_outside()), given })
            }
            Pairs::Selector(selector) => {
                let lhs = ast::SelectorExpr::cast(selector.clone()).and_then(|it| it.lhs());
                CursorPlace::Expression(
                    lhs.map_or(Expectation::Anything, |it| Expectation::SameAs(it.syntax().clone())),
                )
            }
        })
    }

    /// What the value behind the arrow of the nearest pair is for.
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

    /// What the whole bracket around this level is for.
    fn expected_outside(&self) -> Expectation {
        let (Some(outer), Some(opener)) = (self.level.outer(), &self.level.opener) else {
            return Expectation::Anything;
        };
        let start = opener.text_range().start;
        LevelReading { root: self.root, text: self.text, start, level: &outer }.expectation()
    }

    /// What the operand being written on this level is for, whatever of it is there already.
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
            Some(CursorPlace::Expression(expected)) => expected,
            _ => Expectation::Anything,
        }
    }

    fn in_case(&self, case: SyntaxNode) -> Option<CursorPlace> {
        let test = ast::CaseExpr::cast(case).and_then(|it| it.test());
        let label = test.map_or(Expectation::Anything, |it| Expectation::SameAs(it.syntax().clone()));
        match self.level.steps.first() {
            None => Some(CursorPlace::Expression(label)),
            Some(before) if before.is(COMMA) => Some(CursorPlace::Expression(label)),
            Some(before @ BracketStep::Group { open, .. })
                if open.kind() == L_BRACE && !self.is_on_same_line(before) =>
            {
                Some(CursorPlace::Expression(label))
            }
            _ => None,
        }
    }

    fn in_parameters(&self) -> Option<CursorPlace> {
        let own = self.level.until(&[COMMA]);
        let Some(before) = own.first() else { return Some(CursorPlace::Type) };
        let eq = own.iter().position(|step| step.is(EQ));
        match eq {
            Some(0) => {
                let parameter = own[0].last().parent().filter(|it| it.kind() == PARAMETER);
                Some(CursorPlace::Expression(parameter.map_or(Expectation::Anything, Expectation::Default)))
            }
            Some(_) => match self.behind_operator(before, || Expectation::Anything) {
                Some(place) => Some(place),
                None if self.is_on_same_line(before) => self.behind_operand(before),
                None => None,
            },
            None => None,
        }
    }

    fn in_query(&self, opener: &SyntaxToken) -> Option<CursorPlace> {
        let outer = self.level.outer()?;
        let Some(BracketStep::Token(type_name)) = outer.steps.first() else { return None };
        let resource =
            ResourceAtCursor::OfType(type_name.text().trim_start_matches(':').to_ascii_lowercase());
        let _ = opener;
        match self.level.steps.as_slice() {
            [] => Some(CursorPlace::QueryAttribute(resource)),
            [BracketStep::Token(token), ..] if matches!(token.kind(), AND_KW | OR_KW) => {
                Some(CursorPlace::QueryAttribute(resource))
            }
            [BracketStep::Token(operator), BracketStep::Token(name), ..]
                if matches!(operator.kind(), EQ_EQ | NOT_EQ) =>
            {
                Some(CursorPlace::Expression(Expectation::Attribute {
                    resource,
                    name: name.text().to_owned(),
                }))
            }
            _ => None,
        }
    }

    /// In parentheses or brackets.
    fn in_list(&self) -> Option<CursorPlace> {
        let opener = self.level.opener.as_ref()?;
        let own = self.level.until(&[COMMA]);
        let Some(before) = own.first() else {
            return Some(self.list_place(self.expected_in_list(opener)));
        };
        let arrow = own.iter().position(|step| step.is(FAT_ARROW));
        if arrow == Some(0) {
            let key = own.get(1).map(|step| unquoted(step.last().text()).to_owned()).unwrap_or_default();
            let hash = Box::new(self.expected_in_list(opener));
            return Some(CursorPlace::Expression(Expectation::Entry { hash, key }));
        }
        if opener.kind() == INTERPOLATION_START && self.level.steps.is_empty() {
            return Some(CursorPlace::Interpolation);
        }
        if let Some(place) = self.behind_operator(before, || Expectation::Anything) {
            return Some(place);
        }
        if before.is(COLON) || before.is(SEMICOLON) {
            return None;
        }
        if self.is_on_same_line(before) { self.behind_operand(before) } else { None }
    }

    /// What may stand where an element of a list begins.
    fn list_place(&self, expected: Expectation) -> CursorPlace {
        match &expected {
            Expectation::Argument { function, .. } if hir::takes_class_names(function) => {
                CursorPlace::ClassName
            }
            _ => CursorPlace::Expression(expected),
        }
    }

    /// What an element of the parentheses or brackets around this level is for.
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

/// A name that nothing has been made of yet, at the beginning of a statement: a title or a brace may follow.
fn is_plain_name(token: &SyntaxToken) -> bool {
    let parent = token.parent();
    parent.is_some_and(|it| matches!(it.kind(), QUALIFIED_NAME | ERROR))
}

fn closes_conditional(before: &BracketStep) -> bool {
    let BracketStep::Group { close, .. } = before else { return false };
    let owner = close.parent().filter(|it| it.kind() == BLOCK).and_then(|it| it.parent());
    owner.is_some_and(|it| matches!(it.kind(), IF_EXPR | ELSIF_CLAUSE | UNLESS_EXPR))
}

/// What the key behind an access's bracket is for; `outer` ends in front of that.
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
                return Some(Expectation::AccessKey { variable, keys });
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

/// The arguments in front of the cursor that are plain texts, in order; others are empty.
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
