//! User-defined classes and modules, and their instances.

use std::rc::Rc;

use plugins::code::{MethodDefinition, ModuleDefinition, RubyExpression, RubyProgram};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::{SmolStr, format_smolstr};
use std::sync::{Arc, LazyLock};

use super::blocks::Closure;
use super::interpreter::{Interpreter, LocalScope, RubyContext};
use super::methods::constants::is_known;
use super::value::{Object, Ruby, raise_as, unsupported};
use super::watched::WatchedCell;

/// Implementation of `Pathname`, loaded when code first names the class.
static PATHNAME: LazyLock<Arc<RubyProgram>> =
    LazyLock::new(|| Arc::new(plugins::code::read("", include_str!("puppet/pathname.rb"))));
/// Key of that file among the loaded ones.
const PATHNAME_MODEL: &str = "Pathname model";

/// Maximum number of ancestors followed.
const MAX_ANCESTORS: usize = 64;

/// User-defined class or module, or a built-in one that code reopens.
pub struct RubyModule {
    /// Path; empty for an anonymous module.
    pub(super) name: WatchedCell<SmolStr>,
    pub(super) is_class: bool,
    /// True for Ruby's and Puppet's modules, which have more methods than those stored here.
    pub(super) is_native: bool,
    pub(super) superclass: WatchedCell<Superclass>,
    pub(super) methods: WatchedCell<FxHashMap<SmolStr, Method>>,
    /// Methods of the module itself.
    pub(super) module_methods: WatchedCell<FxHashMap<SmolStr, Method>>,
    pub(super) constants: WatchedCell<FxHashMap<SmolStr, Object>>,
    pub(super) includes: WatchedCell<Vec<Rc<RubyModule>>>,
    pub(super) extends: WatchedCell<Vec<Rc<RubyModule>>>,
    pub(super) variables: WatchedCell<FxHashMap<SmolStr, Object>>,
    pub(super) class_variables: WatchedCell<FxHashMap<SmolStr, Object>>,
    /// True after `module_function` without arguments: subsequent methods become methods of the module too.
    pub(super) defines_module_functions: WatchedCell<bool>,
    /// Attributes of a `Struct`.
    pub(super) members: WatchedCell<Vec<SmolStr>>,
    /// True if parts of the definition are not known.
    pub(super) is_incomplete: WatchedCell<bool>,
}

impl std::fmt::Debug for RubyModule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("RubyModule").field(&self.name.borrow()).finish()
    }
}

/// Superclass of a class.
#[derive(Clone, Debug)]
pub(super) enum Superclass {
    /// `Object`
    None,
    Native(SmolStr),
    Module(Rc<RubyModule>),
}

/// Instance of a user-defined class.
#[derive(Debug)]
pub struct Instance {
    pub(super) class: Rc<RubyModule>,
    pub(super) variables: WatchedCell<FxHashMap<SmolStr, Object>>,
}

/// Definition of a method.
#[derive(Clone, Debug)]
pub(super) enum Method {
    Defined {
        definition: Arc<MethodDefinition>,
        nesting: Option<Rc<ModuleNesting>>,
        file: u32,
    },
    /// `define_method`
    Block(Rc<Closure>),
    Reader(SmolStr),
    Writer(SmolStr),
    /// Alias of a built-in method.
    Native(SmolStr),
    /// `define_method(:name, &:of_argument)`: calls a method of the argument.
    OfArgument(SmolStr),
    /// `undef_method`
    Missing,
}

/// Stack of modules around the code, innermost first, in which constants are looked up.
#[derive(Debug)]
pub(super) struct ModuleNesting {
    pub(super) module: Rc<RubyModule>,
    pub(super) outer: Option<Rc<ModuleNesting>>,
}

impl RubyModule {
    pub(super) fn new(name: SmolStr, is_class: bool, is_native: bool) -> RubyModule {
        RubyModule {
            name: WatchedCell::new(name),
            is_class,
            is_native,
            superclass: WatchedCell::new(Superclass::None),
            methods: WatchedCell::default(),
            module_methods: WatchedCell::default(),
            constants: WatchedCell::default(),
            includes: WatchedCell::default(),
            extends: WatchedCell::default(),
            variables: WatchedCell::default(),
            class_variables: WatchedCell::default(),
            defines_module_functions: WatchedCell::new(false),
            members: WatchedCell::default(),
            is_incomplete: WatchedCell::new(false),
        }
    }

