//! Textual form of bodies, for tests and debugging.

use std::fmt::Write;

use syntax::ast::{ResourceForm, UnaryOperator};

use crate::body::*;

impl Body {
    /// Formats the body as S-expressions. Slots are written as `name.number`, followed by `^` and the outer
    /// slot if there is one.
    pub fn dump(&self) -> String {
        let mut out = String::new();
        if let Some(inherits) = &self.inherits {
            let _ = writeln!(out, "inherits {inherits}");
        }
        for host in &self.hosts {
            let _ = writeln!(out, "host {host:?}");
        }
        for parameter in &self.parameters {
            let _ = writeln!(out, "{}", self.parameter(parameter));
        }
        if let Some(return_type) = self.return_type {
            let _ = writeln!(out, "returns {}", self.expr(return_type));
        }
        match &self[self.root] {
            Expr::Block(statements) => {
                for statement in statements {
                    let _ = writeln!(out, "{}", self.expr(*statement));
                }
            }
            _ => {
                let _ = writeln!(out, "{}", self.expr(self.root));
            }
        }
        out
    }

    fn parameter(&self, parameter: &Parameter) -> String {
        let rest = if parameter.captures_rest { " rest" } else { "" };
        let type_expr = parameter.type_expr.map(|it| format!(" {}", self.expr(it))).unwrap_or_default();
        let default = parameter.default.map(|it| format!(" = {}", self.expr(it))).unwrap_or_default();
        format!("(param{rest} {}{type_expr}{default})", self.slot(parameter.slot))
    }

    fn slot(&self, id: SlotId) -> String {
        let slot = &self.slots[id.index()];
        let outer = slot.outer.map(|outer| format!("^{}", outer.index())).unwrap_or_default();
        format!("{}.{}{outer}", slot.name, id.index())
    }

    fn exprs(&self, ids: &[ExprId]) -> String {
        ids.iter().map(|id| format!(" {}", self.expr(*id))).collect()
    }

    fn optional(&self, id: Option<ExprId>) -> String {
        self.exprs(id.as_slice())
    }

    fn pairs(&self, pairs: &[(ExprId, ExprId)]) -> String {
        pairs.iter().map(|(key, value)| format!(" ({} => {})", self.expr(*key), self.expr(*value))).collect()
    }

    fn operations(&self, operations: &[AttributeOperation]) -> String {
        let texts = operations.iter().map(|operation| match operation {
            AttributeOperation::Set { name, value, append } => {
                format!(" ({name} {} {})", if *append { "+>" } else { "=>" }, self.expr(*value))
            }
            AttributeOperation::Splat(value) => format!(" (* => {})", self.expr(*value)),
        });
        texts.collect()
    }

    fn expr(&self, id: ExprId) -> String {
        match &self[id] {
            Expr::Missing => "<missing>".to_owned(),
            Expr::Undef => "undef".to_owned(),
            Expr::Default => "default".to_owned(),
            Expr::Boolean(value) => value.to_string(),
            Expr::Integer(value) => value.to_string(),
            Expr::Float(value) => format!("{:?}", value.0),
            Expr::InvalidNumber => "<invalid number>".to_owned(),
            Expr::String(text) => format!("{text:?}"),
            Expr::Interpolated(parts) => self.interpolated(parts),
            Expr::Heredoc { syntax, text } => format!("(heredoc {syntax} {})", self.expr(*text)),
            Expr::Regex(pattern) => format!("/{pattern}/"),
            Expr::Name(name) | Expr::TypeReference(name) => name.to_string(),
            Expr::ReservedWord(word) => format!("(reserved {word})"),
            Expr::Variable(variable) => self.variable(variable),
            Expr::Array(elements) => format!("[{}]", self.exprs(elements).trim_start()),
            Expr::Hash(pairs) => format!("{{{}}}", self.pairs(pairs).trim_start()),
            Expr::Unary { operator, operand } => {
                let operator = match operator {
                    UnaryOperator::Not => "!",
                    UnaryOperator::Minus => "-",
                    UnaryOperator::Unfold => "unfold",
                };
                format!("({operator} {})", self.expr(*operand))
            }
            Expr::Binary { operator, lhs, rhs } => self.binary(operator.text(), *lhs, *rhs),
            Expr::Assignment { operator, lhs, rhs } => self.binary(operator.text(), *lhs, *rhs),
            Expr::Relationship { operator, lhs, rhs } => self.binary(operator.text(), *lhs, *rhs),
            Expr::Access { lhs, keys } => format!("(access {}{})", self.expr(*lhs), self.exprs(keys)),
            Expr::Selector { lhs, entries } => format!("(? {}{})", self.expr(*lhs), self.pairs(entries)),
            Expr::Call { functor, arguments, lambda } => {
                format!("(call {}{}{})", self.expr(*functor), self.exprs(arguments), self.optional(*lambda))
            }
            Expr::MethodCall { receiver, name, arguments, lambda } => {
                let (receiver, arguments) = (self.expr(*receiver), self.exprs(arguments));
                format!("(call-method {receiver} {name}{arguments}{})", self.optional(*lambda))
            }
            Expr::Lambda { parameters, return_type, body, .. } => {
                self.lambda(parameters, *return_type, *body)
            }
            Expr::Block(statements) => format!("(block{})", self.exprs(statements)),
            Expr::If { condition, then, otherwise } => {
                format!("(if {} {}{})", self.expr(*condition), self.expr(*then), self.optional(*otherwise))
            }
            Expr::Unless { condition, then, otherwise } => {
                let otherwise = self.optional(*otherwise);
                format!("(unless {} {}{otherwise})", self.expr(*condition), self.expr(*then))
            }
            Expr::Case { test, options } => self.case(*test, options),
            Expr::Definition(key) => format!("(definition {key:?})"),
            Expr::Apply { arguments, body, .. } => {
                format!("(apply{} {})", self.exprs(arguments), self.expr(*body))
            }
            Expr::RenderString(text) => format!("(render-text {text:?})"),
            Expr::Render(expr) => format!("(render {})", self.expr(*expr)),
            Expr::Resource { .. }
            | Expr::ResourceDefaults { .. }
            | Expr::ResourceOverride { .. }
            | Expr::UntitledResource { .. }
            | Expr::Collect { .. } => self.resources(&self[id]),
        }
    }

