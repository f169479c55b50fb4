//! Assignments of the class, with the platforms for which they apply.

use std::collections::BTreeSet;

use syntax::AstNode;
use syntax::ast::{self, AssignmentOperator, BinaryOperator, Expr};
use types::Value;

use super::facts::{PlatformFact, family_of};
use super::values::{ParamsVariables, add_variables, shortened, value_of};
use crate::RewriteRefusal;

/// Functions that only log a message.
const LOGGING: [&str; 4] = ["debug", "info", "notice", "warning"];

const FAILURE_NOTE: &str = "on other platforms, parameters without a value are errors instead of `fail`";

/// Platforms: the facts that they have in common.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(super) struct PlatformPlace {
    facts: Vec<(PlatformFact, String)>,
}

impl PlatformPlace {
    pub(super) fn get(&self, fact: PlatformFact) -> Option<&str> {
        self.facts.iter().find(|(it, _)| *it == fact).map(|(_, value)| value.as_str())
    }

    fn with(&self, fact: PlatformFact, value: String) -> PlatformPlace {
        let mut facts = self.facts.clone();
        facts.push((fact, value));
        facts.sort();
        PlatformPlace { facts }
    }

    /// Returns true if all platforms of this place are in `other`.
    fn refines(&self, other: &PlatformPlace) -> bool {
        other.facts.iter().all(|it| self.facts.contains(it))
    }

    /// Returns true if no platform is in both places.
    fn excludes(&self, other: &PlatformPlace) -> bool {
        self.facts.iter().any(|(fact, value)| other.get(*fact).is_some_and(|it| it != value))
    }
}

/// Value of a variable on some platforms.
#[derive(Clone, Debug)]
pub(super) struct PlacedValue {
    pub(super) variable: String,
    pub(super) place: PlatformPlace,
    pub(super) value: Value,
    /// Lines of comments before the assignment.
    pub(super) comments: Vec<String>,
}

/// All assignments of the class.
#[derive(Default, Debug)]
pub(super) struct Branches {
    pub(super) assignments: Vec<PlacedValue>,
    pub(super) notes: Vec<String>,
}

impl Branches {
    pub(super) fn variables(&self) -> BTreeSet<String> {
        self.assignments.iter().map(|it| it.variable.clone()).collect()
    }
}

/// Platforms for which statements run.
#[derive(Clone, Default)]
struct BranchContext {
    place: PlatformPlace,
    /// Values for which other branches run.
    excluded: Vec<(PlatformFact, String)>,
}

/// ParamsVariables as seen by the platforms of a place.
struct VariablesAt<'a> {
    assignments: &'a [PlacedValue],
    place: &'a PlatformPlace,
}

impl ParamsVariables for VariablesAt<'_> {
    fn value(&self, name: &str) -> Option<Value> {
        let of_name = || self.assignments.iter().filter(|it| it.variable == name);
        // Another value may apply to a part of the platforms.
        let is_uncertain = |it: &PlacedValue| {
            !self.place.refines(&it.place) && !it.place.refines(self.place) && !it.place.excludes(self.place)
        };
        if of_name().any(is_uncertain) {
            return None;
        }
        let known = of_name().filter(|it| self.place.refines(&it.place));
        known.max_by_key(|it| it.place.facts.len()).map(|it| it.value.clone())
    }
}

/// PlatformBranch of a conditional statement: the values of the fact, `None` for all others.
struct PlatformBranch {
    values: Option<Vec<BranchValue>>,
    body: BranchBody,
    offset: u32,
}

/// Value that a branch compares with.
#[derive(Clone)]
struct BranchValue {
    text: String,
    /// True for regular expressions, which do not ignore case.
    is_exact: bool,
}

enum BranchBody {
    Statements(Vec<Expr>),
    /// Value of a selector.
    Value(Expr),
    /// The remaining conditions of an `if`.
    Conditions(IfClauses),
}

/// Conditions of an `if` with their statements, and the statements of `else`.
#[derive(Clone, Default)]
struct IfClauses {
    conditions: Vec<(Option<Expr>, Vec<Expr>)>,
    otherwise: Vec<Expr>,
}

