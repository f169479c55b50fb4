//! Program with its type aliases resolved.

use codes::Code;
use std::cell::{Cell, RefCell};
use std::sync::Arc;

use hir::{Body, Expr, is_allowed_in_alias, is_object_type};
use operators::Failure;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use types::object::named_object;
use types::{IteratorValue, NamedType, Type, TypeEnvironment, Value};

use crate::error::Exit;
use crate::evaluator::Evaluator;
use crate::program::{MissingNameKind, Program, Unit};
use crate::settings::EvaluationSettings;

/// Maximum nesting depth of alias resolution; deeper aliases are unknown.
const MAX_NESTED: u32 = 100;

/// Maximum number of segments in the name of a type; a longer name resolves to nothing.
const MAX_SEGMENTS: usize = 100;

/// Predefined types that a type alias may replace, since Puppet loads them on demand.
pub(crate) const REPLACEABLE_TYPES: &[&str] = &["error", "task"];

/// Guard that holds one level of nesting until it is dropped.
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

/// State that stays the same during a run. Resolves names for the type system.
pub struct World<'p> {
    pub program: &'p dyn Program,
    pub settings: EvaluationSettings,
    named_types: RefCell<FxHashMap<SmolStr, Option<NamedType>>>,
    /// Values of type names as written, except those that are uncertain.
    pub(crate) type_values: RefCell<FxHashMap<SmolStr, Value>>,
    /// Nesting depth of the aliases being resolved.
    resolving: Cell<u32>,
    /// True if some aliases are unknown because they are nested too deeply.
    has_given_up: Cell<bool>,
    /// Folded names of the aliases that certainly resolve to a type.
    aliases_of_types: RefCell<FxHashSet<SmolStr>>,
    /// Reasons for aliases that resolve to nothing.
    alias_failures: RefCell<FxHashMap<SmolStr, Failure>>,
    /// Reason for the first type query that Puppet refuses to answer.
    refusal: RefCell<Option<String>>,
    /// Iterators that were advanced, with their positions before that.
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

    /// Returns the type that evaluating `Foo::Bar` in source gives, or `None` if nothing has that name.
    pub fn type_by_name(&self, name: &str) -> Option<Type> {
        if let Some(ty) = types::access::built_in_type(name) {
            // On its own, `TypeReference` denotes a type that does not exist.
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

    /// Returns the reason that an alias resolves to nothing; `None` if it resolves to a type.
    pub(crate) fn alias_failure(&self, name: &str) -> Option<Failure> {
        let failures = self.alias_failures.borrow();
        if failures.is_empty() { None } else { failures.get(&hir::fold_name(name)).cloned() }
    }

    /// Returns true for a reference to several resources, or an array in an invalid position: an alias cannot
    /// denote either.
    fn names_several(&self, body: &Body, expr: &Expr) -> bool {
        let Expr::Access { lhs, keys } = expr else { return false };
        let Expr::TypeReference(name) = &body[*lhs] else { return false };
        if hir::has_array_parameter(&body.exprs, expr) {
            return true;
        }
        let is_resource_type = || match types::access::built_in_type(name) {
            Some(ty) => matches!(ty, Type::Class(_)),
            None => self.program.resource_type_exists(&hir::fold_name(name)),
        };
        keys.len() > 1 && is_resource_type()
    }

    /// Resolves an alias. The error is the reason for failure, if it is known.
    fn resolved_alias(&self, unit: &Arc<Unit>, key: &SmolStr) -> Result<Type, Option<Failure>> {
        let declared = unit.name.clone();
        let mut evaluator = Evaluator::new(self);
        let computed =
            unit.body.exprs.iter().any(|(_, expr)| {
                !is_allowed_in_alias(&unit.body, expr) || self.names_several(&unit.body, expr)
            });
        let alias = if computed {
            let message = format!("type alias `{declared}` contains an expression that is not a type");
            let root = crate::error::ExprPlace { unit: unit.id, expr: unit.body.root };
            Err(evaluator.error_at(root, Failure::new(Code::IllegalExpression, message)))
        } else {
            evaluator.evaluate_alias(unit)
        };
        match alias {
            Ok(Value::Type(_)) if hir::contains_init_of_any_array(&unit.body.exprs, unit.body.root) => {
                Err(Some(Failure::new(Code::RuntimeError, types::common::NO_SIMPLEST_FORM)))
            }
            Ok(Value::Type(ty)) => match types::common::alias_type(&ty, self) {
                Ok(ty) => {
                    let mut walk = AliasWalk { seen: vec![key.clone()], ..AliasWalk::default() };
                    let is_written = is_object_type(&unit.body);
                    if self.resolves_to_type(&ty, &mut walk) {
                        Ok(named_object(self.without_itself(ty, &declared), &declared, is_written))
                    } else {
                        Err(Some(unresolvable(&declared)))
                    }
                }
                Err(why) => Err(Some(Failure::new(Code::RuntimeError, why))),
            },
            Err(Exit::Error(error)) if !error.is_silent => Err(Some(Failure::new(error.code, error.message))),
            _ => Err(None),
        }
    }

    /// Removes an alias from its own alternatives.
    fn without_itself(&self, ty: Type, alias: &SmolStr) -> Type {
        let Type::Variant(alternatives) = &ty else { return ty };
        let is_itself = |ty: &Type| matches!(ty, Type::Alias(name) if name.eq_ignore_ascii_case(alias));
        if !alternatives.iter().any(is_itself) {
            return ty;
        }
        let leads = |ty: &&Type| !is_itself(ty) && self.resolves_to_type(ty, &mut AliasWalk::default());
        let real: Vec<Type> = alternatives.iter().filter(leads).cloned().collect();
        if let [single] = real.as_slice() { single.clone() } else { Type::variant(real) }
    }

    /// Returns true if a chain of aliases ends in something other than an alias.
    fn resolves_to_type(&self, ty: &Type, walk: &mut AliasWalk) -> bool {
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
                if walk.recurs && types::assign::is_recursive_alias(name, self) {
                    return false;
                }
                let named = self.named_types.borrow().get(&key).cloned().flatten();
                walk.seen.push(key.clone());
                let leads = match named {
                    Some(named) => self.resolves_to_type(&named.ty, walk),
                    None => {
                        walk.is_incomplete = true;
                        true
                    }
                };
                let is_certain = leads && !walk.recurs && !walk.is_incomplete;
                if is_certain {
                    self.aliases_of_types.borrow_mut().insert(key);
                }
                leads
            }
            // It may be an alias that is being resolved.
            Type::Reference(_) => {
                walk.is_incomplete = true;
                true
            }
            // These types are recursive themselves.
            Type::Data | Type::RichData | Type::RichDataKey => !walk.recurs,
            Type::Variant(alternatives) => alternatives.iter().any(|it| self.resolves_to_type(it, walk)),
            _ => true,
        }
    }
}

