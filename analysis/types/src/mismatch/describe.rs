//! Locations of mismatches within a value.

use super::{actual_value_text, expectation_text, expected_text, expects_and_got, range_text, size_text};
use crate::assign::{is_assignable, unfold_alias};
use crate::environment::TypeEnvironment;
use crate::ty::{ArrayType, CallableType, HashType, IntegerRange, StructKey, StructMember, TupleType, Type};

/// Maximum number of problems reported per value.
const PROBLEM_LIMIT: usize = 12;
const DEPTH_LIMIT: u32 = 64;
/// Maximum number of types that are visited.
const STEP_LIMIT: u32 = 2_000;

/// Problem at a path within a value.
pub(super) struct DescribedMismatch {
    /// Path to the problem, outermost segment first: `entry 'a'`, `element 2`.
    path: Vec<String>,
    wrong: Wrong,
}

/// Kind of problem.
enum Wrong {
    /// Mismatched expectation: `expects an Integer value, got Undef`.
    Expects(String),
    /// Any other problem, as a complete sentence.
    Fault(String),
}

impl DescribedMismatch {
    /// Formats the problem with an optional subject before the path: `subject, entry 'a' expects ...`.
    pub(super) fn text_of(&self, subject: &str) -> String {
        let subject = (!subject.is_empty()).then_some(subject);
        let path: Vec<&str> = subject.into_iter().chain(self.path.iter().map(String::as_str)).collect();
        match (&self.wrong, path.is_empty()) {
            (Wrong::Expects(text) | Wrong::Fault(text), true) => text.clone(),
            (Wrong::Expects(text), false) => format!("{} {text}", path.join(", ")),
            (Wrong::Fault(text), false) => format!("{}: {text}", path.join(", ")),
        }
    }

    fn is_inside(&self, depth: usize) -> bool {
        self.path.len() > depth
    }
}

/// Returns the problems of a value of the type `actual`, or none if it matches.
pub(super) fn mismatches(
    expected: &Type,
    actual: &Type,
    env: &dyn TypeEnvironment,
) -> Vec<DescribedMismatch> {
    let mut describer = Describer { env, path: Vec::new(), mismatches: Vec::new(), depth: 0, steps: 0 };
    describer.check(expected, expected, actual);
    describer.mismatches
}

struct Describer<'env> {
    env: &'env dyn TypeEnvironment,
    path: Vec<String>,
    mismatches: Vec<DescribedMismatch>,
    depth: u32,
    steps: u32,
}

