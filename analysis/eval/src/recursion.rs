//! Functions that call themselves where nobody knows whether they do.

use std::sync::Arc;

use hir::Expr;
use types::{Type, Value};

use crate::evaluator::Evaluator;
use crate::frame::Frame;
use crate::program::{Unit, UnitId};
use crate::{Exit, Outcome};

/// Functions that change the catalog, or evaluate what may.
const FUNCTIONS_THAT_ADD: [&str; 16] = [
    "contain",
    "create_resources",
    "ensure_packages",
    "ensure_resource",
    "ensure_resources",
    "epp",
    "hiera_include",
    "include",
    "inline_epp",
    "inline_template",
    "realize",
    "require",
    "stdlib::ensure_packages",
    "tag",
    "template",
    "call",
];

/// A call of a function that is under way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallUnderWay {
    unit: UnitId,
    /// How many branches that may not be taken were around it.
    forks: u32,
}

impl Evaluator<'_> {
    /// What a function gives that an undecided condition in itself calls again with arguments that are not known: nothing
    /// says when that ends, and each level has as many calls as the function has places that call it. `None` where it is to be called.
    pub(crate) fn result_of_undecided_recursion(
        &mut self,
        unit: &Arc<Unit>,
        arguments: &[Value],
    ) -> Option<Outcome> {
        let outer = self.functions_under_way.iter().find(|it| it.unit == unit.id)?;
        let is_undecided = self.fork_depth() > outer.forks;
        let origin = arguments.iter().filter_map(Value::least_trustworthy).max()?;
        if !is_undecided || !self.only_computes(unit) {
            return None;
        }
        let frame = self.open_frame(Frame::new(unit.clone(), hir::ScopeId::ROOT));
        let signature = self.function_signature(frame);
        self.close_frame(frame);
        Some(signature.map(|it| Value::unknown(it.returns.clone().unwrap_or(Type::Any), origin)))
    }

    /// Is there nothing in a function that could change the catalog? It may call itself and functions that only compute.
    fn only_computes(&self, unit: &Unit) -> bool {
        unit.body.exprs.iter().all(|(_, expr)| match expr {
            Expr::Call { functor, .. } => match &unit.body[*functor] {
                Expr::Name(name) => self.is_computation(unit, name),
                _ => true,
            },
            Expr::MethodCall { name, .. } => self.is_computation(unit, name),
            Expr::Resource { .. }
            | Expr::ResourceDefaults { .. }
            | Expr::ResourceOverride { .. }
            | Expr::Collect { .. }
            | Expr::Relationship { .. } => false,
            _ => true,
        })
    }

    fn is_computation(&self, unit: &Unit, name: &str) -> bool {
        let name = name.strip_prefix("::").unwrap_or(name);
        let is_itself = unit.name.eq_ignore_ascii_case(name);
        is_itself || !FUNCTIONS_THAT_ADD.contains(&name) && self.functions().built_in(name).is_some()
    }

    /// Evaluates the body of a function, which is under way meanwhile.
    pub(crate) fn under_way<T>(
        &mut self,
        unit: &Unit,
        evaluate: impl FnOnce(&mut Self) -> Result<T, Exit>,
    ) -> Result<T, Exit> {
        self.functions_under_way.push(CallUnderWay { unit: unit.id, forks: self.fork_depth() });
        let result = evaluate(self);
        self.functions_under_way.pop();
        result
    }
}
