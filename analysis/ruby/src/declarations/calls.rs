//! Effects of calls, determined by method name and receiver.

use std::rc::Rc;

use plugins::code::{RubyBlock, RubyExpression, RubyExpressionKind};
use plugins::drafts::{DefinitionContext, DraftArguments, is_validation_method};
use smol_str::SmolStr;
use syntax::TextRange;

use super::evaluation::{DeclaredPair, join_scope};
use super::values::{UNKNOWN, draft_value, name_of, prose_of};
use crate::blocks::BlockRef;
use crate::classes::{Method, RubyModule};
use crate::interpreter::Interpreter;
use crate::key::ObjectKey;
use crate::methods::modules::in_body;
use crate::methods::{CallArguments, MethodInvocation, is_definition_method};
use crate::value::{Object, ObjectEntries, Ruby, Stop};

/// Maximum number of list elements that a loop visits.
const ELEMENT_LIMIT: usize = 1_000;

/// Call with its evaluated arguments.
pub(super) struct RubyCall<'e> {
    pub name: SmolStr,
    pub arguments: DeclaredArguments,
    pub expression: &'e RubyExpression,
    /// True if the value is unused.
    pub is_statement: bool,
    /// True for a bare name without receiver and arguments.
    pub is_name: bool,
}

/// Arguments of a call.
#[derive(Clone, Default)]
pub(super) struct DeclaredArguments {
    pub positional: Vec<(Object, TextRange)>,
    /// Pairs of the last argument if it is a hash literal.
    pairs: Vec<DeclaredPair>,
    /// Keyword arguments, which are not in `positional`.
    keywords: Option<Object>,
    pub block: Option<BlockRef>,
    /// True if there is a block, but it is not known.
    pub has_unknown_block: bool,
    /// True if there may be further arguments.
    pub has_unknown: bool,
}

impl DeclaredArguments {
    /// Returns the positional argument at `index`; unknown if there is none.
    pub(super) fn value(&self, index: usize) -> Object {
        self.positional.get(index).map_or(UNKNOWN, |(value, _)| value.clone())
    }

    /// Returns the positional argument at `index` as a name.
    pub(super) fn name(&self, index: usize) -> Option<SmolStr> {
        self.positional.get(index).and_then(|(value, _)| name_of(value))
    }

    pub(super) fn range(&self, index: usize) -> TextRange {
        self.positional.get(index).map_or(TextRange::default(), |(_, range)| *range)
    }

    /// Returns the block if its code is known.
    pub(super) fn code(&self) -> Option<BlockRef> {
        self.block.clone().filter(|block| matches!(block, BlockRef::Code(_)))
    }

    /// Returns true if there is a block, known or not.
    pub(super) fn has_block(&self) -> bool {
        self.block.is_some() || self.has_unknown_block
    }

    /// Returns the keyword arguments, or the pairs of the hash passed as the last argument.
    pub(super) fn options(&self) -> &[DeclaredPair] {
        &self.pairs
    }

    /// Returns the option `name`, a symbol or a string.
    pub(super) fn option(&self, name: &str) -> Option<Object> {
        option(&self.pairs, name).map(|pair| pair.value.clone())
    }

    /// Returns true if there may be options, after a name, that are not known.
    pub(super) fn has_unknown_options(&self) -> bool {
        self.has_unknown
            || self.pairs.iter().any(|pair| name_of(&pair.key).is_none())
            || self.positional.get(1).is_some_and(|(value, _)| !matches!(value, Object::Hash(_)))
    }

    fn draft(&self) -> DraftArguments {
        let values = self.positional.iter().map(|(value, _)| draft_value(value)).collect();
        DraftArguments { values, has_unknown: self.has_unknown }
    }

    fn values(&self) -> impl Iterator<Item = &Object> {
        self.positional.iter().map(|(value, _)| value).chain(self.pairs.iter().map(|pair| &pair.value))
    }

    fn to_arguments(&self) -> CallArguments {
        if self.has_unknown {
            return CallArguments::unknown();
        }
        let mut all: Vec<Object> = self.positional.iter().map(|(value, _)| value.clone()).collect();
        all.extend(self.keywords.clone());
        CallArguments { all, has_keywords: self.keywords.is_some(), ..CallArguments::default() }
    }
}

