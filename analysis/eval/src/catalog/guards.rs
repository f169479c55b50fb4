//! Guarded declarations: after `if !defined(File['/x']) { file { '/x': } }` the file exists, whichever code
//! declared it.

use super::references::referenced;
use super::store::CatalogBuilder;
use hir::{Expr, ExprId, Name, ReferenceKind};
use smol_str::SmolStr;
use syntax::ast::{BinaryOperator, UnaryOperator};

use crate::evaluator::Evaluator;
use crate::frame::Site;

/// Resource whose existence a condition tests; nothing else in the condition is unknown.
pub(crate) struct Guard {
    type_name: SmolStr,
    title: SmolStr,
    /// Index of the branch that runs if the resource is missing: 0 if the condition is true then.
    pub(crate) absent_branch: usize,
}

impl Evaluator<'_> {
    /// Returns the resource that an unknown condition guards.
    pub(crate) fn guard(&mut self, site: Site) -> Option<Guard> {
        if self.is_forked() || self.has_external_resources() {
            return None;
        }
        let (reference, absent_branch) = self.tested_reference(site)?;
        let value = self.evaluate(site.at(reference)).ok()?;
        let (type_name, title) =
            referenced(&value).filter(|(type_name, _)| !ReferenceKind::is_class(type_name))?;
        self.catalog.find(&type_name, &title).is_none().then_some(Guard { type_name, title, absent_branch })
    }

    /// Returns the reference that a condition passes to `defined()`, and the branch that runs if the resource
    /// is missing.
    fn tested_reference(&mut self, site: Site) -> Option<(ExprId, usize)> {
        let Site { frame, expr: condition } = site;
        let unit = self.unit(frame).clone();
        let argument = |expr: ExprId| match &unit.body[expr] {
            Expr::Call { functor, arguments, .. } => {
                let [only] = arguments[..] else { return None };
                let is_asked = matches!(&unit.body[*functor], Expr::Name(name) if name == "defined");
                (is_asked && matches!(unit.body[only], Expr::Access { .. })).then_some(only)
            }
            _ => None,
        };
        let negated = |expr: ExprId| match &unit.body[expr] {
            Expr::Unary { operator: UnaryOperator::Not, operand } => argument(*operand),
            _ => None,
        };
        if let Expr::Binary { operator: BinaryOperator::And, lhs, rhs } = unit.body[condition] {
            let (reference, other) =
                negated(rhs).map(|it| (it, lhs)).or_else(|| negated(lhs).map(|it| (it, rhs)))?;
            let is_true = matches!(unit.body[other], Expr::Variable(_))
                && self.evaluate(frame.at(other)).is_ok_and(|it| it.truth() == Some(true));
            return is_true.then_some((reference, 0));
        }
        negated(condition).map(|it| (it, 0)).or_else(|| argument(condition).map(|it| (it, 1)))
    }
}

impl CatalogBuilder {
    /// Returns true if the current branch itself has declared the resource, regardless of other unknowns.
    pub(crate) fn is_declared_by_branch(&self, guard: &Guard, forks: u32) -> bool {
        let found = self.find(&guard.type_name, &guard.title);
        found.is_some_and(|id| self[id].forks == forks)
    }

    /// Records that the resource exists after the condition.
    pub(crate) fn note_guarded(&mut self, guard: &Guard) {
        let Some(id) = self.find(&guard.type_name, &guard.title) else { return };
        let resource = &self[id];
        let places = resource.place().into_iter().chain(resource.calls.iter().copied()).collect();
        let key: (Name, SmolStr) = (hir::fold_name(&guard.type_name), guard.title.clone());
        self.present.entry(key).or_insert(places);
    }
}
