//! Every written name of a file: where it stands, what kind of thing it names, and what is done with it.
//!
//! What a name means in the end takes the rest of the environment; here it is only what the text itself says.

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

/// A name where it is written.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct NameUse {
    /// The name alone: without `$`, quotes, a leading `::`, and for a variable without its scope.
    pub range: TextRange,
    pub kind: NameUseKind,
    /// Names of classes, types, functions and plans as [`fold_name`] gives them, in a definition with the classes
    /// around it; variables and attributes as they are written.
    pub name: Name,
    pub access: Access,
    /// The definition it stands in, by its place in [`crate::ItemSummary::definitions`]. The name of a definition
    /// stands in that definition.
    pub definition: u32,
}

/// What is done with a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Access {
    /// What it names comes to be here: the head of a definition, a parameter, the title of a resource.
    Declaration,
    Read,
    /// A variable or an attribute gets its value.
    Write,
    Call,
    /// It stands in a comment that describes the thing.
    Documentation,
}

/// What kind of thing a name is meant for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum NameUseKind {
    Class,
    /// In the head of a `define`.
    DefinedType,
    /// A resource type or defined type, where nothing else can be meant.
    ResourceType,
    /// `Foo::Bar` where any type may stand: a data type, an alias, a resource type or a defined type.
    Type,
    /// In `defined('x')`: a class, a resource type or a defined type.
    ClassOrResourceType,
    Function,
    Plan,
    Task,
    Variable(VariableBinding),
    /// An attribute, metaparameter or parameter that is given (or asked for) by name.
    Attribute(AttributeOwner),
    /// A path into `$facts`, its parts joined with dots; each part on the way is a use of its own.
    Fact,
    /// The same in `$trusted`.
    TrustedFact,
    /// The same in `$server_facts`.
    ServerFact,
    /// `module/path` of an EPP template.
    EppTemplate,
    /// `module/path` of an ERB template.
    ErbTemplate,
    /// `module/path` of a file that a module serves.
    ServedFile,
    HieraKey,
    /// The value of the attribute `provider`.
    Provider {
        resource_type: Name,
    },
    /// The title of a resource; the type is a name of a resource type, or `class`.
    Title {
        resource_type: Name,
    },
    /// `@name` in an ERB template: a variable of the scope that renders it.
    ErbVariable,
}

/// Which variable a name means, as far as the file tells.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum VariableBinding {
    /// A variable that a scope around sets. Within a file the same number is the same variable.
    Local {
        variable: u32,
        /// Is it one of a lambda (or `apply`), and not of the definition itself?
        of_lambda: bool,
    },
    /// A plain name that no scope of the definition sets.
    Free,
    /// `$scope::name`; the scope is folded, and empty for the top scope.
    Qualified { scope: Name },
}

/// What an attribute belongs to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum AttributeOwner {
    /// A parameter of a class, or a metaparameter.
    Class(Name),
    /// Of a resource type or defined type.
    ResourceType(Name),
    /// A parameter of the EPP template at `module/path`.
    Template(Name),
    Plan(Name),
    Task(Name),
}

/// All names in a tree, by position. Names that are put together while the program runs are not among them.
pub fn name_uses(parse: &Parse) -> Vec<NameUse> {
    let definitions = FileDefinitions::new(parse);
    let mut collector = NameUseWalk::new(&definitions);
    collector.file(parse);
    collector.finish()
}

/// The names in the main program of a tree, those in definitions left out, by position.
pub fn main_name_uses(parse: &Parse) -> Vec<NameUse> {
    let definitions = FileDefinitions::outermost(parse);
    let mut collector = NameUseWalk { enters_definitions: false, ..NameUseWalk::new(&definitions) };
    collector.file(parse);
    collector.finish()
}

