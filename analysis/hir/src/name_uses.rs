//! Names in a file, with their ranges, kinds and accesses.
//!
//! Resolving a name requires the rest of the environment; this module extracts only what the text itself
//! shows.

mod arguments;
mod attributes;
mod documentation;
mod erb;
mod naming;
mod walk;

use rustc_hash::FxHashMap;
use syntax::{Parse, TextRange};

use crate::definition::FileDefinitions;
use crate::{Name, fold_name};

pub use erb::erb_name_uses;
pub use naming::{kind_of_argument, naming_functions, takes_class_names};

/// Occurrence of a name.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct NameUse {
    /// Range of the name itself: without `$`, quotes or a leading `::`, and for a variable without its scope.
    pub range: TextRange,
    pub kind: NameUseKind,
    /// Name as returned by [`fold_name`] for classes, types, functions and plans (qualified with the
    /// enclosing classes in a definition), and as written for variables and attributes.
    pub name: Name,
    pub access: Access,
    /// Index of the enclosing definition in [`crate::ItemSummary::definitions`]. The name of a definition is
    /// inside that definition.
    pub definition: u32,
}

/// Kind of access to a named entity.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Access {
    /// Declares the entity: the head of a definition, a parameter, the title of a resource.
    Declaration,
    Read,
    /// Sets a variable or an attribute.
    Write,
    Call,
    /// Mentions the entity in a documentation comment.
    Documentation,
}

/// Kind of entity that a name refers to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum NameUseKind {
    Class,
    /// In the head of a `define`.
    DefinedType,
    /// A resource type or defined type, where no other kind is possible.
    ResourceType,
    /// `Foo::Bar` where any type is possible: a data type, an alias, a resource type or a defined type.
    Type,
    /// In `defined('x')`: a class, a resource type or a defined type.
    ClassOrResourceType,
    Function,
    Plan,
    Task,
    Variable(VariableBinding),
    /// An attribute, metaparameter or parameter that is set or queried by name.
    Attribute(AttributeOwner),
    /// A path into `$facts`, with segments joined by dots. Each prefix of the path is a separate use.
    Fact,
    /// A path into `$trusted`.
    TrustedFact,
    /// A path into `$server_facts`.
    ServerFact,
    /// `module/path` of an EPP template.
    EppTemplate,
    /// `module/path` of an ERB template.
    ErbTemplate,
    /// `module/path` of a file served by a module.
    ServedFile,
    HieraKey,
    /// The value of the attribute `provider`.
    Provider {
        resource_type: Name,
    },
    /// The title of a resource. The type is a resource type name or `class`.
    Title {
        resource_type: Name,
    },
    /// `@name` in an ERB template: a variable of the scope that renders it.
    ErbVariable,
}

/// Binding of a variable, as far as the file determines it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum VariableBinding {
    /// Variable set by an enclosing scope. Equal numbers within a file denote the same variable.
    Local {
        variable: u32,
        /// True if a lambda or `apply` sets it, and not the definition itself.
        of_lambda: bool,
    },
    /// Plain name that no scope of the definition sets.
    Free,
    /// `$scope::name`. The scope is folded, and empty for the top scope.
    Qualified { scope: Name },
}

/// Owner of an attribute.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum AttributeOwner {
    /// Class, for its parameters and metaparameters.
    Class(Name),
    /// Resource type or defined type.
    ResourceType(Name),
    /// EPP template at `module/path`, for its parameters.
    Template(Name),
    Plan(Name),
    Task(Name),
}

/// Replaces the module of the file in the paths of templates and served files.
pub(crate) const OWN_MODULE: &str = "${module_name}";

/// Inserts the name of the module of the file into the paths that contain `${module_name}`, and drops these
/// paths if there is no module. `module` is only called if there are such paths.
pub fn insert_module_name<'m>(uses: &mut Vec<NameUse>, module: impl FnOnce() -> Option<&'m str>) {
    let of = |it: &NameUse| match &it.kind {
        NameUseKind::Attribute(AttributeOwner::Template(path)) => path.contains(OWN_MODULE),
        NameUseKind::EppTemplate | NameUseKind::ErbTemplate | NameUseKind::ServedFile => {
            it.name.contains(OWN_MODULE)
        }
        _ => false,
    };
    if !uses.iter().any(of) {
        return;
    }
    let Some(module) = module() else {
        uses.retain(|it| !of(it));
        return;
    };
    for it in uses.iter_mut().filter(|it| of(it)) {
        match &mut it.kind {
            NameUseKind::Attribute(AttributeOwner::Template(path)) => {
                *path = path.replace(OWN_MODULE, module).as_str().into();
            }
            _ => it.name = it.name.replace(OWN_MODULE, module).as_str().into(),
        }
    }
}

/// Returns all names in a tree by position. Names computed at run time are not included, except for paths with
/// `${module_name}`; see [`insert_module_name`].
pub fn name_uses(parse: &Parse) -> Vec<NameUse> {
    let definitions = FileDefinitions::new(parse);
    let mut collector = NameUseWalk::new(&definitions);
    collector.file(parse);
    collector.finish()
}

/// Returns the names in the main program of a tree by position, excluding those in definitions.
pub fn main_name_uses(parse: &Parse) -> Vec<NameUse> {
    let definitions = FileDefinitions::outermost(parse);
    let mut collector = NameUseWalk { enters_definitions: false, ..NameUseWalk::new(&definitions) };
    collector.file(parse);
    collector.finish()
}

