//! Randomly generated programs: the results for unknown top-scope variables admit the results for known ones,
//! and a certain error occurs for the known ones, too.
//!
//! `UNKNOWN_PROGRAMS=SEED-SEED` runs other seeds than the committed ones, and prints every failing program.

use std::sync::Arc;

use eval::{Certainty, EvaluationSettings, Evaluator, Exit, World};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{RngSeed, TestError, TestRunner};
use types::assign::{Fit, fits, is_instance};
use types::{Origin, Type, TypeEnvironment, Value};
use validation::Strict;

/// Source of each kind of value, to build larger ones from.
#[derive(Clone)]
struct Sources {
    integer: BoxedStrategy<String>,
    text: BoxedStrategy<String>,
    truth: BoxedStrategy<String>,
    list: BoxedStrategy<String>,
    hash: BoxedStrategy<String>,
    any: BoxedStrategy<String>,
}

fn one_of(texts: &[&str]) -> BoxedStrategy<String> {
    select(texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>()).boxed()
}

const TYPE_NAMES: &[&str] = &[
    "Integer",
    "String",
    "Undef",
    "Boolean",
    "Numeric",
    "Optional[String]",
    "Array",
    "Array[Integer]",
    "Hash",
    "Collection",
    "Scalar",
    "NotUndef",
    "Integer[0, 5]",
    "String[1, 2]",
    "Enum['a', 'b']",
    "Pattern[/a/]",
    "Variant[Integer, Boolean]",
    "Hash[String, Integer]",
    "Tuple[Any, Any]",
    "Struct[{'a' => Any}]",
    "Any",
];

const PATTERNS: &[&str] = &["/a/", "/(a)(b)?/", "/^(.)(.*)$/", "/[0-9]+/", "/(?i:x)(y)?/", "/^$/"];

fn smallest() -> Sources {
    Sources {
        integer: one_of(&["1", "0", "2", "$a", "$a", "$a", "-1", "3", "$x"]),
        text: one_of(&["'a'", "$b", "$b", "$b", "'b'", "'abc'", "''", "'10'", "$1", "\"${x}\""]),
        truth: one_of(&["true", "$c", "$c", "$c", "false", "$d", "$x"]),
        list: one_of(&[
            "[]",
            "$e",
            "$e",
            "$e",
            "[1, 2, 3]",
            "['a', 'b', 'a']",
            "[1, 'a', undef]",
            "[[1, 2], ['a', 3]]",
        ]),
        hash: one_of(&["{}", "$f", "$f", "$f", "{'a' => 1, 'b' => 2}", "{'k' => ['x', 1]}"]),
        any: one_of(&[
            "undef",
            "1",
            "'a'",
            "$a",
            "$b",
            "$c",
            "$d",
            "$d",
            "$e",
            "$f",
            "$v0",
            "$v1",
            "$v2",
            "$w0",
            "$w1",
            "$x",
            "$x",
            "$y",
            "$0",
            "$1",
            "$2",
            "2.5",
            "Integer",
            "default",
            "true",
            "$f['a']",
            "$f['k'][0]",
            "$f['a']['b']",
            "$e[0]",
            "$e[0]",
            "$e[1]",
            "$d['a']",
            "$d[0]",
            "$x[0]",
        ]),
    }
}

/// Replaces each `#` of a template by the next part.
fn filled(template: &str, parts: &[String]) -> String {
    let mut pieces = template.split('#');
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for (piece, part) in pieces.zip(parts) {
        // After a name and a block, a brace would open something else.
        if part.starts_with('{') {
            text.extend(["(", part, ")"])
        } else {
            text.push_str(part)
        }
        text.push_str(piece);
    }
    text
}

/// Parses `TEMPLATE : KINDS`, a letter for each `#`: i(nteger) t(ext) b(oolean) l(ist) h(ash) a(ny), T(ype),
/// P(attern), B(lock).
fn template(row: &'static str, inner: &Sources, block: &BoxedStrategy<String>) -> BoxedStrategy<String> {
    let Some((text, kinds)) = row.rsplit_once(" : ") else { panic!("not a row: {row}") };
    assert_eq!(text.matches('#').count(), kinds.len(), "{row}");
    let parts: Vec<BoxedStrategy<String>> = kinds
        .chars()
        .map(|kind| match kind {
            'i' => inner.integer.clone(),
            't' => inner.text.clone(),
            'b' => inner.truth.clone(),
            'l' => inner.list.clone(),
            'h' => inner.hash.clone(),
            'a' => inner.any.clone(),
            'T' => one_of(TYPE_NAMES),
            'P' => one_of(PATTERNS),
            'B' => block.clone(),
            _ => panic!("{row}"),
        })
        .collect();
    parts.prop_map(move |parts| filled(text, &parts)).boxed()
}

