//! What a compile did not look at although its outcome may depend on it.

use std::fmt;

use hir::Name;
use project::NameKind;
use smol_str::SmolStr;

/// Something that was not looked at, so that nobody knows what it would change.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum OpenPart {
    /// It was asked for and is not there, but may be elsewhere, as the project is not whole.
    Absent(NameKind, Name),
    /// The same of a module.
    AbsentModule(Name),
    /// A variable that nothing here sets: a fact of a module, or a node classifier may.
    Variable(Name),
    /// A class is included of which nobody knows the name.
    UnknownClass,
    /// A function in Ruby, which is not run, that may add resources and classes.
    RubyFunction(Name),
    /// There is no configuration of Hiera, so that the data for this key lie elsewhere.
    Data(SmolStr),
    /// A file of the machine that compiles, by its full path.
    MachineFile(SmolStr),
    /// A file of a module, or one that is named as if it was one, by its full path.
    ModuleFile(SmolStr),
    /// A file of data that is there, or may be, and is not read.
    DataFile(SmolStr),
}

impl fmt::Display for OpenPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenPart::Absent(kind, name) => {
                let kind = match kind {
                    NameKind::Class => "class",
                    NameKind::Function => "function",
                    NameKind::DefinedType | NameKind::TypeAlias => "type",
                    _ => "plan",
                };
                write!(f, "the {kind} `{name}` is not here")
            }
            OpenPart::AbsentModule(name) => write!(f, "the module `{name}` is not here"),
            OpenPart::Variable(name) => write!(f, "nothing here sets the variable `${name}`"),
            OpenPart::UnknownClass => f.write_str("a class is included whose name is not known"),
            OpenPart::RubyFunction(name) => {
                write!(f, "the function `{name}` is in Ruby, which is not run, and may add resources")
            }
            OpenPart::Data(key) => write!(f, "there is no hiera.yaml that says where data for `{key}` are"),
            OpenPart::MachineFile(path) => {
                write!(f, "the file {path} of the machine that compiles is not read")
            }
            OpenPart::ModuleFile(path) => write!(f, "the file {path} is not read"),
            OpenPart::DataFile(path) => write!(f, "the data in {path} are not read"),
        }
    }
}
