//! Signatures of the constructors of built-in types.

use std::sync::LazyLock;

use scalars::regexp::Regexp;

use crate::ty::{IntegerRange, StructKey, StructMember, TupleType, Type};

/// Constructor of a built-in type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Constructor {
    Type,
    /// Identity constructor.
    Unit,
    Numeric,
    Integer,
    Float,
    String,
    Regexp,
    Boolean,
    Array,
    Hash,
    Timestamp,
    Timespan,
    Binary,
    SemVer,
    SemVerRange,
    Uri,
    Sensitive,
}

impl Constructor {
    /// Returns the name of the type.
    pub fn type_name(self) -> &'static str {
        match self {
            Constructor::Type => "Type",
            Constructor::Unit => "NotUndef",
            Constructor::Numeric => "Numeric",
            Constructor::Integer => "Integer",
            Constructor::Float => "Float",
            Constructor::String => "String",
            Constructor::Regexp => "Regexp",
            Constructor::Boolean => "Boolean",
            Constructor::Array => "Array",
            Constructor::Hash => "Hash",
            Constructor::Timestamp => "Timestamp",
            Constructor::Timespan => "Timespan",
            Constructor::Binary => "Binary",
            Constructor::SemVer => "SemVer",
            Constructor::SemVerRange => "SemVerRange",
            Constructor::Uri => "URI",
            Constructor::Sensitive => "Sensitive",
        }
    }

    /// Returns the name of the type if Puppet reports a signature mismatch as a failed conversion to that
    /// type.
    pub fn conversion_name(self) -> Option<&'static str> {
        matches!(
            self,
            Constructor::Numeric
                | Constructor::Integer
                | Constructor::Float
                | Constructor::Boolean
                | Constructor::Array
                | Constructor::SemVer
        )
        .then(|| self.type_name())
    }

    /// Returns the signatures in the order in which Puppet tries them.
    pub fn signatures(self) -> &'static [TupleType] {
        match self {
            Constructor::Type => &SIGNATURES.ty,
            Constructor::Unit => &SIGNATURES.unit,
            Constructor::Numeric => &SIGNATURES.numeric,
            Constructor::Integer => &SIGNATURES.integer,
            Constructor::Float => &SIGNATURES.float,
            Constructor::String => &SIGNATURES.string,
            Constructor::Regexp => &SIGNATURES.regexp,
            Constructor::Boolean => &SIGNATURES.boolean,
            Constructor::Array => &SIGNATURES.array,
            Constructor::Hash => &SIGNATURES.hash,
            Constructor::Timestamp => &SIGNATURES.timestamp,
            Constructor::Timespan => &SIGNATURES.timespan,
            Constructor::Binary => &SIGNATURES.binary,
            Constructor::SemVer => &SIGNATURES.sem_ver,
            Constructor::SemVerRange => &SIGNATURES.sem_ver_range,
            Constructor::Uri => &SIGNATURES.uri,
            Constructor::Sensitive => &SIGNATURES.sensitive,
        }
    }
}

struct Signatures {
    ty: Vec<TupleType>,
    unit: Vec<TupleType>,
    numeric: Vec<TupleType>,
    integer: Vec<TupleType>,
    float: Vec<TupleType>,
    string: Vec<TupleType>,
    regexp: Vec<TupleType>,
    boolean: Vec<TupleType>,
    array: Vec<TupleType>,
    hash: Vec<TupleType>,
    timestamp: Vec<TupleType>,
    timespan: Vec<TupleType>,
    binary: Vec<TupleType>,
    sem_ver: Vec<TupleType>,
    sem_ver_range: Vec<TupleType>,
    uri: Vec<TupleType>,
    sensitive: Vec<TupleType>,
}

/// Pattern for strings that `Integer.new` accepts, given a matching radix.
const INTEGER_TEXT: &str = r"\A[+-]?\s*(?:\d+|0[xX][0-9A-Fa-f]+|0[bB][01]+)\z";
const FLOAT_TEXT: &str =
    r"\A[+-]?\s*(?:(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE]-?\d+)?|0[xX][0-9A-Fa-f]+|0[0-7]+|0[bB][01]+)\z";
const VERSION_TEXT: &str = concat!(
    r"\A(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)",
    r"(?:[-][0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:[+][0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?\Z"
);
const VERSION_QUALIFIER: &str = r"\A[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*\Z";
const FORMAT_TEXT: &str = r"^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$";

