#![doc = include_str!("page.md")]

use codes::{Code, DowngradeReason};
use hir::{Body, Expr, ExprId, Name, ReferenceKind};
use rustc_hash::FxHashMap;
use syntax::Severity;
use syntax::ast::ResourceForm;

use crate::Diagnostic;
use crate::context::{RuleContext, SectionDefinition};

/// Conditional branches around an expression, outermost first: the conditional, and the index of the branch.
type Arms = Vec<(ExprId, usize)>;

struct DeclaredTitle {
    title: ExprId,
    arms: Arms,
    /// True if a lambda determines the number of evaluations.
    in_lambda: bool,
}

pub(super) fn check(context: &mut RuleContext<'_>) {
    let mut found = Vec::new();
    for definition in &context.definitions {
        let mut walk = DeclarationWalk {
            body: &definition.body,
            declared: FxHashMap::default(),
            arms: Vec::new(),
            lambdas: 0,
        };
        walk.expr(definition.body.root);
        for ((type_name, title), titles) in &walk.declared {
            report(definition, type_name, title, titles, &mut found);
        }
    }
    found.into_iter().for_each(|diagnostic| context.report(diagnostic));
}

fn report(
    definition: &SectionDefinition<'_>,
    type_name: &str,
    title: &str,
    titles: &[DeclaredTitle],
    found: &mut Vec<Diagnostic>,
) {
    for (at, second) in titles.iter().enumerate() {
        let Some(first) = titles[..at].iter().find(|first| are_declared_together(&first.arms, &second.arms))
        else {
            continue;
        };
        let (Some(range), Some(before)) = (definition.range(second.title), definition.range(first.title))
        else {
            continue;
        };
        // Only declarations outside of all conditions are certain.
        let is_certain =
            first.arms.is_empty() && second.arms.is_empty() && !first.in_lambda && !second.in_lambda;
        let severity = if is_certain { Severity::Error } else { Severity::Warning };
        let type_name = types::display::capitalized_segments(type_name);
        let message = format!("duplicate declaration of `{type_name}['{title}']`");
        let diagnostic = Diagnostic::new(Code::DuplicateDeclaration, range, message)
            .downgraded(DowngradeReason::Uncertain, severity);
        found.push(diagnostic.with_related(before, Code::DuplicateDeclaration.earlier_label()));
    }
}

/// Returns true if one of the two locations is reached whenever the other is. Unrelated conditions may
/// exclude each other.
fn are_declared_together(a: &Arms, b: &Arms) -> bool {
    let is_inside = |inner: &Arms, outer: &Arms| outer.iter().all(|arm| inner.contains(arm));
    is_inside(a, b) || is_inside(b, a)
}

struct DeclarationWalk<'a> {
    body: &'a Body,
    declared: FxHashMap<(Name, Name), Vec<DeclaredTitle>>,
    arms: Arms,
    lambdas: usize,
}

impl DeclarationWalk<'_> {
    fn expr(&mut self, id: ExprId) {
        match &self.body[id] {
            Expr::Block(statements) => statements.iter().for_each(|it| self.expr(*it)),
            Expr::If { condition, then, otherwise } | Expr::Unless { condition, then, otherwise } => {
                self.expr(*condition);
                self.arm(id, 0, *then);
                otherwise.iter().for_each(|it| self.arm(id, 1, *it));
            }
            Expr::Case { test, options } => {
                self.expr(*test);
                for (index, option) in options.iter().enumerate() {
                    self.arm(id, index, option.block);
                }
            }
            Expr::Relationship { lhs, rhs, .. } | Expr::Assignment { lhs, rhs, .. } => {
                self.expr(*lhs);
                self.expr(*rhs);
            }
            Expr::Call { lambda, .. } | Expr::MethodCall { lambda, .. } => {
                if let Some(Expr::Lambda { body, .. }) = lambda.map(|it| &self.body[it]) {
                    self.lambdas += 1;
                    self.expr(*body);
                    self.lambdas -= 1;
                }
            }
            Expr::Resource { form, type_expr, bodies } => {
                // The same title may be exported by many nodes, but not twice by one.
                let Expr::Name(type_name) = &self.body[*type_expr] else { return };
                if *form == ResourceForm::Exported {
                    return;
                }
                let type_name = hir::fold_name(type_name);
                for body in bodies {
                    self.titles(&type_name, body.title);
                }
            }
            _ => {}
        }
    }

    fn arm(&mut self, conditional: ExprId, arm: usize, block: ExprId) {
        self.arms.push((conditional, arm));
        self.expr(block);
        self.arms.pop();
    }

    fn titles(&mut self, type_name: &Name, title: ExprId) {
        match &self.body[title] {
            Expr::String(text) => {
                let text = ReferenceKind::of(type_name).folded_title(text);
                let declared = DeclaredTitle { title, arms: self.arms.clone(), in_lambda: self.lambdas > 0 };
                self.declared.entry((type_name.clone(), text)).or_default().push(declared);
            }
            Expr::Array(titles) => titles.iter().for_each(|it| self.titles(type_name, *it)),
            _ => {}
        }
    }
}
