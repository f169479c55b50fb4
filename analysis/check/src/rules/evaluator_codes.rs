//! What evaluation says: operations that no value could make succeed. What depends on an unknown condition is a warning.

use project::LintLevel::{Error, Warning};

use super::CodeRow;

pub(super) const CODES: &[CodeRow] = &[
    ("argument-mismatch", Error, "A call with arguments that the function does not take."),
    ("default-mismatch", Error, "A default that does not fit its parameter's type."),
    ("discontinued-import", Error, "`import` is gone."),
    ("duplicate-attribute", Error, "An attribute that is set twice."),
    ("duplicate-declaration", Error, "A resource or class that is declared twice."),
    ("duplicate-title", Error, "A title that stands twice in one resource expression."),
    ("empty-string-title-at", Error, "A title that is empty."),
    ("illegal-break", Error, "`break()` outside of an iteration."),
    ("illegal-jump", Error, "`next()` or `return()` where nothing can be left."),
    ("illegal-multi-assignment-size", Error, "An assignment of more or fewer values than variables."),
    ("illegal-reassignment", Error, "A variable that is set a second time."),
    ("illegal-relationship-operand-type", Error, "Something in a relationship that is no resource."),
    ("illegal-reserved-assignment", Error, "A variable of Puppet's own that is set."),
    ("illegal-resource-type", Error, "A resource of something that is no resource type."),
    ("illegal-title-type-at", Error, "A title that is no text."),
    ("invalid-version", Error, "A text that is no version."),
    ("missing-multi-assignment-key", Error, "A hash that lacks the value of a variable."),
    ("missing-multi-assignment-variable", Error, "A class that lacks a variable."),
    ("missing-title", Error, "A resource whose title is undef."),
    ("missing-title-at", Error, "A title that is undef."),
    ("not-a-type", Error, "A value where a type is needed."),
    ("not-numeric", Error, "Arithmetic with something that is no number."),
    ("numeric-coercion", Warning, "A text that is silently taken as a number."),
    ("overlapping-references", Error, "A hash in an object type that refers to itself."),
    ("regexp-limit", Error, "A regular expression that takes too long."),
    ("required-parameter-after-optional", Error, "A required parameter behind an optional one."),
    ("result-is-infinity", Error, "Arithmetic whose result is infinite."),
    ("return-type-mismatch", Error, "A result that does not fit the declared return type."),
    ("runtime-error", Error, "An operation that fails with these values."),
    ("too-deep", Error, "Evaluation that nests too deeply."),
    ("type-mismatch", Error, "A value that does not fit a declared type."),
    ("unevaluated-parameter", Error, "A default that reads a parameter that comes later."),
    ("unmatched-selector", Error, "A selector of which no entry matches."),
    ("unresolved-type", Error, "A type that is not there."),
    ("unsupported-operator", Error, "An operator that these values do not have."),
];
