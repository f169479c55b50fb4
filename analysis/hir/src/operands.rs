//! Operands of expressions, for code that compares or copies expressions whatever they are.

use crate::body::{AttributeOperation, Expr, ExprId, ScopeId, SlotId, StringPart, VariableRef};

/// Id in place of the operands that are listed separately.
const NO_EXPR: ExprId = ExprId(0);

/// Id in place of the variables of a body.
const NO_SLOT: SlotId = SlotId(0);

impl Expr {
    /// Separates the expression into its operands, in order, and the rest: literals, names, and operators. Positions in
    /// tables of the body (slots and scopes) are reset, so the rest is equal for equal code in other bodies; the name of a
    /// variable is lost with its slot.
    pub fn split_operands(&self) -> (Expr, Vec<ExprId>) {
        let (mut rest, mut operands) = (self.clone(), Vec::new());
        rest.for_each_operand(&mut |it| operands.push(std::mem::replace(it, NO_EXPR)));
        match &mut rest {
            Expr::Variable(VariableRef::Slot(slot)) => *slot = NO_SLOT,
            Expr::Lambda { scope, parameters, .. } => {
                *scope = ScopeId::ROOT;
                parameters.iter_mut().for_each(|it| it.slot = NO_SLOT);
            }
            Expr::Apply { scope, .. } => *scope = ScopeId::ROOT,
            _ => {}
        }
        (rest, operands)
    }

    fn for_each_operand(&mut self, each: &mut dyn FnMut(&mut ExprId)) {
        match self {
            Expr::Interpolated(parts) => parts.iter_mut().for_each(|part| match part {
                StringPart::Expr(it) => each(it),
                StringPart::Text(_) => {}
            }),
            Expr::Heredoc { text: it, .. } | Expr::Unary { operand: it, .. } | Expr::Render(it) => each(it),
            Expr::Array(elements) | Expr::Block(elements) => elements.iter_mut().for_each(each),
            Expr::Hash(pairs) => for_each_pair(pairs, each),
            Expr::Binary { lhs, rhs, .. }
            | Expr::Assignment { lhs, rhs, .. }
            | Expr::Relationship { lhs, rhs, .. } => [lhs, rhs].into_iter().for_each(each),
            Expr::Access { lhs, keys } => std::iter::once(lhs).chain(keys).for_each(each),
            Expr::Selector { lhs, entries } => {
                each(lhs);
                for_each_pair(entries, each);
            }
            Expr::Call { functor: first, arguments, lambda }
            | Expr::MethodCall { receiver: first, arguments, lambda, .. } => {
                std::iter::once(first).chain(arguments).chain(lambda).for_each(each);
            }
            Expr::Lambda { parameters, return_type, body, .. } => {
                let of_parameters =
                    parameters.iter_mut().flat_map(|it| it.type_expr.iter_mut().chain(&mut it.default));
                of_parameters.chain(return_type).chain([body]).for_each(each);
            }
            Expr::If { condition, then, otherwise } | Expr::Unless { condition, then, otherwise } => {
                [condition, then].into_iter().chain(otherwise).for_each(each);
            }
            Expr::Case { test, options } => {
                let of_options =
                    options.iter_mut().flat_map(|it| it.values.iter_mut().chain([&mut it.block]));
                std::iter::once(test).chain(of_options).for_each(each);
            }
            Expr::Apply { arguments, body, .. } => arguments.iter_mut().chain([body]).for_each(each),
            Expr::Resource { .. }
            | Expr::ResourceDefaults { .. }
            | Expr::ResourceOverride { .. }
            | Expr::UntitledResource { .. }
            | Expr::Collect { .. } => self.for_each_operand_of_resource(each),
            Expr::Missing
            | Expr::Undef
            | Expr::Default
            | Expr::Boolean(_)
            | Expr::Integer(_)
            | Expr::Float(_)
            | Expr::InvalidNumber
            | Expr::String(_)
            | Expr::Regex(_)
            | Expr::Name(_)
            | Expr::TypeReference(_)
            | Expr::ReservedWord(_)
            | Expr::Variable(_)
            | Expr::Definition(_)
            | Expr::RenderString(_) => {}
        }
    }

    fn for_each_operand_of_resource(&mut self, each: &mut dyn FnMut(&mut ExprId)) {
        match self {
            Expr::Resource { type_expr, bodies, .. } => {
                each(type_expr);
                for body in bodies {
                    each(&mut body.title);
                    for_each_value(&mut body.operations, each);
                }
            }
            Expr::ResourceDefaults { type_expr: first, operations, .. }
            | Expr::ResourceOverride { reference: first, operations, .. } => {
                each(first);
                for_each_value(operations, each);
            }
            Expr::UntitledResource { operations, .. } => for_each_value(operations, each),
            Expr::Collect { type_expr, query, operations } => {
                std::iter::once(type_expr).chain(&mut query.expr).for_each(&mut *each);
                for_each_value(operations, each);
            }
            _ => {}
        }
    }
}

fn for_each_pair(pairs: &mut [(ExprId, ExprId)], each: &mut dyn FnMut(&mut ExprId)) {
    pairs.iter_mut().flat_map(|(first, second)| [first, second]).for_each(each);
}

fn for_each_value(operations: &mut [AttributeOperation], each: &mut dyn FnMut(&mut ExprId)) {
    for operation in operations {
        let (AttributeOperation::Set { value, .. } | AttributeOperation::Splat(value)) = operation;
        each(value);
    }
}