static SIGNATURES: LazyLock<Signatures> = LazyLock::new(|| {
    let text = || Type::String(IntegerRange::new(1, i64::MAX));
    let format = || pattern(FORMAT_TEXT);
    let format_by_type = || Type::hash_of(Type::Type(None), format());
    let container_format = structure([
        optional("format", format()),
        optional("separator", Type::STRING),
        optional("separator2", Type::STRING),
        optional("string_formats", format_by_type()),
    ]);
    let formats = Type::variant([
        Type::Default,
        text(),
        Type::hash_of(Type::Type(None), Type::variant([format(), container_format])),
    ]);
    let time_formats = || {
        let format = || Type::String(IntegerRange::new(2, i64::MAX));
        Type::variant([format(), Type::array(format(), IntegerRange::new(1, i64::MAX))])
    };
    let radix = || {
        let number = |value| Type::integer(value, value);
        Type::variant([Type::Default, number(2), number(8), number(10), number(16)])
    };
    let convertible = |pattern_of_text| {
        Type::variant([
            Type::Numeric,
            Type::BOOLEAN,
            pattern(pattern_of_text),
            Type::Timespan(None),
            Type::Timestamp(None),
        ])
    };
    let from_number_or_text = || {
        vec![
            signature([convertible(FLOAT_TEXT), Type::BOOLEAN], 1),
            signature(
                [structure([required("from", convertible(FLOAT_TEXT)), optional("abs", Type::BOOLEAN)])],
                1,
            ),
        ]
    };
    let pairs_of = |key| Type::array(Type::tuple([key, Type::Any], None), IntegerRange::new(1, i64::MAX));
    let positive = || Type::integer(0, i64::MAX);
    let version_limit = || Type::variant([Type::Default, Type::SemVer([].into())]);
    let byte_formats = || Type::enumeration(["%b", "%u", "%B", "%s", "%r"], false);
    let bytes = || Type::array_of(Type::integer(0, 255));
    let number = || Type::variant([Type::INTEGER, Type::FLOAT]);

    Signatures {
        ty: vec![signature([text()], 1)],
        unit: vec![signature([Type::Any], 1)],
        numeric: from_number_or_text(),
        integer: vec![
            signature([convertible(INTEGER_TEXT), radix(), Type::BOOLEAN], 1),
            signature(
                [structure([
                    required("from", convertible(INTEGER_TEXT)),
                    optional("radix", radix()),
                    optional("abs", Type::BOOLEAN),
                ])],
                1,
            ),
        ],
        float: from_number_or_text(),
        string: vec![signature([Type::Any, formats], 1)],
        regexp: vec![signature([Type::STRING, Type::BOOLEAN], 1)],
        boolean: vec![signature(
            [Type::variant([
                Type::INTEGER,
                Type::FLOAT,
                Type::BOOLEAN,
                Type::enumeration(["false", "true", "yes", "no", "y", "n"], true),
            ])],
            1,
        )],
        array: vec![
            signature(
                [
                    Type::variant([
                        Type::array_of(Type::Any),
                        Type::hash_of(Type::Any, Type::Any),
                        Type::Binary,
                        Type::Iterable(None),
                    ]),
                    Type::Boolean(Some(false)),
                ],
                1,
            ),
            signature([Type::Any, Type::Boolean(Some(true))], 2),
        ],
        hash: vec![
            signature(
                [pairs_of(Type::array_of(Type::Any)), Type::enumeration(["tree", "hash_tree"], false)],
                1,
            ),
            signature([pairs_of(Type::Any)], 1),
            signature([Type::Any], 1),
        ],
        timestamp: vec![
            signature([], 0),
            signature([number()], 1),
            signature([text(), time_formats(), text()], 1),
            signature(
                [structure([
                    required("string", text()),
                    optional("format", time_formats()),
                    optional("timezone", text()),
                ])],
                1,
            ),
        ],
        timespan: vec![
            signature([number()], 1),
            signature([text(), time_formats()], 1),
            signature([const { Type::INTEGER }; 7], 4),
            signature([structure([required("string", text()), optional("format", time_formats())])], 1),
            signature(
                [structure([
                    optional("negative", Type::BOOLEAN),
                    optional("days", Type::INTEGER),
                    optional("hours", Type::INTEGER),
                    optional("minutes", Type::INTEGER),
                    optional("seconds", Type::INTEGER),
                    optional("milliseconds", Type::INTEGER),
                    optional("microseconds", Type::INTEGER),
                    optional("nanoseconds", Type::INTEGER),
                ])],
                1,
            ),
        ],
        binary: vec![
            signature([Type::STRING, byte_formats()], 1),
            signature([bytes()], 1),
            signature(
                [Type::variant([
                    structure([
                        required("value", Type::STRING),
                        optional("format", Type::optional(byte_formats())),
                    ]),
                    structure([required("value", bytes())]),
                ])],
                1,
            ),
        ],
        sem_ver: vec![
            signature([pattern(VERSION_TEXT)], 1),
            signature(
                [positive(), positive(), positive(), pattern(VERSION_QUALIFIER), pattern(VERSION_QUALIFIER)],
                3,
            ),
            signature(
                [structure([
                    required("major", positive()),
                    required("minor", positive()),
                    required("patch", positive()),
                    optional("prerelease", pattern(VERSION_QUALIFIER)),
                    optional("build", pattern(VERSION_QUALIFIER)),
                ])],
                1,
            ),
        ],
        sem_ver_range: vec![
            signature([text()], 1),
            signature([version_limit(), version_limit(), Type::BOOLEAN], 2),
            signature(
                [structure([
                    required("min", version_limit()),
                    optional("max", version_limit()),
                    optional("exclude_max", Type::BOOLEAN),
                ])],
                1,
            ),
        ],
        uri: vec![
            signature([text()], 1),
            signature(
                [structure([
                    optional("scheme", text()),
                    optional("userinfo", text()),
                    optional("host", text()),
                    optional("port", positive()),
                    optional("path", text()),
                    optional("query", text()),
                    optional("fragment", text()),
                    optional("opaque", text()),
                ])],
                1,
            ),
        ],
        sensitive: vec![signature([Type::Sensitive(None)], 1), signature([Type::Any], 1)],
    }
});

/// Creates a parameter list of which the first `required` parameters are required.
fn signature<const N: usize>(types: [Type; N], required: usize) -> TupleType {
    let size = (required != N).then(|| IntegerRange::new(required as i64, N as i64));
    TupleType { types: types.into(), size }
}

/// Compiles a built-in pattern. A pattern that failed to compile would match every string.
fn pattern(source: &str) -> Type {
    Type::Pattern(Regexp::new(source).into_iter().collect())
}

fn structure<const N: usize>(members: [StructMember; N]) -> Type {
    Type::Struct(members.into())
}

fn required(name: &str, value: Type) -> StructMember {
    StructMember { name: name.into(), key: StructKey::Required, value }
}

fn optional(name: &str, value: Type) -> StructMember {
    StructMember { name: name.into(), key: StructKey::Optional, value }
}