const INTEGERS: &[&str] = &[
    "(# + #) : ii",
    "(# - #) : ii",
    "(# * #) : ii",
    "((#) / #) : ii",
    "(# % #) : ii",
    "size(#) : l",
    "length(#) : t",
    "size(#) : h",
    "max(#, #) : ii",
    "min(#, #, 2) : ii",
    "abs(#) : i",
    "(# ? { true => #, default => # }) : bii",
    "(if # { # } else { # }) : bii",
    "(unless # { # } else { # }) : bii",
    "Integer(#) : t",
    "#.reduce(#) |$x, $y| { # } : lii",
    "(- #) : i",
    "with(#) |$x| { # } : ii",
    "(# ? { # => #, default => # }) : aTii",
    "compare(#, #) : ii",
    "(# << 1) : i",
    "lest(#.index |$x| { # }) || { # } : lbi",
];

const TEXTS: &[&str] = &[
    "\"<${(#)}>\" : a",
    "\"${(#)}\" : a",
    "\"${(#)}-${(#)}\" : at",
    "upcase(#) : t",
    "capitalize(#) : t",
    "#[#] : ti",
    "#[#, 2] : ti",
    "join(#, ',') : l",
    "String(#) : a",
    "sprintf('%s:%s', #, #) : aa",
    "regsubst(#, '[ac]', #) : tt",
    "strip(#) : t",
    "(# ? { # => #, default => # }) : tPtt",
    "(# ? { 'a' => #, /(.)b/ => $1, default => # }) : ttt",
    "(if # =~ # { \"${1}|${0}\" } else { # }) : tPt",
    "(if # { # } else { # }) : btt",
    "String(type(#)) : a",
    "then(#) |$x| { # } : tt",
    "chop(#) : t",
    "String(#, '%p') : a",
    "#.reduce('') |$x, $y| { \"${x}${y}${(#)}\" } : la",
];

const TRUTHS: &[&str] = &[
    "(# == #) : aa",
    "(# != #) : aa",
    "(# == #) : tt",
    "(# < #) : ii",
    "(# >= #) : ii",
    "(# < #) : tt",
    "(# =~ #) : tP",
    "(# !~ #) : tP",
    "(# =~ #) : aT",
    "(# =~ #) : aT",
    "(# !~ #) : aT",
    "(# in #) : al",
    "(# in [#, 'a', 1]) : aa",
    "($f['a'] in ['a', #]) : t",
    "($e[0] == #) : a",
    "($f['a'] =~ #) : T",
    "(# in #) : tt",
    "(# in #) : th",
    "(# and #) : bb",
    "(# or #) : bb",
    "!# : b",
    "any(#) |$x| { # } : lb",
    "all(#) |$x| { # } : lb",
    "any(#) |$x, $y| { # } : hb",
    "all(#) |$x| { # } : lB",
    "empty(#) : l",
    "(# =~ # and # == $1) : tPt",
    "(# ? { # => true, default => # }) : aTb",
    "(#) =~ NotUndef : a",
];

