//! Advice that no diagnostic of an editor has.

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
