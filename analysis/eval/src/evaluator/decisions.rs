//! Decisions that depend on something unknown, so that two compiles can be compared.

use std::hash::{Hash, Hasher};

use hir::{Body, Expr, ExprId, Name, ScopeId, SlotId, VariableRef};
use rustc_hash::FxHasher;
use types::Value;

use crate::error::ExprPlace;
use crate::evaluator::Evaluator;
use crate::frame::{FrameId, Site, VariableState};

/// Decision that depends on something unknown, and that the catalog or the success of the compile depends on: between
/// branches, about the calls of a lambda, or which classes and resources code names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct UnknownDecision {
    /// Location of the statement that decides.
    pub place: ExprPlace,
    /// Hash of the statement and of the known values of its variables. Equal decisions are made alike for the same facts.
    /// `None` if the decision also depends on what is elsewhere.
    pub digest: Option<u64>,
}

/// Functions of arguments alone, which the same arguments make the same decision.
const PURE_FUNCTIONS: &[&str] = &[
    "any2array",
    "any2bool",
    "bool2str",
    "capitalize",
    "compare",
    "dig",
    "dig44",
    "downcase",
    "empty",
    "fact",
    "flatten",
    "get",
    "has_key",
    "join",
    "keys",
    "length",
    "lstrip",
    "match",
    "member",
    "pick",
    "pick_default",
    "regsubst",
    "rstrip",
    "size",
    "split",
    "str2bool",
    "strip",
    "type",
    "unique",
    "upcase",
    "values",
    "versioncmp",
];

/// Variables that are the same whatever the code is.
const GIVEN_VARIABLES: [&str; 3] = ["facts", "trusted", "server_facts"];

/// Maximum number of assignments to follow from a variable to what it is computed from.
const MAX_ASSIGNMENTS: u32 = 8;

impl Evaluator<'_> {
    /// Records a decision between branches of which at least one adds to the catalog, fails, or jumps, or about an unknown
    /// class, resource, or hash of resources.
    /// If some of them fail and others do not, `failure` is the message of the first failure.
    pub(crate) fn note_decision(&mut self, site: Site, failure: Option<String>) {
        // Functions may refuse unknown arguments, which is not known of most.
        let may_refuse =
            matches!(self.unit(site.frame).body[site.expr], Expr::Call { .. } | Expr::MethodCall { .. });
        if let Some(failure) = failure.filter(|_| !may_refuse) {
            self.note_possible_failure(site, failure);
        }
        let digest = self.decision_digest(site);
        self.catalog.decisions.insert(UnknownDecision { place: self.place(site), digest });
    }

    /// Records that the code at `site` fails for some of the unknown values.
    pub(crate) fn note_possible_failure(&mut self, site: Site, mut failure: String) {
        let name = self.unit(site.frame).name.clone();
        self.diagnostics.mask_message(&mut failure);
        self.catalog.possible_failures.entry(name).or_insert(failure);
    }

    fn decision_digest(&self, site: Site) -> Option<u64> {
        let unit = self.unit(site.frame);
        let mut digest =
            Digest { evaluator: self, hasher: FxHasher::default(), is_certain: true, assignments: 0 };
        unit.name.hash(&mut digest.hasher);
        match &unit.body[site.expr] {
            Expr::If { condition, .. } | Expr::Unless { condition, .. } => digest.add_all(site, [condition]),
            Expr::Case { test, options } => {
                digest.add_all(site, std::iter::once(test).chain(options.iter().flat_map(|it| &it.values)));
            }
            Expr::Selector { lhs, entries } => {
                digest.add_all(site, std::iter::once(lhs).chain(entries.iter().map(|(it, _)| it)));
            }
            Expr::Binary { lhs, .. } => digest.add_all(site, [lhs]),
            Expr::Call { arguments, .. } => digest.add_all(site, arguments),
            Expr::MethodCall { receiver, arguments, .. } => {
                digest.add_all(site, std::iter::once(receiver).chain(arguments));
            }
            _ => digest.add(site),
        }
        digest.add_code(site);
        digest.is_certain.then(|| digest.hasher.finish())
    }
}

/// Hash under construction.
struct Digest<'a, 'w> {
    evaluator: &'a Evaluator<'w>,
    hasher: FxHasher,
    /// False once something was added that more than the hash determines.
    is_certain: bool,
    /// Number of assignments that lead to the code being added.
    assignments: u32,
}

