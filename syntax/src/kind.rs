//! Kinds of tokens and nodes in a syntax tree.

macro_rules! syntax_kinds {
    (
        tokens { $($(#[$tdoc:meta])* $token:ident $(= $text:literal)?,)* }
        nodes { $($(#[$ndoc:meta])* $node:ident,)* }
    ) => {
        /// Kind of a token or a node.
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum SyntaxKind {
            $($(#[$tdoc])* $token,)*
            $($(#[$ndoc])* $node,)*
        }

        impl SyntaxKind {
            /// All kinds in declaration order.
            pub(crate) const ALL: &[SyntaxKind] =
                &[$(SyntaxKind::$token,)* $(SyntaxKind::$node,)*];

            /// Returns the fixed text of a punctuation or keyword token.
            pub fn fixed_text(self) -> Option<&'static str> {
                match self {
                    $($(SyntaxKind::$token => Some($text),)?)*
                    _ => None,
                }
            }

            /// Returns the name of the kind, as used in tree dumps.
            pub fn name(self) -> &'static str {
                match self {
                    $(SyntaxKind::$token => stringify!($token),)*
                    $(SyntaxKind::$node => stringify!($node),)*
                }
            }
        }
    };
}

syntax_kinds! {
    tokens {
        /// Spaces, tabs, carriage returns and line feeds.
        WHITESPACE,
        /// `# ...` up to the end of the line.
        COMMENT,
        /// `/* ... */`
        BLOCK_COMMENT,
        /// A byte-order mark at the start of the file (an error).
        BOM,
        /// Text that cannot begin a token, and remains of malformed tokens.
        ERROR_TOKEN,

        // --- names and literals ---
        /// `foo`, `foo::bar`, `::foo`
        NAME,
        /// A bare word that is not a name: `foo-bar`, `_x`
        WORD,
        /// `Foo`, `Foo::Bar`, `::Foo`
        CLASSREF,
        /// `$x`, `$a::b`, `$`; in an interpolation also the bare `x` of `${x}`.
        VARIABLE,
        /// `10`, `0x1f`, `017`, `1.5e3`
        NUMBER,
        /// `'text'`
        SQ_STRING,
        /// `"text"` without interpolation.
        DQ_STRING,
        /// The `"` that opens a string with interpolation.
        DQ_START,
        /// The `"` that closes it.
        DQ_END,
        /// Literal text between interpolations, in strings and heredocs.
        STRING_TEXT,
        /// `${`
        INTERPOLATION_START = "${",
        /// The `}` that closes an interpolation.
        INTERPOLATION_END,
        /// `/text/`
        REGEX,
        /// `@(TAG:syntax/escapes)`
        HEREDOC_START,
        /// The last line of a heredoc, with its margin, `-` and tag, and the line break that `-` removes.
        HEREDOC_END,

        // --- EPP ---
        /// Text that an EPP template copies to its output.
        EPP_TEXT,
        /// Text trimmed by an adjacent `<%-` or `-%>`.
        EPP_TRIMMED,
        /// Trimmed text at the end of a template, for which Puppet emits an empty string.
        EPP_EMPTY_TEXT,
        /// `<%# ... %>`
        EPP_COMMENT,
        /// `<%` or `<%-`
        EPP_OPEN,
        /// `<%=`
        EPP_OPEN_EXPR = "<%=",
        /// `%>` or `-%>` after `<%`
        EPP_CLOSE,
        /// `%>` or `-%>` after `<%=`
        EPP_CLOSE_EXPR,

        // --- punctuation ---
        L_BRACK = "[",
        /// A `[` after whitespace or at the start of the file: it begins a list, never an access.
        LIST_START,
        R_BRACK = "]",
        L_BRACE = "{",
        /// A `{` directly after `?`.
        SELECTOR_BRACE,
        R_BRACE = "}",
        L_PAREN = "(",
        /// A `(` that is the first token on its line: it never begins an argument list.
        LINE_START_PAREN,
        R_PAREN = ")",
        EQ = "=",
        PLUS_EQ = "+=",
        MINUS_EQ = "-=",
        EQ_EQ = "==",
        NOT_EQ = "!=",
        MATCH = "=~",
        NO_MATCH = "!~",
        GT_EQ = ">=",
        GT = ">",
        LT_EQ = "<=",
        LT = "<",
        /// `=>`
        FAT_ARROW = "=>",
        /// `+>`
        PLUS_ARROW = "+>",
        SHIFT_LEFT = "<<",
        SHIFT_RIGHT = ">>",
        /// `<|`
        COLLECT_START = "<|",
        /// `|>`
        COLLECT_END = "|>",
        /// `<<|`
        EXPORTED_START = "<<|",
        /// `|>>`
        EXPORTED_END = "|>>",
        PLUS = "+",
        MINUS = "-",
        SLASH = "/",
        STAR = "*",
        PERCENT = "%",
        BANG = "!",
        DOT = ".",
        PIPE = "|",
        AT = "@",
        AT_AT = "@@",
        COLON = ":",
        COMMA = ",",
        SEMICOLON = ";",
        QUESTION = "?",
        TILDE = "~",
        /// `->`
        BEFORE_ARROW = "->",
        /// `~>`
        NOTIFY_ARROW = "~>",
        /// `<-`
        REQUIRE_ARROW = "<-",
        /// `<~`
        SUBSCRIBE_ARROW = "<~",

        // --- keywords ---
        CASE_KW = "case",
        CLASS_KW = "class",
        DEFAULT_KW = "default",
        DEFINE_KW = "define",
        IF_KW = "if",
        ELSIF_KW = "elsif",
        ELSE_KW = "else",
        INHERITS_KW = "inherits",
        NODE_KW = "node",
        AND_KW = "and",
        OR_KW = "or",
        UNDEF_KW = "undef",
        FALSE_KW = "false",
        TRUE_KW = "true",
        IN_KW = "in",
        UNLESS_KW = "unless",
        FUNCTION_KW = "function",
        TYPE_KW = "type",
        ATTR_KW = "attr",
        PRIVATE_KW = "private",
        /// A keyword only in plan files.
        PLAN_KW = "plan",
        /// A keyword only in plan files.
        APPLY_KW = "apply",

        /// The end of the input; never in a tree.
        EOF,
    }
    nodes {
        /// The root: a manifest, template or plan file.
        SOURCE_FILE,
        /// Tokens that the grammar could not place.
        ERROR,
        /// `{ statements }`
        BLOCK,

        // --- literals ---
        LITERAL_NUMBER,
        /// A single-quoted string, a double-quoted one without interpolation, a bare word, or `type`/`function` as a value.
        LITERAL_STRING,
        LITERAL_BOOLEAN,
        LITERAL_UNDEF,
        LITERAL_DEFAULT,
        LITERAL_REGEX,
        /// A double-quoted string with interpolation.
        INTERPOLATED_STRING,
        /// `${ expression }`
        INTERPOLATION,
        /// The use of a heredoc: its `@(TAG)`.
        HEREDOC,
        /// The text of a heredoc, located after the line that uses it.
        HEREDOC_BODY,
        QUALIFIED_NAME,
        QUALIFIED_REFERENCE,
        /// `attr`, `private`
        RESERVED_WORD,
        VARIABLE_EXPR,
        ARRAY_EXPR,
        HASH_EXPR,
        /// `key => value`, in a hash or bare in a list of values.
        KEYED_ENTRY,

        // --- operators ---
        PAREN_EXPR,
        /// `!x`, `-x`, `*x`
        UNARY_EXPR,
        /// Arithmetic, comparison, match, `in`, `and`, `or`.
        BINARY_EXPR,
        /// `=`, `+=`, `-=`
        ASSIGNMENT_EXPR,
        /// `->`, `~>`, `<-`, `<~`
        RELATIONSHIP_EXPR,
        /// `x[keys]`
        ACCESS_EXPR,
        /// `x ? { ... }`
        SELECTOR_EXPR,
        SELECTOR_ENTRY,

        // --- calls ---
        /// `f(args) |x| { }`
        CALL_EXPR,
        /// `x.f(args) |x| { }`
        METHOD_CALL_EXPR,
        /// `include a, b`: a call of one of the functions that accept arguments without parentheses.
        STATEMENT_CALL,
        /// The arguments of a call, or the keys of an access, including their parentheses or brackets.
        ARGUMENT_LIST,
        LAMBDA,

        // --- conditionals ---
        IF_EXPR,
        ELSIF_CLAUSE,
        ELSE_CLAUSE,
        UNLESS_EXPR,
        CASE_EXPR,
        /// `a, b: { ... }`
        CASE_OPTION,

        // --- catalog ---
        /// `file { 'title': ... }`
        RESOURCE_EXPR,
        /// `'title': attributes`
        RESOURCE_BODY,
        /// `@resource` or `@@resource`
        VIRTUAL_EXPR,
        /// `File { attributes }`
        RESOURCE_DEFAULTS,
        /// `File['x'] { attributes }`
        RESOURCE_OVERRIDE,
        /// `file { attributes }` without a title: an error, unless the name belongs to a statement call that
        /// takes a hash.
        UNTITLED_RESOURCE,
        /// `name => value`, `name +> value`
        ATTRIBUTE,
        /// `* => hash`
        ATTRIBUTE_SPLAT,
        /// `File <| query |> { attributes }`
        COLLECT_EXPR,
        /// `<| query |>`
        VIRTUAL_QUERY,
        /// `<<| query |>>`
        EXPORTED_QUERY,

        // --- definitions ---
        CLASS_DEFINITION,
        /// `define`
        DEFINED_TYPE,
        FUNCTION_DEFINITION,
        PLAN_DEFINITION,
        NODE_DEFINITION,
        /// The host matchers of a node definition.
        HOST_LIST,
        /// `name.example.com` in a node definition.
        HOST_NAME,
        /// `inherits name`
        INHERITS_CLAUSE,
        /// `type Name = ...`
        TYPE_ALIAS,
        /// `type Runtime[...] = ...`
        TYPE_MAPPING,
        /// `type Name { }`, `type Name inherits Other { }`; reserved by Puppet.
        TYPE_DEFINITION,
        /// The name in a definition.
        DEFINITION_NAME,
        PARAMETER_LIST,
        PARAMETER,
        /// `>> Type`
        RETURN_TYPE,
        /// `apply(targets) { ... }`, in plans.
        APPLY_EXPR,

        // --- EPP ---
        /// Text that the template copies to its output.
        RENDER_STRING,
        /// `<%= ... %>`
        RENDER_EXPR,
    }
}

impl SyntaxKind {
    /// Returns true for whitespace, comments and EPP tags without meaning, which are invisible to the
    /// grammar.
    pub fn is_trivia(self) -> bool {
        use SyntaxKind::*;
        matches!(
            self,
            WHITESPACE | COMMENT | BLOCK_COMMENT | BOM | EPP_TRIMMED | EPP_COMMENT | EPP_OPEN | EPP_CLOSE
        )
    }

    /// Returns true for tokens after which `/` is a division.
    pub fn ends_operand(self) -> bool {
        use SyntaxKind::*;
        matches!(
            self,
            R_PAREN
                | R_BRACK
                | EXPORTED_END
                | COLLECT_END
                | NAME
                | CLASSREF
                | NUMBER
                | SQ_STRING
                | DQ_STRING
                | DQ_END
                | HEREDOC_START
                | REGEX
                | VARIABLE
                | WORD
                | TRUE_KW
                | FALSE_KW
        )
    }

    /// Returns true for keywords of the grammar.
    pub fn is_keyword(self) -> bool {
        (SyntaxKind::CASE_KW..=SyntaxKind::APPLY_KW).contains(&self)
    }
}
