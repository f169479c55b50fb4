//! Arguments of `unused`.

use crate::arguments::AnswerFormat;
use crate::compile::subject::ProjectArguments;
use clap::ValueEnum;
use ide::ItemKind;
use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub(crate) struct UnusedArguments {
    /// Only list items of this kind; may be repeated
    #[arg(long, value_enum, value_name = "KIND")]
    pub(super) kind: Vec<KindArgument>,

    /// Delete what is unused, if Git tracks it and the work tree is clean, and prove that no catalog changes;
    /// otherwise restore it
    #[arg(long, conflicts_with_all = ["show_open", "format"])]
    pub(super) remove: bool,

    #[command(flatten)]
    pub(super) listing: ListingArguments,
}

/// Options of the listing.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct ListingArguments {
    /// List the items that may be used as well, with the code that may use them
    #[arg(long)]
    pub(super) show_open: bool,

    /// Output of an external node classifier, as the classes of all nodes; may be repeated
    #[arg(long, value_name = "FILE")]
    pub(super) enc: Vec<PathBuf>,

    /// Folder with the output of an external node classifier for each node
    #[arg(long, value_name = "FOLDER")]
    pub(super) enc_dir: Option<PathBuf>,

    /// Facts of all nodes: a snapshot written by `facts fetch`, or a folder with a file of facts per node. Names
    /// computed from facts are those that these nodes have
    #[arg(long, value_name = "SNAPSHOT|FOLDER")]
    pub(super) nodes: Option<PathBuf>,

    #[command(flatten)]
    pub(super) project: ProjectArguments,

    /// Output format
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    pub(super) format: AnswerFormat,
}

impl UnusedArguments {
    /// Returns the arguments that list Hiera keys, levels, and data files.
    pub(crate) fn of_data(listing: &ListingArguments) -> UnusedArguments {
        let kind = vec![KindArgument::Level, KindArgument::DataFile, KindArgument::HieraKey];
        UnusedArguments { kind, remove: false, listing: listing.clone() }
    }
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum KindArgument {
    Module,
    Class,
    Define,
    Function,
    Type,
    Template,
    /// File that a module serves
    File,
    /// Level of a hierarchy that no file matches
    Level,
    /// Data file that no level reads
    DataFile,
    HieraKey,
}

impl KindArgument {
    pub(super) fn kind(self) -> ItemKind {
        match self {
            KindArgument::Module => ItemKind::Module,
            KindArgument::Class => ItemKind::Class,
            KindArgument::Define => ItemKind::DefinedType,
            KindArgument::Function => ItemKind::Function,
            KindArgument::Type => ItemKind::DataType,
            KindArgument::Template => ItemKind::Template,
            KindArgument::File => ItemKind::File,
            KindArgument::Level => ItemKind::Level,
            KindArgument::DataFile => ItemKind::DataFile,
            KindArgument::HieraKey => ItemKind::HieraKey,
        }
    }
}