/// Returns the pair with the key `name`, a symbol or a string.
pub(super) fn option<'a>(pairs: &'a [DeclaredPair], name: &str) -> Option<&'a DeclaredPair> {
    pairs.iter().rev().find(|pair| name_of(&pair.key).is_some_and(|key| key == name))
}

impl Interpreter<'_> {
    pub(super) fn declared_call(&mut self, expression: &RubyExpression, is_statement: bool) -> Ruby {
        let RubyExpressionKind::Call { receiver, name, arguments, block, is_safe, is_name } =
            &*expression.kind
        else {
            return Ok(UNKNOWN);
        };
        let this = self.context.this.clone();
        let (receiver, is_own) = match receiver {
            Some(receiver) => {
                let is_this = matches!(*receiver.kind, RubyExpressionKind::This);
                (self.evaluate(receiver)?, is_this)
            }
            None => (this, true),
        };
        if *is_safe && matches!(receiver, Object::Nil) {
            return Ok(Object::Nil);
        }
        let arguments = self.declared_arguments(arguments, block.as_ref())?;
        let id = arguments.block.as_ref().map_or(0, BlockRef::id);
        let call = RubyCall { name: name.clone(), arguments, expression, is_statement, is_name: *is_name };
        let result = if is_own || self.declared.is_this(&receiver) {
            self.call_on_self(&receiver, call)
        } else {
            match &receiver {
                Object::Constant(path) => self.call_on_constant(path, &receiver, &call),
                Object::Module(module) if module.is_native => {
                    let path = module.name.borrow().clone();
                    self.call_on_constant(&path, &receiver, &call)
                }
                _ => self.call_on_object(&receiver, &call),
            }
        };
        match result {
            Err(Stop::Break(value, ended)) if id != 0 && ended == id => Ok(value),
            other => other,
        }
    }

    /// Evaluates arguments from left to right.
    fn declared_arguments(
        &mut self,
        expressions: &[RubyExpression],
        block: Option<&RubyBlock>,
    ) -> Ruby<DeclaredArguments> {
        let mut result = DeclaredArguments::default();
        for (index, expression) in expressions.iter().enumerate() {
            match &*expression.kind {
                RubyExpressionKind::Hash { entries, is_keywords } if index + 1 == expressions.len() => {
                    let pairs = self.pairs(entries)?;
                    let hash = self.hash_of(pairs.clone());
                    let range = self.declared.range(self.file, expression.range);
                    if !is_keywords {
                        result.positional.push((hash, range));
                    } else if !pairs.is_empty() {
                        result.keywords = Some(hash);
                    }
                    result.pairs = pairs;
                }
                RubyExpressionKind::Splat(value) => {
                    let range = self.declared.range(self.file, expression.range);
                    match self.evaluate(value)? {
                        Object::Array(elements) => {
                            let elements = elements.elements.borrow();
                            result.positional.extend(elements.iter().map(|it| (it.clone(), range)));
                        }
                        _ => result.has_unknown = true,
                    }
                }
                _ => {
                    let value = self.evaluate(expression)?;
                    result.positional.push((value, self.name_range(expression)));
                }
            }
        }
        if let (Some((Object::Hash(hash), _)), true) = (result.positional.last(), result.pairs.is_empty()) {
            result.pairs = self.pairs_of(&hash.clone());
        }
        match self.passed_block(block) {
            Ok(block) => result.block = block,
            Err(_) => result.has_unknown_block = true,
        }
        Ok(result)
    }

    /// Returns the range of the method name in a call.
    pub(super) fn message_range(&self, call: &RubyCall<'_>) -> TextRange {
        let range = call.expression.message_range(self.declared.text(self.file));
        self.declared.range(self.file, range)
    }

    /// Evaluates a call without receiver, or on `self`.
    fn call_on_self(&mut self, receiver: &Object, call: RubyCall<'_>) -> Ruby {
        let is_this = self.declared.is_this(receiver);
        let handled = match self.declared.context() {
            Some(DefinitionContext::Module) | None => self.call_in_module(&call),
            Some(_) if !is_this => None,
            Some(DefinitionContext::Function(_)) => self.call_in_function(&call),
            Some(DefinitionContext::Type(_)) => self.call_in_type(&call),
            Some(DefinitionContext::Attribute(_)) if call.name == "defaultto" => {
                self.set_default(&call);
                Some(Object::Nil)
            }
            Some(_) => None,
        };
        if let Some(value) = handled {
            return Ok(value);
        }
        let conditions = self.declared.conditions;
        if let Some(context) = self.declared.context().filter(|_| is_this)
            && context.call(&call.name, &call.arguments.draft(), conditions)
        {
            return Ok(Object::Nil);
        }
        if matches!(&*call.name, "send" | "public_send" | "__send__") {
            return self.send_to_self(receiver, call);
        }
        if let Some(result) = self.call_builtin(receiver, &call) {
            return result;
        }
        let method = self.defined_method(receiver, &call.name).or_else(|| {
            let method = self.root.methods.borrow().get(&call.name).cloned()?;
            Some((method, self.root.clone()))
        });
        // Its module may be mixed in by code that is not known.
        let method = method.or_else(|| Some((self.declared.only_method(&call.name)?, self.root.clone())));
        if let Some((method, owner)) = method {
            return self.invoke_declared(&method, &owner, receiver, &call);
        }
        if is_definition_method(&call.name) {
            return self.call_native(receiver, &call);
        }
        if is_ignored_method(&call.name) {
            return Ok(UNKNOWN);
        }
        if call.is_statement || self.passes_self(&call.arguments) {
            self.declared.mark_incomplete();
            // The unknown method may run its block immediately.
            if let (Some(DefinitionContext::Type(_)), Some(block)) =
                (self.declared.context(), &call.arguments.block)
            {
                self.run_conditionally(block)?;
            }
            return Ok(UNKNOWN);
        }
        match (self.tables.find)(crate::methods::KERNEL, &call.name, call.arguments.positional.len()) {
            Some(_) => self.call_native(receiver, &call),
            None => Ok(UNKNOWN),
        }
    }

    /// Evaluates built-in methods without a receiver.
    fn call_native(&mut self, receiver: &Object, call: &RubyCall<'_>) -> Ruby {
        if call.arguments.has_unknown || call.arguments.has_unknown_block {
            return Ok(UNKNOWN);
        }
        let invocation = MethodInvocation {
            receiver: receiver.clone(),
            name: &call.name,
            arguments: call.arguments.to_arguments(),
            block: call.arguments.block.clone(),
        };
        self.call_native_without_receiver(invocation, call.is_name)
    }

    /// Returns true if a definition under construction is among the arguments, so that the callee may modify
    /// it.
    fn passes_self(&self, arguments: &DeclaredArguments) -> bool {
        arguments.values().any(|value| self.declared.is_this(value))
    }

    /// Evaluates methods that Ruby defines for every object.
    fn call_builtin(&mut self, receiver: &Object, call: &RubyCall<'_>) -> Option<Ruby> {
        Some(Ok(match &*call.name {
            "class_eval" | "instance_eval" | "module_eval" | "class_exec" | "instance_exec" | "tap"
            | "then" => match (&call.arguments.code(), receiver) {
                (Some(block), Object::Module(module)) => self.run_block_in(block, module),
                (Some(block), _) => return Some(self.call_block_as(block, receiver.clone(), Vec::new())),
                // Code in a string, or a block that is defined elsewhere.
                _ => {
                    self.declared.mark_incomplete();
                    UNKNOWN
                }
            },
            "include" | "extend" | "prepend" => {
                self.mix_in_declared(receiver, call);
                receiver.clone()
            }
            "require" | "require_relative" => {
                self.declare_require(call);
                UNKNOWN
            }
            "__dir__" => match self.files.get(self.file as usize) {
                Some(file) => {
                    let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
                    Object::text(format!("{}/{folder}", crate::interpreter::FOLDER))
                }
                None => UNKNOWN,
            },
            "lambda" | "proc" | "Array" => return Some(self.call_native(receiver, call)),
            // Translated messages.
            "_" | "N_" => call.arguments.value(0),
            "format" | "sprintf" => match prose_of(&call.arguments.value(0)) {
                Some(text) => Object::Partial(text),
                None => UNKNOWN,
            },
            "define_method" | "define_singleton_method" => {
                if let (Some(name), Some(context)) = (call.arguments.name(0), self.declared.context()) {
                    context.define_method(&name, call.name == "define_singleton_method");
                }
                return Some(self.call_native(receiver, call));
            }
            _ => return None,
        }))
    }

    /// Runs a block that may be called any number of times, with unknown arguments.
    fn run_conditionally(&mut self, block: &BlockRef) -> Ruby {
        let BlockRef::Code(closure) = block else { return Ok(UNKNOWN) };
        self.declared.conditions += 1;
        let before = closure.scope.snapshot();
        let result = self.call_closure(closure, CallArguments::unknown(), None, false);
        join_scope(&closure.scope, before);
        self.declared.conditions -= 1;
        match result {
            Err(Stop::Exit(exit)) => Err(Stop::Exit(exit)),
            _ => Ok(UNKNOWN),
        }
    }

    /// Runs the block of a definition, with the definition as `self`.
    pub(super) fn run_block_in(&mut self, block: &BlockRef, module: &Rc<RubyModule>) -> Object {
        in_body(self, module, block).unwrap_or(UNKNOWN)
    }

    /// Evaluates `send(:name, ...)`.
    fn send_to_self(&mut self, receiver: &Object, mut call: RubyCall<'_>) -> Ruby {
        match call.arguments.name(0) {
            Some(name) if name != "send" => {
                call.arguments.positional.remove(0);
                self.call_on_self(receiver, RubyCall { name, ..call })
            }
            _ => {
                self.declared.mark_incomplete();
                Ok(UNKNOWN)
            }
        }
    }

    /// Evaluates `include` and `extend`. Modules may have hooks that modify the including class.
    fn mix_in_declared(&mut self, receiver: &Object, call: &RubyCall<'_>) {
        for (argument, _) in &call.arguments.positional {
            match argument {
                Object::Module(module) if !module.is_native => {
                    let invocation = MethodInvocation {
                        receiver: receiver.clone(),
                        name: if call.name == "prepend" { "include" } else { &call.name },
                        arguments: CallArguments::plain(vec![argument.clone()]),
                        block: None,
                    };
                    let call_site = self.enter(call);
                    let _mixed_in = (self.tables.call_on_module)(self, &invocation);
                    self.declared.call_site = call_site;
                    let may_validate = module.methods.borrow().keys().any(|name| is_validation_method(name));
                    if let (Some(DefinitionContext::Attribute(draft)), true) =
                        (self.declared.context(), may_validate)
                    {
                        draft.is_uncertain = true;
                    }
                }
                Object::Module(_) => {}
                Object::Constant(path) if is_known_module(path) => {}
                _ => self.declared.mark_incomplete(),
            }
        }
    }

    /// Notes the call site through which code of other files is entered. Returns the previous one.
    fn enter(&mut self, call: &RubyCall<'_>) -> TextRange {
        let outer = self.declared.call_site;
        if self.file == self.declared.main {
            self.declared.call_site = self.message_range(call);
        }
        outer
    }

    /// Evaluates a method that the files define.
    fn invoke_declared(
        &mut self,
        method: &Method,
        owner: &Rc<RubyModule>,
        receiver: &Object,
        call: &RubyCall<'_>,
    ) -> Ruby {
        let name = call.arguments.name(0);
        let outer = self.declared.passed_name.clone();
        // If nested methods pass on a name, its location is that of the outermost call.
        if outer.as_ref().map(|(name, _)| name) != name.as_ref() {
            self.declared.passed_name = name.map(|name| (name, call.arguments.range(0)));
        }
        let call_site = self.enter(call);
        let invocation = MethodInvocation {
            receiver: receiver.clone(),
            name: &call.name,
            arguments: call.arguments.to_arguments(),
            block: call.arguments.block.clone(),
        };
        let result = self.invoke(method, owner, invocation);
        self.declared.call_site = call_site;
        self.declared.passed_name = outer;
        result
    }

    fn call_on_constant(&mut self, path: &str, receiver: &Object, call: &RubyCall<'_>) -> Ruby {
        let last = path.rsplit("::").next().unwrap_or(path);
        let argument = || call.arguments.value(0);
        Ok(match (last, &*call.name) {
            ("Functions", "create_function") => self.declare_function(call, 0),
            ("Functions", "create_loaded_function") => self.declare_function(call, 1),
            ("Functions", "newfunction") => self.declare_legacy_function(call),
            ("Type", "newtype") => self.declare_type(call),
            ("Type", "type") => match call.arguments.name(0) {
                Some(name) => Object::Constant(format!("Puppet::Type::{name}").into()),
                None => UNKNOWN,
            },
            ("Type", "newmetaparam") => self.declare_metaparameter(call),
            ("ResourceApi", "register_type") => self.register_type(call),
            ("Facter", "add") => self.declare_fact(call),
            ("DataTypes", "create_type") => self.declare_data_type(call),
            ("Set", "new") => argument(),
            ("Proc", "new") => match &call.arguments.block {
                Some(block) => self.new_proc(block.clone(), false),
                None => UNKNOWN,
            },
            ("Set", "[]") if call.arguments.has_unknown => UNKNOWN,
            ("Set", "[]") => {
                Object::array(call.arguments.positional.iter().map(|(value, _)| value.clone()).collect())
            }
            _ => {
                if let Some(type_name) = path.strip_prefix("Puppet::Type::")
                    && !type_name.contains("::")
                    && (is_type_word(&call.name) || call.name == "provide")
                {
                    return self.call_on_resource_type(type_name.to_lowercase().into(), call);
                }
                return self.call_on_object(receiver, call);
            }
        })
    }

    fn call_on_resource_type(&mut self, type_name: SmolStr, call: &RubyCall<'_>) -> Ruby {
        if call.name == "provide" {
            return Ok(self.declare_provider(&type_name, call));
        }
        let draft = self.take_addition(&type_name, call);
        let module = self.new_module(type_name, true, false);
        self.open_definition(DefinitionContext::Type(draft), &module);
        let call = RubyCall { name: call.name.clone(), arguments: call.arguments.clone(), ..*call };
        let value = self.call_on_self(&Object::Module(module), call);
        if let Some(DefinitionContext::Type(draft)) = self.close_definition() {
            self.declared.additions.push(draft);
        }
        value
    }

    fn call_on_object(&mut self, receiver: &Object, call: &RubyCall<'_>) -> Ruby {
        if let Some((method, owner)) = self.defined_method(receiver, &call.name) {
            return self.invoke_declared(&method, &owner, receiver, call);
        }
        let arguments = &call.arguments;
        if call.is_statement && self.passes_self(arguments) {
            self.declared.mark_incomplete();
        }
        let size = match receiver {
            Object::Array(array) => array.elements.borrow().len(),
            Object::Hash(hash) => hash.entries.borrow().len(),
            Object::Integer(times) if arguments.has_block() => usize::try_from(*times).unwrap_or(0),
            _ => 0,
        };
        self.declared.steps += size.min(ELEMENT_LIMIT).pow(2) / 16;
        if arguments.has_unknown || arguments.has_unknown_block {
            return match &arguments.block {
                Some(block) => self.run_conditionally(block),
                None => Ok(UNKNOWN),
            };
        }
        let Some(block) = &arguments.block else {
            let arguments = arguments.to_arguments();
            self.taint(receiver, &call.name);
            return Ok(if arguments.has_keywords {
                self.call_with(receiver, &call.name, arguments, None).unwrap_or(UNKNOWN)
            } else {
                self.call_data(receiver, &call.name, arguments.all)
            });
        };
        if size > ELEMENT_LIMIT || matches!(receiver, Object::Unknown(_) | Object::Partial(_)) {
            return self.run_conditionally(block);
        }
        match self.call_with(receiver, &call.name, arguments.to_arguments(), Some(block.clone())) {
            Err(Stop::Unknown(_) | Stop::Raise(_)) => self.run_conditionally(block),
            result => result,
        }
    }

    fn call_with(
        &mut self,
        receiver: &Object,
        name: &str,
        arguments: CallArguments,
        block: Option<BlockRef>,
    ) -> Ruby {
        self.send(MethodInvocation { receiver: receiver.clone(), name, arguments, block })
    }

    /// Calls a method without a block. The result of editing documentation is known in part.
    pub(super) fn call_data(&mut self, receiver: &Object, name: &str, arguments: Vec<Object>) -> Object {
        if matches!(name, "empty?" | "any?" | "none?" | "one?" | "size" | "length" | "count")
            && has_unknown_elements(receiver)
        {
            return UNKNOWN;
        }
        let is_partial = |value: &Object| matches!(value, Object::Partial(_));
        if !is_partial(receiver) && !arguments.iter().any(is_partial) {
            let first = arguments.first().cloned();
            match (self.call_method_of(receiver, name, arguments), first) {
                (Ok(Object::Unknown(_)) | Err(_), first) => return edited(receiver, name, first.as_ref()),
                (Ok(value), _) => return value,
            }
        }
        edited(receiver, name, arguments.first())
    }

    /// Makes a collection unknown that changes under an unknown condition.
    pub(super) fn taint(&mut self, receiver: &Object, name: &str) {
        if self.declared.conditions == 0 || !may_change(name) {
            return;
        }
        match receiver {
            Object::Array(array) => *array.elements.borrow_mut() = vec![UNKNOWN],
            Object::Hash(hash) => {
                let mut entries = ObjectEntries::default();
                entries.insert(ObjectKey(UNKNOWN), UNKNOWN);
                *hash.entries.borrow_mut() = entries;
            }
            Object::Text(_) => self.declared.give_up(),
            _ => {}
        }
    }
}

