//! Messages with advice that no quick fix follows, with the reason.

use codes::Code;

/// Messages whose advice cannot be followed by an edit, with the reason. Names and numbers are replaced as in
/// `cures.txt`.
pub(crate) const WITHOUT_FIX: &[(Code, &str, &str)] = &[
    (
        Code::ByteOrderMark,
        "file is encoded as UTF-_ (byte-order mark FF FE), which Puppet rejects / help: save the file as UTF-_ without a byte-order mark",
        "the text of the file is not known; editors convert it",
    ),
    (
        Code::DataEncrypted,
        "decrypted block is neither encrypted nor valid data / help: encrypt it with `_`",
        "encryption requires a key",
    ),
    (
        Code::DataEncrypted,
        "value of `_` is not encrypted, unlike other values of this file / help: encrypt it with `_`",
        "encryption requires a key",
    ),
    (
        Code::DataLookupOptions,
        "unknown option `_` is ignored / help: use `_` or `_`",
        "the intended option is not known",
    ),
    (
        Code::Deprecation,
        "`_` is deprecated / help: add a `_` with `_` to the module",
        "the lookups of the other provider must be converted as well",
    ),
    (
        Code::Deprecation,
        "`_` is deprecated / help: use a parameter type",
        "the type depends on the arguments",
    ),
    (
        Code::FutureReservedWord,
        "`_` is a keyword in plans and will become one everywhere / help: choose another name",
        "the new name is the author's choice; rename changes all uses",
    ),
    (
        Code::HeredocInString,
        "heredoc text begins inside a string, comment or template text / help: end the string, comment or template text on the line of the heredoc",
        "the end of the string is not known",
    ),
    (
        Code::HeredocInString,
        "heredoc text is inside a string, comment or template text, and Puppet parses the code after it twice / help: end the string, comment or template text on the line of the heredoc",
        "the end of the string is not known",
    ),
    (Code::HeredocSyntax, "invalid heredoc tag / help: use `_`, `_` or `_`", "the intended tag is not known"),
    (
        Code::HieraConfiguration,
        "`_` needs a location / help: add `_`, `_`, `_`, `_` or `_`",
        "the intended location is not known",
    ),
    (
        Code::HieraConfiguration,
        "expected a hash; Puppet reads this file as a Hiera _ configuration / help: add `_`",
        "the contents are not a hierarchy",
    ),
    (
        Code::HieraConfiguration,
        "unknown key `_` in `_` / help: use one of `_`, `_`, `_`, `_`, `_`",
        "no known key is similar",
    ),
    (
        Code::HieraConfiguration,
        "unknown key `_` in a hierarchy entry / help: use one of `_`, `_`, `_`, `_`, `_`, `_`, `_`, `_`, `_`, `_`, `_`, `_`, `_`, `_`, `_`",
        "no known key is similar",
    ),
    (
        Code::HieraConfiguration,
        "version _ is deprecated / help: convert the file to version _ by hand: it has other errors",
        "the errors must be fixed first",
    ),
    (
        Code::HieraConfiguration,
        "version _ is only supported in the global layer / help: convert the file to version _ by hand: backend `_` needs Hiera _ or a function that replaces it",
        "the function is not known",
    ),
    (
        Code::HieraConfiguration,
        "version _ is only supported in the global layer / help: convert the file to version _ by hand: it does not contain a hash",
        "the contents are not a configuration",
    ),
    (
        Code::IllegalAssignment,
        "invalid left-hand side of assignment / help: use a variable or an array of variables",
        "the intended variable is not known",
    ),
    (
        Code::IllegalEpp,
        "invalid EPP template in line _: unclosed delimiter / help: add the closing `_`",
        "the template is the text of a string",
    ),
    (
        Code::IllegalEppParameters,
        "template parameters after text / help: declare the parameters between `_` and `_` in a tag before any text",
        "the parentheses may not be meant as parameters",
    ),
    (
        Code::IllegalExpression,
        "expression cannot be called / help: write a function name or a type before the parentheses",
        "the intended function is not known",
    ),
    (
        Code::IllegalHostnameInterpolation,
        "interpolation in a node name / help: write the name literally, or use a regular expression",
        "the name depends on data",
    ),
    (
        Code::IllegalJson,
        "invalid JSON in line _: invalid value `_` / help: enclose strings in double quotes",
        "the end of the string is not known",
    ),
    (
        Code::IllegalQueryExpression,
        "invalid collector query / help: use `_` and `_`, joined by `_`, `_` and parentheses",
        "queries have no such operator",
    ),
    (
        Code::IllegalUnicodeEscape,
        "invalid Unicode escape / help: write four hexadecimal digits, or one to six in braces",
        "the intended character is not known",
    ),
    (
        Code::IncompleteModuleData,
        "parameter `_` has no default and no module data, while _ other parameters without a default have module data / help: add `_` to the data of the module",
        "the value is not known",
    ),
    (
        Code::MetadataLicense,
        "`_` is not an SPDX license identifier / help: use an identifier such as `_`, or `_`",
        "the license is the author's choice",
    ),
    (Code::MetadataMissingKey, "missing key `_` / help: add `_`", "the text is the author's choice"),
    (
        Code::MetadataObsolete,
        "the requirement `_` is obsolete; the Forge ignores it / help: remove it, and require a version of `_`",
        "the supported versions of Puppet are not known",
    ),
    (
        Code::MetadataOpenRange,
        "no upper limit for the version of `_` / help: exclude the next major version, such as `_`",
        "no version is installed",
    ),
    (
        Code::MetadataVersion,
        "invalid version range `_` / help: use a form such as `_`, `_` or `_`",
        "the intended versions are not known",
    ),
    (
        Code::MissingModule,
        "module `_` not found / help: install the module to check the code that uses it",
        "installing a module is not an edit",
    ),
    (
        Code::NestedHeredoc,
        "nested heredocs are not supported / help: assign the inner heredoc to a variable first",
        "the inner text is part of the outer one",
    ),
    (
        Code::NonLiteralParameterType,
        "type of a class parameter is not literal / help: write its arguments as literals",
        "the value of the expression may differ between nodes",
    ),
    (
        Code::NotRvalue,
        "collector has no value / help: make it a separate statement",
        "the position of the statement is the author's choice",
    ),
    (
        Code::NotSupportedInApply,
        "nested `_` / help: move it out of the enclosing `_` block",
        "the targets of the outer block may be meant",
    ),
    (
        Code::NotSupportedInPlan,
        "catalog expressions in a plan are only allowed in an `_` block / help: move this into an `_` block",
        "the targets of the `apply` block are not known",
    ),
    (
        Code::NotUtf8,
        "data file is not valid UTF-_ / help: save the file as UTF-_",
        "the text of the file is not known; editors convert it",
    ),
    (
        Code::NotUtf8,
        "file is not valid UTF-_ / help: save the file as UTF-_",
        "the text of the file is not known; editors convert it",
    ),
    (
        Code::NotUtf8,
        "template is not valid UTF-_ / help: save the file as UTF-_",
        "the text of the file is not known; editors convert it",
    ),
    (
        Code::PuppetfileOption,
        "`_` is outside of the environment, unless it is deployed there / help: use a path relative to the environment",
        "the intended folder is not known",
    ),
    (
        Code::PuppetfileOption,
        "option `_` requires `_` / help: add the option `_`",
        "the value of the option is not known",
    ),
    (
        Code::PuppetfileOption,
        "no location of the tarball module `_` / help: add the option `_`",
        "the location is not known",
    ),
    (
        Code::PuppetfileOption,
        "no source for module `_` / help: use the option `_`, `_`, `_`, or `_`",
        "the source of the module is not known",
    ),
    (
        Code::PuppetfileOption,
        "unknown type of module `_` / help: use `_`, `_`, `_`, `_`, or `_`",
        "the intended type depends on the source",
    ),
    (
        Code::PuppetfileOtherVersion,
        "module `_` is not installed / help: run `_` to install the modules of the Puppetfile",
        "installing a module is not an edit",
    ),
    (
        Code::PuppetfileOtherVersion,
        "version _._._ of module `_` is installed instead of _._._ / help: run `_` to install the modules of the Puppetfile",
        "installing a module is not an edit",
    ),
    (
        Code::PuppetfileVersion,
        "`_` is not a version of a Forge module / help: use a version such as `_`, or `_`",
        "the intended version is not known",
    ),
    (
        Code::RedactedText,
        "the template contains `_` instead of the value / help: use `_`, which renders the template on the node",
        "the installed stdlib does not have the function",
    ),
    (
        Code::ReservedTypeName,
        "`_` is the name of a built-in type / help: choose another name",
        "the new name is the author's choice; rename changes all uses",
    ),
    (
        Code::SensitiveDefault,
        "default of sensitive parameter `_` is in plain text / help: set the value in encrypted Hiera data",
        "the encryption needs a key",
    ),
    (
        Code::SyntaxError,
        "unclosed delimiter / help: add the closing `_`",
        "a delimiter that is missing since a string has no end is found once the string is closed",
    ),
    (
        Code::SyntaxError,
        "unexpected attributes in braces / help: write a resource type, a type reference such as `_`, or a resource such as `_` before the `_`",
        "the intended resource type is not known",
    ),
    (
        Code::SyntaxError,
        "unexpected block of statements / help: add a keyword such as `_`, `_` or `_`",
        "the intended keyword is not known",
    ),
    (
        Code::UnsupportedExpression,
        "only `_` can be mapped to a type / help: use a plain name on the left side of an alias",
        "the intended name is not known",
    ),
    (
        Code::UntitledExample,
        "`_` without a title / help: add a title after the tag",
        "the title is the author's choice",
    ),
    (
        Code::YamlPlan,
        "aliases are not supported in plans / help: repeat the value",
        "the value may span lines and contain other aliases",
    ),
];

/// Advice in messages that no diagnostic of an editor has, as a template of problem and advice, with the reason.
pub(crate) const NOT_IN_EDITORS: &[(&str, &str)] = &[
    (
        "body of `_...` ends with an invalid value: {} / help: end the body with another statement",
        "only compiled classes have this failure",
    ),
    (
        "invalid tag `_...` / help: remove the leading `_` from the name of the class",
        "only names given by node classifiers are not in a file",
    ),
    (
        "unknown resource type `_...` / help: remove the leading `_`",
        "only compiled classes have this failure",
    ),
    (
        "Puppet cannot normalize the target of the alias: an `_` of a type with a simpler form, or a `_` with a bare `_` / help: write the type in its simplest form",
        "only compiled classes have this failure",
    ),
];
