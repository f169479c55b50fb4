//! What is said of `metadata.json` and `Puppetfile`.

use project::LintLevel::{Error, Hint, Warning};

use super::CodeRow;

pub(super) const CODES: &[CodeRow] = &[
    (
        "metadata-duplicate",
        Warning,
        "A key that stands twice, or a module that is required twice, in `metadata.json`.",
    ),
    ("metadata-missing-key", Error, "Something that `metadata.json` has to say, and does not."),
    ("metadata-name", Warning, "A name in `metadata.json` that no module can have."),
    (
        "metadata-other-version",
        Hint,
        "A module that is here, but not in a version that `metadata.json` allows.",
    ),
    ("metadata-syntax", Error, "A `metadata.json` that is no JSON."),
    ("metadata-unknown-key", Hint, "A key in `metadata.json` that nothing reads."),
    ("metadata-value", Error, "A value in `metadata.json` of a kind that does not belong there."),
    (
        "metadata-version",
        Warning,
        "A version, or a range of versions, in `metadata.json` that cannot be read.",
    ),
    ("puppetfile-name", Warning, "A name in a `Puppetfile` that no module can have."),
    (
        "puppetfile-unknown-word",
        Hint,
        "A line of a `Puppetfile` that begins with a word almost like one it knows.",
    ),
];
