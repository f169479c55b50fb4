//! Collectors, `realize()`, and relationships between resources. Specification: the sections on collectors
//! and relationships.

mod exports;
mod shared_lists;

use super::references::{reference, referenced};
use super::resource_objects::parameter_value;
use codes::Code;
use conversions::flattening::flatten;
use std::sync::Arc;

use conversions::ruby;
use hir::{AttributeOperation, Expr, ExprId, Name, ReferenceKind};
use operators::Failure;
use plugins::built_in::RelationshipMetaparameter;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use syntax::ast::{BinaryOperator, RelationshipOperator};
use types::{Origin, Type, Value};

use super::ids::{CollectorId, ResourceId};
use super::store::{
    CatalogBuilder, Collector, CollectorKind, CollectorQuery, Operand, Order, Override, Relationship,
    Resource, ResourceParameter,
};
use crate::error::{Exit, ExprPlace, Outcome};
use crate::evaluator::{Evaluator, UnknownDecision};
use crate::frame::{FrameId, Site};
use crate::program::MissingNameKind;

pub use self::exports::{ExportedResource, ExportsOfOthers, StoredExport};
use self::shared_lists::SharedLists;
pub use self::shared_lists::evaluated_once;

/// Maximum number of ordered pairs of resources that result from relationships: an agent could not process
/// more.
pub(super) const MAX_PAIRS: usize = 2 << 20;

/// Reference in a relationship, with the resources that it may denote: several if exclusive branches declare them.
struct RelatedEnd {
    type_name: Name,
    title: SmolStr,
    found: Vec<ResourceId>,
}

impl RelatedEnd {
    fn new(catalog: &CatalogBuilder, type_name: Name, title: SmolStr) -> RelatedEnd {
        let found = catalog.find_related(&type_name, &title);
        RelatedEnd { type_name, title, found }
    }

    fn has_name_of(&self, other: &RelatedEnd) -> bool {
        self.type_name == other.type_name && self.title == other.title
    }

    fn reference_text(&self) -> String {
        super::store::reference_text(&self.type_name, &self.title)
    }
}

