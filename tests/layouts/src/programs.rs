//! Programs made at random, production by production, that Puppet accepts.

use syntax::Language;

use crate::random::Random;

/// A program; the same for the same seed.
pub fn program(language: Language, seed: u64) -> String {
    let mut maker = Maker {
        random: Random::new(seed),
        out: String::new(),
        heredocs: Vec::new(),
        indentation: 0,
        depth: 0,
        names: 0,
        in_heredoc: false,
        is_plan: language == Language::Plan,
    };
    match language {
        Language::Manifest => maker.manifest(),
        Language::Epp => maker.template(),
        Language::Plan => maker.plan(),
    }
    maker.line_break();
    maker.out
}

/// What nests deeper is a literal.
const MAX_DEPTH: usize = 6;

struct Maker {
    random: Random,
    out: String,
    /// The texts of the heredocs that began on this line.
    heredocs: Vec<String>,
    indentation: usize,
    depth: usize,
    /// So many names have been made.
    names: usize,
    in_heredoc: bool,
    is_plan: bool,
}

impl Maker {
    // --- the text ---

    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn line_break(&mut self) {
        self.put("\n");
        for heredoc in std::mem::take(&mut self.heredocs) {
            self.put(&heredoc);
        }
        if !self.in_heredoc {
            self.put(&"  ".repeat(self.indentation));
        }
    }

    fn choice(&mut self, choices: &[&str]) {
        let choice = self.random.pick(choices);
        self.put(choice);
    }

    /// `count` or fewer (at least `least`) elements with commas between them; sometimes one more comma.
    fn list(&mut self, least: usize, count: usize, element: fn(&mut Maker)) {
        let count = least + self.random.below(count + 1 - least);
        self.elements(count, element);
        if count > 0 && self.random.one_in(4) {
            self.put(",");
        }
    }

    fn elements(&mut self, count: usize, element: fn(&mut Maker)) {
        for index in 0..count {
            if index > 0 {
                self.put(", ");
            }
            element(self);
        }
    }

