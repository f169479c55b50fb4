//! Puppet's PN form of a tree, as printed by `puppet parser dump --format pn`.
//!
//! PN shows Puppet's own model of the code, so this module also defines how our tree maps to that model.

use crate::ast::*;
use crate::{Language, Parse, SyntaxNode};

/// Returns the PN form of a file on one line.
///
/// Meaningful only for files without syntax errors; missing parts are printed as `(nop)`.
pub fn to_pn(parse: &Parse) -> String {
    let mut printer = PnPrinter { out: String::with_capacity(1024) };
    printer.file(&parse.tree(), parse.language() == Language::Epp);
    printer.out
}

struct PnPrinter {
    out: String,
}

impl PnPrinter {
    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn file(&mut self, file: &SourceFile, is_template: bool) {
        if !is_template {
            return self.block_or_expression(&statements(file.syntax()));
        }
        self.text("(lambda {");
        if let Some(parameters) = file.epp_parameters().filter(|it| it.parameters().next().is_some()) {
            self.parameters(&parameters);
            self.text(" ");
        }
        self.text(":body [");
        self.text("(epp");
        for statement in statements(file.syntax()) {
            self.text(" ");
            self.statement(&statement);
        }
        self.text(")]})");
    }

    /// Prints several statements as a block, and a single one without a wrapper.
    fn block_or_expression(&mut self, statements: &[Expr]) {
        match statements {
            [] => self.text("(nop)"),
            [one] => self.statement(one),
            several => {
                self.text("(block");
                for statement in several {
                    self.text(" ");
                    self.statement(statement);
                }
                self.text(")");
            }
        }
    }