impl Evaluator<'_> {
    /// Evaluates `Type<| query |> { overrides }`, which collects from now on.
    pub(crate) fn collect(
        &mut self,
        site: Site,
        type_expr: ExprId,
        query: hir::Query,
        operations: &[AttributeOperation],
    ) -> Outcome<CollectorId> {
        let unit = self.unit(site.frame).clone();
        let type_name: Name = match &unit.body[type_expr] {
            Expr::TypeReference(name) => {
                self.refuse_leading_colons(site, name)?;
                hir::fold_name(name)
            }
            _ => Name::default(),
        };
        if ReferenceKind::is_class(&type_name) {
            return Err(
                self.error(site, Failure::new(Code::IllegalCollection, "classes cannot be collected"))
            );
        }
        let program = self.world.program;
        if !self.has_external_resources()
            && !program.resource_type_exists(&type_name)
            && !program.may_define(MissingNameKind::Type, &type_name)
        {
            let message = format!("unknown resource type `{type_name}`");
            return Err(self.error(site, Failure::new(Code::UnknownResourceType, message)));
        }
        let attributes = self.attributes(site.frame, operations)?;
        let place = self.place(site);
        let overrides = (!attributes.parameters.is_empty()).then(|| Override {
            parameters: attributes.parameters,
            duplicate: attributes.duplicate,
            source: self.source(site.frame),
            place,
            is_possible: self.may_be_skipped(),
        });
        let is_exported = query.exported;
        let query = match query.expr {
            Some(query) if matches!(unit.body[query], Expr::Undef | Expr::Variable(_)) => {
                match self.evaluate(site.at(query))? {
                    // An empty query has no condition.
                    Value::Undef => None,
                    value => Some(Arc::new(if value.is_known() {
                        CollectorQuery::Wrong
                    } else {
                        CollectorQuery::Unknown
                    })),
                }
            }
            Some(query) => Some(Arc::new(self.query(site.at(query))?)),
            None => None,
        };
        let kind = CollectorKind::Query { type_name, query, is_exported };
        Ok(self.add_collector(site.frame, kind, overrides, place))
    }

    fn add_collector(
        &mut self,
        frame: FrameId,
        kind: CollectorKind,
        overrides: Option<Override>,
        place: ExprPlace,
    ) -> CollectorId {
        self.catalog.collectors.push(Collector {
            kind,
            unit: self.unit(frame).clone(),
            scope: self.dynamic_scope(frame),
            overrides,
            collected: Vec::new(),
            place,
            alternative: Vec::new(),
            is_done: self.has_external_resources(),
            has_asked_others: false,
            is_possible: self.may_be_skipped(),
        });
        CollectorId(self.catalog.collectors.len() - 1)
    }

    /// Implements `realize(references)`.
    pub fn realize(&mut self, site: Site, references: Vec<(Name, SmolStr)>) {
        let place = self.place(site);
        self.add_collector(site.frame, CollectorKind::References(references), None, place);
    }

    /// Evaluates a query at its location; it is matched against resources later.
    fn query(&mut self, site: Site) -> Outcome<CollectorQuery> {
        let unit = self.unit(site.frame).clone();
        Ok(match &unit.body[site.expr] {
            Expr::Binary { operator: BinaryOperator::And, lhs, rhs } => CollectorQuery::And(
                Box::new(self.query(site.at(*lhs))?),
                Box::new(self.query(site.at(*rhs))?),
            ),
            Expr::Binary { operator: BinaryOperator::Or, lhs, rhs } => {
                CollectorQuery::Or(Box::new(self.query(site.at(*lhs))?), Box::new(self.query(site.at(*rhs))?))
            }
            Expr::Binary {
                operator: operator @ (BinaryOperator::Equal | BinaryOperator::NotEqual),
                lhs,
                rhs,
            } => {
                if !is_query_operand(&unit.body[*rhs]) {
                    let message = "invalid operand in query; expected a string, a number, or a variable";
                    return Err(self.error(site.at(*rhs), Failure::new(Code::IllegalQuery, message)));
                }
                let attribute = self.evaluate(site.at(*lhs))?;
                let value = parameter_value(self.evaluate(site.at(*rhs))?)
                    .map_err(|failure| self.error(site.at(*rhs), failure))?;
                let Some(attribute) = attribute.as_str().map(Name::new) else {
                    return Ok(if attribute.is_known() {
                        CollectorQuery::Wrong
                    } else {
                        CollectorQuery::Unknown
                    });
                };
                if !value.is_known() {
                    return Ok(CollectorQuery::Unknown);
                }
                match *operator {
                    BinaryOperator::Equal if attribute == "tag" => {
                        let mut tags = Vec::new();
                        flatten(&value, &mut tags);
                        let mut texts = Vec::new();
                        for tag in &tags {
                            if matches!(tag, Value::Integer(_) | Value::Float(_)) {
                                let failure = Failure::new(Code::IllegalTag, "a number is not a valid tag");
                                return Err(self.error(site, failure));
                            }
                            texts.push(ruby::to_s(tag, self.world).unwrap_or_default().to_lowercase().into());
                        }
                        CollectorQuery::Tagged(texts)
                    }
                    BinaryOperator::Equal => CollectorQuery::Equal(attribute, value),
                    _ => CollectorQuery::NotEqual(attribute, value),
                }
            }
            Expr::Missing | Expr::InvalidNumber => CollectorQuery::Unknown,
            _ if self.evaluate(site)?.is_known() => CollectorQuery::Wrong,
            _ => CollectorQuery::Unknown,
        })
    }

    /// Returns true if matching a query against a resource reaches an invalid subexpression.
    fn is_refused(&self, query: &CollectorQuery, id: ResourceId) -> bool {
        let has_answer = |left: &CollectorQuery, answer: bool| self.matches_query(left, id) == Some(answer);
        match query {
            CollectorQuery::And(left, right) => {
                self.is_refused(left, id) || has_answer(left, true) && self.is_refused(right, id)
            }
            CollectorQuery::Or(left, right) => {
                self.is_refused(left, id) || has_answer(left, false) && self.is_refused(right, id)
            }
            CollectorQuery::Wrong => true,
            _ => false,
        }
    }

    /// Returns true if a query matches a resource; `None` if that is unknown.
    pub(super) fn matches_query(&self, query: &CollectorQuery, id: ResourceId) -> Option<bool> {
        let resource = &self.catalog[id];
        query.answer(&|comparison| match comparison {
            CollectorQuery::Tagged(tags) => self.catalog.is_tagged(id, tags),
            CollectorQuery::Equal(name, value) => {
                let actual = attribute(resource, name);
                match &actual {
                    Value::Array(elements) => {
                        let answers: Vec<_> = elements.iter().map(|it| self.is_equal(it, value)).collect();
                        let is_unknown = answers.contains(&None);
                        Some(answers.contains(&Some(true))).filter(|it| *it || !is_unknown)
                    }
                    actual => self.is_equal(actual, value),
                }
            }
            CollectorQuery::NotEqual(name, value) => {
                self.is_equal(&attribute(resource, name), value).map(|it| !it)
            }
            _ => None,
        })
    }

    fn is_equal(&self, left: &Value, right: &Value) -> Option<bool> {
        if !left.is_known() || !right.is_known() {
            return None;
        }
        operators::equal(left, right, self.world)
    }

    /// Runs all collectors on the current resources. Returns true if one of them found a new one.
    pub(super) fn evaluate_collectors(&mut self) -> Outcome<bool> {
        let mut found = false;
        for index in 0..self.catalog.collectors.len() {
            let collector = &self.catalog.collectors[index];
            if !collector.is_done && !self.catalog.is_scope_discarded(collector.scope) {
                found |= self.evaluate_collector(CollectorId(index))?;
            }
        }
        Ok(found)
    }

    fn evaluate_collector(&mut self, collector: CollectorId) -> Outcome<bool> {
        let Collector { kind, overrides, place, is_possible, .. } =
            self.catalog.collectors[collector.0].clone();
        let (mut certain, mut possible) = match &kind {
            CollectorKind::References(references) => {
                (self.realized(collector, references, place, is_possible)?, Vec::new())
            }
            CollectorKind::Query { is_exported: true, .. } if !self.world.settings.storeconfigs => {
                return Ok(false);
            }
            CollectorKind::Query { type_name, query, is_exported } => {
                let (mut certain, mut possible) =
                    self.matching_resources(type_name, query.as_deref(), place, is_possible)?;
                if *is_exported {
                    [&mut certain, &mut possible]
                        .into_iter()
                        .for_each(|found| found.retain(|id| self.catalog[*id].is_exported));
                    certain.extend(self.collect_from_others(collector, type_name, query.as_deref())?);
                }
                (certain, possible)
            }
        };
        if is_possible {
            possible.append(&mut certain);
        }
        for id in possible {
            let resource = &mut self.catalog[id];
            if resource.is_virtual {
                resource.is_virtual = false;
                resource.is_possible = true;
            }
            if let Some(overrides) = &overrides {
                self.catalog.override_possibly(id, overrides);
            }
        }
        for id in &certain {
            self.catalog[*id].is_virtual = false;
        }
        if certain.is_empty() {
            return Ok(false);
        }
        if let Some(overrides) = &overrides {
            self.catalog.overriding.insert(overrides.source);
            for id in &certain {
                self.override_collected(collector, *id, overrides, place)?;
            }
        }
        let known = &self.catalog.collectors[collector.0].collected;
        let new: Vec<ResourceId> = certain.into_iter().filter(|id| !known.contains(id)).collect();
        let found = !new.is_empty();
        self.catalog.collectors[collector.0].collected.extend(new);
        Ok(found)
    }

    /// Records that a collector adds the resources of a type that other nodes export. Those of a defined type
    /// contain further resources.
    pub(super) fn note_exports_of_others(&mut self, type_name: &Name) {
        if self.catalog.collected_exports.insert(type_name.clone()) {
            let program = self.world.program;
            program.note_exported_resources(type_name);
            let is_native = plugins::built_in::is_core_resource_type(type_name)
                || program.resource_type(type_name).is_some();
            self.catalog.has_unknown |= !is_native;
        }
    }

    /// Returns the existing resources among the references of `realize()`; the others stay pending.
    fn realized(
        &mut self,
        collector: CollectorId,
        references: &[(Name, SmolStr)],
        place: ExprPlace,
        is_possible: bool,
    ) -> Outcome<Vec<ResourceId>> {
        let wrong = references.iter().find(|(type_name, _)| type_name.is_empty());
        if let Some((_, text)) = wrong.filter(|_| !is_possible) {
            let message = format!("argument `{text}` of `realize()` is not a resource reference");
            return Err(self.error_at(place, Failure::new(Code::IllegalReference, message)));
        }
        let (mut found, mut missing) = (Vec::new(), Vec::new());
        for (type_name, title) in references {
            let named = self.catalog.find_all(type_name, title);
            if named.is_empty() {
                missing.push((type_name.clone(), title.clone()));
            }
            found.extend(named);
        }
        self.catalog.collectors[collector.0].is_done = missing.is_empty();
        self.catalog.collectors[collector.0].kind = CollectorKind::References(missing);
        Ok(found)
    }

    /// Returns the resources that certainly match a query, and those that may match.
    fn matching_resources(
        &mut self,
        type_name: &Name,
        query: Option<&CollectorQuery>,
        place: ExprPlace,
        is_possible: bool,
    ) -> Outcome<(Vec<ResourceId>, Vec<ResourceId>)> {
        let (mut certain, mut possible) = (Vec::new(), Vec::new());
        for index in 0..self.catalog.resources.len() {
            let id = ResourceId(index as u32);
            let resource = &self.catalog[id];
            if resource.type_name != *type_name || resource.is_replaced {
                continue;
            }
            let is_certain = !is_possible && !resource.is_possible;
            if is_certain && query.is_some_and(|query| self.is_refused(query, id)) {
                let message = "invalid query; expected a comparison of an attribute with a value";
                return Err(self.error_at(place, Failure::new(Code::IllegalQuery, message)));
            }
            match query.map_or(Some(true), |query| self.matches_query(query, id)) {
                Some(true) => certain.push(id),
                Some(false) => {}
                None => {
                    self.catalog.decisions.insert(UnknownDecision { place, digest: None });
                    possible.push(id);
                }
            }
        }
        Ok((certain, possible))
    }

    /// Applies the overrides of a collector to newly collected resources.
    fn override_collected(
        &mut self,
        collector: CollectorId,
        id: ResourceId,
        overrides: &Override,
        place: ExprPlace,
    ) -> Outcome<()> {
        if self.catalog.collectors[collector.0].collected.contains(&id) {
            return Ok(());
        }
        let mut with_defaults = overrides.clone();
        let scope = self.catalog.collectors[collector.0].scope;
        let type_name = self.catalog[id].type_name.clone();
        for default in self.catalog.defaults(scope, &type_name) {
            if !with_defaults.parameters.iter().any(|known| known.name == default.name) {
                with_defaults.parameters.push(default);
            }
        }
        self.merge(place, id, &with_defaults)
    }

    /// Evaluates a chain of relationships. Its value is the right-hand side.
    pub(crate) fn relationship(
        &mut self,
        site: Site,
        operator: RelationshipOperator,
        lhs: ExprId,
        rhs: ExprId,
    ) -> Outcome {
        let operands = self.chain(site, operator, lhs, rhs)?;
        let Some(operands) = operands else { return Ok(Value::unknown(Type::Any, Origin::Join)) };
        let references: Vec<Value> = operands
            .iter()
            .filter_map(|operand| match operand {
                Operand::Reference(type_name, title) => Some(reference(type_name, title)),
                Operand::Collector(_) | Operand::Unknown(_) => None,
            })
            .collect();
        if references.len() == operands.len() {
            Ok(Value::array(references))
        } else {
            Ok(Value::unknown(Type::Any, Origin::Join))
        }
    }

    /// Returns the operands with which a longer chain continues; `None` if they are unknown.
    fn chain(
        &mut self,
        site: Site,
        operator: RelationshipOperator,
        lhs: ExprId,
        rhs: ExprId,
    ) -> Outcome<Option<Vec<Operand>>> {
        let left = self.operands(site.frame, site.expr, lhs)?;
        let right = self.operands(site.frame, site.expr, rhs)?;
        let (parameter, is_reversed) = match operator {
            RelationshipOperator::Before => (RelationshipMetaparameter::Before, false),
            RelationshipOperator::Notify => (RelationshipMetaparameter::Notify, false),
            RelationshipOperator::Require => (RelationshipMetaparameter::Before, true),
            RelationshipOperator::Subscribe => (RelationshipMetaparameter::Notify, true),
        };
        let (sources, targets) = if is_reversed { (&right, &left) } else { (&left, &right) };
        let is_unknown = |side: &Option<Vec<Operand>>| match side {
            Some(operands) => operands.iter().any(|it| matches!(it, Operand::Unknown(_))),
            None => true,
        };
        let operands = |side: &Option<Vec<Operand>>| side.as_deref().unwrap_or_default().into();
        let relationship = Relationship {
            sources: operands(sources),
            targets: operands(targets),
            parameter,
            scope: self.dynamic_scope(site.frame),
            place: self.place(site),
            calls: self.machine.calls(),
            is_possible: self.may_be_skipped() || is_unknown(&left) || is_unknown(&right),
        };
        let has_targets = !relationship.targets.is_empty() || targets.is_none();
        if !relationship.sources.is_empty() && has_targets {
            self.catalog.relationships.push(relationship);
        }
        let (Some(left), Some(right)) = (left, right) else { return Ok(None) };
        if right.is_empty() {
            return Ok(Some(left));
        }
        if let [Operand::Collector(collector)] = right.as_slice() {
            self.catalog.collectors[collector.0].alternative = left;
        }
        Ok(Some(right))
    }

    fn operands(&mut self, frame: FrameId, chain: ExprId, expr: ExprId) -> Outcome<Option<Vec<Operand>>> {
        let unit = self.unit(frame).clone();
        let mut operands = Vec::new();
        match &unit.body[expr] {
            Expr::Collect { type_expr, query, operations } => {
                let collector = self.collect(frame.at(expr), *type_expr, *query, operations)?;
                return Ok(Some(vec![Operand::Collector(collector)]));
            }
            Expr::Relationship { operator, lhs, rhs } => {
                return self.chain(frame.at(expr), *operator, *lhs, *rhs);
            }
            Expr::Array(elements)
                if elements
                    .iter()
                    .any(|it| matches!(unit.body[*it], Expr::Collect { .. } | Expr::Relationship { .. })) =>
            {
                for element in elements {
                    match self.operands(frame, chain, *element)? {
                        Some(more) => operands.extend(more),
                        None => return Ok(None),
                    }
                }
            }
            _ => {
                let value = self.evaluate(frame.at(expr))?;
                let mut values = Vec::new();
                flatten(&value, &mut values);
                for value in values {
                    match self.operand(frame.at(chain), &value)? {
                        Some(operand) => operands.push(operand),
                        None => return Ok(None),
                    }
                }
            }
        }
        let mut seen = FxHashSet::default();
        operands.retain(|operand| seen.insert(operand.clone()));
        Ok(Some(operands))
    }

    fn operand(&mut self, site: Site, value: &Value) -> Outcome<Option<Operand>> {
        let ty = match value {
            Value::Unknown(_) => return Ok(Some(Operand::Unknown(self.note_unknown_reference(site, value)))),
            Value::String(text) => match types::parse::parse_type(text, self.world) {
                Ok(ty) => ty,
                Err(_) => return Err(self.expected_reference(site, value)),
            },
            Value::Type(ty) => (**ty).clone(),
            _ => return Err(self.expected_reference(site, value)),
        };
        match &ty {
            Type::Class(Some(name)) => {
                Ok(Some(Operand::Reference(ReferenceKind::CLASS.into(), hir::fold_name(name))))
            }
            Type::Resource(resource) => match (&resource.type_name, &resource.title) {
                (Some(_), Some(_)) => {
                    let named = referenced(&Value::ty(ty.clone()));
                    Ok(named.map(|(type_name, title)| Operand::Reference(type_name, title)))
                }
                // Puppet treats a type as a reference without a title, and resolves it once everything is
                // declared.
                (Some(name), None) if !self.may_have_more_of(name) && !self.is_forked() => {
                    Ok(Some(Operand::Reference(Name::new(name), SmolStr::default())))
                }
                _ => Err(self.expected_reference(site, value)),
            },
            Type::Reference(_) => Ok(None),
            _ => Err(self.expected_reference(site, value)),
        }
    }

    fn expected_reference(&self, site: Site, operand: &Value) -> crate::error::Exit {
        let ty = types::display::type_text(&types::infer::infer(operand, self.world), self.world);
        self.error(site, expected_reference(&ty))
    }

    /// Turns relationships into parameters of their sources.
    ///
    /// # Errors
    /// One of the related resources is not in the catalog.
    pub(super) fn evaluate_relationships(&mut self) -> Outcome<()> {
        let mut pairs = 0usize;
        let relationships = std::mem::take(&mut self.catalog.relationships);
        let mut shared =
            if relationships.is_empty() { SharedLists::default() } else { SharedLists::of(&self.catalog) };
        for relationship in relationships {
            if self.catalog.is_scope_discarded(relationship.scope) {
                continue;
            }
            let ends = |operands: &[Operand], is_left| -> Vec<RelatedEnd> {
                let ends = self.catalog.ends(operands, is_left);
                ends.into_iter().map(|(ty, title)| RelatedEnd::new(&self.catalog, ty, title)).collect()
            };
            let sources = ends(&relationship.sources, true);
            let targets = ends(&relationship.targets, false);
            let count = |ends: &[RelatedEnd]| ends.iter().map(|end| end.found.len().max(1)).sum::<usize>();
            pairs += count(&sources).saturating_mul(count(&targets));
            if pairs > MAX_PAIRS {
                let message = "too many relationships";
                return Err(self.error_at(relationship.place, Failure::new(Code::TooLarge, message)));
            }
            self.relate(&relationship, &sources, &targets, &mut shared)?;
        }
        shared.write(&mut self.catalog);
        Ok(())
    }

    /// Orders each source before all targets. The targets are computed once for all sources.
    fn relate(
        &mut self,
        relationship: &Relationship,
        sources: &[RelatedEnd],
        targets: &[RelatedEnd],
        shared: &mut SharedLists,
    ) -> Outcome<()> {
        let missing_target = targets.iter().find(|target| target.found.is_empty());
        let missing = sources.iter().find_map(|source| {
            if source.found.is_empty() && !targets.is_empty() { Some(source) } else { missing_target }
        });
        if let Some(missing) = missing
            && !self.may_have_more_of(&missing.type_name)
            && !relationship.is_possible
        {
            let other = sources.iter().chain(targets).find(|it| !it.has_name_of(missing)).unwrap_or(missing);
            return Err(self.missing_end(relationship, missing, other));
        }
        let firsts = sources.iter().flat_map(|source| &source.found).copied();
        if relationship.is_possible {
            for first in firsts {
                self.catalog.relate_possibly(first, relationship);
                shared.extend_possibly(relationship.parameter.name(), first, relationship.place);
            }
            return Ok(());
        }
        let then: Arc<[ResourceId]> = targets.iter().flat_map(|target| &target.found).copied().collect();
        if then.is_empty() {
            return Ok(());
        }
        let there = targets.iter().filter(|target| !target.found.is_empty());
        let texts: Vec<Value> = there.map(|target| Value::string(target.reference_text())).collect();
        let alone = Value::array(texts.clone());
        let name = Name::new(relationship.parameter.name());
        let (place, depth) = (relationship.place, relationship.calls.len());
        for first in firsts {
            let sharing = shared.extend(&self.catalog, relationship.parameter.name(), first, &texts, place);
            if !sharing.is_empty() {
                let order = |first| Order { first, then: then.clone(), place, depth };
                self.catalog.orders.extend(sharing.iter().copied().map(order));
                continue;
            }
            let value = match self.catalog[first].parameter(&name) {
                Some(Value::Undef) | None => alone.clone(),
                Some(Value::Array(known)) => {
                    Value::array(known.iter().chain(&texts).cloned().collect::<Vec<_>>())
                }
                Some(one) => Value::array(std::iter::once(one).chain(&texts).cloned().collect::<Vec<_>>()),
            };
            self.catalog.orders.push(Order { first, then: then.clone(), place, depth });
            let resource = &mut self.catalog[first];
            let (name, source, place) = (name.clone(), resource.source, Some(place));
            resource.set(ResourceParameter { name, value, source, appends: false, place });
        }
        Ok(())
    }

    fn missing_end(&self, relationship: &Relationship, end: &RelatedEnd, other: &RelatedEnd) -> Exit {
        let [reference, other] = [end, other].map(RelatedEnd::reference_text);
        let failure = if end.title.is_empty() {
            expected_reference(&format!("Type[{}]", hir::capitalized(&end.type_name)))
        } else {
            let message =
                format!("resource `{reference}` not found; required by a relationship with `{other}`");
            Failure::new(Code::MissingRelationshipTarget, message)
        };
        let mut error = self.error_at(relationship.place, failure);
        if let Exit::Error(error) = &mut error {
            error.calls = relationship.calls.to_vec();
        }
        error
    }

    /// Returns true if resources may be missing because something is unknown.
    pub(super) fn may_have_more_resources(&self) -> bool {
        self.catalog.has_resources_of_ruby || self.may_have_more_classes()
    }

    /// Returns true if resources of a type may be missing because something is unknown.
    pub(super) fn may_have_more_of(&self, type_name: &str) -> bool {
        let is_class = type_name.eq_ignore_ascii_case("class");
        if is_class {
            return self.may_have_more_classes();
        }
        self.may_have_more_resources() || self.catalog.collected_exports.contains(&hir::fold_name(type_name))
    }

    /// Returns true if classes may be missing because something is unknown.
    pub(super) fn may_have_more_classes(&self) -> bool {
        let settings = &self.world.settings;
        self.catalog.has_unknown
            || self.has_external_resources()
            || settings.is_part && !settings.declares_all
    }
}