    fn fresh(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    fn put_fresh(&mut self, stem: &str) {
        let name = self.fresh(stem);
        self.put(&name);
    }

    // --- definitions ---

    fn manifest(&mut self) {
        let count = 1 + self.random.below(5);
        for index in 0..count {
            match self.random.below(12) {
                0 | 1 => self.class(),
                2 => self.defined_type(),
                3 => self.node(),
                4 => self.function(),
                5 => self.type_alias(),
                _ => self.statement(),
            }
            if index + 1 < count && self.random.one_in(8) {
                self.put(";");
            }
            self.line_break();
        }
        if self.random.one_in(4) && !self.out.ends_with(";\n") {
            self.expression_at_start();
        }
    }

    fn class(&mut self) {
        self.put("class ");
        self.put_fresh("c");
        if self.random.one_in(2) {
            self.put("::inner ");
        }
        if self.random.one_in(2) {
            self.parameter_list(false);
        }
        if self.random.one_in(3) {
            self.choice(&[" inherits a::params", " inherits ::base", " inherits default"]);
        }
        self.put(" ");
        let nested = self.random.one_in(4);
        self.block_with(|maker| {
            if nested {
                maker.defined_type();
                maker.line_break();
            }
            maker.statements();
        });
    }

    fn defined_type(&mut self) {
        self.put("define ");
        self.put_fresh("a::d");
        self.parameter_list(false);
        self.put(" ");
        self.block();
    }

    fn node(&mut self) {
        self.put("node ");
        self.list(1, 3, |maker| {
            let host = maker.fresh("n");
            match maker.random.below(6) {
                0 => maker.put("default"),
                1 => maker.put("/^web\\d+\\.example/"),
                2 => maker.put(&format!("{host}.example.com")),
                3 => maker.put(&format!("'{host}.example.com'")),
                4 => maker.put(&format!("\"{host}\"")),
                _ => maker.put(&host),
            }
        });
        if self.out.ends_with(',') {
            self.put(" ");
        }
        self.put(" ");
        self.block();
    }

    fn function(&mut self) {
        self.put("function ");
        self.put_fresh("a::f");
        self.parameter_list(true);
        self.return_type();
        self.put(" ");
        self.block_with_value();
    }

    fn return_type(&mut self) {
        if self.random.one_in(3) {
            self.put(" >> ");
            self.type_name(false);
        }
    }

    fn type_alias(&mut self) {
        self.put("type ");
        self.put_fresh("A::T");
        self.put(" = ");
        self.type_name(true);
    }

    fn type_name(&mut self, anything: bool) {
        self.depth += 1;
        match self.random.below(if self.depth > MAX_DEPTH { 3 } else { 9 }) {
            0 => self.put("String"),
            1 => self.put("Integer"),
            2 => self.put("Stdlib::Absolutepath"),
            3 => self.put("Integer[0, default]"),
            4 => self.put("Enum['a', \"b\", c]"),
            5 if anything => {
                self.put("Struct[{ ");
                self.put("a => ");
                self.type_name(true);
                self.put(", Optional['b'] => ");
                self.type_name(true);
                self.put(" }]");
            }
            5 => self.put("Pattern[/a b/, /\\//]"),
            6 => {
                self.put("Optional[");
                self.type_name(anything);
                self.put("]");
            }
            7 => {
                self.put("Variant[");
                self.elements(2, |maker| maker.type_name(true));
                self.put("]");
            }
            _ => {
                self.put("Hash[String, ");
                self.type_name(true);
                self.put("]");
            }
        }
        self.depth -= 1;
    }

    /// `is_function`: in order, and with a last one that takes all the rest.
    fn parameter_list(&mut self, is_function: bool) {
        self.put("(");
        self.parameters(is_function, Maker::expression);
        self.put(")");
    }

    fn parameters(&mut self, is_function: bool, default: fn(&mut Maker)) {
        let count = self.random.below(4);
        let mut has_default = false;
        for index in 0..count {
            if index > 0 {
                self.put(",");
                if !is_function && self.random.one_in(2) {
                    self.line_break();
                }
                self.put(" ");
            }
            if self.random.one_in(2) {
                self.type_name(false);
                self.put(" ");
            }
            let takes_rest = is_function && index + 1 == count && self.random.one_in(4);
            if takes_rest {
                self.put("*");
            }
            self.put_fresh("$p");
            has_default = !takes_rest && (is_function && has_default || self.random.one_in(2));
            if has_default {
                self.put(" = ");
                default(self);
            }
        }
        if count > 0 && self.random.one_in(4) {
            self.put(",");
        }
    }

    /// One that a `|` may follow: behind a call it would begin a lambda.
    fn default_before_pipe(&mut self) {
        match self.random.below(4) {
            0 => self.literal(),
            1 => self.variable(),
            2 => {
                self.put("[");
                self.list(0, 3, Maker::expression);
                self.put("]");
            }
            _ => {
                self.put("(");
                self.expression();
                self.put(")");
            }
        }
    }

    // --- statements ---

    fn block(&mut self) {
        self.block_with(Maker::statements);
    }

    fn block_with(&mut self, inner: impl FnOnce(&mut Maker)) {
        if self.depth > MAX_DEPTH || self.random.one_in(8) {
            return self.put("{ }");
        }
        self.block_of(inner);
    }

    fn block_of(&mut self, inner: impl FnOnce(&mut Maker)) {
        self.put("{");
        self.depth += 1;
        self.indentation += 1;
        self.line_break();
        inner(self);
        self.indentation -= 1;
        self.depth -= 1;
        self.line_break();
        self.put("}");
    }

    fn statements(&mut self) {
        let count = 1 + self.random.below(3);
        for index in 0..count {
            if index > 0 {
                self.choice(&["", "", "", ";"]);
                self.line_break();
            }
            self.statement();
        }
    }

    /// A block that is worth something.
    fn block_with_value(&mut self) {
        self.block_with(|maker| {
            maker.statements();
            maker.line_break();
            maker.expression_at_start();
        });
    }

    /// One that has an effect.
    fn statement(&mut self) {
        if self.depth > MAX_DEPTH {
            return self.put("notice('deep')");
        }
        self.depth += 1;
        match self.random.below(if self.is_plan { 8 } else { 16 }) {
            0 | 1 => self.assignment(),
            2 => self.if_statement(),
            3 => self.case_statement(),
            4 => self.unless_statement(),
            5 => self.statement_call(),
            6 => self.call(),
            7 => self.method_call_with_lambda(),
            8..=10 => self.resource(),
            11 => self.resource_default_or_override(),
            12 => self.collector(),
            13 => self.relationship(),
            14 => self.class_resource(),
            _ => {
                self.choice(&["@", "@@"]);
                self.resource();
            }
        }
        self.depth -= 1;
    }

    fn assignment(&mut self) {
        if self.random.one_in(6) {
            self.put("[");
            self.elements(2, |maker| maker.put_fresh("$v"));
            self.put("]");
        } else {
            self.put_fresh("$v");
            if self.random.one_in(10) {
                self.put_fresh(" = $v");
            }
        }
        self.put(" = ");
        match self.random.below(8) {
            0 => self.if_statement(),
            1 => self.case_statement(),
            _ => self.expression(),
        }
    }

    fn if_statement(&mut self) {
        self.put("if ");
        self.condition();
        self.put(" ");
        self.effective_block();
        if self.random.one_in(3) {
            self.put(" elsif ");
            self.condition();
            self.put(" ");
            self.effective_block();
        }
        if self.random.one_in(2) {
            self.put(" else ");
            self.effective_block();
        }
    }

    fn unless_statement(&mut self) {
        self.put("unless ");
        self.condition();
        self.put(" ");
        self.effective_block();
        if self.random.one_in(3) {
            self.put(" else ");
            self.effective_block();
        }
    }

    fn effective_block(&mut self) {
        if self.depth > MAX_DEPTH {
            return self.put("{ notice('deep') }");
        }
        self.block_of(|maker| {
            maker.statement();
            maker.choice(&["", "", ";"]);
            maker.line_break();
            maker.put("notice('x')");
        });
    }

    fn case_statement(&mut self) {
        self.put("case ");
        self.condition();
        self.put(" {");
        self.indentation += 1;
        for _ in 0..1 + self.random.below(3) {
            self.line_break();
            let count = 1 + self.random.below(3);
            self.elements(count, Maker::case_value);
            self.put(": ");
            self.effective_block();
        }
        if self.random.one_in(2) {
            self.line_break();
            self.put("default: ");
            self.effective_block();
        }
        self.indentation -= 1;
        self.line_break();
        self.put("}");
    }

    fn case_value(&mut self) {
        match self.random.below(8) {
            0 => self.put("/^a.*/"),
            1 => self.put("*$list"),
            2 => self.type_name(false),
            3 => self.put("undef"),
            4 => self.string(),
            5 => self.put("[1, 2]"),
            6 => self.put("a::b"),
            _ => self.number(),
        }
    }

    fn statement_call(&mut self) {
        match self.is_plan {
            true => self.choice(&["notice ", "warning ", "fail ", "debug "]),
            false => self.choice(&["notice ", "include ", "contain ", "realize ", "require ", "tag "]),
        }
        let count = 1 + self.random.below(3);
        self.elements(count, |maker| match maker.random.below(6) {
            0 => maker.put("a::b"),
            1 => maker.put("[a, 'b']"),
            2 => maker.put("File['/a', '/b']"),
            3 => maker.call(),
            4 => maker.put("$x[0]"),
            _ => maker.string(),
        });
    }

    fn call_without_lambda(&mut self) {
        self.choice(&["a::f", "lookup", "merge", "Integer", "::b::g"]);
        self.put("(");
        self.list(0, 3, Maker::argument);
        self.put(")");
    }

    fn call(&mut self) {
        self.call_without_lambda();
        if self.random.one_in(4) {
            self.put(" ");
            self.lambda();
        }
    }

    fn argument(&mut self) {
        match self.random.below(8) {
            0 => self.put("*$list"),
            1 => {
                self.put("'key' => ");
                self.expression();
            }
            _ => self.expression(),
        }
    }

    fn method_call_with_lambda(&mut self) {
        self.choice(&["$x", "a::f()", "$x['list']", "[1, 2]"]);
        self.choice(&[".each ", ".map ", ".a::f ", ".reduce(1) ", ".filter().each "]);
        self.lambda();
    }

    fn lambda(&mut self) {
        self.put("|");
        self.parameters(true, Maker::default_before_pipe);
        self.put("|");
        if self.random.one_in(6) {
            self.return_type();
        }
        self.put(" ");
        self.block_with_value();
    }

    // --- resources ---

    fn resource(&mut self) {
        self.choice(&["file", "a::b", "::notify", "exec", "service"]);
        self.put(" {");
        self.indentation += 1;
        let count = 1 + self.random.below(3);
        for index in 0..count {
            if index > 0 {
                self.put(";");
            }
            self.space_or_break();
            self.title();
            self.put(":");
            self.attributes(false);
        }
        if self.random.one_in(4) {
            self.put(";");
        }
        self.indentation -= 1;
        self.space_or_break();
        self.put("}");
    }

    fn space_or_break(&mut self) {
        match self.random.one_in(4) {
            true => self.put(" "),
            false => self.line_break(),
        }
    }

    fn title(&mut self) {
        match self.random.below(8) {
            0 => self.put("['a', 'b']"),
            1 => self.put("$x"),
            2 => self.put("$x[0]"),
            3 => self.put("a::f($x)"),
            4 => self.put("\"/a/${name}\""),
            5 => self.put("name"),
            6 => self.put("( $a ) ? { default => 'x' }"),
            _ => {
                let title = self.fresh("t");
                self.put(&format!("'{title}'"));
            }
        }
    }

    fn attributes(&mut self, may_add: bool) {
        self.indentation += 1;
        let count = self.random.below(4);
        let mut has_splat = false;
        for index in 0..count {
            self.space_or_break();
            if !has_splat && !may_add && self.random.one_in(6) {
                has_splat = true;
                self.put("* => $defaults");
            } else {
                match self.random.below(10) {
                    0 => self.choice(&["type", "unless", "node", "default", "in"]),
                    _ => self.put_fresh("attr_"),
                }
                let adds = may_add && self.random.one_in(2);
                self.put(if adds { " +> " } else { " => " });
                self.expression();
            }
            if index + 1 < count || self.random.one_in(2) {
                self.put(",");
            }
        }
        self.indentation -= 1;
    }

    fn class_resource(&mut self) {
        self.put("class { ");
        self.choice(&["'a::b'", "a", "['c', 'd']", "\"${x}::y\""]);
        self.put(":");
        self.attributes(false);
        self.space_or_break();
        self.put("}");
    }

    fn resource_default_or_override(&mut self) {
        let is_override = self.random.one_in(2);
        match is_override {
            true => self.choice(&["File['/a']", "A::B[$x, 'y']", "Class['a']"]),
            false => self.choice(&["File", "A::B"]),
        }
        self.put(" {");
        self.attributes(is_override);
        self.space_or_break();
        self.put("}");
    }

    fn collector(&mut self) {
        self.choice(&["File", "A::B", "User"]);
        let (start, end) = self.random.pick(&[("<|", "|>"), ("<<|", "|>>")]);
        self.put(" ");
        self.put(start);
        if self.random.one_in(2) {
            self.put(" ");
            self.query();
        }
        self.put(" ");
        self.put(end);
        if self.random.one_in(3) {
            self.put(" {");
            self.attributes(true);
            self.put(" }");
        }
    }

    fn query(&mut self) {
        self.depth += 1;
        match self.random.below(if self.depth > MAX_DEPTH { 2 } else { 4 }) {
            0 => self.choice(&["tag == 'a'", "title != b", "owner == $x", "mode == 0644"]),
            1 => self.choice(&["ensure == present", "a == true", "b == undef", "tag == \"x${y}\""]),
            2 => {
                self.query();
                self.choice(&[" and ", " or "]);
                self.query();
            }
            _ => {
                self.put("(");
                self.query();
                self.put(")");
            }
        }
        self.depth -= 1;
    }

    fn relationship(&mut self) {
        for index in 0..2 + self.random.below(2) {
            if index > 0 {
                self.space_or_break();
                self.choice(&["->", "~>", "<-", "<~"]);
                self.put(" ");
            }
            match self.random.below(6) {
                0 => self.put("File['/a', $x]"),
                1 => self.put("[File['a'], Class['b']]"),
                2 => self.collector(),
                3 => self.put("$x"),
                4 => self.put("Class[a::b]"),
                _ => self.resource(),
            }
        }
    }

    // --- expressions ---

    /// One at the beginning of a line, behind a whole statement.
    fn expression_at_start(&mut self) {
        match self.random.below(4) {
            0 => {
                self.put("(");
                self.expression();
                self.put(")");
            }
            1 => {
                self.put("[");
                self.list(0, 3, Maker::expression);
                self.put("]");
            }
            2 => self.string(),
            _ => self.put("$x"),
        }
    }

    fn condition(&mut self) {
        match self.random.below(4) {
            0 => self.put("$x"),
            1 => {
                self.put("(");
                self.expression();
                self.put(")");
            }
            2 => self.choice(&["$x =~ /a b/", "$x !~ A::B", "!$x", "defined(File['a'])", "$x['a'] == undef"]),
            _ => self.binary(),
        }
    }

    fn expression(&mut self) {
        if self.depth > MAX_DEPTH {
            return self.literal();
        }
        self.depth += 1;
        match self.random.below(22) {
            0..=3 => self.literal(),
            4 | 5 => self.string(),
            6 | 7 => self.variable(),
            8 => self.binary(),
            9 => {
                self.choice(&["!", "- ", "-", "! !"]);
                self.operand();
            }
            10 => {
                self.put("(");
                self.expression();
                self.put(")");
            }
            11 | 12 => {
                self.put("[");
                self.list(0, 4, Maker::argument);
                self.put("]");
            }
            13 | 14 => self.hash(),
            15 => self.selector(),
            16 => self.call(),
            17 => {
                self.operand();
                self.choice(&[".length", ".a::f()", ".join(', ')", ".type", ".with |$x| { $x }"]);
            }
            18 => {
                self.operand();
                self.put("[");
                self.list(1, 2, Maker::expression);
                self.put("]");
            }
            19 => self.heredoc(),
            20 => self.type_name(true),
            _ => {
                self.put("$x.map ");
                self.lambda();
            }
        }
        self.depth -= 1;
    }

    fn operand(&mut self) {
        match self.random.below(5) {
            // A `/` behind `}` would begin a pattern.
            0 => self.call_without_lambda(),
            1 => {
                self.put("(");
                self.expression();
                self.put(")");
            }
            2 => self.put("$x['a'][0]"),
            _ => self.variable(),
        }
    }

    fn binary(&mut self) {
        self.operand();
        for _ in 0..1 + self.random.below(3) {
            match self.random.below(6) {
                0 => self.choice(&[" =~ /^a\\/b$/", " !~ 'a'", " =~ Integer", " in [a, 'b']", " !~ /[\"']/"]),
                _ => {
                    self.choice(&[
                        " + ", " - ", " * ", " / ", " % ", " << ", " >> ", " == ", " != ", " and ", " or ",
                        " in ", "+", "-", "/", "*", " < -", " - -",
                    ]);
                    self.operand();
                }
            }
        }
    }

    fn variable(&mut self) {
        self.choice(&["$x", "$facts", "$a::b", "$::c", "$::a::b::c", "$_x", "$trusted['certname']"]);
    }

    fn literal(&mut self) {
        match self.random.below(8) {
            0 => self.put("undef"),
            1 => self.choice(&["true", "false"]),
            2 => self.put("default"),
            3 => self.number(),
            4 => self.choice(&["present", "a::b", "::c", "a-b", "_word", "installed"]),
            5 => self.choice(&["''", "'a b'", "'it\\'s'", "'${x} # { } /* '", "'a\\\\'"]),
            6 => self.choice(&["/a/", "/\\/ [x]/"]),
            _ => self.choice(&["\"\"", "\"a\"", "\"a\\tb \\$x\"", "\"'\""]),
        }
    }

    fn number(&mut self) {
        self.choice(&["0", "1", "42", "0x1F", "0644", "1.5", "2e3", "0.1e-2"]);
    }

    fn hash(&mut self) {
        self.put("{");
        let count = self.random.below(4);
        for _ in 0..count {
            self.space_or_break();
            let key = self.fresh("key ");
            match self.random.below(6) {
                0 => self.put(&format!("\"${{x}} {key}\".a::f")),
                1 => self.put(&format!("Integer['{key}']")),
                2 => self.put(&format!("['{key}']")),
                _ => self.put(&format!("'{key}'")),
            }
            self.put(" => ");
            self.expression();
            self.put(",");
        }
        if count > 0 && self.random.one_in(2) {
            self.out.truncate(self.out.len() - 1);
        }
        self.put(" }");
    }

    fn selector(&mut self) {
        self.operand();
        self.put(" ? ");
        if self.random.one_in(6) {
            self.put("'a' => ");
            return self.operand();
        }
        self.put("{");
        self.indentation += 1;
        for _ in 0..1 + self.random.below(3) {
            self.space_or_break();
            self.case_value();
            self.put(" => ");
            self.expression();
            self.put(",");
        }
        self.space_or_break();
        self.put("default => ");
        self.expression();
        self.choice(&["", ","]);
        self.indentation -= 1;
        self.space_or_break();
        self.put("}");
    }

    // --- strings ---

    fn string(&mut self) {
        match self.random.below(3) {
            0 => self.choice(&["'a'", "\"b\"", "'c d'"]),
            _ => {
                self.put("\"");
                self.interpolated_text(1);
                self.put("\"");
            }
        }
    }

    /// Text with interpolations; `quotes`: 1 in a string, 0 in a heredoc.
    fn interpolated_text(&mut self, quotes: usize) {
        for _ in 0..1 + self.random.below(3) {
            self.choice(&["a ", "x-", "", "# ", " /* ", "it's ", "{ } "]);
            match quotes {
                1 => self.choice(&["\\\"", "\\n", "", " "]),
                _ => self.choice(&["\"", "", " "]),
            }
            if quotes == 1 && self.heredocs.is_empty() && self.random.one_in(8) {
                self.put("\n");
            }
            match self.random.below(6) {
                0 => self.choice(&["$x", "$a::b ", "$::c", "$x[0]", "$x.y"]),
                1 => self.choice(&["${x}", "${a::b}", "${x[0]}", "${x.length}", "${facts['os']['family']}"]),
                2 => self.choice(&["${if}", "${type}", "${0}", "${_a}"]),
                3 if self.depth <= MAX_DEPTH => {
                    self.put("${");
                    self.depth += 2;
                    self.operand();
                    self.depth -= 2;
                    self.put("}");
                }
                4 if self.depth <= MAX_DEPTH => {
                    self.put("${");
                    self.depth += 2;
                    self.binary();
                    self.depth -= 2;
                    self.put("}");
                }
                _ => self.put("$"),
            }
            self.put(" ");
        }
    }

    fn heredoc(&mut self) {
        if self.in_heredoc {
            return self.literal();
        }
        let tag = self.fresh("TAG_");
        let interpolates = self.random.one_in(2);
        let header = match interpolates {
            true => format!("@(\"{tag}\")"),
            false => {
                let rest = self.random.pick(&["", "/", "/t", ":text", " : text /L$ "]);
                format!("@({tag}{rest})")
            }
        };
        self.put(&header);
        // The text is made apart: it goes below this line.
        let outer = std::mem::take(&mut self.out);
        let pending = std::mem::take(&mut self.heredocs);
        self.in_heredoc = true;
        for _ in 0..self.random.below(3) {
            self.put("    ");
            match interpolates {
                true => self.interpolated_text(0),
                false => self.choice(&["text", "$x ${y} \" ' {", "| END", "# no comment"]),
            }
            self.put("\n");
        }
        self.in_heredoc = false;
        let end = self.random.pick(&["    | ", "    |- ", "", "  - ", "  | - "]);
        self.put(end);
        self.put(&tag);
        self.put("\n");
        let text = std::mem::replace(&mut self.out, outer);
        self.heredocs = pending;
        self.heredocs.push(text);
    }

    // --- templates ---

    fn template(&mut self) {
        if self.random.one_in(2) {
            self.choice(&["<%- | ", "<% | "]);
            self.parameters(false, Maker::default_before_pipe);
            if self.out.ends_with("| ") {
                self.put("$p");
            }
            self.finish_line();
            self.choice(&[" | -%>", " | %>"]);
        }
        for _ in 0..1 + self.random.below(5) {
            self.choice(&["text\n", "  a\n  ", "\n", "<%# a comment %>", "<%% ", "x = "]);
            match self.random.below(5) {
                0 => {
                    self.put("<%= ");
                    self.expression_in_tag();
                    self.put(" %>");
                }
                1 => {
                    self.put("<%- ");
                    self.statement();
                    self.finish_line();
                    self.put(" -%>");
                }
                2 => {
                    self.put("<% if ");
                    self.condition();
                    self.put(" {");
                    self.finish_line();
                    self.put(" -%>\n  yes\n<% } else { %>no<% } -%>\n");
                }
                3 => {
                    self.put("<% $x.each |$y| { %>");
                    self.put("- <%= $y -%>\n<% } %>");
                }
                _ => {
                    self.put("<%=");
                    self.expression_in_tag();
                    self.put("-%>");
                }
            }
        }
        self.put("end");
    }

    fn expression_in_tag(&mut self) {
        self.expression();
        self.finish_line();
    }

    /// The texts of heredocs must not become text of the template.
    fn finish_line(&mut self) {
        if !self.heredocs.is_empty() {
            self.line_break();
        }
    }

    // --- plans ---

    fn plan(&mut self) {
        self.put("plan a::p");
        self.parameter_list(false);
        self.put(" ");
        self.block_with(|maker| {
            for _ in 0..1 + maker.random.below(3) {
                match maker.random.below(3) {
                    0 => {
                        maker.put("run_task('a::t', $targets, 'x' => ");
                        maker.expression();
                        maker.put(")");
                    }
                    1 => {
                        maker.choice(&["apply($targets", "$r = apply('all', '_catch' => true"]);
                        maker.put(") ");
                        maker.is_plan = false;
                        maker.block();
                        maker.is_plan = true;
                    }
                    _ => maker.statement(),
                }
                maker.line_break();
            }
            maker.choice(&["return $x", "return({ 'a' => 1 })"]);
        });
    }
}
