//! Catalog under construction: resources, containment, dynamic scopes with their defaults, and pending work.

use std::collections::BTreeMap;
use std::sync::Arc;

use hir::{DefinitionKind, ExprId, Name, ReferenceKind};
use operators::MatchData;
use plugins::built_in::RelationshipMetaparameter;
use rustc_hash::{FxHashMap, FxHashSet};
use scalars::tags::Tags;
use smol_str::SmolStr;
use types::{HashValue, Value};

use super::ids::{CollectorId, DynamicScopeId, ResourceId};
use crate::error::ExprPlace;
use crate::evaluator::UnknownDecision;
use crate::frame::FrameId;
use crate::program::{Unit, UnitId};

/// Code that set a parameter. Subclasses may override what their parents set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum ParameterSetter {
    Main,
    Unit(UnitId),
}

#[derive(Clone, Debug)]
pub(crate) struct ResourceParameter {
    pub(crate) name: Name,
    pub(crate) value: Value,
    pub(crate) source: ParameterSetter,
    /// True if it was set with `+>`.
    pub(crate) appends: bool,
    pub(crate) place: Option<ExprPlace>,
}

#[derive(Clone, Debug)]
pub(crate) enum ResourceKind {
    /// Resource type of Puppet or of a plug-in, with its description if it is known.
    BuiltIn(Option<Arc<plugins::RubyResourceType>>),
    /// Defined type, class or node. `None` if it is not followed.
    Evaluated(Option<Arc<Unit>>),
}

#[derive(Clone, Debug)]
pub(crate) struct Resource {
    /// Folded name: `apache::vhost`.
    pub(crate) type_name: Name,
    /// Title, folded for a class; `None` if it is unknown.
    pub(crate) title: Option<SmolStr>,
    /// Value of the title as a variable; unknown if the title is.
    pub(crate) title_value: Value,
    pub(crate) parameters: Vec<ResourceParameter>,
    /// True if there may be further, unknown parameters.
    pub is_incomplete: bool,
    pub(crate) kind: ResourceKind,
    pub is_virtual: bool,
    pub is_exported: bool,
    pub(crate) is_evaluated: bool,
    /// True if only some branches declare it.
    pub(crate) is_possible: bool,
    /// Number of forks around the declaration.
    pub(crate) forks: u32,
    /// True if another evaluation replaced the class that declared it.
    pub(crate) is_replaced: bool,
    /// Scope that declared it.
    pub(crate) scope: DynamicScopeId,
    pub(crate) source: ParameterSetter,
    /// Definition and expression of the declaration. `None` for resources that Puppet adds itself.
    pub(crate) declared: Option<(Arc<Unit>, ExprId)>,
    /// Enclosing calls, innermost first.
    pub(crate) calls: Vec<ExprPlace>,
    pub(crate) tags: Tags,
    pub(crate) sensitive: Vec<Name>,
    /// Other node that exports the resource, if a collector added it.
    pub(crate) collected_from: Option<SmolStr>,
}

impl Resource {
    pub(crate) fn parameter(&self, name: &str) -> Option<&Value> {
        self.parameters.iter().find(|it| it.name == name).map(|it| &it.value)
    }

    pub(crate) fn set(&mut self, parameter: ResourceParameter) {
        match self.parameters.iter().position(|it| it.name == parameter.name) {
            Some(known) => {
                if parameter.name == "tag" {
                    self.tag_values(&parameter.value);
                }
                self.parameters[known] = parameter;
            }
            None => self.add(parameter),
        }
    }

    /// Adds a parameter that is not yet set.
    pub(crate) fn add(&mut self, parameter: ResourceParameter) {
        if parameter.name == "tag" {
            self.tag_values(&parameter.value);
        }
        self.parameters.push(parameter);
    }

    pub(crate) fn is_class(&self) -> bool {
        ReferenceKind::is_class(&self.type_name)
    }

    /// Returns the reference as Puppet prints it: `File[/etc/motd]`.
    pub(crate) fn reference(&self) -> String {
        reference_text(&self.type_name, self.title.as_deref().unwrap_or("?"))
    }