impl Describer<'_> {
    fn takes(&self, expected: &Type, actual: &Type) -> bool {
        is_assignable(expected, actual, self.env)
    }

    fn add(&mut self, wrong: Wrong) {
        if self.mismatches.len() < PROBLEM_LIMIT {
            self.mismatches.push(DescribedMismatch { path: self.path.clone(), wrong });
        }
    }

    fn fault(&mut self, text: String) {
        self.add(Wrong::Fault(text));
    }

    fn expects(&mut self, wanted: &str, got: &str) {
        self.add(Wrong::Expects(expects_and_got(wanted, got)));
    }

    fn mismatch(&mut self, shown: &Type, actual: &Type) {
        self.expects(&expectation_text(shown, self.env), &actual_value_text(shown, actual, self.env));
    }

    fn at(&mut self, path: String, expected: &Type, actual: &Type) {
        self.path.push(path);
        self.check(expected, expected, actual);
        self.path.pop();
    }

    /// Checks `actual` against `expected`. `shown` is the type to show in messages: the alias that led to
    /// `expected`.
    fn check(&mut self, expected: &Type, shown: &Type, actual: &Type) {
        if self.mismatches.len() >= PROBLEM_LIMIT || self.takes(expected, actual) {
            return;
        }
        self.steps += 1;
        if self.depth >= DEPTH_LIMIT || self.steps > STEP_LIMIT {
            return self.mismatch(shown, actual);
        }
        self.depth += 1;
        self.check_kind(expected, shown, actual);
        self.depth -= 1;
    }

    /// Checks `actual` by the kind of `expected`.
    fn check_kind(&mut self, expected: &Type, shown: &Type, actual: &Type) {
        if let Type::Reference(name) = expected {
            return self.fault(format!("unknown data type `{name}`"));
        }
        match (expected, actual) {
            (Type::Alias(_) | Type::Data | Type::RichData | Type::RichDataKey, _) => {
                match unfold_alias(expected, self.env) {
                    Some(unfolded @ (Type::Alias(_) | Type::Reference(_))) if unfolded == *expected => {
                        self.mismatch(shown, actual);
                    }
                    Some(unfolded) => self.unfolded(&unfolded, shown, actual),
                    None => self.fault(format!("unknown data type `{}`", expected_text(expected, self.env))),
                }
            }
            (Type::Optional(Some(inner)), _) => match (&**inner, shown) {
                (_, shown) if is_name(shown) => self.check(inner, shown, actual),
                _ => self.optional(inner, shown, actual),
            },
            (Type::NotUndef(Some(_)), Type::Undef) => self.expects("a value", "Undef"),
            (Type::NotUndef(None), _) => self.expects("a value", "Undef"),
            (Type::NotUndef(Some(inner)), _) => self.check(inner, shown, actual),
            (Type::Variant(types), _) => self.variant(types, shown, actual),
            (Type::Array(expected), Type::Tuple(actual_tuple)) => self.array(expected, actual_tuple),
            (Type::Array(expected), Type::Array(array)) if !expected.size.includes(array.size) => {
                self.size(expected.size, array.size);
            }
            (Type::Tuple(expected), Type::Tuple(tuple)) => self.tuple(expected, tuple),
            (Type::Tuple(expected), Type::Array(array)) if !expected.size().includes(array.size) => {
                self.size(expected.size(), array.size);
            }
            (Type::Hash(expected), Type::Struct(members)) => self.hash(expected, members),
            (Type::Hash(expected), Type::Hash(hash)) if !expected.size.includes(hash.size) => {
                self.size(expected.size, hash.size);
            }
            (Type::Struct(expected), Type::Struct(members)) => self.structs(expected, members),
            (Type::Struct(expected), Type::Hash(hash)) => {
                self.struct_from_hash(expected, hash, shown, actual)
            }
            (Type::Sensitive(Some(inner)), Type::Sensitive(Some(given))) => {
                self.at("what is sensitive".to_owned(), inner, given);
            }
            (Type::Callable(expected), Type::Callable(given)) => {
                self.callable(expected, given, shown, actual)
            }
            (Type::String(_), Type::LiteralString(text)) => {
                let got = actual_value_text(shown, actual, self.env);
                let length = match text.chars().count() {
                    0 => String::new(),
                    1 => " (1 character)".to_owned(),
                    count => format!(" ({count} characters)"),
                };
                self.expects(&expectation_text(shown, self.env), &(got + &length));
            }
            _ => self.mismatch(shown, actual),
        }
    }

    /// Checks the target of an alias. The name of the alias is more useful in a message than its target,
    /// unless the problem is nested more deeply.
    fn unfolded(&mut self, unfolded: &Type, shown: &Type, actual: &Type) {
        let shown = if is_name(shown) { shown } else { unfolded };
        self.check(unfolded, shown, actual);
    }

    fn optional(&mut self, inner: &Type, shown: &Type, actual: &Type) {
        let found = self.collect_mismatches(|this| this.check(inner, inner, actual));
        if found.iter().any(|mismatch| mismatch.is_inside(self.path.len())) {
            self.mismatches.extend(found);
        } else {
            self.mismatch(shown, actual);
        }
    }

    /// Runs `check` and returns its problems without recording them.
    fn collect_mismatches(&mut self, check: impl FnOnce(&mut Self)) -> Vec<DescribedMismatch> {
        let before = std::mem::take(&mut self.mismatches);
        check(self);
        std::mem::replace(&mut self.mismatches, before)
    }

    /// Checks a variant. If a mismatch is nested in `actual` for exactly one alternative, reports its
    /// problems; otherwise lists all alternatives.
    fn variant(&mut self, types: &[Type], shown: &Type, actual: &Type) {
        let mut closest: Vec<Vec<DescribedMismatch>> = Vec::new();
        for ty in types {
            let found = self.collect_mismatches(|this| this.check(ty, ty, actual));
            let is_inside =
                !found.is_empty() && found.iter().all(|mismatch| mismatch.is_inside(self.path.len()));
            if is_inside {
                closest.push(found);
            }
        }
        if closest.len() == 1 {
            return self.mismatches.extend(closest.remove(0));
        }
        if is_name(shown) {
            return self.mismatch(shown, actual);
        }
        let wanted = super::value_of_types(types, self.env);
        self.expects(&wanted, &actual_value_text(shown, actual, self.env));
    }

    fn array(&mut self, expected: &ArrayType, actual: &TupleType) {
        if !expected.size.includes(actual.size()) {
            return self.size(expected.size, actual.size());
        }
        for (index, ty) in actual.types.iter().enumerate() {
            self.at(format!("element {index}"), &expected.element, ty);
        }
    }

    fn tuple(&mut self, expected: &TupleType, actual: &TupleType) {
        if !expected.size().includes(actual.size()) {
            return self.size(expected.size(), actual.size());
        }
        for (index, ty) in actual.types.iter().enumerate() {
            if let Some(expected) = expected.element(index) {
                self.at(format!("element {index}"), expected, ty);
            }
        }
    }

    fn hash(&mut self, expected: &HashType, members: &[StructMember]) {
        let size = IntegerRange::of_struct(members);
        if !expected.size.includes(size) {
            return self.size(expected.size, size);
        }
        for member in members {
            let name = crate::text::quoted(&member.name);
            self.at(format!("key {name}"), &expected.key, &Type::LiteralString(member.name.clone()));
            self.at(format!("entry {name}"), &expected.value, &member.value);
        }
    }

    fn structs(&mut self, expected: &[StructMember], actual: &[StructMember]) {
        for wanted in expected {
            match actual.iter().find(|given| given.name == wanted.name) {
                None if wanted.key == StructKey::Optional => {}
                Some(given) if wanted.key == StructKey::Optional || given.key == StructKey::Required => {
                    self.at(
                        format!("entry {}", crate::text::quoted(&wanted.name)),
                        &wanted.value,
                        &given.value,
                    );
                }
                given => {
                    let state = if given.is_some() { ", which may be missing" } else { "" };
                    let (name, ty) =
                        (crate::text::quoted(&wanted.name), expected_text(&wanted.value, self.env));
                    self.add(Wrong::Expects(format!("expects a value for key {name} ({ty}){state}")));
                }
            }
        }
        let is_known = |given: &&StructMember| expected.iter().any(|wanted| wanted.name == given.name);
        let unknown: Vec<&StructMember> = actual.iter().filter(|given| !is_known(given)).collect();
        for given in unknown {
            let known: Vec<String> =
                expected.iter().map(|wanted| crate::text::quoted(&wanted.name)).collect();
            let known = if known.is_empty() {
                "no key is".to_owned()
            } else {
                super::shortened(format!("known: {}", known.join(", ")))
            };
            self.fault(format!("unrecognized key {} ({known})", crate::text::quoted(&given.name)));
        }
    }

    fn struct_from_hash(&mut self, expected: &[StructMember], hash: &HashType, shown: &Type, actual: &Type) {
        let size = IntegerRange::of_struct(expected);
        if hash.size.max == 0 {
            return self.structs(expected, &[]);
        }
        if size.includes(hash.size) { self.mismatch(shown, actual) } else { self.size(size, hash.size) }
    }

    fn callable(&mut self, expected: &CallableType, given: &CallableType, shown: &Type, actual: &Type) {
        let returns_differ = expected
            .returns
            .as_ref()
            .is_some_and(|wanted| !self.takes(wanted, given.returns.as_ref().unwrap_or(&Type::Any)));
        match (&expected.parameters, &given.parameters) {
            (Some(wanted), Some(taken)) if !taken.size().includes(wanted.size()) => {
                let (wanted, taken) = (range_text(wanted.size()), range_text(taken.size()));
                self.fault(format!("it is called with {wanted} arguments, but takes {taken}"));
            }
            _ if returns_differ => {
                let wanted = expected.returns.as_ref().unwrap_or(&Type::Any);
                self.at("return value".to_owned(), wanted, given.returns.as_ref().unwrap_or(&Type::Any));
            }
            _ => self.mismatch(shown, actual),
        }
    }

    fn size(&mut self, expected: IntegerRange, actual: IntegerRange) {
        let actual =
            if actual == IntegerRange::SIZE { "an unknown number".to_owned() } else { range_text(actual) };
        self.expects(&format!("size to be {}", size_text(expected)), &actual);
    }
}

/// Returns true if the type is best shown by its name alone.
fn is_name(ty: &Type) -> bool {
    matches!(ty, Type::Alias(_) | Type::Data | Type::RichData | Type::RichDataKey)
}