/// Returns true for a collection whose number of elements may not be known.
fn has_unknown_elements(object: &Object) -> bool {
    let is_unknown = |element: &Object| matches!(element, Object::Unknown(_));
    match object {
        Object::Array(array) => array.elements.borrow().iter().any(is_unknown),
        Object::Hash(hash) => hash.entries.borrow().keys().any(|key| is_unknown(&key.0)),
        _ => false,
    }
}

/// Returns the result of editing a string, as far as it is useful for documentation.
fn edited(receiver: &Object, name: &str, argument: Option<&Object>) -> Object {
    let Some(text) = prose_of(receiver).filter(|_| !matches!(receiver, Object::Symbol(_))) else {
        return UNKNOWN;
    };
    let is_partial = matches!(receiver, Object::Partial(_));
    match name {
        "+" | "<<" | "concat" => {
            let more = argument.and_then(prose_of).unwrap_or_default();
            Object::Partial(format!("{text}{more}").into())
        }
        "strip" if is_partial => Object::Partial(text.trim().into()),
        "chomp" | "lstrip" | "rstrip" | "to_s" if is_partial => Object::Partial(text),
        // Edits of documentation leave most of it intact.
        "%" | "gsub" | "sub" | "tr" | "squeeze" => Object::Partial(text),
        "delete" | "tr_s" | "unindent" if !is_partial => Object::Partial(text),
        _ => UNKNOWN,
    }
}

