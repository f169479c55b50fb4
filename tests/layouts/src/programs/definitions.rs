//! Definitions: classes, defined types, nodes, functions, type aliases, and their parameters.

use super::{MAX_DEPTH, Maker};

impl Maker {
    pub(super) fn manifest(&mut self) {
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

    pub(super) fn return_type(&mut self) {
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

    pub(super) fn type_name(&mut self, anything: bool) {
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

    /// Writes a parameter list. `is_function`: required parameters first, and possibly a last one
    /// that captures the rest.
    pub(super) fn parameter_list(&mut self, is_function: bool) {
        self.put("(");
        self.parameters(is_function, Maker::expression);
        self.put(")");
    }

    pub(super) fn parameters(&mut self, is_function: bool, default: fn(&mut Maker)) {
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

    /// Writes a default that may precede `|`: after a call, the `|` would start a lambda.
    pub(super) fn default_before_pipe(&mut self) {
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
}
