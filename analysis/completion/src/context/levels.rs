//! What may stand at an offset, by the brackets around it and what stands in them in front of it.

use syntax::ast::{self, AstNode};
use syntax::{SyntaxKind, SyntaxKind::*, SyntaxNode, SyntaxToken};

use super::resources::{resource_of, unquoted};
use super::walk::{self, Level, Step};
use super::{Expectation, Place, Resource};

/// One level in front of one offset.
pub(super) struct Reading<'r> {
    pub(super) root: &'r SyntaxNode,
    pub(super) text: &'r str,
    pub(super) start: u32,
    pub(super) level: &'r Level,
}

impl Reading<'_> {
    pub(super) fn place(&self) -> Option<Place> {
        let Some(before) = self.level.steps.first() else { return self.at_opener() };
        let parent = before.last().parent();
        let parent = parent.as_ref();
        match before.kind() {
            DOT => {
                let call = parent.cloned().and_then(ast::MethodCallExpr::cast);
                return Some(Place::Method(call.and_then(|it| it.receiver()).map(|it| it.syntax().clone())));
            }
            CLASS_KW | DEFINE_KW | FUNCTION_KW | TYPE_KW | PLAN_KW => {
                let is_key = self.is_key(before);
                return (!is_key).then(|| Place::DefinitionName(before.kind()));
            }
            INHERITS_KW => return Some(Place::ClassName),
            NODE_KW | APPLY_KW => return None,
            AT | AT_AT => return Some(Place::ResourceType),
            SHIFT_RIGHT if parent.is_some_and(|it| it.kind() == RETURN_TYPE) => return Some(Place::Type),
            EQ if parent.is_some_and(|it| matches!(it.kind(), TYPE_ALIAS | TYPE_MAPPING)) => {
                return Some(Place::Type);
            }
            // `type X = ` before the parser has seen what it is.
            EQ if self.is_behind_type_name() => return Some(Place::Type),
            EPP_TEXT | EPP_EMPTY_TEXT => return Some(Place::statement(false)),
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
    fn at_opener(&self) -> Option<Place> {
        let Some(opener) = &self.level.opener else { return Some(Place::statement(true)) };
        match opener.kind() {
            L_BRACE | SELECTOR_BRACE => self.in_braces(opener),
            PIPE => Some(Place::Type),
            L_PAREN | LINE_START_PAREN if is_in(opener, PARAMETER_LIST) => Some(Place::Type),
            COLLECT_START | EXPORTED_START => self.in_query(opener),
            INTERPOLATION_START => Some(Place::Interpolation),
            DQ_START => None,
            _ => self.in_list(),
        }
    }

    /// Is a keyword the name of an attribute or a key: does the level hold pairs?
    fn is_key(&self, keyword: &Step) -> bool {
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

    fn in_braces(&self, opener: &SyntaxToken) -> Option<Place> {
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
    fn in_unknown_braces(&self, opener: &SyntaxToken) -> Option<Place> {
        let outer = self.level.outer()?;
        let before = outer.steps.first();
        match before.map(Step::kind) {
            Some(NAME | CLASS_KW) => self.in_resource(opener),
            Some(CLASSREF | COLLECT_START | EXPORTED_START) => {
                let resource = resource_of(self.level, opener)?;
                self.in_pairs(Pairs::Attributes(resource))
            }
            Some(EQ | FAT_ARROW | COMMA | L_PAREN) => self.in_pairs(Pairs::Hash),
            _ => self.in_block(false),
        }
    }

    fn in_block(&self, is_file: bool) -> Option<Place> {
        let is_top = is_file;
        let Some(before) = self.level.steps.first() else { return Some(Place::statement(is_top)) };
        if before.is(SEMICOLON) {
            return Some(Place::statement(is_top));
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
            _ => Some(Place::Statement { is_top, is_alternative: closes_conditional(before) }),
        }
    }

    /// On the line of what stands before.
    fn is_on_same_line(&self, before: &Step) -> bool {
        let end = before.last().text_range().end;
        let gap = self.text.get(end as usize..self.start as usize).unwrap_or_default();
        !gap.contains('\n')
    }

    fn behind_operand(&self, before: &Step) -> Option<Place> {
        match before {
            Step::Token(token) if is_in(token, DEFINITION_NAME) || self.is_class_head() => {
                self.is_class_head().then_some(Place::ClassHead)
            }
            Step::Group { open, .. } if is_in(open, PARAMETER_LIST) => {
                self.is_class_head().then_some(Place::ClassHead)
            }
            Step::Group { open, .. } if open.kind() == L_BRACE => {
                closes_conditional(before).then_some(Place::BehindConditional)
            }
            Step::Token(token) if token.kind() == NAME && is_plain_name(token) => None,
            _ if self.start > before.last().text_range().end => Some(Place::Operator),
            _ => None,
        }
    }

    /// `class name` or `class name (...)` in front?
    fn is_class_head(&self) -> bool {
        let mut steps = self.level.steps.iter().peekable();
        if steps.peek().is_some_and(|it| matches!(it, Step::Group { open, .. } if open.kind() != DQ_START)) {
            steps.next();
        }
        let is_name = steps.next().is_some_and(|it| matches!(it.kind(), NAME | WORD));
        is_name && steps.next().is_some_and(|it| it.is(CLASS_KW))
    }

    /// Behind a function that takes its arguments without parentheses.
    fn statement_argument(&self) -> Option<Place> {
        let mut steps = self.level.steps.iter();
        let mut index = 0;
        let mut step = steps.next()?;
        // `include a, b, `: only whole values between the commas.
        while step.is(COMMA) {
            index += 1;
            steps.next()?;
            step = steps.next()?;
        }
        let Step::Token(name) = step else { return None };
        let follows = index > 0 || self.is_on_same_line(step);
        let is_call = name.kind() == NAME && STATEMENT_FUNCTIONS.contains(&name.text()) && follows;
        let begins_statement = |next: Option<&Step>| {
            next.is_none_or(|it| {
                !matches!(it.kind(), DOT | FAT_ARROW | EQ | COMMA | AT | AT_AT | FUNCTION_KW | DEFINE_KW)
            })
        };
        if !is_call || !begins_statement(steps.next()) {
            return None;
        }
        Some(match name.text() {
            "include" | "contain" | "require" => Place::ClassName,
            function => Place::Expression(Expectation::Argument {
                function: function.to_owned(),
                index,
                earlier: Vec::new(),
            }),
        })
    }

    /// Behind a token that an operand follows. `None` when there is no such token.
    fn behind_operator(&self, before: &Step, otherwise: impl Fn() -> Expectation) -> Option<Place> {
        let Step::Token(token) = before else { return None };
        let expected = match token.kind() {
            EQ_EQ | NOT_EQ => {
                let lhs = token.parent().and_then(ast::BinaryExpr::cast).and_then(|it| it.lhs());
                lhs.map_or(Expectation::Anything, |it| Expectation::SameAs(it.syntax().clone()))
            }
            MATCH | NO_MATCH => return Some(Place::Type),
            BEFORE_ARROW | NOTIFY_ARROW | REQUIRE_ARROW | SUBSCRIBE_ARROW => Expectation::Relationship,
            EQ | PLUS_EQ | MINUS_EQ => otherwise(),
            QUESTION => return None,
            IF_KW | UNLESS_KW | CASE_KW | ELSIF_KW | AND_KW | OR_KW | IN_KW | BANG | GT | GT_EQ | LT
            | LT_EQ | SHIFT_LEFT | SHIFT_RIGHT | PLUS | MINUS | STAR | SLASH | PERCENT | EPP_OPEN_EXPR => {
                Expectation::Anything
            }
            _ => return None,
        };
        Some(Place::Expression(expected))
    }

    /// What the right side of an assignment is for: nothing is known of it.
    fn statement_expectation(&self) -> Expectation {
        Expectation::Anything
    }

    fn in_resource(&self, opener: &SyntaxToken) -> Option<Place> {
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
            (None, Resource::Class(_)) => Some(Place::ClassTitle),
            (None, Resource::OfType(_)) => Some(Place::Expression(Expectation::Anything)),
            // Attributes without a title.
            (Some(before), resource @ Resource::OfType(_)) if before.is(COMMA) => {
                self.in_pairs(Pairs::Attributes(resource))
            }
            _ => None,
        }
    }

    /// In braces that hold `key => value`.
    fn in_pairs(&self, pairs: Pairs) -> Option<Place> {
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
            Some(0) => Some(Place::Expression(self.value_of(&pairs, own))),
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

    fn at_key(&self, pairs: &Pairs) -> Option<Place> {
        Some(match pairs {
            Pairs::Attributes(resource) => {
                let given = walk::names_before_arrows(self.root, self.level, self.start);
                Place::AttributeName { resource: resource.clone(), given }
            }
            Pairs::Hash => {
                let given = walk::names_before_arrows(self.root, self.level, self.start);
                let given = given.iter().map(|it| unquoted(it).to_owned()).collect();
                Place::Expression(Expectation::Key { hash: Box::new(self.expected_outside()), given })
            }
            Pairs::Selector(selector) => {
                let lhs = ast::SelectorExpr::cast(selector.clone()).and_then(|it| it.lhs());
                Place::Expression(
                    lhs.map_or(Expectation::Anything, |it| Expectation::SameAs(it.syntax().clone())),
                )
            }
        })
    }

    /// What the value behind the arrow of the nearest pair is for.
    fn value_of(&self, pairs: &Pairs, own: &[Step]) -> Expectation {
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
        Reading { root: self.root, text: self.text, start, level: &outer }.expectation()
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
            Some(Place::Expression(expected)) => expected,
            _ => Expectation::Anything,
        }
    }

    fn in_case(&self, case: SyntaxNode) -> Option<Place> {
        let test = ast::CaseExpr::cast(case).and_then(|it| it.test());
        let label = test.map_or(Expectation::Anything, |it| Expectation::SameAs(it.syntax().clone()));
        match self.level.steps.first() {
            None => Some(Place::Expression(label)),
            Some(before) if before.is(COMMA) => Some(Place::Expression(label)),
            Some(before @ Step::Group { open, .. })
                if open.kind() == L_BRACE && !self.is_on_same_line(before) =>
            {
                Some(Place::Expression(label))
            }
            _ => None,
        }
    }

    fn in_parameters(&self) -> Option<Place> {
        let own = self.level.until(&[COMMA]);
        let Some(before) = own.first() else { return Some(Place::Type) };
        let eq = own.iter().position(|step| step.is(EQ));
        match eq {
            Some(0) => {
                let parameter = own[0].last().parent().filter(|it| it.kind() == PARAMETER);
                Some(Place::Expression(parameter.map_or(Expectation::Anything, Expectation::Default)))
            }
            Some(_) => match self.behind_operator(before, || Expectation::Anything) {
                Some(place) => Some(place),
                None if self.is_on_same_line(before) => self.behind_operand(before),
                None => None,
            },
            None => None,
        }
    }

    fn in_query(&self, opener: &SyntaxToken) -> Option<Place> {
        let outer = self.level.outer()?;
        let Some(Step::Token(type_name)) = outer.steps.first() else { return None };
        let resource = Resource::OfType(type_name.text().trim_start_matches(':').to_ascii_lowercase());
        let _ = opener;
        match self.level.steps.as_slice() {
            [] => Some(Place::QueryAttribute(resource)),
            [Step::Token(token), ..] if matches!(token.kind(), AND_KW | OR_KW) => {
                Some(Place::QueryAttribute(resource))
            }
            [Step::Token(operator), Step::Token(name), ..] if matches!(operator.kind(), EQ_EQ | NOT_EQ) => {
                Some(Place::Expression(Expectation::Attribute { resource, name: name.text().to_owned() }))
            }
            _ => None,
        }
    }

    /// In parentheses or brackets.
    fn in_list(&self) -> Option<Place> {
        let opener = self.level.opener.as_ref()?;
        let own = self.level.until(&[COMMA]);
        let Some(before) = own.first() else {
            return Some(self.list_place(self.expected_in_list(opener)));
        };
        let arrow = own.iter().position(|step| step.is(FAT_ARROW));
        if arrow == Some(0) {
            let key = own.get(1).map(|step| unquoted(step.last().text()).to_owned()).unwrap_or_default();
            let hash = Box::new(self.expected_in_list(opener));
            return Some(Place::Expression(Expectation::Entry { hash, key }));
        }
        if opener.kind() == INTERPOLATION_START && self.level.steps.is_empty() {
            return Some(Place::Interpolation);
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
    fn list_place(&self, expected: Expectation) -> Place {
        match &expected {
            Expectation::Argument { function, .. }
                if matches!(&**function, "include" | "contain" | "require") =>
            {
                Place::ClassName
            }
            _ => Place::Expression(expected),
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
                    Some(Step::Token(name)) if name.kind() == NAME => Expectation::Argument {
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

/// The functions that take arguments without parentheses.
const STATEMENT_FUNCTIONS: [&str; 15] = [
    "require", "realize", "include", "contain", "tag", "debug", "info", "notice", "warning", "err", "fail",
    "import", "break", "next", "return",
];

enum Pairs {
    Hash,
    /// The selector.
    Selector(SyntaxNode),
    Attributes(Resource),
}

fn is_in(token: &SyntaxToken, kind: SyntaxKind) -> bool {
    token.parent().is_some_and(|it| it.kind() == kind)
}

/// A name that nothing has been made of yet, at the beginning of a statement: a title or a brace may follow.
fn is_plain_name(token: &SyntaxToken) -> bool {
    let parent = token.parent();
    parent.is_some_and(|it| matches!(it.kind(), QUALIFIED_NAME | ERROR))
}

fn closes_conditional(before: &Step) -> bool {
    let Step::Group { close, .. } = before else { return false };
    let owner = close.parent().filter(|it| it.kind() == BLOCK).and_then(|it| it.parent());
    owner.is_some_and(|it| matches!(it.kind(), IF_EXPR | ELSIF_CLAUSE | UNLESS_EXPR))
}

/// What the key behind an access's bracket is for; `outer` ends in front of that.
fn access(outer: &Level) -> Option<Expectation> {
    let mut keys = Vec::new();
    for step in &outer.steps {
        match step {
            Step::Group { open, close } if open.kind() == L_BRACK => {
                let key = close.prev_token().filter(|it| matches!(it.kind(), SQ_STRING | DQ_STRING | NAME));
                keys.push(key.map(|it| unquoted(it.text()).to_owned()).unwrap_or_default());
            }
            Step::Token(token) if token.kind() == VARIABLE => {
                keys.reverse();
                let variable = token.text().trim_start_matches('$').trim_start_matches("::").to_owned();
                return Some(Expectation::AccessKey { variable, keys });
            }
            Step::Token(token) if token.kind() == CLASSREF && keys.is_empty() => {
                let name = token.text().trim_start_matches("::").to_owned();
                return Some(Expectation::TypeArgument { name });
            }
            _ => return None,
        }
    }
    None
}

/// The arguments in front of the cursor that are plain texts, in order; others are empty.
fn earlier_texts(level: &Level) -> Vec<String> {
    let mut texts = Vec::new();
    for argument in level.steps.split(|step| step.is(COMMA)) {
        let text = match argument {
            [Step::Token(token)] if matches!(token.kind(), SQ_STRING | DQ_STRING | NAME) => {
                unquoted(token.text()).to_owned()
            }
            _ => String::new(),
        };
        texts.push(text);
    }
    texts.reverse();
    texts
}