    /// Adds a tag and its segments.
    pub(crate) fn tag(&mut self, tag: &str) {
        self.tags.add(tag);
    }

    fn tag_values(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.tag(text),
            Value::Array(elements) => elements.iter().for_each(|element| self.tag_values(element)),
            other if !other.is_known() => self.tags.add_unknown(),
            _ => {}
        }
    }

    /// Returns the location of a parameter's value.
    pub(crate) fn location_of(&self, parameter: &str) -> Option<ExprPlace> {
        self.parameters.iter().find(|it| it.name == parameter)?.place
    }

    pub(crate) fn place(&self) -> Option<ExprPlace> {
        self.declared.as_ref().map(|(unit, expr)| ExprPlace { unit: unit.id, expr: *expr })
    }
}

/// Formats a reference as Puppet prints it: `File[/etc/motd]`.
pub(crate) fn reference_text(type_name: &str, title: &str) -> String {
    format!("{}[{}]", type_display(type_name), title_display(type_name, title))
}

/// Formats a type name as in references: `Apache::Vhost`.
pub(crate) fn type_display(type_name: &str) -> SmolStr {
    types::display::capitalized_segments(type_name)
}

/// Formats a title as in references: that of a class is capitalized like a type name.
pub(crate) fn title_display(type_name: &str, title: &str) -> SmolStr {
    match ReferenceKind::of(type_name) {
        ReferenceKind::Class if title != "main" => type_display(title),
        _ => title.into(),
    }
}

#[derive(Debug)]
pub(crate) struct DynamicScope {
    pub(crate) parent: Option<DynamicScopeId>,
    pub(crate) resource: ResourceId,
    pub(crate) source: ParameterSetter,
    /// Frame that holds the variables.
    pub frame: Option<FrameId>,
    pub(crate) is_node: bool,
    /// Module that contains the code.
    pub(crate) module: Name,
    /// Resource defaults, by folded type name.
    pub(crate) defaults: FxHashMap<Name, Vec<ResourceParameter>>,
    /// Types with further, unknown defaults.
    pub(crate) incomplete_defaults: FxHashSet<Name>,
}

impl DynamicScope {
    /// Returns true for the scope of the main program or of the node, whose matches are visible in the
    /// definitions that they declare.
    pub(crate) fn is_outermost(&self) -> bool {
        self.is_node || self.parent.is_none()
    }
}