    /// Returns the method resolution order: the module, its includes, and those of its superclasses.
    pub(super) fn ancestors(self: &Rc<RubyModule>) -> Vec<Rc<RubyModule>> {
        let mut ancestors = Vec::new();
        self.find_in_ancestors(|module| {
            ancestors.push(module.clone());
            None::<()>
        });
        ancestors
    }

    /// Returns the first result of `look` among the ancestors.
    fn find_in_ancestors<T>(
        self: &Rc<RubyModule>,
        mut look: impl FnMut(&Rc<RubyModule>) -> Option<T>,
    ) -> Option<T> {
        let mut count = 0;
        let mut next = Some(self.clone());
        while let Some(module) = next {
            let found = find_with_includes(&module, 0, &mut count, &mut look);
            if found.is_some() {
                return found;
            }
            next = match &*module.superclass.borrow() {
                Superclass::Module(superclass) if count < MAX_ANCESTORS => Some(superclass.clone()),
                _ => None,
            };
        }
        None
    }

    /// Returns the nearest built-in ancestor class.
    pub(super) fn native_ancestor(self: &Rc<RubyModule>) -> Option<SmolStr> {
        let mut module = self.clone();
        for _ in 0..MAX_ANCESTORS {
            if module.is_native {
                return Some(module.name.borrow().clone());
            }
            let superclass = module.superclass.borrow().clone();
            match superclass {
                Superclass::None => return None,
                Superclass::Native(path) => return Some(path),
                Superclass::Module(superclass) => module = superclass,
            }
        }
        None
    }

    /// Returns true if parts of the module or its ancestors are not known.
    pub(super) fn has_unknown_ancestors(self: &Rc<RubyModule>) -> bool {
        self.find_in_ancestors(|module| module.is_incomplete.get().then_some(())).is_some()
    }

    /// Finds an instance method and the module that defines it.
    pub(super) fn find_method(self: &Rc<RubyModule>, name: &str) -> Option<(Method, Rc<RubyModule>)> {
        let found = self.find_in_ancestors(|module| {
            let method = module.methods.borrow().get(name).cloned()?;
            Some((method, module.clone()))
        });
        found.filter(|(method, _)| !matches!(method, Method::Missing))
    }

    /// Finds a method of the module itself.
    pub(super) fn find_module_method(self: &Rc<RubyModule>, name: &str) -> Option<(Method, Rc<RubyModule>)> {
        let mut module = self.clone();
        for _ in 0..MAX_ANCESTORS {
            if let Some(method) = module.module_methods.borrow().get(name) {
                return Some((method.clone(), module.clone()));
            }
            let extended = module.extends.borrow().iter().rev().find_map(|it| it.find_method(name));
            if extended.is_some() {
                return extended;
            }
            let superclass = module.superclass.borrow().clone();
            match superclass {
                Superclass::Module(superclass) => module = superclass,
                _ => return None,
            }
        }
        None
    }

    /// Finds a constant of the module or its ancestors.
    fn find_constant(self: &Rc<RubyModule>, name: &str) -> Option<Object> {
        self.find_in_ancestors(|module| module.constants.borrow().get(name).cloned())
    }

    fn find_class_variable(self: &Rc<RubyModule>, name: &str) -> Option<(Object, Rc<RubyModule>)> {
        self.find_in_ancestors(|module| {
            let value = module.class_variables.borrow().get(name).cloned()?;
            Some((value, module.clone()))
        })
    }

    /// Drops all contents, because modules and their methods form reference cycles.
    pub(super) fn clear(&self) {
        self.methods.take();
        self.module_methods.take();
        self.constants.take();
        self.includes.take();
        self.extends.take();
        self.variables.take();
        self.class_variables.take();
    }
}

/// Searches a module and its includes. `count` is the number of modules visited.
fn find_with_includes<T>(
    module: &Rc<RubyModule>,
    depth: usize,
    count: &mut usize,
    look: &mut impl FnMut(&Rc<RubyModule>) -> Option<T>,
) -> Option<T> {
    if depth > MAX_ANCESTORS || *count > 4 * MAX_ANCESTORS {
        return None;
    }
    *count += 1;
    look(module).or_else(|| {
        let includes = module.includes.borrow();
        includes.iter().rev().find_map(|included| find_with_includes(included, depth + 1, count, look))
    })
}

