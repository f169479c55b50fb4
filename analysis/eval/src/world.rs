//! A program with its type aliases resolved.

use codes::Code;
use std::cell::{Cell, RefCell};
use std::sync::Arc;

use hir::{Body, Expr, is_object_itself, may_stand_in_alias};
use operators::Failure;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use types::object::named_object;
use types::{IteratorValue, NamedType, Type, TypeEnvironment, Value};

use crate::error::Exit;
use crate::evaluator::Evaluator;
use crate::program::{MissingNameKind, Program, Unit};
use crate::settings::EvaluationSettings;

/// So many aliases are resolved within each other; what lies deeper is not known.
const MAX_NESTED: u32 = 100;

/// The name of a type has so many segments; what is longer is the name of none.
const MAX_SEGMENTS: usize = 100;

/// One level more, until it is dropped.
struct Nested<'c>(&'c Cell<u32>);

impl<'c> Nested<'c> {
    fn enter(count: &'c Cell<u32>) -> Nested<'c> {
        count.set(count.get() + 1);
        Nested(count)
    }
}

impl Drop for Nested<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

/// What stays the same during a run. Answers what the type system asks about names.
pub struct World<'p> {
    pub program: &'p dyn Program,
    pub settings: EvaluationSettings,
    named_types: RefCell<FxHashMap<SmolStr, Option<NamedType>>>,
    /// What names of types, as they are written, are worth; not those that nothing certain is known of.
    pub(crate) type_values: RefCell<FxHashMap<SmolStr, Value>>,
    /// So many aliases are being resolved, each because the one before names it.
    resolving: Cell<u32>,
    /// Of some aliases it is not known what they stand for, as they lie too deep.
    has_given_up: Cell<bool>,
    /// The aliases that certainly lead to a type, folded.
    aliases_of_types: RefCell<FxHashSet<SmolStr>>,
    /// The aliases that stand for nothing, and why.
    alias_failures: RefCell<FxHashMap<SmolStr, Failure>>,
    /// The first question about types that Puppet refuses to answer, and why.
    refusal: RefCell<Option<String>>,
    /// The iterators that were walked, and how much had been taken from them by then.
    pub(crate) walks: RefCell<Vec<(Arc<IteratorValue>, usize)>>,
}