/// State of a class that has been or is being evaluated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClassState {
    /// Scope of the class; `None` while its parent is evaluated.
    pub(crate) scope: Option<DynamicScopeId>,
    pub frame: Option<FrameId>,
    /// True if only some branches declare it.
    pub(crate) is_possible: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Collector {
    pub(crate) kind: CollectorKind,
    /// Definition with the collector.
    pub(crate) unit: Arc<Unit>,
    pub(crate) scope: DynamicScopeId,
    pub(crate) overrides: Option<Override>,
    pub(crate) collected: Vec<ResourceId>,
    /// Location of the collector.
    pub(crate) place: ExprPlace,
    /// Operands that a chain uses instead if nothing is collected.
    pub(crate) alternative: Vec<Operand>,
    pub(crate) is_done: bool,
    /// True once the resources that other nodes export have been collected.
    pub(crate) has_asked_others: bool,
    pub(crate) is_possible: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum CollectorKind {
    /// `Type<| query |>`, or `Type<<| query |>>`.
    Query { type_name: Name, query: Option<Arc<CollectorQuery>>, is_exported: bool },
    /// `realize()`: the references that have not been found yet. An invalid reference has no type, and is
    /// refused when it is looked up.
    References(Vec<(Name, SmolStr)>),
}

#[derive(Clone, Debug)]
pub(crate) enum CollectorQuery {
    And(Box<CollectorQuery>, Box<CollectorQuery>),
    Or(Box<CollectorQuery>, Box<CollectorQuery>),
    Tagged(Vec<SmolStr>),
    Equal(Name, Value),
    NotEqual(Name, Value),
    /// Depends on something unknown.
    Unknown,
    /// Not a query: an error as soon as it is matched against a resource.
    Wrong,
}

impl CollectorQuery {
    /// Returns the answer of a query whose comparisons are answered by `answer`; `None` is unknown.
    pub(crate) fn answer(&self, answer: &impl Fn(&CollectorQuery) -> Option<bool>) -> Option<bool> {
        let (left, right, decisive) = match self {
            CollectorQuery::And(left, right) => (left, right, false),
            CollectorQuery::Or(left, right) => (left, right, true),
            comparison => return answer(comparison),
        };
        match (left.answer(answer), right.answer(answer)) {
            (Some(left), Some(right)) => Some(if left == decisive { left } else { right }),
            (left, right) => left.or(right).filter(|it| *it == decisive),
        }
    }
}

/// Attributes to set on a resource that may be declared later.
#[derive(Clone, Debug)]
pub(crate) struct Override {
    pub(crate) parameters: Vec<ResourceParameter>,
    /// Name of an attribute that is set more than once, if any.
    pub(crate) duplicate: Option<SmolStr>,
    pub(crate) source: ParameterSetter,
    pub(crate) place: ExprPlace,
    pub(crate) is_possible: bool,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Operand {
    Reference(Name, SmolStr),
    Collector(CollectorId),
    /// Unknown reference, with the type of the resource if it is known.
    Unknown(Option<Name>),
}

#[derive(Clone, Debug)]
pub(crate) struct Relationship {
    /// Operands each of which comes before all targets.
    pub(crate) sources: Arc<[Operand]>,
    pub(crate) targets: Arc<[Operand]>,
    /// Metaparameter to set: `before` or `notify`.
    pub(crate) parameter: RelationshipMetaparameter,
    pub(crate) scope: DynamicScopeId,
    pub(crate) place: ExprPlace,
    /// Enclosing calls and declarations, innermost first.
    pub(crate) calls: Arc<[ExprPlace]>,
    pub(crate) is_possible: bool,
}

/// Statement that orders a resource before others.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    pub(crate) first: ResourceId,
    pub(crate) then: Arc<[ResourceId]>,
    pub(crate) place: ExprPlace,
    /// Number of enclosing calls and declarations.
    pub(crate) depth: usize,
}

#[derive(Debug)]
pub(crate) struct CatalogBuilder {
    pub(crate) resources: Vec<Resource>,
    /// Resources by folded type name, and title or key attributes.
    table: FxHashMap<(Name, Vec<Value>), ResourceId>,
    /// For a possible resource, the one that another branch has declared under the same key before it.
    alternatives: FxHashMap<ResourceId, ResourceId>,
    /// Resources that exist whichever code declared them, by folded type name and title, with the locations
    /// that ensure it, innermost first.
    pub(crate) present: FxHashMap<(Name, SmolStr), Vec<ExprPlace>>,
    /// Types of existing resources that have keys other than titles.
    pub(crate) kinds_with_keys: FxHashMap<Name, ResourceKind>,
    pub(crate) scopes: Vec<DynamicScope>,
    pub(crate) classes: FxHashMap<Name, ClassState>,
    /// Names of classes and nodes, in order of evaluation.
    pub(crate) class_list: Vec<Name>,
    /// Tags of all classes and of the node.
    pub(crate) tags: Tags,
    pub(crate) edges: Vec<(ResourceId, ResourceId)>,
    pub(crate) overrides: Vec<((Name, SmolStr), Override)>,
    pub(crate) collectors: Vec<Collector>,
    pub(crate) relationships: Vec<Relationship>,
    /// Orders that result from relationships and `require()`.
    pub(crate) orders: Vec<Order>,
    /// Parent of each class, as definitions.
    pub(crate) parents: FxHashMap<UnitId, UnitId>,
    /// Code whose collectors override parameters, which gives it the right to override from then on.
    pub(crate) overriding: FxHashSet<ParameterSetter>,
    /// True if there may be unknown resources.
    pub(crate) has_unknown: bool,
    /// True if functions in Ruby may have added unknown resources, but no classes.
    pub(crate) has_resources_of_ruby: bool,
    /// Folded names of the types whose resources of other nodes are collected.
    pub(crate) collected_exports: FxHashSet<Name>,
    pub(crate) node_scope: Option<DynamicScopeId>,
    /// Match of the regular expression of the node definition.
    pub(crate) node_match: Option<Arc<MatchData>>,
    /// Last match of the main program.
    pub(crate) main_match: Option<Arc<MatchData>>,
    /// Decisions that depend on something unknown.
    pub(crate) decisions: FxHashSet<UnknownDecision>,
    /// Definitions that fail for some of the unknown values, each with the message of its first failure.
    pub(crate) possible_failures: BTreeMap<Name, String>,
    /// Number of resource defaults that were set.
    pub(crate) set_defaults: usize,
}

/// Size of a catalog under construction, which differs once code has added something to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CatalogSize([usize; 8]);

pub(crate) const MAIN_STAGE: ResourceId = ResourceId(0);
pub(crate) const MAIN_CLASS: ResourceId = ResourceId(2);

impl Default for CatalogBuilder {
    fn default() -> CatalogBuilder {
        let mut store = CatalogBuilder {
            resources: Vec::new(),
            table: FxHashMap::default(),
            alternatives: FxHashMap::default(),
            present: FxHashMap::default(),
            kinds_with_keys: FxHashMap::default(),
            scopes: Vec::new(),
            classes: FxHashMap::default(),
            class_list: vec!["settings".into()],
            tags: Tags::default(),
            edges: Vec::new(),
            overrides: Vec::new(),
            collectors: Vec::new(),
            relationships: Vec::new(),
            orders: Vec::new(),
            parents: FxHashMap::default(),
            overriding: FxHashSet::default(),
            has_unknown: false,
            has_resources_of_ruby: false,
            collected_exports: FxHashSet::default(),
            node_scope: None,
            node_match: None,
            main_match: None,
            decisions: FxHashSet::default(),
            possible_failures: BTreeMap::new(),
            set_defaults: 0,
        };
        let class = ReferenceKind::CLASS;
        for (type_name, title) in [("stage", "main"), (class, "settings"), (class, "main")] {
            let resource = built_in_resource(type_name, title);
            let id = store.push(resource);
            store.enter((type_name.into(), vec![Value::string(title)]), id);
        }
        store.scopes.push(DynamicScope {
            parent: None,
            resource: MAIN_CLASS,
            source: ParameterSetter::Main,
            frame: None,
            is_node: false,
            module: Name::default(),
            defaults: FxHashMap::default(),
            incomplete_defaults: FxHashSet::default(),
        });
        store.edges.push((MAIN_STAGE, ResourceId(1)));
        store.edges.push((MAIN_STAGE, MAIN_CLASS));
        store.tags.add("settings");
        store
    }
}

/// Returns a resource that is in every catalog.
fn built_in_resource(type_name: &str, title: &str) -> Resource {
    let kind = match ReferenceKind::of(type_name) {
        ReferenceKind::Class => ResourceKind::Evaluated(None),
        _ => ResourceKind::BuiltIn(None),
    };
    let mut resource = Resource {
        type_name: type_name.into(),
        title: Some(title.into()),
        title_value: Value::string(title),
        parameters: Vec::new(),
        is_incomplete: false,
        kind,
        is_virtual: false,
        is_exported: false,
        is_evaluated: true,
        is_possible: false,
        forks: 0,
        is_replaced: false,
        scope: DynamicScopeId::TOP,
        source: ParameterSetter::Main,
        declared: None,
        calls: Vec::new(),
        tags: Tags::default(),
        sensitive: Vec::new(),
        collected_from: None,
    };
    resource.tag(type_name);
    if title != "main" {
        resource.tag(title);
    }
    resource
}

impl CatalogBuilder {
    pub(crate) fn push(&mut self, resource: Resource) -> ResourceId {
        self.resources.push(resource);
        ResourceId(self.resources.len() as u32 - 1)
    }

    pub(crate) fn size(&self) -> CatalogSize {
        CatalogSize([
            self.resources.len(),
            self.class_list.len(),
            self.edges.len(),
            self.overrides.len(),
            self.collectors.len(),
            self.relationships.len(),
            self.orders.len(),
            self.set_defaults,
        ])
    }

    /// Marks the parameters whose values hold a secret as sensitive.
    pub(crate) fn mark_sensitive(&mut self, is_secret: impl Fn(&Value) -> bool) {
        for resource in &mut self.resources {
            let names =
                resource.parameters.iter().filter(|it| is_secret(&it.value)).map(|it| it.name.clone());
            resource.sensitive.extend(names);
        }
    }

    /// Returns true if the catalog holds anything besides `count` evaluated classes.
    pub(crate) fn holds_more_than_classes(&self, count: usize) -> bool {
        let is_own = |resource: &Resource| resource.is_class() || resource.declared.is_none();
        self.classes.len() != count
            || self.has_unknown
            || self.has_resources_of_ruby
            || !self.resources.iter().all(is_own)
            || !self.present.is_empty()
            || !self.overrides.is_empty()
            || !self.collectors.is_empty()
            || !self.relationships.is_empty()
            || !self.orders.is_empty()
            || self.scopes.iter().any(|scope| !scope.defaults.is_empty())
    }

    /// Enters a resource under a key. Possible resources that are already there remain its alternatives.
    pub(crate) fn enter(&mut self, key: (Name, Vec<Value>), id: ResourceId) {
        if let Some(known) = self.table.insert(key, id)
            && known < id
            && self[known].is_possible
        {
            self.alternatives.entry(id).or_insert(known);
        }
    }

    pub(crate) fn at_key(&self, key: &(Name, Vec<Value>)) -> Option<ResourceId> {
        self.table.get(key).copied().filter(|id| !self[*id].is_replaced)
    }

    /// Returns a resource by its title or its key attributes. The title of a class need not be folded.
    pub(crate) fn find(&self, type_name: &str, title: &str) -> Option<ResourceId> {
        let type_name = hir::fold_name(type_name);
        let title = ReferenceKind::of(&type_name).folded_title(title);
        if let Some(id) = self.at_key(&(type_name.clone(), vec![Value::String(title.clone())])) {
            return Some(id);
        }
        let kind = self.kinds_with_keys.get(&type_name)?;
        let key = super::resource_types::key_of_reference(kind, &type_name, &title)?;
        self.at_key(&(type_name, key))
    }

    /// Returns the resources that a reference may denote: `find`'s, and those that other branches declare.
    pub(crate) fn find_all(&self, type_name: &str, title: &str) -> Vec<ResourceId> {
        let ids = std::iter::successors(self.find(type_name, title), |id| self.alternatives.get(id).copied());
        ids.filter(|id| !self[*id].is_replaced).collect()
    }

    pub(crate) fn find_class(&self, name: &str) -> Option<ResourceId> {
        self.find(ReferenceKind::CLASS, name)
    }

    pub(crate) fn is_present(&self, type_name: &str, title: &str) -> bool {
        !self.present.is_empty() && self.present.contains_key(&(hir::fold_name(type_name), title.into()))
    }

    /// Returns the resources that a relationship references: the main class cannot be named.
    pub(crate) fn find_related(&self, type_name: &str, title: &str) -> Vec<ResourceId> {
        let mut found = self.find_all(type_name, title);
        found.retain(|id| *id != MAIN_CLASS);
        found
    }

    pub(crate) fn add_edge(&mut self, from: ResourceId, to: ResourceId) {
        if !self.edges.contains(&(from, to)) {
            self.edges.push((from, to));
        }
    }

    pub(crate) fn scope(&self, id: DynamicScopeId) -> &DynamicScope {
        &self.scopes[id.0 as usize]
    }

    pub(crate) fn scope_mut(&mut self, id: DynamicScopeId) -> &mut DynamicScope {
        &mut self.scopes[id.0 as usize]
    }

    pub(crate) fn open_scope(&mut self, scope: DynamicScope) -> DynamicScopeId {
        self.scopes.push(scope);
        DynamicScopeId(self.scopes.len() as u32 - 1)
    }

    /// Returns the defaults for a type that apply in a scope: inner ones take precedence.
    pub(crate) fn defaults(&self, scope: DynamicScopeId, type_name: &str) -> Vec<ResourceParameter> {
        let mut found: Vec<ResourceParameter> = Vec::new();
        let mut current = Some(scope);
        while let Some(id) = current {
            let scope = self.scope(id);
            for default in scope.defaults.get(type_name).into_iter().flatten() {
                if !found.iter().any(|known| known.name == default.name) {
                    found.push(default.clone());
                }
            }
            current = scope.parent;
        }
        found
    }

    /// Returns true if a type may have unknown defaults in a scope.
    pub(crate) fn has_incomplete_defaults(&self, scope: DynamicScopeId, type_name: &str) -> bool {
        let mut current = Some(scope);
        while let Some(id) = current {
            let scope = self.scope(id);
            if scope.incomplete_defaults.contains(type_name) {
                return true;
            }
            current = scope.parent;
        }
        false
    }

    /// Returns true if a value comes from a default.
    pub(crate) fn is_default(
        &self,
        scope: DynamicScopeId,
        type_name: &str,
        name: &str,
        value: &Value,
    ) -> bool {
        let mut current = Some(scope);
        while let Some(id) = current {
            let scope = self.scope(id);
            let mut defaults = scope.defaults.get(type_name).into_iter().flatten();
            if defaults.any(|default| default.name == name && default.value == *value) {
                return true;
            }
            current = scope.parent;
        }
        false
    }

    /// Returns true if code of `inner` may override what code of `outer` set.
    pub(crate) fn is_child(&self, inner: ParameterSetter, outer: ParameterSetter) -> bool {
        if self.overriding.contains(&inner) {
            return true;
        }
        let (ParameterSetter::Unit(mut current), ParameterSetter::Unit(outer)) = (inner, outer) else {
            return false;
        };
        while let Some(parent) = self.parents.get(&current) {
            if *parent == outer || self.overriding.contains(&ParameterSetter::Unit(*parent)) {
                return true;
            }
            current = *parent;
        }
        false
    }

    /// Returns true if a resource or one of its containers has one of the tags; `None` if that is unknown.
    pub(crate) fn is_tagged(&self, id: ResourceId, tags: &[SmolStr]) -> Option<bool> {
        let mut current = id;
        let mut is_unknown = false;
        loop {
            let resource = &self[current];
            if tags.iter().any(|tag| resource.tags.contains(tag)) {
                return Some(true);
            }
            is_unknown |= resource.is_incomplete || resource.title.is_none() || resource.tags.is_incomplete();
            let container = self.scope(resource.scope).resource;
            if container == current {
                return (!is_unknown).then_some(false);
            }
            current = container;
        }
    }

    /// Returns the name of the innermost class whose code declares the resource of a scope, directly or in
    /// defined types.
    pub(crate) fn class_around(&self, scope: DynamicScopeId) -> Option<Name> {
        let mut current = Some(scope);
        while let Some(id) = current {
            let scope = self.scope(id);
            if let ResourceKind::Evaluated(Some(unit)) = &self[scope.resource].kind
                && unit.kind == DefinitionKind::Class
            {
                return Some(hir::fold_name(&unit.name));
            }
            current = scope.parent;
        }
        None
    }

    /// Returns the scope of the node definition that encloses a scope.
    pub(crate) fn node_around(&self, scope: DynamicScopeId) -> Option<&DynamicScope> {
        self.node_scope?;
        let mut current = Some(scope);
        while let Some(id) = current {
            let scope = self.scope(id);
            if scope.is_node {
                return Some(scope);
            }
            current = scope.parent;
        }
        None
    }
}

impl std::ops::Index<ResourceId> for CatalogBuilder {
    type Output = Resource;
    fn index(&self, id: ResourceId) -> &Resource {
        &self.resources[id.0 as usize]
    }
}

impl std::ops::IndexMut<ResourceId> for CatalogBuilder {
    fn index_mut(&mut self, id: ResourceId) -> &mut Resource {
        &mut self.resources[id.0 as usize]
    }
}

/// Returns parameters as a hash of their values.
pub(crate) fn values(parameters: &[ResourceParameter]) -> HashValue {
    parameters.iter().map(|it| (Value::String(it.name.clone()), it.value.clone())).collect()
}
