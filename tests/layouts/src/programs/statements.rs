//! Statements, calls and lambdas.

use super::{MAX_DEPTH, Maker};

impl Maker {
    pub(super) fn block(&mut self) {
        self.block_with(Maker::statements);
    }

    pub(super) fn block_with(&mut self, inner: impl FnOnce(&mut Maker)) {
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

    pub(super) fn statements(&mut self) {
        let count = 1 + self.random.below(3);
        for index in 0..count {
            if index > 0 {
                self.choice(&["", "", "", ";"]);
                self.line_break();
            }
            self.statement();
        }
    }

    /// Writes a block whose last expression has a value.
    pub(super) fn block_with_value(&mut self) {
        self.block_with(|maker| {
            maker.statements();
            maker.line_break();
            maker.expression_at_start();
        });
    }

    /// Writes a statement with an effect.
    pub(super) fn statement(&mut self) {
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

    pub(super) fn case_value(&mut self) {
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
        if self.is_plan {
            self.choice(&["notice ", "warning ", "fail ", "debug "])
        } else {
            self.choice(&["notice ", "include ", "contain ", "realize ", "require ", "tag "])
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

    pub(super) fn call_without_lambda(&mut self) {
        self.choice(&["a::f", "lookup", "merge", "Integer", "::b::g"]);
        self.put("(");
        self.list(0, 3, Maker::argument);
        self.put(")");
    }

    pub(super) fn call(&mut self) {
        self.call_without_lambda();
        if self.random.one_in(4) {
            self.put(" ");
            self.lambda();
        }
    }

    pub(super) fn argument(&mut self) {
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

    pub(super) fn lambda(&mut self) {
        self.put("|");
        self.parameters(true, Maker::default_before_pipe);
        self.put("|");
        if self.random.one_in(6) {
            self.return_type();
        }
        self.put(" ");
        self.block_with_value();
    }
}
