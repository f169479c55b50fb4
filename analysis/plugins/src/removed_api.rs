//! Uses of methods and constants that newer versions of Ruby, Puppet, and OpenFact no longer have.

use ruby_prism::{Location, Node, Visit};
use smol_str::SmolStr;
use syntax::TextRange;

use crate::erb::{ScopeRead, variable_name};
use crate::guard::{LENGTH_LIMIT, is_hostile, on_stack_for};

/// Removal that breaks Ruby code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Removal {
    /// Ruby 3.2 or earlier; Puppet 8 includes it.
    Ruby3,
    /// The library PSON, which Puppet 8 does not include.
    Pson,
    /// OpenFact 6, which OpenVox 9 requires.
    OpenFact6,
}

/// Use of something that was removed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RemovedApi {
    /// `File.exists?`
    pub name: SmolStr,
    pub range: TextRange,
    pub removal: Removal,
    /// Advice in the imperative.
    pub advice: &'static str,
    /// Edit with the same effect in all versions.
    pub replacement: Option<(TextRange, SmolStr)>,
}

/// Parts of a Ruby file that matter for an upgrade.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RubyUses {
    pub removed: Vec<RemovedApi>,
    /// Reads of variables of the Puppet scope by name, in source order. A name without `::` may be a variable of
    /// the caller.
    pub scope_reads: Vec<ScopeRead>,
    /// Reads of facts by name: `closure_scope['facts']['x']`, in source order.
    pub fact_reads: Vec<ScopeRead>,
    pub calls: Vec<PuppetCall>,
}

/// Call of a Puppet function from Ruby: `scope.function_x([])`, `call_function('x')`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PuppetCall {
    pub name: SmolStr,
    /// Range of the name of the method, or of the function.
    pub range: TextRange,
}

/// Constants that Ruby 3.2 or an earlier version removed, with their replacement.
const CONSTANTS: &[(&str, Option<&str>, &str)] = &[
    ("Bignum", Some("Integer"), "use `Integer`"),
    ("Fixnum", Some("Integer"), "use `Integer`"),
    ("SortedSet", None, "add the gem `sorted_set`, or sort a `Set`"),
];

/// Methods of every object that Ruby 3.2 removed.
const TAINT_METHODS: [&str; 6] = ["taint", "tainted?", "trust", "untaint", "untrust", "untrusted?"];

/// Words in a condition that checks the version of Ruby, or whether a method exists.
const VERSION_CHECKS: [&str; 4] = ["RUBY_VERSION", "respond_to?", "defined?", "const_defined?"];

/// Finds uses in a Ruby file. A file that is too large or malformed has none.
pub fn ruby_uses(text: &str) -> RubyUses {
    if text.len() > LENGTH_LIMIT || is_hostile(text) {
        return RubyUses::default();
    }
    let uses = on_stack_for(text.len(), || {
        let parsed = ruby_prism::parse(text.as_bytes());
        if parsed.errors().next().is_some() {
            return RubyUses::default();
        }
        collect(&parsed.node(), text, &|start, end| TextRange::new(start as u32, end as u32))
    });
    uses.unwrap_or_default()
}

/// Finds uses in a program. `range` maps offsets in `text` to the file.
pub(crate) fn collect(node: &Node<'_>, text: &str, range: &dyn Fn(usize, usize) -> TextRange) -> RubyUses {
    let is_defined = |name: &&str| text.contains(&format!("def {name}"));
    let mut walk = UsesWalk {
        text,
        range,
        has_own_taint: TAINT_METHODS.iter().any(is_defined),
        uses: RubyUses::default(),
    };
    walk.visit(node);
    walk.uses
}

struct UsesWalk<'t> {
    text: &'t str,
    range: &'t dyn Fn(usize, usize) -> TextRange,
    /// True if the file defines a method with a name in [`TAINT_METHODS`].
    has_own_taint: bool,
    uses: RubyUses,
}