impl Interpreter<'_> {
    pub(super) fn new_module(&mut self, name: SmolStr, is_class: bool, is_native: bool) -> Rc<RubyModule> {
        let module = Rc::new(RubyModule::new(name, is_class, is_native));
        self.held.modules.push(module.clone());
        if is_native {
            self.held.native_modules.push(module.clone());
        }
        module
    }

    /// Evaluates `class Name` and `module Name`.
    pub(super) fn define_module(&mut self, definition: &ModuleDefinition) -> Ruby {
        let superclass = match &definition.superclass {
            Some(superclass) => Some(self.evaluate(superclass)?),
            None => None,
        };
        let module = self.opened_module(definition)?;
        if let Some(superclass) = superclass {
            set_superclass(&module, &superclass)?;
        }
        self.charge(256)?;
        self.in_module(&module, |ruby| ruby.statements(&definition.body))
    }

    /// Returns the module that a definition opens, creating it if needed.
    pub(super) fn opened_module(&mut self, definition: &ModuleDefinition) -> Ruby<Rc<RubyModule>> {
        let (outer, name) = match definition.path.rsplit_once("::") {
            None => (None, definition.path.as_str()),
            Some((outer, name)) => (Some(self.module_of_path(outer)?), name),
        };
        let holder = match outer {
            Some(outer) => Some(outer),
            None => self.context.nesting.as_ref().map(|nesting| nesting.module.clone()),
        };
        let path = match &holder {
            Some(holder) => format_smolstr!("{}::{name}", holder.name.borrow()),
            None => name.into(),
        };
        let known = match &holder {
            Some(holder) => holder.constants.borrow().get(name).cloned(),
            None => self.root.constants.borrow().get(name).cloned(),
        };
        match known {
            Some(Object::Module(module)) => Ok(module),
            Some(_) => raise_as("TypeError", format!("{path} is not a module")),
            None => {
                // Our own files may replace built-in classes.
                let is_own = definition.is_class && self.is_in_model_file();
                let is_native = self.is_known_module(&path) && !is_own;
                let module = self.new_module(path, definition.is_class, is_native);
                let holder = holder.unwrap_or_else(|| self.root.clone());
                holder.constants.borrow_mut().insert(name.into(), Object::Module(module.clone()));
                Ok(module)
            }
        }
    }

    /// Resolves the path of an enclosing module; opens it if it is built in.
    fn module_of_path(&mut self, path: &str) -> Ruby<Rc<RubyModule>> {
        match self.constant(path)? {
            Object::Module(module) => Ok(module),
            Object::Constant(path) => {
                let mut holder = self.root.clone();
                let mut whole = String::new();
                for name in path.split("::") {
                    whole = if whole.is_empty() { name.to_owned() } else { format!("{whole}::{name}") };
                    let known = holder.constants.borrow().get(name).cloned();
                    let module = match known {
                        Some(Object::Module(module)) => module,
                        _ => {
                            let module = self.new_module(whole.as_str().into(), false, true);
                            let object = Object::Module(module.clone());
                            holder.constants.borrow_mut().insert(name.into(), object);
                            module
                        }
                    };
                    holder = module;
                }
                Ok(holder)
            }
            _ => unsupported(),
        }
    }

    /// Runs `work` with the context of a module body.
    pub(super) fn in_module(
        &mut self,
        module: &Rc<RubyModule>,
        work: impl FnOnce(&mut Interpreter<'_>) -> Ruby,
    ) -> Ruby {
        let nesting = Rc::new(ModuleNesting { module: module.clone(), outer: self.context.nesting.clone() });
        let id = self.new_id();
        let context = RubyContext {
            id,
            this: Object::Module(module.clone()),
            nesting: Some(nesting),
            method: None,
            own: None,
            block: None,
        };
        self.in_context(Rc::new(context), Rc::new(LocalScope::default()), work)
    }

    /// Evaluates `class << self`.
    pub(super) fn singleton_class(&mut self, body: &[RubyExpression]) -> Ruby {
        let Object::Module(module) = self.context.this.clone() else { return unsupported() };
        // Methods defined in the body become methods of the module.
        let inner = self.new_module(module.name.borrow().clone(), true, false);
        let result = self.in_module(&inner, |ruby| ruby.statements(body));
        let methods = std::mem::take(&mut *inner.methods.borrow_mut());
        module.module_methods.borrow_mut().extend(methods);
        let included = std::mem::take(&mut *inner.includes.borrow_mut());
        module.extends.borrow_mut().extend(included);
        result
    }

    /// Evaluates `def name`.
    pub(super) fn define_method(&mut self, definition: &Arc<MethodDefinition>) -> Ruby {
        self.charge(64)?;
        let method = Method::Defined {
            definition: definition.clone(),
            nesting: self.context.nesting.clone(),
            file: self.file,
        };
        let name = definition.name.clone();
        let module = match (&self.context.this, definition.is_of_module) {
            (Object::Module(module), true) => {
                module.module_methods.borrow_mut().insert(name.clone(), method);
                return Ok(Object::Symbol(name));
            }
            (Object::Main | Object::Scope, true) => self.root.clone(),
            (_, true) => return unsupported(),
            (_, false) => self.definee(),
        };
        if self.template.is_some() && Rc::ptr_eq(&module, &self.root) {
            self.host.define_template_method(definition);
        }
        if module.defines_module_functions.get() {
            module.module_methods.borrow_mut().insert(name.clone(), method.clone());
        }
        module.methods.borrow_mut().insert(name.clone(), method);
        Ok(Object::Symbol(name))
    }

    /// Returns the module to which `def` adds methods.
    pub(super) fn definee(&self) -> Rc<RubyModule> {
        match &self.context.nesting {
            Some(nesting) => nesting.module.clone(),
            None => self.root.clone(),
        }
    }

    pub(super) fn alias(&mut self, name: &SmolStr, method: &SmolStr) -> Ruby {
        let module = self.definee();
        let found = module.find_method(method).map(|(method, _)| method);
        let found = match found {
            Some(found) => found,
            None if module.is_native => Method::Native(method.clone()),
            None => return unsupported(),
        };
        module.methods.borrow_mut().insert(name.clone(), found);
        Ok(Object::Nil)
    }

    /// Evaluates a constant path: `Foo::Bar`.
    pub(super) fn constant(&mut self, path: &str) -> Ruby {
        let (first, rest) = path.split_once("::").map_or((path, None), |(first, rest)| (first, Some(rest)));
        let mut value = match self.constant_in_scope(first) {
            Some(value) => value,
            None if first == "Pathname" && self.required.insert(PATHNAME_MODEL.into()) => {
                self.run_file(PATHNAME.clone())?;
                return self.constant(path);
            }
            None => match self.native_in_scope(path) {
                Some(path) => return Ok(Object::Constant(path)),
                None => return Ok(self.native_constant(path.into())),
            },
        };
        for name in rest.into_iter().flat_map(|rest| rest.split("::")) {
            value = self.constant_of(&value, name)?;
        }
        Ok(value)
    }

    /// Evaluates `value::Name`.
    pub(super) fn constant_of(&mut self, value: &Object, name: &str) -> Ruby {
        match value {
            Object::Module(module) => {
                if let Some(found) = module.find_constant(name) {
                    return Ok(found);
                }
                let path = format_smolstr!("{}::{name}", module.name.borrow());
                if module.is_native {
                    Ok(self.native_constant(path))
                } else if module.has_unknown_ancestors() {
                    Ok(Object::Unknown(types::Origin::Ruby))
                } else {
                    // Another file may define it.
                    unsupported()
                }
            }
            Object::Constant(path) => Ok(self.native_constant(format_smolstr!("{path}::{name}"))),
            Object::Unknown(origin) => Ok(Object::Unknown(*origin)),
            _ => unsupported(),
        }
    }

    /// Returns a constant that no evaluated code defines.
    fn native_constant(&mut self, path: SmolStr) -> Object {
        self.assumes_constant = self.assumes_constant
            || !EXISTING_CONSTANTS.contains(path.as_str()) && !self.is_known_module(&path);
        Object::Constant(path)
    }

    fn constant_in_scope(&self, name: &str) -> Option<Object> {
        let mut nesting = self.context.nesting.as_ref();
        while let Some(inner) = nesting {
            if let Some(found) = inner.module.constants.borrow().get(name) {
                return Some(found.clone());
            }
            nesting = inner.outer.as_ref();
        }
        let inherited = self.context.nesting.as_ref().and_then(|nesting| nesting.module.find_constant(name));
        inherited.or_else(|| self.root.constants.borrow().get(name).cloned())
    }

    /// Resolves a built-in constant in the enclosing modules: `ParseError` in `module Puppet`.
    fn native_in_scope(&self, path: &str) -> Option<SmolStr> {
        let mut whole = String::new();
        let mut nesting = self.context.nesting.as_ref();
        while let Some(inner) = nesting {
            if inner.module.is_native {
                let name = inner.module.name.borrow();
                let mut outer = name.as_str();
                loop {
                    whole.clear();
                    whole.extend([outer, "::", path]);
                    if self.is_known_module(&whole) {
                        return Some(whole.into());
                    }
                    match outer.rsplit_once("::") {
                        Some((further, _)) => outer = further,
                        None => break,
                    }
                }
            }
            nesting = inner.outer.as_ref();
        }
        None
    }

    pub(super) fn set_constant(&mut self, name: &SmolStr, value: Object) -> Ruby<()> {
        if let Object::Module(module) = &value
            && module.name.borrow().is_empty()
        {
            let path = match &self.context.nesting {
                Some(nesting) => format_smolstr!("{}::{name}", nesting.module.name.borrow()),
                None => name.clone(),
            };
            *module.name.borrow_mut() = path;
        }
        self.definee().constants.borrow_mut().insert(name.clone(), value);
        Ok(())
    }

    pub(super) fn class_variable(&mut self, name: &str) -> Ruby<Option<Object>> {
        let Some(nesting) = &self.context.nesting else { return unsupported() };
        Ok(nesting.module.find_class_variable(name).map(|(value, _)| value))
    }

    pub(super) fn set_class_variable(&mut self, name: &SmolStr, value: Object) -> Ruby<()> {
        let Some(nesting) = &self.context.nesting else { return unsupported() };
        let module = nesting.module.find_class_variable(name).map(|(_, module)| module);
        let module = module.unwrap_or_else(|| nesting.module.clone());
        module.class_variables.borrow_mut().insert(name.clone(), value);
        Ok(())
    }

    /// Creates an instance of a user-defined class.
    pub(super) fn instantiate(&mut self, class: &Rc<RubyModule>) -> Object {
        let instance =
            Rc::new(Instance { class: class.clone(), variables: WatchedCell::new(FxHashMap::default()) });
        self.held.instances.push(Rc::downgrade(&instance));
        Object::Instance(instance)
    }

    fn is_known_module(&self, path: &str) -> bool {
        is_known(path) || (self.tables.has_module)(path)
    }

    pub(super) fn is_defined_constant(&mut self, path: &str) -> Ruby<Option<bool>> {
        let (first, rest) = path.split_once("::").map_or((path, None), |(first, rest)| (first, Some(rest)));
        Ok(match (self.constant_in_scope(first), rest) {
            (Some(_), None) => Some(true),
            (Some(Object::Module(module)), Some(name)) => {
                let is_there = module.constants.borrow().contains_key(name);
                (is_there || !module.is_native && !name.contains("::")).then_some(is_there)
            }
            (None, _) if self.is_known_module(path) => Some(true),
            _ => None,
        })
    }
}

