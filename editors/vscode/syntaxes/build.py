#!/usr/bin/env python3
"""Generates the TextMate grammars in this folder; heredocs alone need two dozen rules that differ only in the embedded
language.

    editors/vscode/syntaxes/build.py [--check]

With --check, writes nothing and exits with 1 if a grammar is out of date.
"""

import json
import pathlib
import sys

NAME = r"(?:::)?[a-z_]\w*(?:::[a-z_]\w*)*"
TYPE = r"(?:::)?[A-Z]\w*(?:::[A-Z]\w*)*"
BUILTIN = "Any|Array|Binary|Boolean|Callable|CatalogEntry|Class|Collection|Data|Default|Deferred|Enum|Error|Float|Hash|Init|Integer|Iterable|Iterator|NotUndef|Numeric|Object|Optional|Pattern|Regexp|Resource|RichData|Runtime|Scalar|ScalarData|SemVer|SemVerRange|Sensitive|String|Struct|Target|Timespan|Timestamp|Tuple|Type|TypeSet|Undef|URI|Variant"
META = "alias|audit|before|consume|export|loglevel|noop|notify|require|schedule|stage|subscribe|tag"
EMB = [
    ("json", "source.json"),
    ("ya?ml", "source.yaml"),
    ("sh|bash|shell", "source.shell"),
    ("ruby|rb", "source.ruby"),
    ("python|py", "source.python"),
    ("xml", "text.xml"),
    ("html", "text.html.basic"),
    ("sql", "source.sql"),
    ("ini|toml", "source.ini"),
    ("pp|puppet", "source.puppet"),
    ("epp", "text.epp"),
    ("powershell|ps1", "source.powershell"),
]


def m(match, name, **k):
    d = {"match": match}
    if name:
        d["name"] = name
    d.update(k)
    return d


def caps(**k):
    return {n.lstrip("c"): ({"name": v} if isinstance(v, str) else v) for n, v in k.items()}


def inc(*n):
    return [{"include": "#" + x} for x in n]


def heredoc(tag, scope, quoted):
    # @("TAG":syntax/escapes)
    q = '"' if quoted else ""
    syn = rf"(\s*:\s*)(?i:({tag}))(?=\s*[/)])" if tag else r"(?:(\s*:\s*)([A-Za-z0-9_+]+))?"
    body = []
    if quoted:
        body = inc("heredoc-escapes", "interpolation")
    else:
        body = inc("heredoc-escapes")
    if scope:
        body = body + [{"include": scope}]
    return {
        "name": "meta.heredoc.puppet",
        "begin": rf"(@\()\s*({q})([^/:)\"\n]+?)({q})\s*?{syn}\s*(?:(/)([a-zA-Z$]*))?\s*(\))",
        "beginCaptures": caps(
            c1="punctuation.definition.string.begin.heredoc.puppet",
            c2="punctuation.definition.string.begin.heredoc.puppet",
            c3="keyword.other.heredoc.tag.puppet",
            c4="punctuation.definition.string.end.heredoc.puppet",
            c5="punctuation.separator.heredoc.puppet",
            c6="entity.name.type.heredoc.syntax.puppet",
            c7="punctuation.separator.heredoc.puppet",
            c8="constant.character.escape.heredoc.flags.puppet",
            c9="punctuation.definition.string.begin.heredoc.puppet",
        ),
        "end": r"^\s*(\|)?\s*(-)?\s*(\3)\s*$",
        "endCaptures": caps(
            c1="punctuation.definition.string.end.heredoc.margin.puppet",
            c2="punctuation.definition.string.end.heredoc.trim.puppet",
            c3="keyword.other.heredoc.tag.puppet",
        ),
        "patterns": [
            {
                "comment": "What follows on the line of the tag is code.",
                "begin": r"\G(?!$)",
                "end": r"$",
                "patterns": inc("code"),
            },
            {
                "comment": "Line by line, so that the code on the line of the tag is none of it.",
                "begin": r"^(?=.)",
                "end": r"$",
                "name": "meta.embedded.block.puppet " + scope if scope else "string.unquoted.heredoc.puppet",
                "patterns": body,
            },
        ],
    }


heredocs = []
for tag, scope in EMB:
    for q in (True, False):
        h = heredoc(tag, scope, q)
        heredocs.append(h)