struct Walker<'a> {
    module: &'a str,
    text: &'a str,
    branches: Branches,
}

/// Returns the assignments of the class.
pub(super) fn assignments(
    module: &str,
    text: &str,
    class: &ast::ClassDefinition,
) -> Result<Branches, RewriteRefusal> {
    let mut walker = Walker { module, text, branches: Branches::default() };
    let statements: Vec<Expr> = class.body().into_iter().flat_map(|it| it.statements()).collect();
    walker.statements(&statements, &BranchContext::default())?;
    Ok(walker.branches)
}

impl Walker<'_> {
    fn refused(&self, reason: impl Into<String>, offset: u32) -> RewriteRefusal {
        RewriteRefusal::at(reason, PARAMS, self.text, offset)
    }

    fn statements(&mut self, statements: &[Expr], ctx: &BranchContext) -> Result<(), RewriteRefusal> {
        for statement in statements {
            let offset = statement.syntax().text_range().start;
            match statement {
                Expr::AssignmentExpr(it) => self.assignment(it, ctx)?,
                Expr::CaseExpr(it) => {
                    let test = it.test().ok_or_else(|| self.refused("`case` without a value", offset))?;
                    let branches = it.options().map(|it| self.option(&it)).collect::<Result<Vec<_>, _>>()?;
                    self.conditional(&test, branches, None, ctx)?;
                }
                Expr::IfExpr(it) => self.if_statement(it, ctx)?,
                it if is_call_of(it, &LOGGING) => self.note("messages of the class are not logged"),
                it => {
                    return Err(self.refused(format!("`{}` is not an assignment", shortened(it)), offset));
                }
            }
        }
        Ok(())
    }

    fn note(&mut self, note: &str) {
        if !self.branches.notes.iter().any(|it| it == note) {
            self.branches.notes.push(note.to_owned());
        }
    }

    fn assignment(&mut self, it: &ast::AssignmentExpr, ctx: &BranchContext) -> Result<(), RewriteRefusal> {
        let offset = it.syntax().text_range().start;
        let name = match it.lhs() {
            Some(Expr::VariableExpr(variable)) => variable.name(),
            _ => None,
        };
        let is_plain = it.operator() == Some(AssignmentOperator::Assign);
        let (Some(name), Some(value), true) = (name, it.rhs(), is_plain) else {
            return Err(self.refused("the assignment is not one of a variable", offset));
        };
        if let Expr::SelectorExpr(selector) = &value {
            let test = selector.lhs().ok_or_else(|| self.refused("selector without a value", offset))?;
            let branches = selector.entries().map(|it| self.entry(&it)).collect::<Result<Vec<_>, _>>()?;
            return self.conditional(&test, branches, Some(&name), ctx);
        }
        let comments = comments_before(self.text, offset);
        self.assign(&name, &value, comments, ctx)
    }

    /// Assigns a value on the platforms of the context, once for each part with other values of the variables
    /// that it depends on.
    fn assign(
        &mut self,
        name: &str,
        value: &Expr,
        comments: Vec<String>,
        ctx: &BranchContext,
    ) -> Result<(), RewriteRefusal> {
        let mut read = BTreeSet::new();
        add_variables(value, self.module, &mut read);
        let of_read = self.branches.assignments.iter().filter(|it| read.contains(&it.variable));
        let parts: BTreeSet<PlatformPlace> =
            of_read.map(|it| it.place.clone()).filter(|it| it.refines(&ctx.place)).collect();
        let mut found = Vec::new();
        let mut problem = None;
        for place in parts.into_iter().chain([ctx.place.clone()]).collect::<BTreeSet<_>>() {
            let variables = VariablesAt { assignments: &self.branches.assignments, place: &place };
            match value_of(value, self.module, &variables) {
                Ok(value) => found.push(PlacedValue {
                    variable: name.to_owned(),
                    place,
                    value,
                    comments: comments.clone(),
                }),
                // Only some platforms may have all variables.
                Err(reason) if place == ctx.place => problem = Some(reason),
                Err(reason) => return Err(self.refused(reason, value.syntax().text_range().start)),
            }
        }
        match problem {
            Some(reason) if found.is_empty() => Err(self.refused(reason, value.syntax().text_range().start)),
            _ => {
                self.branches.assignments.extend(found);
                Ok(())
            }
        }
    }

    fn option(&self, option: &ast::CaseOption) -> Result<PlatformBranch, RewriteRefusal> {
        let offset = option.syntax().text_range().start;
        let values: Vec<_> = option.values().map(|it| self.fact_values(&it)).collect::<Result<_, _>>()?;
        // `default` covers the other values as well.
        let values: Option<Vec<Vec<BranchValue>>> = values.into_iter().collect();
        let values = values.map(|it| it.concat());
        let statements = option.block().into_iter().flat_map(|it| it.statements()).collect();
        Ok(PlatformBranch { values, body: BranchBody::Statements(statements), offset })
    }

    fn entry(&self, entry: &ast::SelectorEntry) -> Result<PlatformBranch, RewriteRefusal> {
        let offset = entry.syntax().text_range().start;
        let (Some(matching), Some(value)) = (entry.matching(), entry.value()) else {
            return Err(self.refused("incomplete selector", offset));
        };
        let values = self.fact_values(&matching)?;
        Ok(PlatformBranch { values, body: BranchBody::Value(value), offset })
    }

    /// Returns the values that a branch compares with; `None` for `default`.
    fn fact_values(&self, expr: &Expr) -> Result<Option<Vec<BranchValue>>, RewriteRefusal> {
        let one = |text: String| Ok(Some(vec![BranchValue { text, is_exact: false }]));
        match expr {
            Expr::LiteralDefault(_) => return Ok(None),
            Expr::LiteralString(it) => return one(it.value()),
            Expr::QualifiedName(it) => return one(it.text()),
            Expr::LiteralRegex(it) => {
                if let Some(words) = it.pattern().as_deref().and_then(alternatives) {
                    let values = words.into_iter().map(|text| BranchValue { text, is_exact: true });
                    return Ok(Some(values.collect()));
                }
            }
            _ => {}
        }
        let offset = expr.syntax().text_range().start;
        Err(self.refused(format!("platforms are compared with `{}`", shortened(expr)), offset))
    }

    /// Handles `if FACT == 'x' { } elsif … { } else { }`.
    fn if_statement(&mut self, it: &ast::IfExpr, ctx: &BranchContext) -> Result<(), RewriteRefusal> {
        let statements =
            |block: Option<ast::Block>| block.into_iter().flat_map(|it| it.statements()).collect();
        let mut clauses = IfClauses {
            conditions: vec![(it.condition(), statements(it.then_block()))],
            otherwise: statements(it.else_clause().and_then(|it| it.block())),
        };
        clauses.conditions.extend(it.elsif_clauses().map(|it| (it.condition(), statements(it.block()))));
        self.if_clauses(clauses, it.syntax().text_range().start, ctx)
    }

    fn if_clauses(
        &mut self,
        mut clauses: IfClauses,
        offset: u32,
        ctx: &BranchContext,
    ) -> Result<(), RewriteRefusal> {
        let unsupported =
            || self.refused("the condition is not a comparison of a fact with a string", offset);
        if clauses.conditions.is_empty() {
            return self.statements(&clauses.otherwise, ctx);
        }
        let (condition, statements) = clauses.conditions.remove(0);
        let Some(Expr::BinaryExpr(condition)) = condition else { return Err(unsupported()) };
        let (Some(test), Some(value)) = (condition.lhs(), condition.rhs()) else { return Err(unsupported()) };
        let values = match (condition.operator(), &value) {
            (Some(BinaryOperator::Equal | BinaryOperator::NotEqual), value) => vec![value.clone()],
            (Some(BinaryOperator::In), Expr::ArrayExpr(list)) => {
                let element = |it| match it {
                    ast::AccessOrCallArgument::Expr(it) => Some(it),
                    ast::AccessOrCallArgument::BareHash(_) => None,
                };
                list.elements().into_iter().map(element).collect::<Option<_>>().ok_or_else(unsupported)?
            }
            _ => return Err(unsupported()),
        };
        let is_text = |it: &Expr| matches!(it, Expr::LiteralString(_) | Expr::QualifiedName(_));
        if !values.iter().all(is_text) {
            return Err(unsupported());
        }
        let values: Vec<_> = values.iter().map(|it| self.fact_values(it)).collect::<Result<_, _>>()?;
        let values: Vec<BranchValue> = values.into_iter().flatten().flatten().collect();
        let (then, rest) = (BranchBody::Statements(statements), BranchBody::Conditions(clauses));
        let is_negated = condition.operator() == Some(BinaryOperator::NotEqual);
        let (matching, others) = if is_negated { (rest, then) } else { (then, rest) };
        let branch = |values, body| PlatformBranch { values, body, offset };
        self.conditional(&test, vec![branch(Some(values), matching), branch(None, others)], None, ctx)
    }

    /// Handles the branches of a conditional statement, or of a selector that assigns `variable`.
    fn conditional(
        &mut self,
        test: &Expr,
        branches: Vec<PlatformBranch>,
        variable: Option<&str>,
        ctx: &BranchContext,
    ) -> Result<(), RewriteRefusal> {
        let offset = test.syntax().text_range().start;
        let Some(fact) = PlatformFact::of(test) else {
            let reason = format!("values depend on `{}`", shortened(test));
            return Err(self.refused(reason, offset));
        };
        let explicit: Vec<BranchValue> =
            branches.iter().filter_map(|it| it.values.as_ref()).flatten().cloned().collect();
        let mut of_default = BTreeSet::new();
        let mut of_values: Vec<(String, BTreeSet<String>)> = Vec::new();
        for branch in branches {
            let Some(values) = &branch.values else {
                let mut inner = ctx.clone();
                let spelled = |it: &BranchValue| fact.spelled(&it.text).unwrap_or_else(|| it.text.clone());
                inner.excluded.extend(explicit.iter().map(|it| (fact, spelled(it))));
                of_default.extend(self.branch(&branch, variable, &inner)?);
                continue;
            };
            for value in values {
                let Some(spelled) = fact.spelled(&value.text) else {
                    return Err(
                        self.refused(format!("platform `{}` is not known", value.text), branch.offset)
                    );
                };
                if value.is_exact && spelled != value.text {
                    continue;
                }
                let Some(inner) = self.entered(ctx, fact, &spelled, branch.offset)? else { continue };
                of_values.push((spelled, self.branch(&branch, variable, &inner)?));
            }
        }
        for (value, assigned) in of_values {
            if let Some(missing) = of_default.difference(&assigned).next() {
                let reason = format!("`${missing}` has a default, but no value for `{value}`");
                return Err(self.refused(reason, offset));
            }
        }
        Ok(())
    }

    /// Handles a branch and returns the variables that it assigns.
    fn branch(
        &mut self,
        branch: &PlatformBranch,
        variable: Option<&str>,
        ctx: &BranchContext,
    ) -> Result<BTreeSet<String>, RewriteRefusal> {
        let known = self.branches.assignments.len();
        match (&branch.body, variable) {
            (BranchBody::Value(value), Some(variable)) => self.assign(variable, value, Vec::new(), ctx)?,
            (BranchBody::Statements(statements), _) => {
                let is_failure = statements.iter().any(|it| is_call_of(it, &["fail"]));
                if is_failure && branch.values.is_some() {
                    return Err(self.refused("a platform is not supported (`fail`)", branch.offset));
                }
                if is_failure {
                    self.note(FAILURE_NOTE);
                } else {
                    self.statements(statements, ctx)?;
                }
            }
            (BranchBody::Conditions(clauses), _) => self.if_clauses(clauses.clone(), branch.offset, ctx)?,
            (BranchBody::Value(_), None) => {}
        }
        let new = &self.branches.assignments[known..];
        Ok(new.iter().map(|it| it.variable.clone()).collect())
    }

    /// Returns the context of a branch for a value of a fact; `None` if no platform reaches it.
    fn entered(
        &self,
        ctx: &BranchContext,
        fact: PlatformFact,
        value: &str,
        offset: u32,
    ) -> Result<Option<BranchContext>, RewriteRefusal> {
        if ctx.place.get(fact).is_some_and(|it| it != value)
            || ctx.excluded.contains(&(fact, value.to_owned()))
        {
            return Ok(None);
        }
        let excludes = |of: PlatformFact| ctx.excluded.iter().any(|(it, _)| *it == of);
        let has = |of: PlatformFact| ctx.place.get(of).is_some();
        use PlatformFact::{Family, Kernel, Major, Name};
        let is_ordered = match fact {
            Kernel => !has(Family) && !has(Name) && !has(Major),
            Family => !has(Kernel) && !has(Name) && !has(Major) && !excludes(Kernel) && !excludes(Major),
            Name => !has(Kernel) && !has(Major) && !excludes(Kernel) && !excludes(Major),
            Major => has(Family) || has(Name),
        };
        if !is_ordered {
            return Err(self.refused("the order of the conditions is not that of a hierarchy", offset));
        }
        if fact == Name && (has(Family) || excludes(Family)) {
            let Some(family) = family_of(value) else {
                return Err(self.refused(format!("the family of `{value}` is not known"), offset));
            };
            let is_other = ctx.place.get(Family).is_some_and(|it| it != family);
            if is_other || ctx.excluded.contains(&(Family, family.to_owned())) {
                return Ok(None);
            }
        }
        Ok(Some(BranchContext {
            place: ctx.place.with(fact, value.to_owned()),
            excluded: ctx.excluded.clone(),
        }))
    }
}