/// State of a walk along aliases.
#[derive(Default)]
struct AliasWalk {
    seen: Vec<SmolStr>,
    /// True once an alias has been seen again. From there on, Puppet does not look into recursive types.
    recurs: bool,
    /// True once an alias has been seen whose resolution is not finished.
    is_incomplete: bool,
}

/// Result of a lookup below the name of a type set.
enum SetMember {
    /// `None` if there is no such type set, or it has no such type.
    Known(Option<NamedType>),
    /// The type set is being evaluated, or has not been used so far.
    Unresolved,
}

impl World<'_> {
    /// Returns the type for a name below that of a module's type set.
    fn type_of_set(&self, name: &str) -> SetMember {
        let mut outer = name;
        if name.split("::").nth(MAX_SEGMENTS).is_some() {
            return SetMember::Known(None);
        }
        while let Some((set, _)) = outer.rsplit_once("::") {
            outer = set;
            let resolved = if self.program.is_alias_of_module(set) {
                self.named_type(set)
            } else if self.program.type_alias(set).is_some() {
                // A type of a type set that is not the module's main one resolves only after the set itself has been resolved.

                match self.named_types.borrow().get(set).cloned().flatten() {
                    Some(resolved) => Some(resolved),
                    None => return SetMember::Unresolved,
                }
            } else {
                continue;
            };
            let inner = &name[set.len() + 2..];
            return match resolved {
                Some(NamedType { ty: Type::Reference(_), .. }) => SetMember::Unresolved,
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

    /// Returns the full name of the type with the unqualified name `name` in the alias `set`, if it is a type
    /// set with such a type.
    pub(crate) fn name_in_set(&self, set: &crate::program::Unit, name: &str) -> Option<SmolStr> {
        let mut members = hir::type_set_members(&set.body.exprs, set.body.root).into_iter();
        let (own, _) = members.find(|(it, _)| it.eq_ignore_ascii_case(name))?;
        Some(format!("{}::{own}", set.name).into())
    }
}

impl TypeEnvironment for World<'_> {
    fn note_iteration(&self, iterator: &Arc<IteratorValue>) {
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
        // The name as written is cached as well: most names are looked up again and again.
        let remember = |named: &NamedType| {
            let names = [key.clone(), name.into()];
            self.named_types.borrow_mut().extend(names.map(|it| (it, Some(named.clone()))));
        };
        let is_replaced =
            || REPLACEABLE_TYPES.contains(&key.as_str()) && self.program.type_alias(&key).is_some();
        if let Some(built_in) = types::object::built_in_named_type(&key).filter(|_| !is_replaced()) {
            remember(&built_in);
            return Some(built_in);
        }
        let Some(unit) = self.program.type_alias(&key) else {
            return match self.type_of_set(&key) {
                SetMember::Unresolved => None,
                SetMember::Known(found) => {
                    self.named_types.borrow_mut().insert(key, found.clone());
                    found
                }
            };
        };
        // While an alias is being resolved, its name denotes itself.
        let declared = unit.name.clone();
        if let Some(ty) = self.program.precomputed_alias(&unit) {
            let named = NamedType {
                name: declared.clone(),
                ty: named_object((*ty).clone(), &declared, is_object_type(&unit.body)),
            };
            remember(&named);
            return Some(named);
        }
        let unresolved = NamedType { name: declared.clone(), ty: Type::Reference(declared.clone()) };
        if self.resolving.get() >= MAX_NESTED || self.program.nests_too_deep(unit.id) {
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
    let message = format!("type alias `{alias}` does not resolve to a type");
    Failure::new(Code::UnresolvableAlias, message)
}
