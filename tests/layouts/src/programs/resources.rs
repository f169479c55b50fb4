//! Resources, their defaults and overrides, collectors, relationships.

use super::{MAX_DEPTH, Maker};

impl Maker {
    pub(super) fn resource(&mut self) {
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

    pub(super) fn space_or_break(&mut self) {
        if self.random.one_in(4) { self.put(" ") } else { self.line_break() }
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

    pub(super) fn class_resource(&mut self) {
        self.put("class { ");
        self.choice(&["'a::b'", "a", "['c', 'd']", "\"${x}::y\""]);
        self.put(":");
        self.attributes(false);
        self.space_or_break();
        self.put("}");
    }

    pub(super) fn resource_default_or_override(&mut self) {
        let is_override = self.random.one_in(2);
        if is_override {
            self.choice(&["File['/a']", "A::B[$x, 'y']", "Class['a']"])
        } else {
            self.choice(&["File", "A::B"])
        }
        self.put(" {");
        self.attributes(is_override);
        self.space_or_break();
        self.put("}");
    }

    pub(super) fn collector(&mut self) {
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

    pub(super) fn relationship(&mut self) {
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
}