    fn list<T>(&mut self, items: impl IntoIterator<Item = T>, mut print: impl FnMut(&mut Self, T)) {
        self.text("[");
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 {
                self.text(" ");
            }
            print(self, item);
        }
        self.text("]");
    }

    fn spaced<T>(&mut self, items: impl IntoIterator<Item = T>, mut print: impl FnMut(&mut Self, T)) {
        for item in items {
            self.text(" ");
            print(self, item);
        }
    }

    /// Prints `:name [statements]` for a non-empty block.
    fn body(&mut self, name: &str, block: Option<&Block>) {
        let statements = block.map(|it| statements(it.syntax())).unwrap_or_default();
        if !statements.is_empty() {
            self.text(name);
            self.list(&statements, |p, it| p.statement(it));
        }
    }

    fn optional(&mut self, expr: Option<Expr>) {
        match expr {
            Some(expr) => self.expr(&expr),
            None => self.text("(nop)"),
        }
    }

    /// Prints an expression as a statement, where the value of a call is not needed.
    fn statement(&mut self, expr: &Expr) {
        match expr {
            Expr::CallExpr(call) => self.call(call, "invoke"),
            _ => self.expr(expr),
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::LiteralNumber(it) => self.number(it),
            Expr::LiteralString(it) => self.quoted(&it.value()),
            Expr::LiteralBoolean(it) => self.text(if it.value() { "true" } else { "false" }),
            Expr::LiteralUndef(_) => self.text("nil"),
            Expr::LiteralDefault(_) => self.text("(default)"),
            Expr::LiteralRegex(it) => self.regexp(it),
            Expr::InterpolatedString(it) => self.concat(&it.parts()),
            Expr::Heredoc(it) => self.heredoc(it),
            Expr::QualifiedName(it) => self.quoted_call("qn", &it.text()),
            Expr::QualifiedReference(it) => self.quoted_call("qr", &it.text()),
            Expr::ReservedWord(it) => self.reserved(it),
            Expr::VariableExpr(it) => self.quoted_call("var", &it.name().unwrap_or_default()),
            Expr::ArrayExpr(it) => self.array(it),
            Expr::HashExpr(it) => self.hash(it.entries()),
            Expr::ParenExpr(it) => self.parenthesized(it),
            Expr::UnaryExpr(it) => self.unary(it),
            Expr::BinaryExpr(it) => self.binary_operation(it),
            Expr::AssignmentExpr(it) => self.assignment(it),
            Expr::RelationshipExpr(it) => self.relationship(it),
            Expr::AccessExpr(it) => self.access(it),
            Expr::SelectorExpr(it) => self.selector(it),
            Expr::CallExpr(it) => self.call(it, "call"),
            Expr::MethodCallExpr(it) => self.method_call(it),
            Expr::StatementCall(it) => self.statement_call(it),
            Expr::IfExpr(it) => self.if_expr(it),
            Expr::UnlessExpr(it) => self.unless_expr(it),
            Expr::CaseExpr(it) => self.case(it),
            Expr::ResourceExpr(it) => self.resource(it),
            Expr::VirtualExpr(it) => self.optional(it.resource()),
            Expr::ResourceDefaults(it) => self.resource_defaults(it),
            Expr::ResourceOverride(it) => self.resource_override(it),
            Expr::UntitledResource(it) => self.untitled(it),
            Expr::CollectExpr(it) => self.collect(it),
            Expr::ClassDefinition(it) => {
                let parent = it.inherits().and_then(|it| it.name()).map(|it| it.text());
                self.definition("class", expr, parent, None);
            }
            Expr::DefinedType(_) => self.definition("define", expr, None, None),
            Expr::FunctionDefinition(it) => self.definition("function", expr, None, it.return_type()),
            Expr::PlanDefinition(_) => self.definition("plan", expr, None, None),
            Expr::NodeDefinition(it) => self.node(it),
            Expr::HostName(it) => self.quoted(&it.text()),
            Expr::TypeAlias(it) => self.type_alias(it),
            Expr::TypeMapping(it) => self.binary("type-mapping", it.type_expr(), it.mapping()),
            Expr::TypeDefinition(it) => self.type_definition(it),
            Expr::ApplyExpr(it) => self.apply(it),
            Expr::RenderString(it) => self.quoted_call("render-s", &it.value()),
            Expr::RenderExpr(it) => self.render(it),
        }
    }

    fn regexp(&mut self, it: &LiteralRegex) {
        let pattern = it.pattern().unwrap_or_default();
        if has_fixed_encoding(&pattern) {
            self.quoted_call("regexp", &format!("(?-imx:{pattern})"))
        } else {
            self.quoted_call("regexp", &pattern)
        }
    }

    fn reserved(&mut self, it: &ReservedWord) {
        self.quoted_call("reserved", it.token().as_ref().map_or("", |token| token.text()));
    }

    fn array(&mut self, it: &ArrayExpr) {
        self.text("(array");
        self.spaced(it.elements(), |p, it| p.argument(&it));
        self.text(")");
    }

    fn parenthesized(&mut self, it: &ParenExpr) {
        self.text("(paren ");
        self.optional(it.expr());
        self.text(")");
    }

    fn binary_operation(&mut self, it: &BinaryExpr) {
        self.binary(it.operator().map_or("?", BinaryOperator::text), it.lhs(), it.rhs());
    }

    fn assignment(&mut self, it: &AssignmentExpr) {
        self.binary(it.operator().map_or("=", AssignmentOperator::text), it.lhs(), it.rhs());
    }

    fn relationship(&mut self, it: &RelationshipExpr) {
        self.binary(it.operator().map_or("->", RelationshipOperator::text), it.lhs(), it.rhs());
    }

    fn access(&mut self, it: &AccessExpr) {
        self.text("(access ");
        self.optional(it.lhs());
        self.spaced(it.keys().map(|it| it.arguments()).unwrap_or_default(), |p, it| p.argument(&it));
        self.text(")");
    }

    fn selector(&mut self, it: &SelectorExpr) {
        self.text("(? ");
        self.optional(it.lhs());
        self.text(" ");
        self.list(it.entries(), |p, it| p.binary("=>", it.matching(), it.value()));
        self.text(")");
    }

    fn statement_call(&mut self, it: &StatementCall) {
        self.text("(invoke {:functor ");
        self.optional(it.name().map(Expr::from));
        self.text(" :args ");
        self.list(it.arguments().map(|it| it.arguments()).unwrap_or_default(), |p, it| p.argument(&it));
        self.text("})");
    }

    fn if_expr(&mut self, it: &IfExpr) {
        let elsifs: Vec<ElsifClause> = it.elsif_clauses().collect();
        self.conditional("if", it.condition(), it.then_block(), &elsifs, it.else_clause());
    }

    fn unless_expr(&mut self, it: &UnlessExpr) {
        self.conditional("unless", it.condition(), it.then_block(), &[], it.else_clause());
    }

    fn resource_defaults(&mut self, it: &ResourceDefaults) {
        self.attributes_of("(resource-defaults {:type ", it.type_expr(), it.operations(), it.syntax());
    }

    fn resource_override(&mut self, it: &ResourceOverride) {
        self.attributes_of("(resource-override {:resources ", it.reference(), it.operations(), it.syntax());
    }

    fn type_definition(&mut self, it: &TypeDefinition) {
        self.quoted_call("type-definition", &it.name().map(|it| it.text()).unwrap_or_default());
    }

    fn apply(&mut self, it: &ApplyExpr) {
        self.text("(apply {:args ");
        self.list(it.arguments().map(|it| it.arguments()).unwrap_or_default(), |p, it| p.argument(&it));
        self.body(" :body ", it.body().as_ref());
        self.text("})");
    }

    fn render(&mut self, it: &RenderExpr) {
        self.text("(render ");
        match it.block() {
            Some(block) => self.block_or_expression(&statements(block.syntax())),
            None => self.optional(it.expr()),
        }
        self.text(")");
    }

    fn binary(&mut self, operator: &str, lhs: Option<Expr>, rhs: Option<Expr>) {
        self.text("(");
        self.text(operator);
        self.text(" ");
        self.optional(lhs);
        self.text(" ");
        self.optional(rhs);
        self.text(")");
    }

    fn unary(&mut self, unary: &UnaryExpr) {
        let operator = match unary.operator() {
            Some(UnaryOperator::Minus) => {
                if let Some(Expr::LiteralNumber(number)) = unary.operand() {
                    match number.value() {
                        Some(NumberValue::Integer { value: 0, .. }) => return self.text("0"),
                        Some(NumberValue::Integer { value, .. }) => return self.text(&format!("-{value}")),
                        Some(NumberValue::Float(value)) => return self.text(&float_text(-value)),
                        None => {}
                    }
                }
                "(- "
            }
            Some(UnaryOperator::Unfold) => "(unfold ",
            _ => "(! ",
        };
        self.text(operator);
        self.optional(unary.operand());
        self.text(")");
    }

    fn number(&mut self, number: &LiteralNumber) {
        match number.value() {
            Some(NumberValue::Integer { value, radix: 10 }) => self.text(&value.to_string()),
            Some(NumberValue::Integer { value, radix }) => {
                self.text(&format!("(int {{:radix {radix} :value {value}}})"));
            }
            Some(NumberValue::Float(value)) => self.text(&float_text(value)),
            None => self.text("nil"),
        }
    }

    fn argument(&mut self, argument: &AccessOrCallArgument) {
        match argument {
            AccessOrCallArgument::Expr(expr) => self.expr(expr),
            AccessOrCallArgument::BareHash(entries) => self.hash(entries.iter().cloned()),
        }
    }

    fn hash(&mut self, entries: impl Iterator<Item = KeyedEntry>) {
        self.text("(hash");
        self.spaced(entries, |p, it| p.binary("=>", it.key(), it.value()));
        self.text(")");
    }

    fn concat(&mut self, parts: &[StringPart]) {
        self.text("(concat");
        self.spaced(parts, |p, it| match it {
            StringPart::Text(text) => p.quoted(text),
            StringPart::Expr(expr) => {
                p.text("(str ");
                p.interpolated(expr);
                p.text(")");
            }
            StringPart::Missing => p.text("(str (nop))"),
        });
        self.text(")");
    }

    /// Prints a lone name in an interpolation as a variable, even if the lexer has not classified it as one.
    fn interpolated(&mut self, expr: &Expr) {
        match expr {
            Expr::QualifiedName(name) => self.quoted_call("var", &name.text()),
            _ => self.expr(expr),
        }
    }

    fn heredoc(&mut self, heredoc: &Heredoc) {
        self.text("(heredoc {");
        let header = heredoc.header();
        if let Some(header) = header.as_ref().filter(|it| !it.syntax.is_empty()) {
            self.text(":syntax ");
            self.quoted(&header.syntax);
            self.text(" ");
        }
        self.text(":text ");
        let parts = header.zip(heredoc.body()).map(|(header, body)| body.parts(&header)).unwrap_or_default();
        match parts.as_slice() {
            [] => self.quoted(""),
            [StringPart::Text(text)] => self.quoted(text),
            several => self.concat(several),
        }
        self.text("})");
    }

    fn call(&mut self, call: &CallExpr, name: &str) {
        self.text("(");
        // Puppet has separate names for calls of anything but a name, but its parser never produces such
        // calls.
        self.text(name);
        self.text(" {:functor ");
        self.optional(call.functor());
        self.call_arguments(call.arguments(), call.lambda());
    }

    fn method_call(&mut self, call: &MethodCallExpr) {
        self.text("(call-method {:functor (. ");
        self.optional(call.receiver());
        self.text(" ");
        self.quoted_call("qn", call.name_token().as_ref().map_or("", |it| it.text()));
        self.text(")");
        self.call_arguments(call.arguments(), call.lambda());
    }

    fn call_arguments(&mut self, arguments: Option<ArgumentList>, lambda: Option<Lambda>) {
        self.text(" :args ");
        self.list(arguments.map(|it| it.arguments()).unwrap_or_default(), |p, it| p.argument(&it));
        if let Some(lambda) = lambda {
            self.text(" :block (lambda {");
            let mut any = false;
            if let Some(parameters) = lambda.parameters().filter(|it| it.parameters().next().is_some()) {
                self.parameters(&parameters);
                any = true;
            }
            if let Some(returns) = lambda.return_type() {
                self.text(if any { " :returns " } else { ":returns " });
                self.optional(returns.type_expr());
                any = true;
            }
            self.body(if any { " :body " } else { ":body " }, lambda.body().as_ref());
            self.text("})");
        }
        self.text("})");
    }

    fn conditional(
        &mut self,
        name: &str,
        condition: Option<Expr>,
        then: Option<Block>,
        elsifs: &[ElsifClause],
        otherwise: Option<ElseClause>,
    ) {
        self.text("(");
        self.text(name);
        self.text(" {:test ");
        self.optional(condition);
        self.body(" :then ", then.as_ref());
        if let [elsif, rest @ ..] = elsifs {
            self.text(" :else [");
            self.conditional("if", elsif.condition(), elsif.block(), rest, otherwise);
            self.text("]");
        } else {
            self.body(" :else ", otherwise.and_then(|it| it.block()).as_ref());
        }
        self.text("})");
    }

    fn case(&mut self, case: &CaseExpr) {
        self.text("(case ");
        self.optional(case.test());
        self.text(" ");
        self.list(case.options(), |p, option| {
            p.text("{:when ");
            p.list(option.values(), |p, it| p.expr(&it));
            p.text(" :then ");
            let statements = option.block().map(|it| statements(it.syntax())).unwrap_or_default();
            if statements.is_empty() {
                p.text("[(nop)]")
            } else {
                p.list(&statements, |p, it| p.statement(it))
            }
            p.text("}");
        });
        self.text(")");
    }

    fn resource(&mut self, resource: &ResourceExpr) {
        self.text("(resource {:type ");
        self.optional(resource.type_expr());
        self.text(" :bodies ");
        self.list(resource.bodies(), |p, body| {
            p.text("{:title ");
            p.optional(body.title());
            p.text(" :ops ");
            p.list(body.operations(), |p, it| p.operation(&it));
            p.text("}");
        });
        self.form(resource.syntax());
        self.text("})");
    }

    fn attributes_of(
        &mut self,
        head: &str,
        of: Option<Expr>,
        operations: impl Iterator<Item = AttributeOperation>,
        node: &SyntaxNode,
    ) {
        self.text(head);
        self.optional(of);
        self.text(" :ops ");
        self.list(operations, |p, it| p.operation(&it));
        self.form(node);
        self.text("})");
    }

    fn form(&mut self, node: &SyntaxNode) {
        match resource_form(node) {
            ResourceForm::Regular => {}
            ResourceForm::Virtual => self.text(" :form \"virtual\""),
            ResourceForm::Exported => self.text(" :form \"exported\""),
        }
    }

    fn operation(&mut self, operation: &AttributeOperation) {
        match operation {
            AttributeOperation::Attribute(attribute) => {
                self.text(if attribute.is_append() { "(+> " } else { "(=> " });
                self.quoted(attribute.name_token().as_ref().map_or("", |it| it.text()));
                self.text(" ");
                self.optional(attribute.value());
            }
            AttributeOperation::AttributeSplat(splat) => {
                self.text("(splat-hash ");
                self.optional(splat.expr());
            }
        }
        self.text(")");
    }

    /// Prints a name with attributes: a call with a hash if the name belongs to a statement call, otherwise a
    /// name and a hash.
    fn untitled(&mut self, resource: &UntitledResource) {
        let name = resource.name().map(|it| it.text()).unwrap_or_default();
        let is_call = resource.is_statement_call();
        self.text(if is_call { "(invoke {:functor " } else { "(block " });
        self.quoted_call("qn", &name);
        self.text(if is_call { " :args [" } else { " " });
        self.text("(hash");
        self.spaced(resource.operations(), |p, it| p.operation(&it));
        self.text(if is_call { ")]})" } else { "))" });
    }

    fn collect(&mut self, collect: &CollectExpr) {
        self.text("(collect {:type ");
        self.optional(collect.type_expr());
        self.text(" :query ");
        let (name, expr) = match collect.query() {
            Some(Query::ExportedQuery(query)) => ("(exported-query", query.expr()),
            Some(Query::VirtualQuery(query)) => ("(virtual-query", query.expr()),
            None => ("(virtual-query", None),
        };
        self.text(name);
        self.spaced(expr, |p, it| p.expr(&it));
        self.text(")");
        if collect.operations().next().is_some() {
            self.text(" :ops ");
            self.list(collect.operations(), |p, it| p.operation(&it));
        }
        self.text("})");
    }

    fn definition(
        &mut self,
        keyword: &str,
        expr: &Expr,
        parent: Option<String>,
        returns: Option<ReturnType>,
    ) {
        let Some(definition) = Definition::cast(expr.syntax().clone()) else { return };
        self.text("(");
        self.text(keyword);
        self.text(" {:name ");
        self.quoted(&definition.qualified_name().unwrap_or_default());
        if let Some(parent) = parent {
            self.text(" :parent ");
            self.quoted(&parent);
        }
        if let Some(parameters) = definition.parameters().filter(|it| it.parameters().next().is_some()) {
            self.text(" ");
            self.parameters(&parameters);
        }
        self.body(" :body ", definition.body().as_ref());
        if let Some(returns) = returns {
            self.text(" :returns ");
            self.optional(returns.type_expr());
        }
        self.text("})");
    }

    fn parameters(&mut self, parameters: &ParameterList) {
        self.text(":params {");
        for (index, parameter) in parameters.parameters().enumerate() {
            if index > 0 {
                self.text(" ");
            }
            self.text(":");
            self.text(&parameter.name().unwrap_or_default());
            self.text(" {");
            let mut separator = "";
            if let Some(type_expr) = parameter.type_expr() {
                self.text(":type ");
                self.expr(&type_expr);
                separator = " ";
            }
            if parameter.splat().is_some() {
                self.text(separator);
                self.text(":splat true");
                separator = " ";
            }
            if let Some(default) = parameter.default() {
                self.text(separator);
                self.text(":value ");
                self.expr(&default);
            }
            self.text("}");
        }
        self.text("}");
    }

    fn node(&mut self, node: &NodeDefinition) {
        self.text("(node {:matches ");
        self.list(node.hosts().into_iter().flat_map(|it| it.hosts()), |p, it| p.expr(&it));
        if let Some(inherits) = node.inherits() {
            self.text(" :parent ");
            self.optional(inherits.host());
        }
        self.body(" :body ", node.body().as_ref());
        self.text("})");
    }

    fn type_alias(&mut self, alias: &TypeAlias) {
        self.text("(type-alias ");
        self.quoted(&alias.name().map(|it| it.text()).unwrap_or_default());
        self.text(" ");
        match (alias.parent_type(), alias.hash()) {
            (Some(parent), Some(hash)) if matches!(parent.text().as_str(), "Object" | "TypeSet") => {
                self.text("(access ");
                self.quoted_call("qr", &parent.text());
                self.text(" ");
                self.hash(hash.entries());
                self.text(")");
            }
            (parent, Some(hash)) => {
                self.text("(access (qr \"Object\") (hash");
                self.spaced(hash.entries(), |p, it| p.binary("=>", it.key(), it.value()));
                if let Some(parent) = parent {
                    self.text(" (=> (qn \"parent\") ");
                    self.quoted_call("qr", &parent.text());
                    self.text(")");
                }
                self.text("))");
            }
            (_, None) => self.optional(alias.type_expr()),
        }
        self.text(")");
    }

    fn quoted_call(&mut self, name: &str, text: &str) {
        self.text("(");
        self.text(name);
        self.text(" ");
        self.quoted(text);
        self.text(")");
    }

    fn quoted(&mut self, text: &str) {
        self.out.push('"');
        for c in text.chars() {
            match c {
                '\t' => self.text("\\t"),
                '\n' => self.text("\\n"),
                '\r' => self.text("\\r"),
                '"' => self.text("\\\""),
                '\\' => self.text("\\\\"),
                c if (c as u32) < 0x20 => self.text(&format!("\\o{:03o}", c as u32)),
                c => self.out.push(c),
            }
        }
        self.out.push('"');
    }
}