/// Names found so far, and the scopes of variables.
struct NameUseWalk<'a> {
    definitions: &'a FileDefinitions,
    enters_definitions: bool,
    uses: Vec<NameUse>,
    /// Parents of the scopes in opening order; `None` for the scope of a definition.
    scopes: Vec<Option<usize>>,
    declared: FxHashMap<(usize, Name), u32>,
    /// Types of the type set being walked: from their local to their qualified names.
    type_set: FxHashMap<Name, Name>,
    /// Plain variables, bound when all assignments are known.
    plain: Vec<PlainVariable>,
}

/// Read of a plain variable.
struct PlainVariable {
    /// Index among the uses.
    name_use: usize,
    scope: usize,
    /// Scope that sets the variable for the first time with the value containing this read: `$x = pick($x,
    /// 1)`.
    unset_in: Option<usize>,
}

/// Current position of the walk.
#[derive(Clone, Copy)]
struct WalkPosition {
    definition: u32,
    scope: usize,
}

impl<'a> NameUseWalk<'a> {
    fn new(definitions: &'a FileDefinitions) -> NameUseWalk<'a> {
        NameUseWalk {
            definitions,
            enters_definitions: true,
            uses: Vec::new(),
            scopes: Vec::new(),
            declared: FxHashMap::default(),
            type_set: FxHashMap::default(),
            plain: Vec::new(),
        }
    }

    fn open_scope(&mut self, parent: Option<usize>) -> usize {
        self.scopes.push(parent);
        self.scopes.len() - 1
    }

    /// Records a name as written.
    fn add(
        &mut self,
        range: TextRange,
        kind: NameUseKind,
        name: &str,
        access: Access,
        position: WalkPosition,
    ) {
        if !name.is_empty() {
            self.uses.push(NameUse {
                range,
                kind,
                name: name.into(),
                access,
                definition: position.definition,
            });
        }
    }

    /// Records a case-insensitive name. A leading `::` is not part of it.
    fn add_folded(
        &mut self,
        range: TextRange,
        kind: NameUseKind,
        text: &str,
        access: Access,
        position: WalkPosition,
    ) {
        let range = if text.starts_with("::") { TextRange::new(range.start + 2, range.end) } else { range };
        self.add(range, kind, &fold_name(text), access, position);
    }

    /// Records a variable. `text` is its name without `$`, and `range` the range of that.
    fn add_variable(&mut self, range: TextRange, text: &str, access: Access, position: WalkPosition) {
        if text.is_empty() || text.bytes().all(|b| b.is_ascii_digit()) {
            return;
        }
        // Most variables are not qualified.
        let qualified = text.contains(':').then(|| text.rsplit_once("::")).flatten();
        let Some((scope, name)) = qualified else {
            let binding = match access {
                Access::Declaration | Access::Write => self.declare(position.scope, text),
                _ => VariableBinding::Free,
            };
            if binding == VariableBinding::Free {
                let scope = position.scope;
                self.plain.push(PlainVariable { name_use: self.uses.len(), scope, unset_in: None });
            }
            self.add(range, NameUseKind::Variable(binding), text, access, position);
            return;
        };
        let scope_start = range.start + if scope.starts_with("::") { 2 } else { 0 };
        let scope_range = TextRange::new(scope_start, range.end - name.len() as u32 - 2);
        let scope = fold_name(scope);
        if !scope.is_empty() {
            self.add(scope_range, NameUseKind::Class, &scope, Access::Read, position);
        }
        let name_range = TextRange::new(range.end - name.len() as u32, range.end);
        let kind = NameUseKind::Variable(VariableBinding::Qualified { scope });
        self.add(name_range, kind, name, access, position);
    }

    fn declare(&mut self, scope: usize, name: &str) -> VariableBinding {
        let next = self.declared.len() as u32;
        let variable = *self.declared.entry((scope, name.into())).or_insert(next);
        VariableBinding::Local { variable, of_lambda: self.scopes[scope].is_some() }
    }

    fn is_declared(&self, scope: usize, name: &str) -> bool {
        self.declared.contains_key(&(scope, name.into()))
    }

    /// Marks the plain variables from index `first` on as part of the value that sets `name` in a scope for
    /// the first time.
    fn mark_reads_before_set(&mut self, first: usize, name: &str, scope: usize) {
        let own = self.plain[first..].iter_mut().filter(|it| self.uses[it.name_use].name == name);
        own.for_each(|it| it.unset_in = Some(scope));
    }

    fn bound(&self, plain: &PlainVariable) -> VariableBinding {
        let name = &self.uses[plain.name_use].name;
        let mut current = Some(plain.scope);
        while let Some(scope) = current {
            let declared = self.declared.get(&(scope, name.clone()));
            if let Some(variable) = declared.filter(|_| plain.unset_in != Some(scope)) {
                return VariableBinding::Local {
                    variable: *variable,
                    of_lambda: self.scopes[scope].is_some(),
                };
            }
            current = self.scopes[scope];
        }
        VariableBinding::Free
    }

    fn finish(mut self) -> Vec<NameUse> {
        for plain in std::mem::take(&mut self.plain) {
            let binding = self.bound(&plain);
            self.uses[plain.name_use].kind = NameUseKind::Variable(binding);
        }
        self.uses.sort_by_key(|it| (it.range.start, it.range.end));
        self.uses
    }
}