impl Digest<'_, '_> {
    /// Adds expressions by everything that their values depend on.
    fn add_all<'e>(&mut self, site: Site, exprs: impl IntoIterator<Item = &'e ExprId>) {
        exprs.into_iter().for_each(|expr| self.add(site.at(*expr)));
    }

    /// Adds an expression by everything that its value depends on.
    fn add(&mut self, site: Site) {
        let unit = self.evaluator.unit(site.frame);
        let expr = &unit.body[site.expr];
        match expr {
            Expr::Variable(variable) => return self.add_variable(site.frame, variable),
            Expr::Access { lhs, keys } if is_facts(&unit.body, *lhs) => {
                if let [key] = **keys
                    && let Expr::String(name) | Expr::Name(name) = &unit.body[key]
                {
                    return self.add_fact(name);
                }
            }
            Expr::Call { functor, .. } => match &unit.body[*functor] {
                Expr::Name(name) => self.is_certain &= is_pure(name),
                Expr::TypeReference(_) | Expr::Access { .. } => {}
                _ => self.is_certain = false,
            },
            Expr::MethodCall { name, .. } => self.is_certain &= is_pure(name),
            Expr::Lambda { .. } | Expr::Assignment { .. } | Expr::Collect { .. } | Expr::Apply { .. } => {
                self.is_certain = false;
            }
            _ => {}
        }
        if self.is_certain {
            let (rest, operands) = expr.split_operands();
            rest.hash(&mut self.hasher);
            self.add_all(site, &operands);
        }
    }

    fn add_fact(&mut self, name: &Name) {
        ("fact", name).hash(&mut self.hasher);
    }

    fn add_variable(&mut self, frame: FrameId, variable: &VariableRef) {
        let name = match variable {
            VariableRef::Slot(slot) => return self.add_slot(frame, *slot),
            VariableRef::Free(name) => name.clone(),
            VariableRef::Qualified { scope, name } if scope.is_empty() => name.clone(),
            VariableRef::Qualified { scope, name } => Name::from(format!("{scope}::{name}")),
            VariableRef::Match(_) | VariableRef::Missing => {
                self.is_certain = false;
                return;
            }
        };
        if GIVEN_VARIABLES.contains(&name.as_str()) {
            return self.add_fact(&name);
        }
        match self.evaluator.slot_to_read(frame, &name) {
            VariableState::Set(value) if value.is_known() => value.hash(&mut self.hasher),
            VariableState::Possible(_) if !name.contains("::") => self.add_fact(&name),
            VariableState::Unset => Value::Undef.hash(&mut self.hasher),
            VariableState::Set(_) | VariableState::Possible(_) => self.is_certain = false,
        }
    }

    /// Adds a variable that the code sets: its value, or if that is unknown, what it is computed from.
    fn add_slot(&mut self, frame: FrameId, slot: SlotId) {
        let Some(owner) = self.evaluator.frame_of_slot(frame, slot) else {
            self.is_certain = false;
            return;
        };
        if let VariableState::Set(value) = self.evaluator.frame(owner).slot(slot)
            && value.is_known()
        {
            value.hash(&mut self.hasher);
            return;
        }
        let body = &self.evaluator.unit(owner).body;
        let is_parameter = body.parameters.iter().any(|it| it.slot == slot);
        let mut assignments = body.assignments_to(slot);
        match (assignments.next().map(|it| &body[it]), assignments.next()) {
            (Some(Expr::Assignment { lhs, rhs, .. }), None)
                if !is_parameter
                    && body.slots[slot.index()].scope == ScopeId::ROOT
                    && matches!(body[*lhs], Expr::Variable(_))
                    && self.assignments < MAX_ASSIGNMENTS =>
            {
                self.assignments += 1;
                self.add(owner.at(*rhs));
                self.assignments -= 1;
            }
            _ => self.is_certain = false,
        }
    }

    /// Adds code that is evaluated or not, with the known values of its variables. What it declares is compared in other
    /// ways.
    fn add_code(&mut self, site: Site) {
        let unit = self.evaluator.unit(site.frame);
        let (rest, operands) = unit.body[site.expr].split_operands();
        rest.hash(&mut self.hasher);
        if let Expr::Variable(VariableRef::Slot(slot)) = &unit.body[site.expr] {
            unit.body.slots[slot.index()].name.hash(&mut self.hasher);
            let owner = self.evaluator.frame_of_slot(site.frame, *slot);
            if let Some(VariableState::Set(value)) = owner.map(|it| self.evaluator.frame(it).slot(*slot))
                && value.is_known()
            {
                value.hash(&mut self.hasher);
            }
        }
        operands.iter().for_each(|it| self.add_code(site.at(*it)));
    }
}

fn is_facts(body: &Body, expr: ExprId) -> bool {
    match &body[expr] {
        Expr::Variable(VariableRef::Free(name)) => name == "facts",
        Expr::Variable(VariableRef::Qualified { scope, name }) => scope.is_empty() && name == "facts",
        _ => false,
    }
}

fn is_pure(function: &str) -> bool {
    let name = function.strip_prefix("stdlib::").unwrap_or(function);
    PURE_FUNCTIONS.contains(&name)
}
