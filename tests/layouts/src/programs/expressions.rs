//! Expressions and their operands.

use super::{MAX_DEPTH, Maker};

impl Maker {
    /// Writes an expression at the start of a line, after a complete statement.
    pub(super) fn expression_at_start(&mut self) {
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

    pub(super) fn condition(&mut self) {
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

    pub(super) fn expression(&mut self) {
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

    pub(super) fn operand(&mut self) {
        match self.random.below(5) {
            // A `/` after `}` would start a regular expression.
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

    pub(super) fn binary(&mut self) {
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

    pub(super) fn variable(&mut self) {
        self.choice(&["$x", "$facts", "$a::b", "$::c", "$::a::b::c", "$_x", "$trusted['certname']"]);
    }

    pub(super) fn literal(&mut self) {
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

    pub(super) fn number(&mut self) {
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
}