const LISTS: &[&str] = &[
    "[#] : a",
    "[#, #] : aa",
    "[#, #, #] : iaa",
    "[*#, #] : la",
    "[#, *#] : aa",
    "(# + #) : ll",
    "(# + #) : la",
    "(# - #) : ll",
    "(# << #) : la",
    "map(#) |$x| { # } : la",
    "map(#) |$x| { # } : lB",
    "map(#) |$x, $y| { # } : lB",
    "filter(#) |$x| { # } : lb",
    "filter(#) |$x| { # } : lB",
    "filter(#) |$x, $y| { # } : lb",
    "#.map |$x, $y| { # } : hB",
    "#.map |$x| { # } : hB",
    "keys(#) : h",
    "values(#) : h",
    "split(#, 'b') : t",
    "split(#, /[ab]/) : t",
    "flatten(#) : l",
    "flatten([#, #]) : al",
    "unique(#) : l",
    "sort(#) : l",
    "#[#, 2] : li",
    "#[0, #] : li",
    "Array(#, true) : a",
    "Integer[0, #].map |$x| { # } : iB",
    "slice(#, 2) : l",
    "(if # { # } else { # }) : bll",
    "(case # { #: { # } #, undef: { # } default: { # } }) : aTlall",
    "partition(#) |$x| { # } : lb",
    "match(#, #) : tP",
    "#.reduce([]) |$x, $y| { $x + [#] } : la",
    "each(#) |$x| { # } : lB",
    "[#].filter |$x| { # }.map |$y| { # } : aBB",
    "Array(reverse_each(#)) : l",
];

const HASHES: &[&str] = &[
    "{'a' => #} : a",
    "{# => #} : ta",
    "{'a' => #, 'b' => #} : aa",
    "{# => #, 'b' => #} : taa",
    "(# + #) : hh",
    "(# - #) : hl",
    "(# - 'a') : h",
    "filter(#) |$x, $y| { # } : hb",
    "filter(#) |$x| { # } : hB",
    "group_by(#) |$x| { # } : la",
    "(if # { # } else { # }) : bhh",
    "(# ? { # => #, default => # }) : aThh",
    "Hash(#.map |$x, $y| { [$x, #] }) : ha",
    "#.reduce({}) |$x, $y| { $x + {$y => #} } : la",
    "Hash([['k', #], [#, 2]]) : at",
];

const ANYTHING: &[&str] = &[
    "#[#] : li",
    "#[#] : ht",
    "#['a'] : h",
    "#[0] : l",
    "dig(#, 'a', 0) : h",
    "dig(#, #) : li",
    "get(#, '0') : l",
    "(if # { # } else { # }) : baa",
    "(if # { # }) : ba",
    "(unless # { # }) : ba",
    "(if # { # } elsif # { # } else { # }) : babaa",
    "(if $f['a'] =~ # { [$f['a'], #] } else { [$f['a'], $f['b'], #] }) : Taa",
    "(if $e[0] == # { [$e[0], $e[1]] } elsif $e[1] in ['b', 2] { $e[1] } else { [$e[1], $e[0]] }) : a",
    "(case $f['a'] { #: { $f['a'] } 'x', 1: { [$f['a'], #] } undef: { # } default: { $f['a'] } }) : Taa",
    "($e[0] ? { # => $e[0], /(.)/ => [$e[0], $1], default => [$e[0]] }) : T",
    "(if $f['k'][0] { $f['k'] } else { [$f['k'], $f] }) : ",
    "(case # { #: { # } #: { # } default: { # } }) : aTaTaa",
    "(case # { 'a': { # } 'b', 1: { # } #: { # } default: { $0 } }) : aaaaa",
    "(case # { #: { $1 } 'b': { # } default: { # } }) : tPaa",
    "(# ? { 1 => #, # => #, default => # }) : aaaaa",
    "(# ? { # => #, # => #, default => [$0, $1] }) : aPaTa",
    "(# ? { *# => #, default => # }) : alaa",
    "then(#) |$x| { # } : aB",
    "lest(#) || { # } : aa",
    "with(#, #) |$x, $y| { # } : aaB",
    "with(#, #) |Optional[Any] $x, $y = 3| { # } : aaB",
    "reduce(#) |$x, $y| { # } : lB",
    "reduce(#, #) |$x, $y| { # } : laB",
    "reduce(#) |$x, $y| { # } : hB",
    "index(#) |$x| { # } : lB",
    "index(#, #) : la",
    "partition(#) |$x, $y| { # } : hb",
    "step(#, 2) : l",
    "Array(step(#, 2)) : l",
    "reverse_each(#) : l",
    "type(#) : a",
    "type(#, 'generalized') : a",
    "Sensitive(#) : t",
    "assert_type(Any, #) : a",
    "getvar('w0') : ",
    "getvar('f.a') : ",
    "(# + #) : aa",
    "Numeric(#) : t",
    "Boolean(#) : b",
    "tree_each(#).map |$x| { # } : la",
    "f0(#) : a",
    "f1(#, #) : aa",
    "f1(#) : a",
    "f2(#, #, #) : iaa",
    "f3(#) : a",
    "f4(#) : a",
    "[f4(#)] : a",
    "with(#) |$x, $y = if # { next(#) } elsif # { # }| { # } : abataB",
    "f3(#) : i",
    "call('f0', #) : a",
    "Tuple[Integer, #] : T",
    "[#, #][#] : aai",
    "{'a' => #, 'b' => #}[#] : aat",
    "[# =~ #, $0, $1, $2] : tP",
    "[# !~ #, $0, $1, $2] : tP",
    "[(# and #), $0, $1] : bb",
    "[(# or #), $0, $1] : bb",
    "[(if # { $1 } else { $0 }), $0, $1] : b",
];