    fn interpolated(&self, parts: &[StringPart]) -> String {
        let parts = parts.iter().map(|part| match part {
            StringPart::Text(text) => format!(" {text:?}"),
            StringPart::Expr(expr) => format!(" {}", self.expr(*expr)),
        });
        format!("(concat{})", parts.collect::<String>())
    }

    fn variable(&self, variable: &VariableRef) -> String {
        match variable {
            VariableRef::Slot(slot) => format!("${}", self.slot(*slot)),
            VariableRef::Free(name) => format!("${name}"),
            VariableRef::Qualified { scope, name } => format!("${scope}::{name}"),
            VariableRef::Match(number) => format!("${number}"),
            VariableRef::Missing => "$<missing>".to_owned(),
        }
    }

    fn lambda(&self, parameters: &[Parameter], return_type: Option<ExprId>, body: ExprId) -> String {
        let parameters = parameters.iter().map(|parameter| format!(" {}", self.parameter(parameter)));
        let parameters: String = parameters.collect();
        let returns = return_type.map(|it| format!(" (returns {})", self.expr(it))).unwrap_or_default();
        format!("(lambda{parameters}{returns} {})", self.expr(body))
    }

    fn case(&self, test: ExprId, options: &[CaseOption]) -> String {
        let options = options
            .iter()
            .map(|option| format!(" (when{} {})", self.exprs(&option.values), self.expr(option.block)));
        format!("(case {}{})", self.expr(test), options.collect::<String>())
    }

    fn resources(&self, expr: &Expr) -> String {
        match expr {
            Expr::Resource { form, type_expr, bodies } => {
                let bodies = bodies.iter().map(|body| {
                    format!(" ({}:{})", self.expr(body.title), self.operations(&body.operations))
                });
                let bodies: String = bodies.collect();
                format!("(resource{} {}{bodies})", form_text(*form), self.expr(*type_expr))
            }
            Expr::ResourceDefaults { form, type_expr, operations } => {
                let operations = self.operations(operations);
                format!("(resource-defaults{} {}{operations})", form_text(*form), self.expr(*type_expr))
            }
            Expr::ResourceOverride { form, reference, operations } => {
                let operations = self.operations(operations);
                format!("(resource-override{} {}{operations})", form_text(*form), self.expr(*reference))
            }
            Expr::UntitledResource { name, operations } => {
                format!("(untitled-resource {name}{})", self.operations(operations))
            }
            Expr::Collect { type_expr, query, operations } => {
                let exported = if query.exported { " exported" } else { "" };
                let query = query.expr.map(|it| format!(" (query {})", self.expr(it))).unwrap_or_default();
                format!("(collect{exported} {}{query}{})", self.expr(*type_expr), self.operations(operations))
            }
            _ => String::new(),
        }
    }

    fn binary(&self, operator: &str, lhs: ExprId, rhs: ExprId) -> String {
        format!("({operator} {} {})", self.expr(lhs), self.expr(rhs))
    }
}

fn form_text(form: ResourceForm) -> &'static str {
    match form {
        ResourceForm::Regular => "",
        ResourceForm::Virtual => " virtual",
        ResourceForm::Exported => " exported",
    }
}
