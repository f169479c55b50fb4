//! What the parser says.

use project::LintLevel::{Error, Warning};

use super::CodeRow;

pub(super) const CODES: &[CodeRow] = &[
    ("argument-list", Error, "A list of arguments that cannot be read."),
    ("boolean-as-variable", Error, "`true` or `false` with a `$` in front."),
    ("byte-order-mark", Error, "A byte order mark where Puppet takes none."),
    ("epp-unclosed-comment", Error, "A comment of a template that is never closed."),
    ("epp-unclosed-tag", Error, "A tag of a template that is never closed."),
    ("file-too-large", Error, "A text of 4 GiB or more."),
    ("heredoc-empty-tag", Error, "A heredoc without an end tag."),
    ("heredoc-escape", Error, "An escape flag that heredocs do not have."),
    (
        "heredoc-in-string",
        Warning,
        "The text of a heredoc begins inside a string, a comment or a template's text.",
    ),
    ("heredoc-syntax", Error, "A heredoc whose head is malformed."),
    ("heredoc-unclosed-parenthesis", Error, "A heredoc whose head is never closed."),
    ("heredoc-without-text", Error, "A heredoc whose text never comes, or never ends."),
    ("illegal-class-reference", Error, "A name with a capital that is no type."),
    ("illegal-name", Error, "A name that Puppet does not allow."),
    ("illegal-number", Error, "A number that is none."),
    ("illegal-unicode-escape", Error, "A `\\u` escape that names no character."),
    ("invalid-decimal-number", Error, "A decimal number with other things in it."),
    ("invalid-hex-number", Error, "A hexadecimal number with other things in it."),
    ("invalid-octal-number", Error, "An octal number with other things in it."),
    ("large-file", Warning, "A file above the size limit: only syntax and outline are worked out."),
    ("nested-heredoc", Error, "A heredoc inside of a heredoc's head."),
    ("nesting-too-deep", Error, "Code nested too deeply to be read."),
    ("not-utf8", Error, "A file that is not UTF-8."),
    ("number-out-of-range", Error, "A number that is too large."),
    ("quoted-name", Error, "A quoted string where a bare name has to stand."),
    ("syntax-error", Error, "A text that is no Puppet code."),
    ("unclosed-comment", Error, "A comment that is never closed."),
    ("unclosed-heredoc", Error, "A heredoc that is never closed."),
    ("unclosed-interpolation", Error, "A `${` that is never closed."),
    ("unclosed-string", Error, "A string that is never closed."),
    ("unexpected-character", Error, "A character that Puppet code does not have."),
    ("unreadable-file", Error, "A file that cannot be read."),
    ("virtual-without-resource", Error, "An `@` without a resource behind it."),
];