impl<'p> World<'p> {
    pub fn new(program: &'p dyn Program, settings: EvaluationSettings) -> World<'p> {
        World {
            program,
            settings,
            named_types: RefCell::default(),
            type_values: RefCell::default(),
            resolving: Cell::new(0),
            has_given_up: Cell::new(false),
            aliases_of_types: RefCell::default(),
            alias_failures: RefCell::default(),
            refusal: RefCell::default(),
            walks: RefCell::default(),
        }
    }

    /// What evaluating `Foo::Bar` in source gives: a type, or `None` where nothing has that name.
    pub fn type_by_name(&self, name: &str) -> Option<Type> {
        if let Some(ty) = types::access::built_in_type(name) {
            // Alone, `TypeReference` stands for a type that is not there.
            return (!matches!(ty, Type::Reference(_))).then_some(ty);
        }
        if let Some(named) = self.named_type(name) {
            return Some(match named.ty {
                Type::Object(Some(ref object)) if object.name.as_ref() != Some(&named.name) => {
                    Type::Alias(named.name)
                }
                Type::Object(_) | Type::TypeSet(_) => named.ty,
                _ => Type::Alias(named.name),
            });
        }
        None
    }

    /// Why an alias stands for nothing; `None` where it stands for something.
    pub(crate) fn alias_failure(&self, name: &str) -> Option<Failure> {
        let failures = self.alias_failures.borrow();
        if failures.is_empty() { None } else { failures.get(&hir::fold_name(name)).cloned() }
    }

    /// Is it a reference to several resources, or is an array in it where none may be? No alias may stand for that.
    fn names_several(&self, body: &Body, expr: &Expr) -> bool {
        let Expr::Access { lhs, keys } = expr else { return false };
        let Expr::TypeReference(name) = &body[*lhs] else { return false };
        if hir::writes_array_as_parameter(&body.exprs, expr) {
            return true;
        }
        let is_resource_type = || match types::access::built_in_type(name) {
            Some(ty) => matches!(ty, Type::Class(_)),
            None => self.program.resource_type_exists(&hir::fold_name(name)),
        };
        keys.len() > 1 && is_resource_type()
    }

    /// What an alias stands for, or why for nothing if that is known.
    fn resolved_alias(&self, unit: &Arc<Unit>, key: &SmolStr) -> Result<Type, Option<Failure>> {
        let declared = unit.name.clone();
        let mut evaluator = Evaluator::new(self);
        let computed =
            unit.body.exprs.iter().any(|(_, expr)| {
                !may_stand_in_alias(&unit.body, expr) || self.names_several(&unit.body, expr)
            });
        let alias = match computed {
            true => {
                let message = format!("the type alias {declared} holds something that has to be worked out");
                let root = crate::error::ExprPlace { unit: unit.id, expr: unit.body.root };
                Err(evaluator.error_at(root, Failure::new(Code::IllegalExpression, message)))
            }
            false => evaluator.evaluate_alias(unit),
        };
        match alias {
            Ok(Value::Type(_)) if hir::writes_init_of_any_array(&unit.body.exprs, unit.body.root) => {
                Err(Some(Failure::new(Code::RuntimeError, types::common::NO_SIMPLEST_FORM)))
            }
            Ok(Value::Type(ty)) => match types::common::alias_type(&ty, self) {
                Ok(ty) => {
                    let mut walk = AliasWalk { seen: vec![key.clone()], ..AliasWalk::default() };
                    let is_written = is_object_itself(&unit.body);
                    match self.leads_to_a_type(&ty, &mut walk) {
                        true => Ok(named_object(self.without_itself(ty, &declared), &declared, is_written)),
                        false => Err(Some(unresolvable(&declared))),
                    }
                }
                Err(why) => Err(Some(Failure::new(Code::RuntimeError, why))),
            },
            Err(Exit::Error(error)) if !error.is_silent => Err(Some(Failure::new(error.code, error.message))),
            _ => Err(None),
        }
    }

    /// What is left of an alias that is one of its own alternatives.
    fn without_itself(&self, ty: Type, alias: &SmolStr) -> Type {
        let Type::Variant(alternatives) = &ty else { return ty };
        let is_itself = |ty: &Type| matches!(ty, Type::Alias(name) if name.eq_ignore_ascii_case(alias));
        if !alternatives.iter().any(is_itself) {
            return ty;
        }
        let leads = |ty: &&Type| !is_itself(ty) && self.leads_to_a_type(ty, &mut AliasWalk::default());
        let real: Vec<Type> = alternatives.iter().filter(leads).cloned().collect();
        if let [single] = real.as_slice() { single.clone() } else { Type::variant(real) }
    }

    /// Does an alias lead to something else than aliases?
    fn leads_to_a_type(&self, ty: &Type, walk: &mut AliasWalk) -> bool {
        match ty {
            Type::Alias(name) => {
                let key: SmolStr = hir::fold_name(name);
                if !walk.recurs && self.aliases_of_types.borrow().contains(&key) {
                    return true;
                }
                if walk.seen.contains(&key) {
                    walk.recurs = true;
                    return false;
                }
                if walk.recurs && types::assign::leads_to_itself(name, self) {
                    return false;
                }
                let named = self.named_types.borrow().get(&key).cloned().flatten();
                walk.seen.push(key.clone());
                let leads = match named {
                    Some(named) => self.leads_to_a_type(&named.ty, walk),
                    None => {
                        walk.is_open = true;
                        true
                    }
                };
                let is_certain = leads && !walk.recurs && !walk.is_open;
                if is_certain {
                    self.aliases_of_types.borrow_mut().insert(key);
                }
                leads
            }
            // It may be one that is being resolved.
            Type::Reference(_) => {
                walk.is_open = true;
                true
            }
            // They recur themselves.
            Type::Data | Type::RichData | Type::RichDataKey => !walk.recurs,
            Type::Variant(alternatives) => alternatives.iter().any(|it| self.leads_to_a_type(it, walk)),
            _ => true,
        }
    }
}

/// The way along aliases.
#[derive(Default)]
struct AliasWalk {
    seen: Vec<SmolStr>,
    /// Was one met again? From there on Puppet looks into no type that recurs.
    recurs: bool,
    /// Was one met of which it is not known yet what it stands for?
    is_open: bool,
}

/// What a name means below that of a type set.
enum SetMember {
    /// `None` when there is no such set, or it has no such type.
    Known(Option<NamedType>),
    /// The set is being evaluated.
    UnderWay,
}

impl World<'_> {
    /// The type that a name below the name of a type set of a module means.
    fn type_of_set(&self, name: &str) -> SetMember {
        let mut outer = name;
        if name.split("::").nth(MAX_SEGMENTS).is_some() {
            return SetMember::Known(None);
        }
        while let Some((set, _)) = outer.rsplit_once("::") {
            outer = set;
            if !self.program.is_alias_of_module(set) {
                continue;
            }
            let inner = &name[set.len() + 2..];
            return match self.named_type(set) {
                Some(NamedType { ty: Type::Reference(_), .. }) => SetMember::UnderWay,
                Some(NamedType { name: set_name, ty: Type::TypeSet(Some(set)) }) => {
                    let own = set.types.iter().map(|(it, _)| it).find(|it| it.eq_ignore_ascii_case(inner));
                    let full: SmolStr = format!("{set_name}::{}", own.map_or(inner, |it| it)).into();
                    let ty = types::object::type_set_member(&set, inner, self);
                    SetMember::Known(
                        ty.map(|ty| NamedType { ty: named_object(ty, &full, false), name: full }),
                    )
                }
                _ => SetMember::Known(None),
            };
        }
        SetMember::Known(None)
    }