impl UsesWalk<'_> {
    fn range(&self, location: &Location<'_>) -> TextRange {
        (self.range)(location.start() as usize, location.end() as usize)
    }

    fn add(
        &mut self,
        name: String,
        range: TextRange,
        advice: &'static str,
        replacement: Option<(TextRange, &str)>,
    ) {
        let replacement = replacement.map(|(range, text)| (range, SmolStr::from(text)));
        let found = RemovedApi { name: name.into(), range, removal: Removal::Ruby3, advice, replacement };
        self.uses.removed.push(found);
    }

    fn check_constant(&mut self, name: &str, location: &Location<'_>) {
        let range = self.range(location);
        if let Some((_, replacement, advice)) = CONSTANTS.iter().find(|(known, ..)| *known == name) {
            self.add(name.to_owned(), range, advice, replacement.map(|it| (range, it)));
        } else if name == "PSON" {
            let advice = "use `JSON`";
            let found =
                RemovedApi { name: name.into(), range, removal: Removal::Pson, advice, replacement: None };
            self.uses.removed.push(found);
        }
    }

    fn check_call(&mut self, node: &ruby_prism::CallNode<'_>) {
        let name = String::from_utf8_lossy(node.name().as_slice()).into_owned();
        self.record_fact_read(node);
        let Some(message) = node.message_loc() else { return };
        self.record_call(node, &name, &message);
        let Some(receiver) = node.receiver() else {
            return self.record_scope_read(node, &name, None);
        };
        let count = node.arguments().map_or(0, |it| it.arguments().iter().count());
        let whole = (self.range)(receiver.location().start() as usize, message.end() as usize);
        match (constant_name(&receiver).as_deref(), name.as_str()) {
            (Some(class @ ("File" | "Dir" | "FileTest")), "exists?") => {
                let range = self.range(&message);
                self.add(format!("{class}.exists?"), whole, "use `exist?`", Some((range, "exist?")));
            }
            (Some("URI"), "escape" | "unescape" | "encode" | "decode") => {
                let method = if matches!(name.as_str(), "escape" | "encode") { "escape" } else { "unescape" };
                let text = format!("URI::DEFAULT_PARSER.{method}");
                let advice = "use `URI::DEFAULT_PARSER`";
                self.add(format!("URI.{name}"), whole, advice, Some((whole, &text)));
            }
            (Some("Proc"), "new") if node.block().is_none() && count == 0 => {
                self.add("Proc.new".to_owned(), whole, "declare the parameter `&block` and use it", None);
            }
            (_, taint) if count == 0 && TAINT_METHODS.contains(&taint) && !self.has_own_taint => {
                // They returned the object itself.
                let removed = node.call_operator_loc().filter(|_| !taint.ends_with('?'));
                let removed = removed.filter(|it| it.as_slice() == b"." && node.opening_loc().is_none());
                let removed = removed.map(|it| (self.range)(it.start() as usize, message.end() as usize));
                let range = self.range(&message);
                self.add(taint.to_owned(), range, "remove the call", removed.map(|it| (it, "")));
            }
            (Some("Facter"), "add") => self.check_fact_options(node),
            (_, "to_pson") if count == 0 => {
                let range = self.range(&message);
                self.uses.removed.push(RemovedApi {
                    name: "to_pson".into(),
                    range,
                    removal: Removal::Pson,
                    advice: "use `to_json`",
                    replacement: Some((range, "to_json".into())),
                });
            }
            _ => {
                let scope = receiver.as_call_node().filter(|it| it.receiver().is_none());
                let scope = scope.map(|it| String::from_utf8_lossy(it.name().as_slice()).into_owned());
                self.record_scope_read(node, &name, scope.as_deref());
            }
        }
    }

    /// Checks the options of `Facter.add`.
    fn check_fact_options(&mut self, node: &ruby_prism::CallNode<'_>) {
        for argument in node.arguments().iter().flat_map(|it| it.arguments().iter()) {
            let Some(options) = argument.as_keyword_hash_node() else { continue };
            for option in options.elements().iter().filter_map(|it| it.as_assoc_node()) {
                let key = option.key();
                let is_removed =
                    key.as_symbol_node().is_some_and(|it| it.unescaped() == b"ldapname".as_slice());
                if is_removed {
                    self.uses.removed.push(RemovedApi {
                        name: "ldapname".into(),
                        range: self.range(&key.location()),
                        removal: Removal::OpenFact6,
                        advice: "remove the option",
                        replacement: None,
                    });
                }
            }
        }
    }

    /// Records a read of a variable of the scope of a function by its name.
    fn record_scope_read(&mut self, node: &ruby_prism::CallNode<'_>, method: &str, receiver: Option<&str>) {
        let is_read = match receiver {
            Some("scope" | "closure_scope") => matches!(method, "[]" | "lookupvar"),
            Some(_) => false,
            None => method == "lookupvar",
        };
        let argument = node.arguments().and_then(|it| it.arguments().iter().next()).filter(|_| is_read);
        let Some(name) = argument.and_then(|it| variable_name(&it)) else { return };
        // The scope of a function that declares it is that of its module, which has no local variables.
        let is_top = receiver == Some("closure_scope") || name.starts_with("::");
        if is_top || receiver.is_none() {
            let name = if name.starts_with("::") || !is_top { name } else { format!("::{name}").into() };
            let range = self.range(&node.location());
            self.uses.scope_reads.push(ScopeRead { name, range });
        }
    }

    /// Records a read of a key of the hash of facts.
    fn record_fact_read(&mut self, node: &ruby_prism::CallNode<'_>) {
        let count = node.arguments().map_or(0, |it| it.arguments().iter().count());
        if count != 1 || !matches!(node.name().as_slice(), b"[]" | b"dig" | b"fetch") {
            return;
        }
        let Some(receiver) = node.receiver() else { return };
        let is_variable =
            receiver.as_instance_variable_read_node().is_some_and(|it| it.name().as_slice() == b"@facts");
        let is_read = || receiver.as_call_node().is_some_and(|it| reads_facts(&it));
        let argument = node.arguments().and_then(|it| it.arguments().iter().next());
        if let Some(name) = argument.and_then(|it| variable_name(&it)).filter(|_| is_variable || is_read()) {
            let range = self.range(&node.location());
            self.uses.fact_reads.push(ScopeRead { name, range });
        }
    }

    /// Records a call of a Puppet function.
    fn record_call(&mut self, node: &ruby_prism::CallNode<'_>, method: &str, message: &Location<'_>) {
        if let Some(name) = method.strip_prefix("function_").filter(|it| !it.is_empty()) {
            let range = self.range(message);
            self.uses.calls.push(PuppetCall { name: name.into(), range });
        } else if method == "call_function"
            && let Some(name) = first_string(node)
            && let Some(argument) = node.arguments().and_then(|it| it.arguments().iter().next())
        {
            let range = self.range(&argument.location());
            self.uses.calls.push(PuppetCall { name: name.into(), range });
        }
    }

    /// Returns true for a condition that checks the version of Ruby, or whether something exists.
    fn is_version_check(&self, condition: &Node<'_>) -> bool {
        let location = condition.location();
        let source = self.text.get(location.start() as usize..location.end() as usize).unwrap_or_default();
        VERSION_CHECKS.iter().any(|it| source.contains(it))
    }
}

