//! Where in a value it does not fit.

use super::{expected_text, expects_and_got, given_text, range_text, size_text, wanted_text};
use crate::assign::{is_assignable, unfold_alias};
use crate::environment::TypeEnvironment;
use crate::ty::{ArrayType, CallableType, HashType, IntegerRange, StructKey, StructMember, TupleType, Type};

/// So many problems are told of one value.
const PROBLEM_LIMIT: usize = 12;
const DEPTH_LIMIT: u32 = 64;
/// So many types are looked at.
const STEP_LIMIT: u32 = 2_000;

/// A place in a value, and what is wrong there.
pub(super) struct DescribedMismatch {
    /// `entry 'a'`, `element 2`; the outermost first.
    place: Vec<String>,
    wrong: Wrong,
}

/// What is said of a place.
enum Wrong {
    /// What it expects: `expects an Integer value, got Undef`.
    Expects(String),
    /// What is the matter there, a sentence of its own.
    Fault(String),
}

impl DescribedMismatch {
    /// With a subject in front of the place, if there is one: `subject, entry 'a' expects ...`.
    pub(super) fn text_of(&self, subject: &str) -> String {
        let subject = (!subject.is_empty()).then_some(subject);
        let place: Vec<&str> = subject.into_iter().chain(self.place.iter().map(String::as_str)).collect();
        match (&self.wrong, place.is_empty()) {
            (Wrong::Expects(text) | Wrong::Fault(text), true) => text.clone(),
            (Wrong::Expects(text), false) => format!("{} {text}", place.join(", ")),
            (Wrong::Fault(text), false) => format!("{}: {text}", place.join(", ")),
        }
    }

    fn is_inside(&self, depth: usize) -> bool {
        self.place.len() > depth
    }
}

/// What is wrong with a value of the type `actual`; nothing when it fits.
pub(super) fn mismatches(
    expected: &Type,
    actual: &Type,
    env: &dyn TypeEnvironment,
) -> Vec<DescribedMismatch> {
    let mut describer = Describer { env, place: Vec::new(), mismatches: Vec::new(), depth: 0, steps: 0 };
    describer.check(expected, expected, actual);
    describer.mismatches
}

struct Describer<'env> {
    env: &'env dyn TypeEnvironment,
    place: Vec<String>,
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
            self.mismatches.push(DescribedMismatch { place: self.place.clone(), wrong });
        }
    }

    fn fault(&mut self, text: String) {
        self.add(Wrong::Fault(text));
    }

    fn expects(&mut self, wanted: &str, got: &str) {
        self.add(Wrong::Expects(expects_and_got(wanted, got)));
    }

    fn mismatch(&mut self, shown: &Type, actual: &Type) {
        self.expects(&wanted_text(shown, self.env), &given_text(shown, actual, self.env));
    }

    fn at(&mut self, place: String, expected: &Type, actual: &Type) {
        self.place.push(place);
        self.check(expected, expected, actual);
        self.place.pop();
    }

    /// `shown` is how people know `expected`: the alias that led to it.
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

    /// What is wrong is looked for by what `expected` is.
    fn check_kind(&mut self, expected: &Type, shown: &Type, actual: &Type) {
        if let Type::Reference(name) = expected {
            return self.fault(format!("the type {name} cannot be found"));
        }
        match (expected, actual) {
            (Type::Alias(_) | Type::Data | Type::RichData | Type::RichDataKey, _) => {
                match unfold_alias(expected, self.env) {
                    Some(unfolded @ (Type::Alias(_) | Type::Reference(_))) if unfolded == *expected => {
                        self.mismatch(shown, actual);
                    }
                    Some(unfolded) => self.unfolded(&unfolded, shown, actual),
                    None => {
                        self.fault(format!("the type {} cannot be found", expected_text(expected, self.env)))
                    }
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
                let got = given_text(shown, actual, self.env);
                let length = match text.chars().count() {
                    0 => String::new(),
                    1 => " (1 character)".to_owned(),
                    count => format!(" ({count} characters)"),
                };
                self.expects(&wanted_text(shown, self.env), &(got + &length));
            }
            _ => self.mismatch(shown, actual),
        }
    }

    /// Inside an alias: its name is more useful than its content, unless the problem lies deeper.
    fn unfolded(&mut self, unfolded: &Type, shown: &Type, actual: &Type) {
        let shown = if is_name(shown) { shown } else { unfolded };
        self.check(unfolded, shown, actual);
    }

    fn optional(&mut self, inner: &Type, shown: &Type, actual: &Type) {
        let found = self.apart(|this| this.check(inner, inner, actual));
        if found.iter().any(|mismatch| mismatch.is_inside(self.place.len())) {
            self.mismatches.extend(found);
        } else {
            self.mismatch(shown, actual);
        }
    }

    /// What `check` finds, without keeping it.
    fn apart(&mut self, check: impl FnOnce(&mut Self)) -> Vec<DescribedMismatch> {
        let before = std::mem::take(&mut self.mismatches);
        check(self);
        std::mem::replace(&mut self.mismatches, before)
    }

    /// When one alternative fits from outside, the problem is what is wrong inside it; otherwise all are named.
    fn variant(&mut self, types: &[Type], shown: &Type, actual: &Type) {
        let mut closest: Vec<Vec<DescribedMismatch>> = Vec::new();
        for ty in types {
            let found = self.apart(|this| this.check(ty, ty, actual));
            let is_inside =
                !found.is_empty() && found.iter().all(|mismatch| mismatch.is_inside(self.place.len()));
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
        self.expects(&wanted, &given_text(shown, actual, self.env));
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

/// Is it known to people by its name alone?
fn is_name(ty: &Type) -> bool {
    matches!(ty, Type::Alias(_) | Type::Data | Type::RichData | Type::RichDataKey)
}