    /// The full name of a type that the alias `set`, a type set of a module, has by the plain name `name`.
    pub(crate) fn name_in_set(&self, set: &crate::program::Unit, name: &str) -> Option<SmolStr> {
        if !self.program.is_alias_of_module(&hir::fold_name(&set.name)) {
            return None;
        }
        let mut members = hir::type_set_members(&set.body.exprs, set.body.root).into_iter();
        let (own, _) = members.find(|(it, _)| it.eq_ignore_ascii_case(name))?;
        Some(format!("{}::{own}", set.name).into())
    }
}

impl TypeEnvironment for World<'_> {
    fn note_walk(&self, iterator: &Arc<IteratorValue>) {
        self.walks.borrow_mut().push((iterator.clone(), iterator.taken.count()));
    }

    fn note_refusal(&self, why: String) {
        self.refusal.borrow_mut().get_or_insert(why);
    }

    fn take_refusal(&self) -> Option<String> {
        self.refusal.borrow_mut().take()
    }

    fn named_type(&self, name: &str) -> Option<NamedType> {
        if let Some(known) = self.named_types.borrow().get(name) {
            return known.clone();
        }
        let key: SmolStr = hir::fold_name(name);
        if let Some(known) = self.named_types.borrow().get(&key) {
            return known.clone();
        }
        // As it is written, too: most names are asked for again and again.
        let remember = |named: &NamedType| {
            let names = [key.clone(), name.into()];
            self.named_types.borrow_mut().extend(names.map(|it| (it, Some(named.clone()))));
        };
        if let Some(built_in) = types::object::built_in_named_type(&key) {
            remember(&built_in);
            return Some(built_in);
        }
        let Some(unit) = self.program.type_alias(&key) else {
            return match self.type_of_set(&key) {
                SetMember::UnderWay => None,
                SetMember::Known(found) => {
                    self.named_types.borrow_mut().insert(key, found.clone());
                    found
                }
            };
        };
        // While it is being resolved its name stands for itself.
        let declared = unit.name.clone();
        if let Some(ty) = self.program.closed_alias(&unit) {
            let named = NamedType {
                name: declared.clone(),
                ty: named_object((*ty).clone(), &declared, is_object_itself(&unit.body)),
            };
            remember(&named);
            return Some(named);
        }
        let unresolved = NamedType { name: declared.clone(), ty: Type::Reference(declared.clone()) };
        if self.resolving.get() >= MAX_NESTED || self.program.lies_too_deep(unit.id) {
            self.has_given_up.set(true);
            self.named_types.borrow_mut().insert(key, Some(unresolved.clone()));
            return Some(unresolved);
        }
        let _resolving = Nested::enter(&self.resolving);
        self.named_types.borrow_mut().insert(key.clone(), Some(unresolved));
        let resolved = self.resolved_alias(&unit, &key);
        let ty = resolved.unwrap_or_else(|failure| {
            self.alias_failures.borrow_mut().extend(failure.map(|failure| (key.clone(), failure)));
            Type::Reference(declared.clone())
        });
        let named = NamedType { name: declared, ty };
        self.named_types.borrow_mut().insert(key, Some(named.clone()));
        Some(named)
    }

    fn knows_all_names(&self) -> bool {
        !self.has_given_up.get() && !self.program.may_define(MissingNameKind::Type, "")
    }

    fn resource_type_exists(&self, name: &str) -> bool {
        self.program.resource_type_exists(&hir::fold_name(name))
    }
}

fn unresolvable(alias: &str) -> Failure {
    let message = format!("the type alias {alias} leads to nothing but type aliases");
    Failure::new(Code::UnresolvableAlias, message)
}
