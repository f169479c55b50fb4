//! Uses of instance variables, which are Puppet's variables, in the code of a template.

use ruby_prism::{Location, Node, Visit};
use smol_str::SmolStr;
use syntax::TextRange;

use super::script::Script;
use crate::built_in;

/// Use of an instance variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VariableUse {
    /// Name without `@`.
    pub name: SmolStr,
    /// Range including `@`.
    pub range: TextRange,
    pub kind: VariableUseKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VariableUseKind {
    Read,
    /// Test for existence (`if @x`, `@x.nil?`, `@x || 1`, `defined?(@x)`) or a read after such a test. Reads
    /// in methods and classes that the template defines count too, because their object may be a different
    /// one.
    ExistenceTest,
    Write,
}

/// Read of a variable by name: `scope['::x']`, `scope.lookupvar('x')`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScopeRead {
    /// Name as written.
    pub name: SmolStr,
    /// Range of the whole expression.
    pub range: TextRange,
}

/// Returns the name in a string. That of a legacy fact may end with an interpolation (`"ipaddress_#{x}"`), which
/// is returned as its pattern: `ipaddress_*`.
pub(crate) fn variable_name(node: &Node<'_>) -> Option<SmolStr> {
    if let Some(string) = node.as_string_node() {
        return Some(String::from_utf8_lossy(string.unescaped()).into_owned().into());
    }
    let string = node.as_interpolated_string_node()?;
    let parts: Vec<_> = string.parts().iter().collect();
    let [start, end] = parts.as_slice() else { return None };
    let start = start.as_string_node().filter(|_| end.as_embedded_statements_node().is_some())?;
    let name = format!("{}*", String::from_utf8_lossy(start.unescaped()));
    let fact = name.strip_prefix("::").unwrap_or(&name);
    let is_known = built_in::fact(fact).is_some_and(|it| it.is_legacy && it.name == fact);
    is_known.then(|| name.into())
}

/// Uses of variables in a template.
pub(super) struct TemplateUses {
    pub(super) uses: Vec<VariableUse>,
    pub(super) scope_reads: Vec<ScopeRead>,
    pub(super) scope_tests: Vec<ScopeRead>,
}

/// Returns the uses of instance variables, and those of variables by name.
pub(super) fn collect(node: &Node<'_>, script: &Script) -> TemplateUses {
    let mut collector = VariableUseWalk {
        script,
        uses: Vec::new(),
        scope_reads: Vec::new(),
        scope_tests: Vec::new(),
        tested: Vec::new(),
        definitions: 0,
    };
    collector.visit(node);
    let VariableUseWalk { mut uses, scope_reads, scope_tests, tested, .. } = collector;
    for it in &mut uses {
        if it.kind == VariableUseKind::Read && tested.contains(&it.name) {
            it.kind = VariableUseKind::ExistenceTest;
        }
    }
    uses.sort_by_key(|it| it.range.start);
    TemplateUses { uses, scope_reads, scope_tests }
}

struct VariableUseWalk<'s> {
    script: &'s Script,
    uses: Vec<VariableUse>,
    scope_reads: Vec<ScopeRead>,
    scope_tests: Vec<ScopeRead>,
    /// Variables that the template expects to be possibly unset.
    tested: Vec<SmolStr>,
    /// Number of enclosing `def`, `class` and `module`.
    definitions: usize,
}

impl VariableUseWalk<'_> {
    fn add(&mut self, name: &[u8], location: &Location<'_>, kind: VariableUseKind) {
        let Some(name) = std::str::from_utf8(name).ok().and_then(|name| name.strip_prefix('@')) else {
            return;
        };
        let range = self.script.range(location.start() as usize, location.end() as usize);
        self.uses.push(VariableUse { name: name.into(), range, kind });
    }

    /// Records a read of a variable of the scope by its name.
    fn record_scope_read(&mut self, node: &ruby_prism::CallNode<'_>) {
        let is_read = matches!(node.name().as_slice(), b"[]" | b"lookupvar");
        let receiver = node.receiver().and_then(|it| it.as_call_node()).filter(|_| is_read);
        let is_scope = receiver.is_some_and(|it| it.receiver().is_none() && it.name().as_slice() == b"scope");
        let argument = node.arguments().and_then(|it| it.arguments().iter().next());
        let Some(name) = argument.filter(|_| is_scope).and_then(|it| variable_name(&it)) else { return };
        let location = node.location();
        self.scope_reads.push(ScopeRead {
            name,
            range: self.script.range(location.start() as usize, location.end() as usize),
        });
    }

    /// Records `has_variable?('x')` and `scope.to_hash['x']`.
    fn record_scope_test(&mut self, node: &ruby_prism::CallNode<'_>) {
        let is_test = node.name().as_slice() == b"has_variable?";
        let hash = node.receiver().and_then(|it| it.as_call_node());
        let is_hash = node.name().as_slice() == b"[]"
            && hash.is_some_and(|it| {
                let scope = it.receiver().and_then(|it| it.as_call_node());
                it.name().as_slice() == b"to_hash" && scope.is_some_and(|it| it.name().as_slice() == b"scope")
            });
        let argument = node.arguments().and_then(|it| it.arguments().iter().next());
        let Some(name) = argument.filter(|_| is_test || is_hash).and_then(|it| variable_name(&it)) else {
            return;
        };
        if is_test {
            self.tested.push(name.clone());
        }
        let location = node.location();
        let range = self.script.range(location.start() as usize, location.end() as usize);
        self.scope_tests.push(ScopeRead { name, range });
    }

    /// Records a test of the variable in a condition.
    fn record_test(&mut self, node: &Node<'_>) {
        if let Some(read) = node.as_instance_variable_read_node() {
            let name = String::from_utf8_lossy(read.name().as_slice()).into_owned();
            self.tested.extend(name.strip_prefix('@').map(SmolStr::from));
        } else if let Some(node) = node.as_and_node() {
            self.record_test(&node.left());
            self.record_test(&node.right());
        } else if let Some(node) = node.as_or_node() {
            self.record_test(&node.left());
            self.record_test(&node.right());
        } else if let Some(node) = node.as_parentheses_node() {
            for inner in
                node.body().and_then(|body| body.as_statements_node()).iter().flat_map(|it| it.body().iter())
            {
                self.record_test(&inner);
            }
        } else if let Some(node) = node.as_call_node()
            && let Some(receiver) = node.receiver()
        {
            // `@x.nil?`, `@x == 1`, `!@x`, `@x.to_s.empty?`
            self.record_test(&receiver);
        }
    }
}