for q in (True, False):
    heredocs.append(heredoc(None, None, q))
rep = {
    "code": {
        "patterns": inc(
            "comments",
            "heredocs",
            "strings",
            "regex",
            "numbers",
            "definitions",
            "collectors",
            "resource-like",
            "keywords",
            "constants",
            "variables",
            "functions",
            "type-names",
            "attributes",
            "barewords",
            "operators",
            "punctuation",
        )
    },
    "comments": {
        "patterns": [
            {
                "begin": r"(^[ \t]+)?(?=#)",
                "beginCaptures": caps(c1="punctuation.whitespace.comment.leading.puppet"),
                "end": r"(?!\G)",
                "patterns": [
                    {
                        "name": "comment.line.number-sign.puppet",
                        "begin": "#",
                        "beginCaptures": caps(c0="punctuation.definition.comment.puppet"),
                        "end": r"$\n?",
                        "patterns": inc("documentation"),
                    }
                ],
            },
            {
                "name": "comment.block.puppet",
                "begin": r"/\*",
                "beginCaptures": caps(c0="punctuation.definition.comment.begin.puppet"),
                "end": r"\*/",
                "endCaptures": caps(c0="punctuation.definition.comment.end.puppet"),
            },
        ]
    },
    "documentation": {
        "patterns": [
            m(
                r"(@param|@option)\s+(?:(\[[^\]]*\])\s+)?([a-z_]\w*)",
                None,
                captures=caps(
                    c1="storage.type.class.puppet", c2="entity.name.type.puppet", c3="variable.parameter.puppet"
                ),
            ),
            m(
                r"(@(?:summary|example|return|raise|see|note|todo|api|deprecated|since|author|overload|enum|plan))\b",
                None,
                captures=caps(c1="storage.type.class.puppet"),
            ),
            m(r"\b(lint:(?:ignore(?::[a-z0-9_:-]+)?|endignore))", None, captures=caps(c1="keyword.other.lint.puppet")),
        ]
    },
    "heredocs": {"patterns": heredocs},
    "heredoc-escapes": {
        "patterns": [
            m(r"\\(?:u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|[tsrnLl$\\\"])", "constant.character.escape.puppet"),
            m(r"\\$", "constant.character.escape.line-continuation.puppet"),
        ]
    },
    "strings": {
        "patterns": [
            {
                "name": "string.quoted.single.puppet",
                "begin": "'",
                "beginCaptures": caps(c0="punctuation.definition.string.begin.puppet"),
                "end": "'",
                "endCaptures": caps(c0="punctuation.definition.string.end.puppet"),
                "patterns": [m(r"\\[\\']", "constant.character.escape.puppet")],
            },
            {
                "name": "string.quoted.double.puppet",
                "begin": '"',
                "beginCaptures": caps(c0="punctuation.definition.string.begin.puppet"),
                "end": '"',
                "endCaptures": caps(c0="punctuation.definition.string.end.puppet"),
                "patterns": inc("escapes", "interpolation"),
            },
        ]
    },
    "escapes": {
        "patterns": [
            m(r"\\(?:u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|[tsrn$'\"\\]|$)", "constant.character.escape.puppet"),
            m(r"\\.", "invalid.deprecated.escape.puppet"),
        ]
    },
    "interpolation": {
        "patterns": [
            {
                "name": "meta.interpolation.puppet",
                "begin": r"\$\{",
                "beginCaptures": caps(c0="punctuation.section.interpolation.begin.puppet"),
                "end": r"\}",
                "endCaptures": caps(c0="punctuation.section.interpolation.end.puppet"),
                "contentName": "meta.embedded.line.puppet",
                "patterns": [
                    m(
                        r"\G\s*((?:::)?(?:[a-z_]\w*)(?:::[a-z_]\w*)*)(?=\s*(?:\}|\[|\.))(?!\s*\()",
                        None,
                        captures=caps(c1="variable.other.puppet"),
                    ),
                    {"include": "#braces"},
                    {"include": "#code"},
                ],
            },
            m(
                r"(\$)((?:::)?(?:[a-z_]\w*)(?:::[a-z_]\w*)*|\d+)",
                "variable.other.puppet",
                captures=caps(c1="punctuation.definition.variable.puppet"),
            ),
        ]
    },
    "braces": {
        "begin": r"\{",
        "beginCaptures": caps(c0="punctuation.section.braces.begin.puppet"),
        "end": r"\}",
        "endCaptures": caps(c0="punctuation.section.braces.end.puppet"),
        "patterns": inc("braces", "code"),
    },
    "regex": {
        "patterns": [
            {
                "name": "string.regexp.puppet",
                "begin": r"(?:(?<==~|!~|[\[({,:;&|!?]|=>|\+>|=)|(?<=\bnode)|(?<=\band)|(?<=\bor)|(?<=\bin)|(?<=^))(\s*)(/)(?![*\s/])(?=(?:[^/\\\n]|\\.)*/)",
                "beginCaptures": caps(c2="punctuation.definition.string.begin.puppet"),
                "end": r"/",
                "endCaptures": caps(c0="punctuation.definition.string.end.puppet"),
                "patterns": inc("regex-content"),
            }
        ]
    },
    "regex-content": {
        "patterns": [
            m(r"\\.", "constant.character.escape.regexp"),
            {
                "name": "constant.other.character-class.set.regexp",
                "begin": r"(\[)(\^)?",
                "beginCaptures": caps(
                    c1="punctuation.definition.character-class.regexp", c2="keyword.operator.negation.regexp"
                ),
                "end": r"\]",
                "endCaptures": caps(c0="punctuation.definition.character-class.regexp"),
                "patterns": [
                    m(r"\[:\^?\w+:\]", "support.constant.character-class.regexp"),
                    m(r"\\.", "constant.character.escape.regexp"),
                ],
            },
            m(r"[?+*][?+]?|\{\d*,?\d*\}", "keyword.operator.quantifier.regexp"),
            m(r"\(\?(?:[:=!>]|<[=!]|<\w+>|[imx-]+[:)])", "punctuation.definition.group.regexp"),
            m(r"[()]", "punctuation.definition.group.regexp"),
            m(r"\|", "keyword.operator.or.regexp"),
            m(r"[\^$.]", "keyword.control.anchor.regexp"),
        ]
    },
    "numbers": {
        "patterns": [
            m(r"(?<![\w.])0[xX][0-9a-fA-F]+\b", "constant.numeric.hex.puppet"),
            m(r"(?<![\w.])\d+(?:\.\d+)?[eE][-+]?\d+\b|(?<![\w.])\d+\.\d+\b", "constant.numeric.float.puppet"),
            m(r"(?<![\w.])0[0-7]+\b", "constant.numeric.octal.puppet"),
            m(r"(?<![\w])\d+\b", "constant.numeric.decimal.puppet"),
        ]
    },
    "definitions": {
        "patterns": [
            m(
                rf"\b(class)\s+({NAME})(?:\s+(inherits)\s+({NAME}))?",
                "meta.definition.class.puppet",
                captures=caps(
                    c1="storage.type.class.puppet",
                    c2="entity.name.type.class.puppet",
                    c3="storage.modifier.inherits.puppet",
                    c4="entity.other.inherited-class.puppet",
                ),
            ),
            m(
                rf"\b(inherits)\s+({NAME})",
                None,
                captures=caps(c1="storage.modifier.inherits.puppet", c2="entity.other.inherited-class.puppet"),
            ),
            m(rf"\b(class)\b(?=\s*\{{)", None, captures=caps(c1="storage.type.class.puppet")),
            m(
                rf"\b(define)\s+({NAME})",
                None,
                captures=caps(c1="storage.type.define.puppet", c2="entity.name.type.define.puppet"),
            ),
            m(
                rf"\b(function)\s+({NAME})",
                None,
                captures=caps(c1="storage.type.function.puppet", c2="entity.name.function.puppet"),
            ),
            m(
                rf"\b(plan)\s+({NAME})",
                None,
                captures=caps(c1="storage.type.plan.puppet", c2="entity.name.function.plan.puppet"),
            ),
            m(
                rf"^\s*(type)\s+({TYPE})",
                None,
                captures=caps(c1="storage.type.alias.puppet", c2="entity.name.type.alias.puppet"),
            ),
            m(r"\b(node)\b(?=\s+(?:['\"/\w]))", "storage.type.node.puppet"),
            m(r"\b(class|define|function|plan|node|application|site)\b(?!\s*(?:=>|\+>|\())", "storage.type.puppet"),
        ]
    },
    "collectors": {"patterns": [m(r"<<?\||\|>>?", "punctuation.section.collector.puppet")]},
    "resource-like": {
        "patterns": [
            m(
                rf"(@{{1,2}})?\s*({NAME})\s*(?=\{{\s*(?:['\"$@\[]|default\s*:|[\w:./-]+\s*:(?!:)|$|#|\}}))(?<!\belse)(?<!\bunless)",
                None,
                captures={
                    "1": {"name": "storage.modifier.virtual.puppet"},
                    "2": {
                        "patterns": [
                            m(r"^(else|if|elsif|unless|case|default)$", "keyword.control.puppet"),
                            m(r"^class$", "storage.type.class.puppet"),
                            m(r".+", "entity.name.type.resource.puppet"),
                        ]
                    },
                },
            )
        ]
    },
    "keywords": {
        "patterns": [
            m(r"\b(if|else|elsif|unless|case)\b(?!\s*(?:=>|\+>))", "keyword.control.puppet"),
            m(r"\b(and|or|in)\b(?!\s*(?:=>|\+>))", "keyword.operator.word.puppet"),
            m(r"\b(inherits|private|attr|type)\b(?!\s*(?:=>|\+>|\())", "keyword.other.puppet"),
            m(r"\b(return|next|break|fail)\b(?=\s*\()", "keyword.control.flow.puppet"),
            m(r"\b(apply)\b(?=\s*\()", "keyword.other.apply.puppet"),
            m(r"\b(include|contain|require|realize)\b(?!\s*(?:=>|\+>))", "keyword.other.import.puppet"),
        ]
    },
    "constants": {
        "patterns": [
            m(r"\b(true|false)\b(?!\s*(?:=>|\+>))", "constant.language.boolean.puppet"),
            m(r"\b(undef)\b(?!\s*(?:=>|\+>))", "constant.language.undef.puppet"),
            m(r"\b(default)\b(?!\s*(?:=>\s*\{|\+>))", "constant.language.default.puppet"),
        ]
    },
    "variables": {
        "patterns": [
            m(
                r"(\$)((?:::)?(?:facts|trusted|server_facts))\b(?!::)",
                "variable.language.puppet",
                captures=caps(c1="punctuation.definition.variable.puppet"),
            ),
            m(
                r"(\$)((?:::)?[a-z_]\w*(?:::[a-z_]\w*)*|\d+)",
                "variable.other.puppet",
                captures=caps(c1="punctuation.definition.variable.puppet"),
            ),
        ]
    },
    "functions": {
        "patterns": [
            m(rf"(?<=\.)\s*([a-z_]\w*(?:::\w+)*)", None, captures=caps(c1="entity.name.function.call.puppet")),
            m(rf"\b({NAME})(?=\s*\()", None, captures=caps(c1="entity.name.function.call.puppet")),
            m(
                r"\b(alert|create_resources|crit|debug|emerg|err|info|notice|tag|warning|ensure_packages|ensure_resource|ensure_resources|assert_private)\b(?!\s*(?:=>|\+>|\{))",
                "support.function.puppet",
            ),
        ]
    },
    "type-names": {
        "patterns": [m(rf"(?:::)?\b({BUILTIN})\b(?!::)", "support.type.puppet"), m(TYPE, "entity.name.type.puppet")]
    },
    "attributes": {
        "patterns": [
            m(rf"\b({META})\b(?=\s*(?:=>|\+>))", "support.variable.metaparameter.puppet"),
            m(r"\b([a-z_]\w*)(?=\s*(?:=>|\+>))", "variable.other.property.puppet"),
            m(r"(\*)(?=\s*=>)", "keyword.operator.splat.puppet"),
        ]
    },
    "barewords": {"patterns": [m(rf"{NAME}(?:-\w+)*", "string.unquoted.puppet")]},
    "operators": {
        "patterns": [
            m(r"=>|\+>", "keyword.operator.arrow.puppet"),
            m(r"->|~>|<-|<~", "keyword.operator.relationship.puppet"),
            m(r"=~|!~|==|!=|<=|>=|(?<!<)<(?![<|])|(?<!\|)>(?!>)", "keyword.operator.comparison.puppet"),
            m(r"<<|>>", "keyword.operator.shift.puppet"),
            m(r"\+=|-=|=", "keyword.operator.assignment.puppet"),
            m(r"!", "keyword.operator.logical.puppet"),
            m(r"\?", "keyword.operator.selector.puppet"),
            m(r"[-+*/%]", "keyword.operator.arithmetic.puppet"),
            m(r"@{1,2}", "storage.modifier.virtual.puppet"),
        ]
    },
    "punctuation": {
        "patterns": [
            m(r"\|", "punctuation.section.parameters.lambda.puppet"),
            m(r"[{}]", "punctuation.section.braces.puppet"),
            m(r"[()]", "punctuation.section.parens.puppet"),
            m(r"[\[\]]", "punctuation.section.brackets.puppet"),
            m(r",", "punctuation.separator.comma.puppet"),
            m(r";", "punctuation.separator.bodies.puppet"),
            m(r":", "punctuation.separator.title.puppet"),
            m(r"\.", "punctuation.accessor.puppet"),
        ]
    },
}
g = {
    "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
    "name": "Puppet",
    "scopeName": "source.puppet",
    "fileTypes": ["pp"],
    "patterns": [{"include": "#code"}],
    "repository": rep,
}
epp = {
    "$schema": g["$schema"],
    "name": "Embedded Puppet",
    "scopeName": "text.epp",
    "fileTypes": ["epp"],
    "patterns": [
        {
            "name": "comment.block.epp",
            "begin": r"<%-?#",
            "beginCaptures": caps(c0="punctuation.definition.comment.begin.epp"),
            "end": r"-?%>",
            "endCaptures": caps(c0="punctuation.definition.comment.end.epp"),
        },
        m(r"<%%|%%>", "constant.character.escape.epp"),
        {
            "name": "meta.embedded.line.epp",
            "begin": r"<%=",
            "beginCaptures": caps(c0="punctuation.section.embedded.begin.epp"),
            "end": r"-?%>",
            "endCaptures": caps(c0="punctuation.section.embedded.end.epp"),
            "contentName": "source.puppet",
            "patterns": [{"include": "source.puppet"}],
        },
        {
            "name": "meta.embedded.block.epp",
            "begin": r"<%-?",
            "beginCaptures": caps(c0="punctuation.section.embedded.begin.epp"),
            "end": r"-?%>",
            "endCaptures": caps(c0="punctuation.section.embedded.end.epp"),
            "contentName": "source.puppet",
            "patterns": [{"include": "source.puppet"}],
        },
    ],
}
pf = {
    "$schema": g["$schema"],
    "name": "Puppetfile",
    "scopeName": "source.puppetfile",
    "fileTypes": ["Puppetfile"],
    "patterns": [
        {
            "name": "comment.line.number-sign.puppetfile",
            "begin": "#",
            "beginCaptures": caps(c0="punctuation.definition.comment.puppetfile"),
            "end": r"$\n?",
        },
        m(r"^\s*(mod|forge|moduledir)\b", "keyword.other.puppetfile"),
        m(
            r"(:\w+)(?=\s*=>)|\b(git|ref|tag|branch|commit|svn|rev|install_path|default_branch|latest|local|type|source|version):",
            "variable.other.property.puppetfile",
        ),
        m(r":(latest|local|control_branch)\b", "constant.language.puppetfile"),
        {"name": "string.quoted.single.puppetfile", "begin": "'", "end": "'"},
        {"name": "string.quoted.double.puppetfile", "begin": '"', "end": '"'},
        m(r"=>", "keyword.operator.arrow.puppetfile"),
        m(r",", "punctuation.separator.comma.puppetfile"),
        m(r"\b(true|false)\b", "constant.language.boolean.puppetfile"),
    ],
}

here = pathlib.Path(__file__).parent
stale = []
for name, grammar in {"puppet": g, "epp": epp, "puppetfile": pf}.items():
    path = here / f"{name}.tmLanguage.json"
    text = json.dumps(grammar, indent=2) + "\n"
    if not path.exists() or path.read_text() != text:
        stale.append(path.name)
        if "--check" not in sys.argv:
            path.write_text(text)
print(
    "\n".join(f"{'differs' if '--check' in sys.argv else 'written'}: {name}" for name in stale)
    or "all as they should be"
)
sys.exit(bool(stale) and "--check" in sys.argv)