/// The names found so far, and the scopes of variables.
struct NameUseWalk<'a> {
    definitions: &'a FileDefinitions,
    enters_definitions: bool,
    uses: Vec<NameUse>,
    /// By the order in which they open: the scope around it (`None` for that of a definition).
    scopes: Vec<Option<usize>>,
    declared: FxHashMap<(usize, Name), u32>,
    /// The types of the set that is being walked: what they are called there, and from everywhere.
    type_set: FxHashMap<Name, Name>,
    /// Plain variables, to be bound when all assignments are known.
    plain: Vec<PlainVariable>,
}

/// A plain variable that is read.
struct PlainVariable {
    /// By its number among the uses.
    name_use: usize,
    scope: usize,
    /// A scope that sets the variable only with the value in which this stands: `$x = pick($x, 1)`.
    not_yet: Option<usize>,
}

/// Where the walk is.
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

    /// Notes a name as it is written.
    fn add(&mut self, range: TextRange, kind: NameUseKind, name: &str, access: Access, place: WalkPosition) {
        if !name.is_empty() {
            self.uses.push(NameUse { range, kind, name: name.into(), access, definition: place.definition });
        }
    }

    /// Notes a name that folds case; a leading `::` is no part of it.
    fn add_folded(
        &mut self,
        range: TextRange,
        kind: NameUseKind,
        text: &str,
        access: Access,
        place: WalkPosition,
    ) {
        let range = match text.starts_with("::") {
            true => TextRange::new(range.start + 2, range.end),
            false => range,
        };
        self.add(range, kind, &fold_name(text), access, place);
    }

    /// Notes a variable; `text` is its name without `$`, `range` where that stands.
    fn add_variable(&mut self, range: TextRange, text: &str, access: Access, place: WalkPosition) {
        if text.is_empty() || text.bytes().all(|b| b.is_ascii_digit()) {
            return;
        }
        let Some((scope, name)) = text.rsplit_once("::") else {
            let binding = match access {
                Access::Declaration | Access::Write => self.declare(place.scope, text),
                _ => VariableBinding::Free,
            };
            if binding == VariableBinding::Free {
                let scope = place.scope;
                self.plain.push(PlainVariable { name_use: self.uses.len(), scope, not_yet: None });
            }
            self.add(range, NameUseKind::Variable(binding), text, access, place);
            return;
        };
        let scope_start = range.start + if scope.starts_with("::") { 2 } else { 0 };
        let scope_range = TextRange::new(scope_start, range.end - name.len() as u32 - 2);
        let scope = fold_name(scope);
        if !scope.is_empty() {
            self.add(scope_range, NameUseKind::Class, &scope, Access::Read, place);
        }
        let name_range = TextRange::new(range.end - name.len() as u32, range.end);
        let kind = NameUseKind::Variable(VariableBinding::Qualified { scope });
        self.add(name_range, kind, name, access, place);
    }

    fn declare(&mut self, scope: usize, name: &str) -> VariableBinding {
        let next = self.declared.len() as u32;
        let variable = *self.declared.entry((scope, name.into())).or_insert(next);
        VariableBinding::Local { variable, of_lambda: self.scopes[scope].is_some() }
    }

    fn is_declared(&self, scope: usize, name: &str) -> bool {
        self.declared.contains_key(&(scope, name.into()))
    }

    /// The plain variables from number `first` on stand in the value that sets `name` in a scope for the first time.
    fn not_yet_set(&mut self, first: usize, name: &str, scope: usize) {
        let own = self.plain[first..].iter_mut().filter(|it| self.uses[it.name_use].name == name);
        own.for_each(|it| it.not_yet = Some(scope));
    }

    fn bound(&self, plain: &PlainVariable) -> VariableBinding {
        let name = &self.uses[plain.name_use].name;
        let mut current = Some(plain.scope);
        while let Some(scope) = current {
            let declared = self.declared.get(&(scope, name.clone()));
            if let Some(variable) = declared.filter(|_| plain.not_yet != Some(scope)) {
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