/// Returns true for a call of one of these functions.
fn is_call_of(statement: &Expr, names: &[&str]) -> bool {
    let name = match statement {
        Expr::CallExpr(call) => match call.functor() {
            Some(Expr::QualifiedName(it)) => it.text(),
            _ => return false,
        },
        Expr::StatementCall(call) => call.name().map(|it| it.text()).unwrap_or_default(),
        _ => return false,
    };
    names.contains(&name.as_str())
}

/// Returns the strings that a pattern such as `^(A|B)$` matches, if it matches no others.
fn alternatives(pattern: &str) -> Option<Vec<String>> {
    let inner = pattern.strip_prefix('^')?.strip_suffix('$')?;
    let inner = match inner.strip_prefix('(').and_then(|it| it.strip_suffix(')')) {
        Some(inner) => inner.strip_prefix("?:").unwrap_or(inner),
        None if inner.contains('|') => return None,
        None => inner,
    };
    let is_word = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-');
    let words: Vec<String> = inner.split('|').map(str::to_owned).collect();
    words.iter().all(|it| is_word(it)).then_some(words)
}

/// Returns the comments on the lines before an offset.
fn comments_before(text: &str, offset: u32) -> Vec<String> {
    let before = text.get(..offset as usize).unwrap_or_default();
    let lines = before.lines().rev().skip_while(|it| it.trim().is_empty());
    let is_after_newline = before.trim_end_matches([' ', '\t']).ends_with('\n');
    let is_directly_before = is_after_newline && !before.trim_end_matches([' ', '\t']).ends_with("\n\n");
    let comments = lines.map(str::trim).take_while(|it| it.starts_with('#'));
    let mut found: Vec<String> = comments.filter(|_| is_directly_before).map(str::to_owned).collect();
    found.retain(|it| !it.contains("lint:"));
    found.reverse();
    found
}

impl PlacedValue {
    /// Returns true if the value is `undef`.
    pub(super) fn is_undef(&self) -> bool {
        matches!(self.value, Value::Undef)
    }
}

pub(super) const PARAMS: &str = "manifests/params.pp";