impl CatalogBuilder {
    /// Returns the references that operands denote. On the left, a collector without results is replaced by
    /// its left neighbor.
    fn ends(&self, operands: &[Operand], is_left: bool) -> Vec<(Name, SmolStr)> {
        let mut ends = Vec::new();
        // Collectors in a chain lead to the operands on their left, one after the other.
        let mut rest: Vec<&Operand> = operands.iter().rev().collect();
        while let Some(operand) = rest.pop() {
            match operand {
                Operand::Reference(type_name, title) => ends.push((type_name.clone(), title.clone())),
                Operand::Collector(collector) => {
                    let collector = &self.collectors[collector.0];
                    if collector.collected.is_empty() && is_left {
                        rest.extend(collector.alternative.iter().rev());
                    }
                    let resources = collector.collected.iter().map(|id| &self[*id]);
                    let named = resources.filter_map(|it| Some((it.type_name.clone(), it.title.clone()?)));
                    ends.extend(named);
                }
                Operand::Unknown(Some(type_name)) if is_left => {
                    let resources = self.resources.iter().filter(|it| it.type_name == *type_name);
                    ends.extend(resources.filter_map(|it| Some((type_name.clone(), it.title.clone()?))));
                }
                Operand::Unknown(_) => {}
            }
        }
        ends
    }

