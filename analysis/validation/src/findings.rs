//! Findings, filtered by their reliability in a text with syntax errors.
//!
//! A finding is dropped if its statement or an enclosing one contains a syntax error, or if a syntax error is
//! directly next to it. Findings that depend on where blocks begin and end ([`STRUCTURAL`]) are dropped if
//! the text has any syntax error: one extra brace moves every definition after it.

use codes::Code;
use syntax::{Parse, Severity, TextFinding, TextRange};

/// Index of a statement or list of statements in visiting order; 0 is the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct StatementScopeId(u32);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Trust {
    Sound,
    /// Findings on the statement itself are unreliable; those on nested statements are reliable.
    Doubtful,
    /// All findings in it are unreliable.
    Broken,
}

struct StatementScope {
    range: TextRange,
    outer: StatementScopeId,
    is_list: bool,
    trust: Trust,
    /// True if it contains a syntax error.
    holds_error: bool,
}

struct ScopedFinding {
    found: TextFinding,
    statement: StatementScopeId,
    /// Adjacent statements, for a finding that depends on the complete contents of its statement and is
    /// reliable only if they are sound, too.
    whole: Option<[StatementScopeId; 2]>,
}

/// Rules on the location of definitions and statements.
const STRUCTURAL: [Code; 4] = [
    Code::IllegalDefinitionLocation,
    Code::IllegalTopConstructLocation,
    Code::NotAbsoluteTopLevel,
    Code::NotTopLevel,
];

pub(super) struct ScopedFindings {
    list: Vec<ScopedFinding>,
    /// Scopes, recorded only for a text with errors.
    scopes: Vec<StatementScope>,
    current: StatementScopeId,
    has_errors: bool,
}

impl ScopedFindings {
    pub(super) fn new(parse: &Parse) -> ScopedFindings {
        let has_errors = parse.errors().iter().any(|it| it.severity() == Severity::Error);
        ScopedFindings { list: Vec::new(), scopes: Vec::new(), current: StatementScopeId(0), has_errors }
    }

    pub(super) fn has_errors(&self) -> bool {
        self.has_errors
    }

    pub(super) fn current_scope(&self) -> StatementScopeId {
        self.current
    }

    /// Begins a statement, which ends with [`ScopedFindings::leave`].
    pub(super) fn enter_statement(&mut self, range: TextRange) -> StatementScopeId {
        self.enter(range, false)
    }

    /// Begins a list of statements.
    pub(super) fn enter_list(&mut self, range: TextRange) -> StatementScopeId {
        self.enter(range, true)
    }

    fn enter(&mut self, range: TextRange, is_list: bool) -> StatementScopeId {
        if !self.has_errors {
            return self.current;
        }
        let id = StatementScopeId(self.scopes.len() as u32);
        self.scopes.push(StatementScope {
            range,
            outer: self.current,
            is_list,
            trust: Trust::Sound,
            holds_error: false,
        });
        self.current = id;
        id
    }

    /// Returns to the scope that was current before.
    pub(super) fn leave(&mut self, outer: StatementScopeId) {
        self.current = outer;
    }

    /// Marks the current statement, or the owner of the current list, as containing a syntax error.
    pub(super) fn mark_broken(&mut self) {
        let current = self.current;
        self.distrust(current, Trust::Broken);
        if let Some(list) = self.scopes.get(current.0 as usize).filter(|it| it.is_list && current.0 != 0) {
            let owner = list.outer;
            self.distrust(owner, Trust::Broken);
        }
    }

    /// Marks a statement as adjacent to a syntax error.
    pub(super) fn mark_doubtful(&mut self, statement: StatementScopeId) {
        self.distrust(statement, Trust::Doubtful);
    }

    fn distrust(&mut self, id: StatementScopeId, trust: Trust) {
        // The file as a whole is never distrusted.
        if let Some(scope) = self.scopes.get_mut(id.0 as usize).filter(|_| id.0 != 0) {
            scope.trust = scope.trust.max(trust);
            scope.holds_error |= trust == Trust::Broken;
        }
    }

    pub(super) fn report(&mut self, finding: TextFinding) {
        self.list.push(ScopedFinding { found: finding, statement: self.current, whole: None });
    }

    /// Reports a finding that depends on the complete contents of `statement` and on the adjacent statements
    /// `beside`.
    pub(super) fn report_whole(
        &mut self,
        finding: TextFinding,
        statement: StatementScopeId,
        beside: [StatementScopeId; 2],
    ) {
        self.list.push(ScopedFinding { found: finding, statement, whole: Some(beside) });
    }

    /// Returns the findings that no syntax error may have caused, by position.
    pub(super) fn into_findings(mut self, parse: &Parse) -> Vec<TextFinding> {
        if self.has_errors && !self.list.is_empty() {
            for error in parse.errors().iter().filter(|it| it.severity() == Severity::Error) {
                self.distrust_around(error.range);
            }
            for at in 1..self.scopes.len() {
                if self.scopes[self.scopes[at].outer.0 as usize].trust == Trust::Broken {
                    self.scopes[at].trust = Trust::Broken;
                }
            }
            for at in (1..self.scopes.len()).rev() {
                let outer = self.scopes[at].outer.0 as usize;
                self.scopes[outer].holds_error |= self.scopes[at].holds_error;
            }
            // After a lost quote, paths in a string look like regular expressions.
            let lost_quote = parse.errors().iter().any(|it| it.code == Code::UnclosedString);
            let scopes = self.scopes;
            let sound =
                |id: StatementScopeId| scopes.get(id.0 as usize).is_none_or(|it| it.trust == Trust::Sound);
            let whole = |id: StatementScopeId| scopes.get(id.0 as usize).is_none_or(|it| !it.holds_error);
            self.list.retain(|finding| {
                let beside = finding.whole;
                sound(finding.statement)
                    && beside.is_none_or(|it| whole(finding.statement) && it.into_iter().all(sound))
                    && !STRUCTURAL.contains(&finding.found.code)
                    && !(lost_quote && finding.found.code == Code::InvalidRegex)
            });
        }
        let mut findings: Vec<TextFinding> = self.list.into_iter().map(|finding| finding.found).collect();
        findings.sort_by_key(|it| it.range);
        findings
    }

    /// Distrusts the innermost statement that contains the error. An error between statements makes the two
    /// adjacent ones doubtful.
    fn distrust_around(&mut self, error: TextRange) {
        let following = self.scopes.partition_point(|it| it.range.start <= error.start);
        let Some(mut innermost) = following.checked_sub(1) else { return };
        let mut before = None;
        while innermost != 0 && !self.scopes[innermost].range.contains_range(error) {
            before = Some(innermost);
            innermost = self.scopes[innermost].outer.0 as usize;
        }
        if !self.scopes[innermost].is_list {
            self.distrust(StatementScopeId(innermost as u32), Trust::Broken);
            return;
        }
        self.scopes[innermost].holds_error = true;
        let after = Some(following)
            .filter(|&it| self.scopes.get(it).is_some_and(|it| it.outer.0 as usize == innermost));
        for neighbour in [before, after].into_iter().flatten() {
            self.distrust(StatementScopeId(neighbour as u32), Trust::Doubtful);
        }
    }
}