/// Returns the first argument of a call if it is a string.
fn first_string(node: &ruby_prism::CallNode<'_>) -> Option<String> {
    let argument = node.arguments().and_then(|it| it.arguments().iter().next())?;
    Some(String::from_utf8_lossy(argument.as_string_node()?.unescaped()).into_owned())
}

/// Returns true for a read of the variable `$facts`: `scope['facts']`, `lookupvar('::facts')`.
fn reads_facts(node: &ruby_prism::CallNode<'_>) -> bool {
    let receiver = node.receiver().and_then(|it| it.as_call_node());
    let is_scope = receiver.is_some_and(|it| {
        it.receiver().is_none() && matches!(it.name().as_slice(), b"scope" | b"closure_scope")
    });
    let is_read = match node.name().as_slice() {
        b"[]" => is_scope,
        b"lookupvar" => is_scope || node.receiver().is_none(),
        _ => false,
    };
    is_read && first_string(node).is_some_and(|it| it.strip_prefix("::").unwrap_or(&it) == "facts")
}

/// Returns the name of a constant without a scope, or at the top.
fn constant_name(node: &Node<'_>) -> Option<String> {
    let name = match (node.as_constant_read_node(), node.as_constant_path_node()) {
        (Some(read), _) => read.name(),
        (None, Some(path)) if path.parent().is_none() => path.name()?,
        _ => return None,
    };
    Some(String::from_utf8_lossy(name.as_slice()).into_owned())
}

impl<'pr> Visit<'pr> for UsesWalk<'_> {
    fn visit_call_node(&mut self, node: &ruby_prism::CallNode<'pr>) {
        self.check_call(node);
        ruby_prism::visit_call_node(self, node);
    }

    fn visit_constant_read_node(&mut self, node: &ruby_prism::ConstantReadNode<'pr>) {
        self.check_constant(&String::from_utf8_lossy(node.name().as_slice()), &node.location());
    }

    fn visit_constant_path_node(&mut self, node: &ruby_prism::ConstantPathNode<'pr>) {
        if node.parent().is_none()
            && let Some(name) = node.name()
        {
            self.check_constant(&String::from_utf8_lossy(name.as_slice()), &node.location());
        }
        ruby_prism::visit_constant_path_node(self, node);
    }

    fn visit_if_node(&mut self, node: &ruby_prism::IfNode<'pr>) {
        if !self.is_version_check(&node.predicate()) {
            ruby_prism::visit_if_node(self, node);
        }
    }

    fn visit_unless_node(&mut self, node: &ruby_prism::UnlessNode<'pr>) {
        if !self.is_version_check(&node.predicate()) {
            ruby_prism::visit_unless_node(self, node);
        }
    }

    fn visit_and_node(&mut self, node: &ruby_prism::AndNode<'pr>) {
        if !self.is_version_check(&node.left()) {
            ruby_prism::visit_and_node(self, node);
        }
    }

    fn visit_defined_node(&mut self, _: &ruby_prism::DefinedNode<'pr>) {}
}

#[cfg(test)]
#[path = "removed_api_tests.rs"]
mod tests;