fn statements(node: &SyntaxNode) -> Vec<Expr> {
    node.children().filter_map(Expr::cast).collect()
}

impl TypeAlias {
    /// Returns the type before the hash in `type A = B { }`.
    fn parent_type(&self) -> Option<QualifiedReference> {
        child(self.syntax())
    }
}

/// Formats a float as Ruby does: `1.0`, `1.0e+20`, `1.0e-05`.
fn float_text(value: f64) -> String {
    if value == 0.0 {
        return if value.is_sign_negative() { "-0.0".to_owned() } else { "0.0".to_owned() };
    }
    let scientific = format!("{value:e}");
    let Some((mantissa, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..15).contains(&exponent) {
        let plain = format!("{value}");
        return if plain.contains('.') { plain } else { format!("{plain}.0") };
    }
    let mantissa = if mantissa.contains('.') { mantissa.to_owned() } else { format!("{mantissa}.0") };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.abs())
}

/// Returns true if Ruby ties the pattern to UTF-8. Puppet then dumps it with its options.
fn has_fixed_encoding(pattern: &str) -> bool {
    if !pattern.is_ascii() {
        return true;
    }
    let mut rest = pattern;
    while let Some(at) = rest.find('\\') {
        let escape = &rest[at + 1..];
        let digits = |text: &str| u32::from_str_radix(text, 16).unwrap_or(0);
        let fixes = match escape.as_bytes() {
            [b'p' | b'P', b'{', ..] => true,
            [b'u', b'{', ..] => {
                escape[2..].split([' ', '}']).take_while(|it| !it.is_empty()).any(|it| digits(it) > 0x7f)
            }
            [b'u', ..] => escape.get(1..5).is_some_and(|it| digits(it) > 0x7f),
            [b'x', ..] => escape.get(1..3).is_some_and(|it| digits(it) > 0x7f),
            _ => false,
        };
        if fixes {
            return true;
        }
        rest = escape.get(1..).unwrap_or("");
    }
    false
}