impl<'pr> Visit<'pr> for VariableUseWalk<'_> {
    fn visit_instance_variable_read_node(&mut self, node: &ruby_prism::InstanceVariableReadNode<'pr>) {
        let kind = if self.definitions > 0 { VariableUseKind::ExistenceTest } else { VariableUseKind::Read };
        self.add(node.name().as_slice(), &node.location(), kind);
    }

    fn visit_instance_variable_write_node(&mut self, node: &ruby_prism::InstanceVariableWriteNode<'pr>) {
        self.add(node.name().as_slice(), &node.name_loc(), VariableUseKind::Write);
        self.visit(&node.value());
    }

    fn visit_instance_variable_target_node(&mut self, node: &ruby_prism::InstanceVariableTargetNode<'pr>) {
        self.add(node.name().as_slice(), &node.location(), VariableUseKind::Write);
    }

    fn visit_instance_variable_or_write_node(&mut self, node: &ruby_prism::InstanceVariableOrWriteNode<'pr>) {
        self.add(node.name().as_slice(), &node.name_loc(), VariableUseKind::Write);
        self.visit(&node.value());
    }

    fn visit_instance_variable_and_write_node(
        &mut self,
        node: &ruby_prism::InstanceVariableAndWriteNode<'pr>,
    ) {
        self.add(node.name().as_slice(), &node.name_loc(), VariableUseKind::Write);
        self.visit(&node.value());
    }

    fn visit_instance_variable_operator_write_node(
        &mut self,
        node: &ruby_prism::InstanceVariableOperatorWriteNode<'pr>,
    ) {
        self.add(node.name().as_slice(), &node.name_loc(), VariableUseKind::Write);
        self.visit(&node.value());
    }

    fn visit_if_node(&mut self, node: &ruby_prism::IfNode<'pr>) {
        self.record_test(&node.predicate());
        ruby_prism::visit_if_node(self, node);
    }

    fn visit_unless_node(&mut self, node: &ruby_prism::UnlessNode<'pr>) {
        self.record_test(&node.predicate());
        ruby_prism::visit_unless_node(self, node);
    }

    fn visit_or_node(&mut self, node: &ruby_prism::OrNode<'pr>) {
        self.record_test(&node.left());
        ruby_prism::visit_or_node(self, node);
    }

    fn visit_and_node(&mut self, node: &ruby_prism::AndNode<'pr>) {
        self.record_test(&node.left());
        ruby_prism::visit_and_node(self, node);
    }

    fn visit_case_node(&mut self, node: &ruby_prism::CaseNode<'pr>) {
        if let Some(subject) = node.predicate() {
            self.record_test(&subject);
        }
        ruby_prism::visit_case_node(self, node);
    }

    fn visit_def_node(&mut self, node: &ruby_prism::DefNode<'pr>) {
        self.definitions += 1;
        ruby_prism::visit_def_node(self, node);
        self.definitions -= 1;
    }

    fn visit_class_node(&mut self, node: &ruby_prism::ClassNode<'pr>) {
        self.definitions += 1;
        ruby_prism::visit_class_node(self, node);
        self.definitions -= 1;
    }

    fn visit_module_node(&mut self, node: &ruby_prism::ModuleNode<'pr>) {
        self.definitions += 1;
        ruby_prism::visit_module_node(self, node);
        self.definitions -= 1;
    }

    fn visit_defined_node(&mut self, node: &ruby_prism::DefinedNode<'pr>) {
        self.record_test(&node.value());
        ruby_prism::visit_defined_node(self, node);
    }

    fn visit_call_node(&mut self, node: &ruby_prism::CallNode<'pr>) {
        let is_test = node.is_safe_navigation() || matches!(node.name().as_slice(), b"nil?" | b"!" | b"to_a");
        if let Some(receiver) = node.receiver().filter(|_| is_test) {
            self.record_test(&receiver);
        }
        self.record_scope_test(node);
        self.record_scope_read(node);
        ruby_prism::visit_call_node(self, node);
    }
}
