//! Findings, and which of them may be believed in a text with syntax errors.
//!
//! A finding is dropped if the statement it is on holds a syntax error, or a statement around that does, or if the
//! error stands right beside it. What depends on where blocks begin and end ([`STRUCTURAL`]) is dropped wherever the
//! text has a syntax error at all: one brace too many moves every definition behind it.

use codes::Code;
use syntax::{Parse, Severity, TextFinding, TextRange};

/// The number of a statement or of a list of statements, in the order the walk meets them; 0 is the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct StatementScopeId(u32);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Trust {
    Sound,
    /// What is on the statement itself cannot be believed, what is on the statements inside can.
    Doubtful,
    /// Nothing in it can be believed.
    Broken,
}

struct StatementScope {
    range: TextRange,
    outer: StatementScopeId,
    is_list: bool,
    trust: Trust,
    /// There is a syntax error somewhere in it.
    holds_error: bool,
}

struct ScopedFinding {
    found: TextFinding,
    statement: StatementScopeId,
    /// It is about everything in the statement, and holds only where the statements beside it are sound too.
    whole: Option<[StatementScopeId; 2]>,
}

/// Rules on where things stand.
const STRUCTURAL: [Code; 4] = [
    Code::IllegalDefinitionLocation,
    Code::IllegalTopConstructLocation,
    Code::NotAbsoluteTopLevel,
    Code::NotTopLevel,
];

pub(super) struct ScopedFindings {
    list: Vec<ScopedFinding>,
    /// Only filled in a text with errors.
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

    /// Begins a statement; what comes next belongs to it, until [`ScopedFindings::leave`].
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

    /// Goes back to the scope that was current before.
    pub(super) fn leave(&mut self, outer: StatementScopeId) {
        self.current = outer;
    }

    /// The current statement (or the one around the current list) holds a syntax error.
    pub(super) fn mark_broken(&mut self) {
        let current = self.current;
        self.distrust(current, Trust::Broken);
        if let Some(list) = self.scopes.get(current.0 as usize).filter(|it| it.is_list && current.0 != 0) {
            let owner = list.outer;
            self.distrust(owner, Trust::Broken);
        }
    }

    /// A syntax error stands beside the statement.
    pub(super) fn mark_doubtful(&mut self, statement: StatementScopeId) {
        self.distrust(statement, Trust::Doubtful);
    }

    fn distrust(&mut self, id: StatementScopeId, trust: Trust) {
        // The file as a whole is never given up.
        if let Some(scope) = self.scopes.get_mut(id.0 as usize).filter(|_| id.0 != 0) {
            scope.trust = scope.trust.max(trust);
            scope.holds_error |= trust == Trust::Broken;
        }
    }

    pub(super) fn report(&mut self, finding: TextFinding) {
        self.list.push(ScopedFinding { found: finding, statement: self.current, whole: None });
    }

    /// Reports something that follows from everything in `statement`, and from the statements `beside` it.
    pub(super) fn report_whole(
        &mut self,
        finding: TextFinding,
        statement: StatementScopeId,
        beside: [StatementScopeId; 2],
    ) {
        self.list.push(ScopedFinding { found: finding, statement, whole: Some(beside) });
    }

    /// What is left when everything that a syntax error may have caused is taken out, by position.
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
            // Behind a lost quote, paths in a string look like regular expressions.
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

    /// Gives up the innermost statement that holds the error; between statements, doubts the two beside it.
    fn distrust_around(&mut self, error: TextRange) {
        let behind = self.scopes.partition_point(|it| it.range.start <= error.start);
        let Some(mut innermost) = behind.checked_sub(1) else { return };
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
        let after =
            Some(behind).filter(|&it| self.scopes.get(it).is_some_and(|it| it.outer.0 as usize == innermost));
        for neighbour in [before, after].into_iter().flatten() {
            self.distrust(StatementScopeId(neighbour as u32), Trust::Doubtful);
        }
    }
}