    /// Marks the parameters that a collector may override as unknown: it is in an undecided branch, or its query is
    /// undecided. Tags only select resources.
    pub(super) fn override_possibly(&mut self, id: ResourceId, overrides: &Override) {
        let resource = &mut self[id];
        for it in &overrides.parameters {
            if it.name == "tag" {
                resource.tags.add_unknown();
                continue;
            }
            if resource.parameter(&it.name).is_some_and(|own| !own.is_known() || *own == it.value) {
                continue;
            }
            let value = Value::unknown(Type::Any, Origin::Join);
            resource.set(ResourceParameter { value, source: resource.source, appends: false, ..it.clone() });
        }
    }

    /// Marks the metaparameter of a resource that an undecided branch may relate as unknown.
    fn relate_possibly(&mut self, first: ResourceId, relationship: &Relationship) {
        let name = Name::new(relationship.parameter.name());
        let resource = &mut self[first];
        let (value, source) = (Value::unknown(Type::Any, Origin::Join), resource.source);
        let place = Some(relationship.place);
        resource.set(ResourceParameter { name, value, source, appends: false, place });
    }
}

fn expected_reference(ty: &str) -> Failure {
    let message = format!("expected a resource reference, found `{ty}`");
    Failure::new(Code::IllegalRelationshipOperandType, message)
}

/// Returns true if Puppet accepts an expression as the operand of a query comparison. Syntax errors count as
/// accepted.
fn is_query_operand(expr: &Expr) -> bool {
    match expr {
        // For Puppet, a sign is an operator.
        Expr::Integer(number) => *number >= 0,
        Expr::Float(number) => number.0.is_sign_positive(),
        Expr::Missing | Expr::InvalidNumber | Expr::ReservedWord(_) => true,
        Expr::Undef | Expr::Boolean(_) | Expr::String(_) | Expr::Interpolated(_) | Expr::Name(_) => true,
        Expr::Variable(_) | Expr::Access { .. } => true,
        _ => false,
    }
}

fn attribute(resource: &Resource, name: &str) -> Value {
    if name == "title" {
        return resource.title_value.clone();
    }
    match resource.parameter(name) {
        Some(value) => value.clone(),
        None if resource.is_incomplete => Value::unknown(Type::Any, Origin::Join),
        None => Value::Undef,
    }
}