/// Returns the body of a lambda or function.
fn blocks(inner: &Sources) -> BoxedStrategy<String> {
    let plain = one_of(&["$x", "[$x, $y]"]);
    let rows: &[&'static str] = &[
        "# : a",
        "# : b",
        "$x : ",
        "if # { next(#) } # : baa",
        "if # { break() } # : ba",
        "if # { return(#) } # : baa",
        "unless # { next(#) } $y : ba",
        "if # { next() } if # { break() } $x : bb",
        "$z = # if $z { $u = # } [$x, $z, $u] : aa",
        "$z = # if $z =~ # { $z } else { # } : aTa",
        "case $x { #: { next(#) } #: { # } default: { # } } : TaTaa",
        "if $x { $u = # } else { $u = # } $u : aa",
        "if $x =~ # { $u = $x } $u : T",
        "if $x =~ # and $x > 0 { break() } $y : T",
        "if $x == # { next($x) } # : aa",
        "if # { if # { next(#) } } else { break() } [$x, #] : bbaa",
    ];
    let larger = rows.iter().map(|row| template(row, inner, &plain));
    proptest::strategy::Union::new(larger).boxed()
}

fn union(
    small: &BoxedStrategy<String>,
    rows: &[&'static str],
    inner: &Sources,
    block: &BoxedStrategy<String>,
    calls: bool,
) -> BoxedStrategy<String> {
    let is_own = |row: &str| ["f0(", "f1(", "f2(", "f3(", "'f0'"].iter().any(|name| row.contains(name));
    let larger = rows.iter().filter(|row| calls || !is_own(row)).map(|row| template(row, inner, block));
    let larger = proptest::strategy::Union::new(larger);
    prop_oneof![2 => small.clone(), 5 => larger].boxed()
}

fn larger(inner: &Sources, calls: bool) -> Sources {
    let small = smallest();
    let block = blocks(inner);
    let union = |small, rows| union(small, rows, inner, &block, calls);
    let integer = union(&small.integer, INTEGERS);
    let text = union(&small.text, TEXTS);
    let truth = union(&small.truth, TRUTHS);
    let list = union(&small.list, LISTS);
    let hash = union(&small.hash, HASHES);
    let other = union(&small.any, ANYTHING);
    let any = prop_oneof![
        3 => other,
        1 => integer.clone(),
        1 => text.clone(),
        1 => truth.clone(),
        1 => list.clone(),
        1 => hash.clone(),
    ];
    Sources { integer, text, truth, list, hash, any: any.boxed() }
}

fn sources(depth: usize, calls: bool) -> Sources {
    (0..depth).fold(smallest(), |inner, _| larger(&inner, calls))
}

/// Templates of statements, in which `@` is the number of the statement.
const STATEMENTS: &[&str] = &[
    "$v@ = # : a",
    "$v@ = # : i",
    "$v@ = # : t",
    "$v@ = # : b",
    "$v@ = # : l",
    "$v@ = # : h",
    "if # { $w0 = # } : ba",
    "if # { $w@ = # } else { $w@ = # } : baa",
    "unless # { $w1 = # } : ba",
    "if # { $w0 = # } else { $w1 = # } : baa",
    "if # =~ # { $w@ = [$0, $1, $2] } else { $w@ = $0 } : tP",
    "if # =~ # { $w@ = # } elsif # { $w@ = $d } : aTab",
    "case # { #: { $w@ = # } #: { $w@ = # } default: { } } : aTaaa",
    "case $d { #: { $w@ = $d } #: { $w@ = [$d] } default: { $w@ = $d } } : TT",
    "if $d =~ # { $w@ = [$d, #] } else { $w@ = [$d, #] } : Taa",
    "if $d == # { $w@ = [$d, #] } else { $w@ = [$d, #] } : aaa",
    "if $d { $w@ = $d } else { $w@ = [$d] } : ",
    "if $a > # { fail('too much') } $w@ = $a : i",
    "if # and $d =~ # { $w@ = $d } else { $w@ = $d } : bT",
    "if # or $d !~ # { $w@ = $d } else { $w@ = $d } : bT",
    "if $e =~ # { $w@ = $e } else { $w@ = $e } : T",
    "if $f =~ # { $w@ = $f } else { $w@ = $f } : T",
    "if $b in # { $w@ = $b } else { $w@ = $b } : l",
    "[$v@, $w0] = [#, #] : aa",
    "[$v@, $w1] = # : l",
    "# =~ # : tP",
    "each(#) |$x| { # } : lB",
    "notice(#) : a",
    "$v@ = $w0 ? { undef => #, default => $w0 } : a",
    "$v@ = map(#) |$x| { # } : lB",
    "$v@ = [$x = #, $x] : a",
];

const FUNCTIONS: &[&str] = &[
    "function f0($x) { # } : B",
    "function f1($x, $y = 2) { # } : B",
    "function f2(Integer $x, Any *$y) >> Any { # } : B",
    "function f3(Variant[Integer, String, Undef] $x) >> Variant[Numeric, String, Array, Undef, Boolean] { $y = 1 # } : B",
    "function f4($x, $y = if $x =~ # { return(#) } elsif # { next(#) } else { # }, $z = if # { return($y) }) { # } : TabaabB",
];

#[derive(Clone, Debug)]
struct Program {
    functions: Vec<String>,
    statements: Vec<String>,
    /// Values of `$a`, `$b`, ....
    leaves: Vec<Value>,
    /// Degree to which each leaf is made unknown.
    unknown_degrees: Vec<u8>,
    strict: Strict,
}

fn value_of(text: &str) -> Value {
    let mut program = functions::source_program();
    let lowered = hir::lower_file(&syntax::parse(text, syntax::Language::Manifest));
    let main = program.add(&lowered);
    let world = World::new(&program, EvaluationSettings::version_8());
    main.and_then(|main| run(&world, &main).0.ok()).unwrap_or_else(|| panic!("{text} has no value"))
}

fn leaf(texts: &[&str]) -> BoxedStrategy<Value> {
    select(texts.iter().map(|text| value_of(text)).collect::<Vec<_>>()).boxed()
}

fn programs() -> BoxedStrategy<Program> {
    let expressions = sources(3, true);
    let block = blocks(&sources(2, true));
    let statement =
        proptest::strategy::Union::new(STATEMENTS.iter().map(|row| template(row, &expressions, &block)));
    let inside = sources(2, false);
    let body = blocks(&inside);
    let functions: Vec<BoxedStrategy<String>> =
        FUNCTIONS.iter().map(|row| template(row, &inside, &body)).collect();
    let leaves = (
        leaf(&["1", "0", "2", "-3", "7", "9223372036854775807"]),
        leaf(&["'a'", "''", "'b'", "'ab'", "'abc'", "'Xy'", "'12'", "\"a\\nb\"", "'ä'"]),
        leaf(&["true", "false", "undef"]),
        leaf(&[
            "undef",
            "1",
            "'a'",
            "2.5",
            "true",
            "false",
            "[1]",
            "{'a' => 1}",
            "''",
            "-0.0",
            "1.0",
            "Integer",
            "default",
        ]),
        leaf(&[
            "[]",
            "[1]",
            "[3, 1, 2]",
            "['a', 'b', 'a']",
            "[1, 'a', undef]",
            "[[1, 'a'], [2, 'b']]",
            "[true, 2.5]",
            "[{'a' => 1}]",
        ]),
        leaf(&[
            "{}",
            "{'a' => 1}",
            "{'a' => 'x', 'b' => undef}",
            "{'k' => [1, 2], 'a' => {'b' => 1}}",
            "{1 => 'x', 2 => 'y'}",
        ]),
    );
    (
        functions,
        prop::collection::vec(statement, 1..6),
        leaves.prop_map(|(a, b, c, d, e, f)| vec![a, b, c, d, e, f]),
        prop::collection::vec(any::<u8>(), 6),
        select(vec![Strict::Warning, Strict::Off, Strict::Error]),
    )
        .prop_map(|(functions, statements, leaves, unknown_degrees, strict)| Program {
            functions,
            statements,
            leaves,
            unknown_degrees,
            strict,
        })
        .boxed()
}

const LEAVES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

/// Returns some unknown value that admits `value`; `None` if it stays known.
fn make_unknown(value: &Value, how: u8, env: &dyn TypeEnvironment) -> Option<Value> {
    let precise = types::infer::infer_set(value, env);
    let general = types::infer::infer_generic(value, env);
    let ty = match how % 16 {
        0..=5 => return None,
        6 | 7 => precise,
        8 | 9 => types::infer::infer(value, env),
        10 | 11 => general,
        12 => Type::optional(general),
        13 => types::common::union([precise, Type::STRING, Type::integer(0, 3)], env),
        14 => Type::Any,
        _ => match value {
            Value::Array(elements) => {
                let parts = elements.iter().enumerate().map(|(index, element)| {
                    match (how >> 4) as usize >> (index % 4) & 1 {
                        1 => Value::unknown(types::infer::infer(element, env), Origin::Parameter),
                        _ => element.clone(),
                    }
                });
                return Some(Value::array(parts.collect::<Vec<_>>()));
            }
            Value::Hash(entries) => {
                let parts = entries.iter().map(|(key, value)| {
                    (key.clone(), Value::unknown(types::infer::infer(value, env), Origin::Parameter))
                });
                return Some(Value::hash(parts.collect::<Vec<_>>()));
            }
            _ => Type::Data,
        },
    };
    // Puppet's common type of some elements does not accept all of them.
    (fits(&ty, value, env) == Fit::Always).then(|| Value::unknown(ty, Origin::Parameter))
}

/// Value or error, certain findings, and steps.
type Outcome = (Result<Value, String>, Vec<String>, u64);

fn run(world: &World, main: &Arc<eval::Unit>) -> Outcome {
    let mut evaluator = Evaluator::new(world);
    let result = match evaluator.evaluate_main(main) {
        Ok(value) => Ok(value),
        Err(Exit::Error(error)) => Err(format!("{}: {}", error.code, error.message)),
        Err(_) => Err("a jump".to_owned()),
    };
    let certain =
        evaluator.diagnostics.findings().iter().filter(|finding| finding.certainty == Certainty::Certain);
    (result, certain.map(|finding| finding.error.message.clone()).collect(), evaluator.steps())
}

/// Returns true if everything that `narrow` allows is allowed by `wide`.
fn covers(wide: &Value, narrow: &Value, env: &dyn TypeEnvironment) -> bool {
    match (wide, narrow) {
        (Value::Unknown(unknown), narrow) => is_instance(&unknown.ty, narrow, env),
        (Value::Array(wide), Value::Array(narrow)) => {
            wide.len() == narrow.len()
                && wide.iter().zip(narrow.iter()).all(|(wide, narrow)| covers(wide, narrow, env))
        }
        (Value::Hash(wide), Value::Hash(narrow)) => {
            wide.len() == narrow.len()
                && wide
                    .iter()
                    .all(|(key, wide)| narrow.get(key).is_some_and(|narrow| covers(wide, narrow, env)))
        }
        (Value::Sensitive(wide), Value::Sensitive(narrow)) => covers(wide, narrow, env),
        (Value::Iterator(wide), Value::Iterator(narrow)) => {
            wide.operation == narrow.operation && covers(&wide.source, &narrow.source, env)
        }
        (wide, narrow) => wide == narrow,
    }
}

fn shown(value: &Value, env: &dyn TypeEnvironment) -> String {
    match value {
        Value::Unknown(unknown) => format!("<{}>", types::display::type_text(&unknown.ty, env)),
        Value::Array(elements) => {
            let elements: Vec<String> = elements.iter().map(|element| shown(element, env)).collect();
            format!("[{}]", elements.join(", "))
        }
        value => types::text::to_notation(value, env),
    }
}

impl Program {
    fn text(&self, statements: &[String]) -> String {
        let mut lines = Vec::new();
        let code: Vec<String> = statements
            .iter()
            .enumerate()
            .map(|(index, statement)| statement.replace('@', &index.to_string()))
            .collect();
        let code = code.join(";\n");
        lines.extend(self.functions.iter().filter(|it| code.contains(&it[9..11])).cloned());
        lines.push(code);
        lines.join("\n")
            + ";\n[$a, $b, $c, $d, $e, $f, getvar('v0'), getvar('v1'), getvar('v2'), getvar('v3'), getvar('v4'), getvar('w0'), getvar('w1'), getvar('w2'), getvar('w3'), getvar('w4'), $0, $1]"
    }

    fn evaluate(&self, text: &str, leaves: &[Value], continues_after_errors: bool) -> Outcome {
        let parse = syntax::parse(text, syntax::Language::Manifest);
        assert!(parse.errors().is_empty(), "{text}: {:?}", parse.errors());
        let mut program = functions::source_program();
        let Some(main) = program.add(&hir::lower_file(&parse)) else { panic!("{text}: no main program") };
        for (name, value) in LEAVES.iter().zip(leaves) {
            program.set_global(*name, value.clone());
        }
        let settings = EvaluationSettings {
            strict: self.strict,
            continues_after_errors,
            strict_variables: self.strict == Strict::Error,
            ..EvaluationSettings::version_7()
        };
        let world = World::new(&program, settings);
        run(&world, &main)
    }

    /// Evaluates the program with unknown leaves. Returns the number of conclusive programs (0 or 1), or a
    /// description of the failure.
    fn check(&self) -> Result<usize, String> {
        let env = &types::NoTypes;
        let wide: Vec<Value> = (self.leaves.iter().zip(&self.unknown_degrees))
            .map(|(leaf, how)| make_unknown(leaf, *how, env).unwrap_or_else(|| leaf.clone()))
            .collect();
        // Failing statements are removed, and the following ones tried.
        let mut statements: Vec<String> = Vec::new();
        let mut found = None;
        for statement in &self.statements {
            statements.push(statement.clone());
            let text = self.text(&statements);
            let (result, _, steps) = self.evaluate(&text, &self.leaves, false);
            match result {
                Ok(value) => found = Some((text, value, steps)),
                Err(_) => {
                    // It must terminate.
                    let _ = self.evaluate(&text, &wide, true);
                    statements.pop();
                }
            }
        }
        let Some((text, known, steps)) = found else { return Ok(0) };
        for continues_after_errors in [false, true] {
            let failure = match self.evaluate(&text, &wide, continues_after_errors) {
                (Err(error), _, wide_steps) => format!("error after {steps}, {wide_steps} steps: {error}"),
                (Ok(_), certain, _) if !certain.is_empty() => format!("certain: {}", certain.join("; ")),
                (Ok(value), _, _) if covers(&value, &known, env) => continue,
                (Ok(value), _, _) => match (&value, &known) {
                    (Value::Array(values), Value::Array(known)) if values.len() == known.len() => {
                        let pairs = values.iter().zip(known.iter()).enumerate();
                        let wrong = pairs.filter(|(_, (value, known))| !covers(value, known, env));
                        wrong
                            .map(|(index, (value, known))| {
                                format!("#{index} is {}, not {}", shown(known, env), shown(value, env))
                            })
                            .collect::<Vec<_>>()
                            .join("\n")
                    }
                    _ => format!("{} is not {}", shown(&known, env), shown(&value, env)),
                },
            };
            let leaves: Vec<String> = (LEAVES.iter().zip(self.leaves.iter().zip(&wide)))
                .filter(|(name, _)| {
                    text.matches(&format!("${name}")).count() > 1 || text.contains(&format!("'{name}."))
                })
                .map(|(name, (leaf, wide))| format!("${name} = {} as {}", shown(leaf, env), shown(wide, env)))
                .collect();
            return Err(format!(
                "{}\n{text}\n({:?}, continues after errors: {continues_after_errors}) {failure}",
                leaves.join("; "),
                self.strict
            ));
        }
        Ok(1)
    }
}

/// Runs `cases` programs of a seed. Returns the number of conclusive ones, or a description of the failure.
fn run_seed(seed: u64, cases: u32, programs: &BoxedStrategy<Program>) -> Result<usize, String> {
    let config = ProptestConfig {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(seed),
        max_shrink_iters: 1_500,
        ..ProptestConfig::default()
    };
    let count = std::cell::Cell::new(0);
    let result = TestRunner::new(config).run(programs, |program| match program.check() {
        Ok(conclusive) => {
            count.set(count.get() + conclusive);
            Ok(())
        }
        Err(failure) => Err(TestCaseError::fail(failure)),
    });
    match result {
        Ok(()) => Ok(count.get()),
        Err(TestError::Fail(reason, _)) => Err(reason.message().to_owned()),
        Err(TestError::Abort(reason)) => Err(reason.message().to_owned()),
    }
}

fn check_programs() {
    let programs = programs();
    let Some(seeds) = std::env::var("UNKNOWN_PROGRAMS").ok() else {
        match run_seed(1, 300, &programs) {
            Ok(count) => assert!(count > 200, "only {count} programs give a value"),
            Err(failure) => panic!("{failure}"),
        }
        return;
    };
    let (first, last) = seeds.split_once('-').expect("SEED-SEED");
    let (mut count, mut wrong) = (0, 0);
    for seed in first.parse::<u64>().expect("a seed")..=last.parse().expect("a seed") {
        match run_seed(seed, 200, &programs) {
            Ok(conclusive) => count += conclusive,
            Err(failure) => {
                wrong += 1;
                println!("== {seed}: {failure}\n");
            }
        }
    }
    println!("{count} programs, {wrong} seeds are wrong");
    assert_eq!(wrong, 0);
}

#[test]
fn programs_of_unknown_values_are_sound() {
    let thread =
        std::thread::Builder::new().stack_size(eval::STACK_SIZE).spawn(check_programs).expect("a thread");
    thread.join().expect("every program gives what it must");
}

/// Checks that elements taken from an iterator under an unknown condition are neither certainly taken nor
/// certainly left.
#[test]
fn iterators_under_unknown_conditions() {
    let value_of = |text: &str, condition: Value| {
        let mut program = functions::source_program();
        program.set_global("u", condition);
        let lowered = hir::lower_file(&syntax::parse(text, syntax::Language::Manifest));
        let main = program.add(&lowered).expect("a main program");
        let world = World::new(&program, EvaluationSettings::version_7());
        run(&world, &main).0.expect("a value")
    };
    let all = "$it.map |$x| { $x }";
    let programs = [
        "if $u { $it.each |$x| { } }",
        "if $u { $it.each |$x| { } } else { $it.each |$x| { if $x == 3 { break() } } }",
        "if $u { $it.each |$x| { } } else { $it.each |$x| { } }",
        "unless $u { $y = $it.reverse_each }",
        "$y = $u ? { true => $it.map |$x| { $x }, default => 1 }",
        "[1].each |$n| { if $u { next() } $it.each |$x| { } }",
        "if $u and $it.any |$x| { $x == 2 } { }",
        "if $u { if !$u { } else { $it.each |$x| { break() } } }",
    ];
    for iterator in
        ["[3, 2, 1].step(1)", "[3, 2, 1].reverse_each", "Integer[1, 9].step(2)", "[[1, 2, 3].step(1)][0]"]
    {
        for program in programs {
            for rest in [all, "$it.unique", "$it.reverse_each.map |$x| { $x }", "[*$it]", "Array($it)"] {
                let text = format!("$it = {iterator} {program} {rest}");
                let wide = value_of(&text, Value::unknown(Type::BOOLEAN, Origin::Parameter));
                for condition in [true, false] {
                    let known = value_of(&text, Value::Boolean(condition));
                    let env = &types::NoTypes;
                    assert!(covers(&wide, &known, env), "{text}: {known:?} {wide:?}");
                }
            }
        }
    }
    // If all branches take the same number of elements, the rest is known.
    let text = format!(
        "$it = [3, 2, 1].step(1) if $u {{ $it.each |$x| {{ }} }} else {{ $it.each |$x| {{ }} }} {all}"
    );
    assert_eq!(value_of(&text, Value::unknown(Type::BOOLEAN, Origin::Parameter)), Value::array([]));
}
