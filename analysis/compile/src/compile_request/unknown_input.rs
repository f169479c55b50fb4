//! Unknown inputs of compiles.

use std::fmt;

use hir::Name;
use project::NameKind;
use smol_str::SmolStr;

/// Unknown input on which the outcome of a compile may depend.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UnknownInput {
    /// Definition that is missing from an incomplete project.
    Absent(NameKind, Name),
    /// Module that is missing from an incomplete project.
    AbsentModule(Name),
    /// Variable that is set nowhere in the project: a module's fact, or a node classifier may set it.
    Variable(Name),
    /// Included class with an unknown name.
    UnknownClass,
    /// Related, overridden, or realized resource with an unknown title, with its type. `None` if that is not
    /// known either, or resources or attributes of a declaration are unknown.
    Reference(Option<Name>),
    /// Ruby function that is not executed and may add resources and classes.
    RubyFunction(Name),
    /// Ruby function that is not executed and may refuse its arguments.
    RubyCheck(Name),
    /// Ruby function that several modules define differently.
    AmbiguousFunction(Name),
    /// Ruby function that is to be executed ([`CompileRequest::changed_ruby`]) and is not.
    ///
    /// [`CompileRequest::changed_ruby`]: crate::CompileRequest::changed_ruby
    ChangedFunction(Name),
    /// Data for this key, which is outside of the project since there is no Hiera configuration.
    Data(SmolStr),
    /// File on the compiling machine, by absolute path.
    MachineFile(SmolStr),
    /// File of a module, or a path that looks like one, by absolute path.
    ModuleFile(SmolStr),
    /// Data file that may exist but is not read.
    DataFile(SmolStr),
    /// Key whose data is undecided.
    UndecidedData(SmolStr),
    /// Key whose data depends on the name of the node, which is a placeholder.
    NodeData(SmolStr),
    /// Type whose resources are collected from other nodes.
    Exports(Name),
    /// Type whose resources are collected from other nodes, some of whose exports are unknown, with their
    /// description.
    ExportsOfNodes(Name, SmolStr),
    /// Query of PuppetDB, with the reason why its rows are unknown, if there is another one than that it was not asked
    /// so far. The query is empty if it is unknown itself.
    Query { query: SmolStr, reason: SmolStr },
}

/// Maximum length of a query in messages, in characters.
const MAX_QUERY: usize = 80;

/// Returns a query on one line, without its end if it is long.
fn shortened(query: &str) -> String {
    let line = query.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_QUERY) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

impl UnknownInput {
    /// Returns true if resources that other nodes export, or the rows of a query of PuppetDB, are unknown.
    pub fn is_about_exports(&self) -> bool {
        matches!(
            self,
            UnknownInput::Exports(_) | UnknownInput::ExportsOfNodes(..) | UnknownInput::Query { .. }
        )
    }

    /// Returns the module that has to define the missing name. Functions and types without a namespace may be
    /// in any module.
    pub fn module(&self) -> Option<&str> {
        match self {
            UnknownInput::AbsentModule(name) => Some(name),
            UnknownInput::Absent(kind, name) => match name.trim_start_matches("::").split_once("::") {
                Some((module, _)) => Some(module),
                None => Some(&**name).filter(|_| *kind == NameKind::Class),
            },
            _ => None,
        }
    }
}

impl fmt::Display for UnknownInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnknownInput::Absent(kind, name) => {
                let kind = match kind {
                    NameKind::Class => "class",
                    NameKind::Function => "function",
                    NameKind::DefinedType | NameKind::TypeAlias => "type",
                    _ => "plan",
                };
                write!(f, "{kind} `{name}` not found")
            }
            UnknownInput::AbsentModule(name) => write!(f, "module `{name}` not found"),
            UnknownInput::Variable(name) => write!(f, "variable `${name}` is not set in the project"),
            UnknownInput::UnknownClass => f.write_str("name of an included class is unknown"),
            UnknownInput::Reference(Some(name)) => {
                write!(f, "title of a related, overridden, or realized `{name}` is unknown")
            }
            UnknownInput::Reference(None) => {
                f.write_str("code declares, relates, overrides, or realizes unknown resources or attributes")
            }
            UnknownInput::RubyFunction(name) => {
                write!(f, "Ruby function `{name}` is not executed and may add resources")
            }
            UnknownInput::RubyCheck(name) => {
                write!(f, "Ruby function `{name}` is not executed and may fail")
            }
            UnknownInput::AmbiguousFunction(name) => {
                write!(f, "several modules define the function `{name}` differently")
            }
            UnknownInput::ChangedFunction(name) => {
                write!(f, "changed Ruby function `{name}` is not executed")
            }
            UnknownInput::Data(key) => write!(f, "no hiera.yaml defines the data for `{key}`"),
            UnknownInput::MachineFile(path) => {
                write!(f, "file `{path}` on the compiling machine is not read")
            }
            UnknownInput::ModuleFile(path) => write!(f, "file `{path}` is not read"),
            UnknownInput::DataFile(path) => write!(f, "data file `{path}` is not read"),
            UnknownInput::UndecidedData(key) => write!(f, "data for `{key}` is undecided"),
            UnknownInput::NodeData(key) => write!(f, "data for `{key}` depends on the name of the node"),
            UnknownInput::Exports(name) => {
                write!(f, "resources of type `{name}` that other nodes export are unknown")
            }
            UnknownInput::ExportsOfNodes(name, nodes) => {
                write!(f, "resources of type `{name}` that {nodes} are unknown")
            }
            UnknownInput::Query { query, reason } => {
                let query = shortened(query);
                match (query.as_str(), reason.as_str()) {
                    ("", "") => f.write_str("a query of PuppetDB is unknown"),
                    ("", reason) => write!(f, "rows of a query of PuppetDB are unknown: {reason}"),
                    (query, "") => write!(f, "rows of the query `{query}` are unknown"),
                    (query, reason) => write!(f, "rows of the query `{query}` are unknown: {reason}"),
                }
            }
        }
    }
}
