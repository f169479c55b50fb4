//! What the data types of the language are, in a line each.

/// A data type that Puppet brings along.
pub(crate) struct TypeWords {
    pub(crate) name: &'static str,
    /// Markdown.
    pub(crate) documentation: &'static str,
    /// Does it say next to nothing without arguments in brackets?
    pub(crate) wants_arguments: bool,
}

/// What a type is; the case of the name does not matter, as for Puppet.
pub(crate) fn documentation(name: &str) -> Option<&'static str> {
    let name = name.trim_start_matches("::");
    TYPES.iter().find(|it| it.name.eq_ignore_ascii_case(name)).map(|it| it.documentation)
}

const fn plain(name: &'static str, documentation: &'static str) -> TypeWords {
    TypeWords { name, documentation, wants_arguments: false }
}

const fn with(name: &'static str, documentation: &'static str) -> TypeWords {
    TypeWords { name, documentation, wants_arguments: true }
}

/// By name.
pub(crate) const TYPES: &[TypeWords] = &[
    plain("Any", "Every value, `undef` included."),
    plain("Array", "Lists whose elements are of one type: `Array[String, 1]` holds one string or more."),
    plain("Binary", "Bytes that are no text."),
    plain("Boolean", "`true` and `false`; `Boolean[true]` is only one of them."),
    plain(
        "Callable",
        "Lambdas and functions by the types of their parameters; the last may be that of a block.",
    ),
    plain("CatalogEntry", "References to classes and resources."),
    plain("Class", "References to classes: `Class['apache']`."),
    plain("Collection", "Arrays and hashes, by their number of elements."),
    plain(
        "Data",
        "What JSON can hold: `ScalarData`, `undef`, arrays of those, and hashes with strings as keys.",
    ),
    plain("Default", "The value `default`."),
    plain("Deferred", "A function call that the agent makes, just before it applies the catalog."),
    with("Enum", "Strings from a list: `Enum['present', 'absent']`; with `true` at the end in any case."),
    plain("Error", "What went wrong: message, kind, details and issue code."),
    plain("Float", "Numbers with a fraction, from and to: `Float[0.0, 1.0]`."),
    plain("Hash", "Keys of one type with values of another: `Hash[String, Integer]`, and how many."),
    with("Init", "What the constructor of a type takes: `Init[Integer]` is all that makes an integer."),
    plain("Integer", "Whole numbers of 64 bits, from and to: `Integer[1, 65535]`; `default` is no limit."),
    plain("Iterable", "What iteration functions can walk through, by the type of its elements."),
    plain("Iterator", "Elements that a function works out while they are asked for."),
    with("NotUndef", "Every value of a type except `undef`."),
    plain("Numeric", "Integers and floats."),
    with("Object", "Types with attributes and functions of their own."),
    with("Optional", "A type, or `undef`: `Optional[String]`."),
    with("Pattern", "Strings that match one of the regular expressions: `Pattern[/\\A[a-z]+\\z/]`."),
    plain("Regexp", "Regular expressions; `Regexp[/a/]` is only that one."),
    plain("Resource", "References to resources: `Resource['file', '/etc/motd']`."),
    plain(
        "RichData",
        "`Data`, and everything else that a catalog can carry: times, versions, binaries, types.",
    ),
    plain("RichDataKey", "What may be a key in `RichData`: strings and numbers."),
    plain("Runtime", "Values of the language that Puppet itself is written in."),
    plain("Scalar", "Single values: numbers, strings, booleans, regular expressions, versions and times."),
    plain("ScalarData", "Strings, numbers and booleans."),
    plain("SemVer", "Semantic versions, in one of the ranges: `SemVer['>=1.2.0 <2.0.0']`."),
    plain("SemVerRange", "Ranges of semantic versions."),
    plain("Sensitive", "A value that logs and reports must not show."),
    plain("String", "Texts, by their length in characters: `String[1]` is not empty."),
    with("Struct", "Hashes with certain keys, each with a type of its own: `Struct[{ port => Integer }]`."),
    plain("Target", "A machine that a Bolt plan works on."),
    plain("Timespan", "Lengths of time, from and to."),
    plain("Timestamp", "Points in time, from and to."),
    with("Tuple", "Lists with a type for each place: `Tuple[String, Integer]`; the last may repeat."),
    plain("Type", "Types themselves: `Type[Integer]` is `Integer` and all that is narrower."),
    with("TypeReference", "A type that is known by its name only."),
    with("TypeSet", "Named types that belong together, with a version."),
    plain("URI", "Addresses, by their parts."),
    plain("Undef", "The value `undef`."),
    with("Variant", "Any one of several types: `Variant[String, Integer]`."),
];
