//! Reads a `Puppetfile` as a Ruby program.

use ruby_prism::{CallNode, Location, Node, Visit};
use smol_str::SmolStr;
use syntax::TextRange;

use super::{
    Puppetfile, PuppetfileCall, PuppetfileCallProblem, PuppetfileModule, PuppetfileModuleOption,
    PuppetfileValue, PuppetfileValueKind, PuppetfileWord,
};

/// Methods with which a program runs code of other files, or code that is not visible.
const RUNS_OTHER_CODE: [&[u8]; 7] =
    [b"require_relative", b"require", b"load", b"eval", b"instance_eval", b"extend", b"define_method"];

/// Methods that take a string as their first argument.
const KEYWORDS: [&str; 4] = ["mod", "forge", "moduledir", "exclusion"];

/// Returns the contents. What follows a syntax error is not reliable.
pub(super) fn read(text: &str) -> Puppetfile {
    let parsed = ruby_prism::parse(text.as_bytes());
    let mut walk = ProgramWalk { text, found: Puppetfile::default(), methods: Vec::new(), conditions: 0 };
    walk.visit(&parsed.node());
    let ProgramWalk { mut found, methods, .. } = walk;
    found.words.retain(|it| !methods.contains(&it.text));
    found.invalid_calls.retain(|it| !methods.contains(&it.keyword));
    found.syntax_error = parsed.errors().next().map(|error| {
        let message = String::from_utf8_lossy(error.message()).into_owned();
        (message, range(&error.location()))
    });
    found
}

struct ProgramWalk<'t> {
    text: &'t str,
    found: Puppetfile,
    /// Methods that the program defines.
    methods: Vec<SmolStr>,
    /// Number of enclosing conditions, loops, and blocks.
    conditions: usize,
}

impl ProgramWalk<'_> {
    fn conditional(&mut self, visit: impl FnOnce(&mut Self)) {
        self.conditions += 1;
        visit(self);
        self.conditions -= 1;
    }

    /// Records a call of a keyword with arguments that it cannot have. A program that runs other code may
    /// define these methods itself.
    fn keyword(&mut self, keyword: &str, call: &CallNode<'_>) {
        let arguments: Vec<Node<'_>> =
            call.arguments().iter().flat_map(|it| it.arguments().iter().collect::<Vec<_>>()).collect();
        let Some(message) = call.message_loc() else { return };
        if arguments.iter().any(|it| it.as_splat_node().is_some()) || call.block().is_some() {
            return;
        }
        let mut report = |range, problem| {
            self.found.invalid_calls.push(PuppetfileCall { keyword: keyword.into(), range, problem });
        };
        let Some(first) = arguments.first() else {
            report(range(&message), PuppetfileCallProblem::MissingArgument);
            return;
        };
        // A module has further arguments.
        if let Some(excess) = arguments.get(1).filter(|_| keyword != "mod") {
            report(range(&excess.location()), PuppetfileCallProblem::ExcessArgument);
        }
        let value = self.value(first);
        let is_hash = first.as_keyword_hash_node().is_some();
        match value.kind {
            PuppetfileValueKind::String | PuppetfileValueKind::Computed if !is_hash => {
                if keyword == "forge" {
                    self.found.forges.push(value);
                }
            }
            _ => self.found.invalid_calls.push(PuppetfileCall {
                keyword: keyword.into(),
                range: value.range,
                problem: PuppetfileCallProblem::NotAString,
            }),
        }
    }

    fn module(&mut self, call: &CallNode<'_>) {
        let Some(arguments) = call.arguments() else { return };
        let arguments: Vec<Node<'_>> = arguments.arguments().iter().collect();
        let Some(name) = arguments.first() else { return };
        let Some(string) = name.as_string_node() else { return };
        let Ok(text) = std::str::from_utf8(string.unescaped()) else { return };
        let name_range = range(&name.location());
        let end = arguments.last().map_or(name_range, |it| range(&it.location())).end;
        let mut module = PuppetfileModule {
            name: text.into(),
            name_range,
            version: None,
            options: Vec::new(),
            has_unknown_options: arguments.iter().any(|it| it.as_splat_node().is_some()),
            excess_argument: arguments.get(2).map(|it| range(&it.location())),
            is_unconditional: self.conditions == 0,
            range: TextRange::new(name_range.start, end),
        };
        for argument in &arguments[1..] {
            if let Some(hash) = argument.as_keyword_hash_node() {
                hash.elements().iter().for_each(|it| self.option(&it, &mut module));
            } else if let Some(hash) = argument.as_hash_node() {
                hash.elements().iter().for_each(|it| self.option(&it, &mut module));
            } else if argument.as_splat_node().is_none() && module.version.is_none() {
                module.version = Some(self.value(argument));
            }
        }
        self.found.modules.push(module);
    }

    fn option(&self, element: &Node<'_>, module: &mut PuppetfileModule) {
        let Some(element) = element.as_assoc_node() else {
            module.has_unknown_options = true;
            return;
        };
        let key = element.key();
        let (name, name_range, is_symbol) = match (key.as_symbol_node(), key.as_string_node()) {
            (Some(symbol), _) => {
                let name = String::from_utf8_lossy(symbol.unescaped()).into_owned();
                (name, self.without_colon(range(&symbol.location())), true)
            }
            (None, Some(string)) => {
                (String::from_utf8_lossy(string.unescaped()).into_owned(), range(&string.location()), false)
            }
            (None, None) => {
                module.has_unknown_options = true;
                return;
            }
        };
        module.options.push(PuppetfileModuleOption {
            name: name.into(),
            name_range,
            is_symbol,
            value: self.value(&element.value()),
        });
    }

    /// Returns the range of the name in `:name` or `name:`.
    fn without_colon(&self, range: TextRange) -> TextRange {
        let written = self.text.get(range.as_range()).unwrap_or_default();
        let start = range.start + u32::from(written.starts_with(':'));
        TextRange::new(start, range.end - u32::from(written.ends_with(':')))
    }

    fn value(&self, node: &Node<'_>) -> PuppetfileValue {
        let range = range(&node.location());
        let written: SmolStr = self.text.get(range.as_range()).unwrap_or_default().into();
        let contents = |bytes: &[u8]| SmolStr::new(String::from_utf8_lossy(bytes));
        let (kind, text) = if let Some(string) = node.as_string_node() {
            (PuppetfileValueKind::String, contents(string.unescaped()))
        } else if let Some(symbol) = node.as_symbol_node() {
            (PuppetfileValueKind::Symbol, contents(symbol.unescaped()))
        } else {
            (kind_of(node), written.clone())
        };
        PuppetfileValue { kind, text, written, range }
    }
}

