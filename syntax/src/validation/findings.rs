//! Findings, and which of them may be believed in a text with syntax errors.

use rustc_hash::FxHashSet;

use crate::{
    Diagnostic, Parse, Severity, SyntaxKind, SyntaxNode, SyntaxToken, TextRange, ast::AstNode, ast::Expr,
};

/// The number of a statement, in the order the walk meets them; 0 is the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct StatementId(u32);

struct Statement {
    outer: StatementId,
    /// It holds a syntax error, directly.
    broken: bool,
}

struct Finding {
    diagnostic: Diagnostic,
    statement: StatementId,
    /// Statements beside it that must be sound too.
    beside: [StatementId; 2],
}

pub(super) struct Findings {
    list: Vec<Finding>,
    /// Only filled in a text with errors.
    statements: Vec<Statement>,
    current: StatementId,
    has_errors: bool,
    /// The ranges of the innermost statements around syntax errors.
    broken_ranges: FxHashSet<TextRange>,
}

impl Findings {
    pub(super) fn new(parse: &Parse, root: &SyntaxNode) -> Findings {
        let mut broken_ranges = FxHashSet::default();
        let mut has_errors = false;
        for error in parse.errors().iter().filter(|it| it.severity == Severity::Error) {
            has_errors = true;
            statements_around(root, error.range, &mut broken_ranges);
        }
        Findings {
            list: Vec::new(),
            statements: vec![Statement { outer: StatementId(0), broken: false }],
            current: StatementId(0),
            has_errors,
            broken_ranges,
        }
    }

    pub(super) fn has_errors(&self) -> bool {
        self.has_errors
    }

    pub(super) fn current_statement(&self) -> StatementId {
        self.current
    }

    /// Begins a statement inside the current one; what comes next belongs to it, until [`Findings::leave_statement`].
    pub(super) fn enter_statement(&mut self, range: TextRange) -> StatementId {
        if !self.has_errors {
            return self.current;
        }
        let id = StatementId(self.statements.len() as u32);
        let broken = self.broken_ranges.contains(&range);
        self.statements.push(Statement { outer: self.current, broken });
        self.current = id;
        id
    }

    /// Goes back to the statement that was current before.
    pub(super) fn leave_statement(&mut self, outer: StatementId) {
        self.current = outer;
    }

    /// The current statement holds a syntax error.
    pub(super) fn mark_broken(&mut self) {
        if let Some(statement) = self.statements.get_mut(self.current.0 as usize)
            && self.current.0 != 0
        {
            statement.broken = true;
        }
    }

    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.report_beside(diagnostic, self.current, [self.current; 2]);
    }

    /// Reports something on `statement` that holds only where the statements `beside` it are sound.
    pub(super) fn report_beside(
        &mut self,
        diagnostic: Diagnostic,
        statement: StatementId,
        beside: [StatementId; 2],
    ) {
        self.list.push(Finding { diagnostic, statement, beside });
    }

    /// What is left when everything that a syntax error may have caused is taken out, by position.
    pub(super) fn into_diagnostics(mut self) -> Vec<Diagnostic> {
        for at in 1..self.statements.len() {
            let outer = self.statements[at].outer.0 as usize;
            self.statements[at].broken |= self.statements[outer].broken;
        }
        let statements = self.statements;
        let broken = |id: StatementId| statements.get(id.0 as usize).is_some_and(|it| it.broken);
        let sound = |finding: &Finding| !broken(finding.statement) && !finding.beside.into_iter().any(broken);
        let mut diagnostics: Vec<Diagnostic> =
            self.list.into_iter().filter(sound).map(|finding| finding.diagnostic).collect();
        diagnostics.sort_by_key(|it| it.range);
        diagnostics
    }
}

/// Adds the innermost statements that hold the error, the token before it, and the token behind it.
fn statements_around(root: &SyntaxNode, error: TextRange, ranges: &mut FxHashSet<TextRange>) {
    let file = root.text_range();
    let clamped =
        TextRange::new(error.start.clamp(file.start, file.end), error.end.clamp(file.start, file.end));
    if let Some(element) = root.covering_element(clamped) {
        let node = element.as_node().cloned().or_else(|| element.parent());
        ranges.extend(node.and_then(innermost_statement));
    }
    let touched = root.tokens_at(clamped.start).last();
    let before = touched.clone().and_then(|it| previous_solid_token(it, clamped.start));
    for token in [touched.filter(|it| !it.kind().is_trivia()), before].into_iter().flatten() {
        ranges.extend(token.parent().and_then(innermost_statement));
    }
}

/// The last token that is no blank or comment and begins before `offset`.
fn previous_solid_token(token: SyntaxToken, offset: u32) -> Option<SyntaxToken> {
    let solid = |it: &SyntaxToken| !it.kind().is_trivia() && it.text_range().start < offset;
    std::iter::successors(Some(token), SyntaxToken::prev_token).find(solid)
}

fn innermost_statement(node: SyntaxNode) -> Option<TextRange> {
    let in_list = |it: &SyntaxNode| {
        Expr::can_cast(it.kind())
            && it.parent().is_some_and(|it| matches!(it.kind(), SyntaxKind::BLOCK | SyntaxKind::SOURCE_FILE))
    };
    node.ancestors().find(in_list).map(|it| it.text_range())
}