/// Returns true for methods that change collections or strings in place.
fn may_change(name: &str) -> bool {
    name.ends_with('!')
        || matches!(
            name,
            "<<" | "[]="
                | "push"
                | "append"
                | "unshift"
                | "prepend"
                | "insert"
                | "concat"
                | "delete"
                | "delete_at"
                | "delete_if"
                | "clear"
                | "pop"
                | "shift"
                | "store"
                | "update"
                | "replace"
                | "add"
        )
}
/// Returns true for methods that define something when they are called on a resource type from outside.
fn is_type_word(name: &str) -> bool {
    const WORDS: &str = "newproperty newparam ensurable feature class_eval instance_eval class_exec send include \
        extend public_send instance_exec module_eval newmetaparam";
    WORDS.split(' ').any(|word| word == name)
}

/// Returns true for modules of Ruby and of Puppet, which define no attributes.
fn is_known_module(path: &str) -> bool {
    path.starts_with("Puppet::") || matches!(path, "Enumerable" | "Comparable" | "FileUtils" | "Singleton")
}

/// Returns true for methods that do not affect the definition under construction.
fn is_ignored_method(name: &str) -> bool {
    IGNORED_METHODS.split(' ').any(|word| word == name)
}

const IGNORED_METHODS: &str = "load autoload raise fail devfail warn warning warnonce notice info debug \
    err alert puts p pp print private protected public private_class_method public_class_method \
    private_constant module_function attr_accessor attr_reader attr_writer attr alias_method \
    undef_method remove_method autorequire autobefore autonotify autosubscribe instance_variable_set \
    instance_variable_get const_set class_variable_set block_given? binding caller respond_to? is_a? \
    nil? defined? method_defined? instance_methods freeze srand catch throw exit using refine name \
    class to_s hash object_id loop sleep initvars Integer String Float Hash providify provider \
    providers defaultprovider paramclass attrclass propertybyname metaparams unprovide \
    private_instance_methods public_send remove_const const_get isomorphic deprecate";