impl<'pr> Visit<'pr> for ProgramWalk<'_> {
    fn visit_call_node(&mut self, node: &CallNode<'pr>) {
        let name = node.name().as_slice();
        self.found.runs_other_code |= RUNS_OTHER_CODE.contains(&name);
        if node.receiver().is_none() {
            if let Some(keyword) = KEYWORDS.iter().find(|it| it.as_bytes() == name) {
                self.keyword(keyword, node);
            }
            if name == b"mod" {
                self.module(node);
            } else if let (Some(location), Ok(name)) = (node.message_loc(), std::str::from_utf8(name)) {
                self.found.words.push(PuppetfileWord {
                    text: name.into(),
                    range: range(&location),
                    is_unconditional: self.conditions == 0,
                });
            }
        }
        ruby_prism::visit_call_node(self, node);
    }

    fn visit_block_node(&mut self, node: &ruby_prism::BlockNode<'pr>) {
        self.conditional(|it| ruby_prism::visit_block_node(it, node));
    }

    fn visit_if_node(&mut self, node: &ruby_prism::IfNode<'pr>) {
        self.conditional(|it| ruby_prism::visit_if_node(it, node));
    }

    fn visit_unless_node(&mut self, node: &ruby_prism::UnlessNode<'pr>) {
        self.conditional(|it| ruby_prism::visit_unless_node(it, node));
    }

    fn visit_case_node(&mut self, node: &ruby_prism::CaseNode<'pr>) {
        self.conditional(|it| ruby_prism::visit_case_node(it, node));
    }

    fn visit_case_match_node(&mut self, node: &ruby_prism::CaseMatchNode<'pr>) {
        self.conditional(|it| ruby_prism::visit_case_match_node(it, node));
    }

    fn visit_while_node(&mut self, node: &ruby_prism::WhileNode<'pr>) {
        self.conditional(|it| ruby_prism::visit_while_node(it, node));
    }

    fn visit_until_node(&mut self, node: &ruby_prism::UntilNode<'pr>) {
        self.conditional(|it| ruby_prism::visit_until_node(it, node));
    }

    fn visit_for_node(&mut self, node: &ruby_prism::ForNode<'pr>) {
        self.conditional(|it| ruby_prism::visit_for_node(it, node));
    }

    fn visit_and_node(&mut self, node: &ruby_prism::AndNode<'pr>) {
        self.conditional(|it| ruby_prism::visit_and_node(it, node));
    }

    fn visit_or_node(&mut self, node: &ruby_prism::OrNode<'pr>) {
        self.conditional(|it| ruby_prism::visit_or_node(it, node));
    }

    fn visit_begin_node(&mut self, node: &ruby_prism::BeginNode<'pr>) {
        self.conditional(|it| ruby_prism::visit_begin_node(it, node));
    }

    fn visit_rescue_modifier_node(&mut self, node: &ruby_prism::RescueModifierNode<'pr>) {
        self.conditional(|it| ruby_prism::visit_rescue_modifier_node(it, node));
    }

    fn visit_lambda_node(&mut self, node: &ruby_prism::LambdaNode<'pr>) {
        self.conditional(|it| ruby_prism::visit_lambda_node(it, node));
    }

    // The calls in a method are those of its callers, with their arguments.
    fn visit_def_node(&mut self, node: &ruby_prism::DefNode<'pr>) {
        self.methods.push(String::from_utf8_lossy(node.name().as_slice()).into());
    }

    // Their bodies have another receiver.
    fn visit_class_node(&mut self, _: &ruby_prism::ClassNode<'pr>) {
        self.found.runs_other_code = true;
    }

    fn visit_module_node(&mut self, _: &ruby_prism::ModuleNode<'pr>) {
        self.found.runs_other_code = true;
    }

    fn visit_singleton_class_node(&mut self, _: &ruby_prism::SingletonClassNode<'pr>) {
        self.found.runs_other_code = true;
    }
}

fn kind_of(node: &Node<'_>) -> PuppetfileValueKind {
    if node.as_integer_node().is_some() || node.as_float_node().is_some() {
        PuppetfileValueKind::Number
    } else if node.as_true_node().is_some() || node.as_false_node().is_some() {
        PuppetfileValueKind::Boolean
    } else if node.as_nil_node().is_some() {
        PuppetfileValueKind::Nil
    } else if node.as_array_node().is_some() || node.as_hash_node().is_some() {
        PuppetfileValueKind::Collection
    } else {
        PuppetfileValueKind::Computed
    }
}

fn range(location: &Location<'_>) -> TextRange {
    TextRange::new(location.start(), location.end())
}