/// Constants of Puppet and Ruby that functions of modules read. Generated by reading those of public modules in
/// Puppet 7.
static EXISTING_CONSTANTS: LazyLock<FxHashSet<&str>> =
    LazyLock::new(|| include_str!("puppet/constants.txt").lines().collect());

pub(super) fn set_superclass(module: &Rc<RubyModule>, superclass: &Object) -> Ruby<()> {
    let superclass = match superclass {
        Object::Module(superclass) if superclass.ancestors().iter().any(|it| Rc::ptr_eq(it, module)) => {
            return unsupported();
        }
        Object::Module(superclass) => Superclass::Module(superclass.clone()),
        Object::Constant(path) if path == "Object" || path == "BasicObject" => Superclass::None,
        Object::Constant(path) => Superclass::Native(path.clone()),
        _ => return unsupported(),
    };
    *module.superclass.borrow_mut() = superclass;
    Ok(())
}

/// Converts symbols or strings to names.
pub(super) fn names(arguments: &[Object]) -> Ruby<Vec<SmolStr>> {
    let name = |object: &Object| match object {
        Object::Symbol(name) => Ok(name.clone()),
        Object::Text(text) => Ok(text.content.borrow().as_str().into()),
        _ => unsupported(),
    };
    arguments.iter().map(name).collect()
}
