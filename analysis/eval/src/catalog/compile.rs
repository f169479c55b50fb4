//! Compile from its entry point to the finished catalog, in Puppet's order.
//!
//! Specification: the section on the phases of a compile in the chapter on catalogs.

use super::references::referenced;
use codes::Code;
use conversions::flattening::flatten;
use std::collections::BTreeMap;
use std::sync::Arc;

use hir::{HostMatch, Name, ScopeId};
use operators::{Failure, MatchData};
use plugins::built_in::RelationshipMetaparameter;
use scalars::regexp::Regexp;
use smol_str::SmolStr;
use types::{HashValue, Origin, Type, Value};

use super::ids::{DynamicScopeId, ResourceId};
use super::model::{Catalog, RefusedResource};
use super::resources::{Attributes, DeclarationForm};
use super::store::{CatalogBuilder, Resource, ResourceKind, ResourceParameter};
use crate::error::{EvaluationError, Exit, ExprPlace, Finding, LogEntry, Outcome};
use crate::evaluator::Evaluator;
use crate::frame::{Frame, Site};
use crate::program::{Unit, UnitId};
use crate::record::RubyReason;
use crate::suggestion::{joined_messages, with_suggestion};
use crate::world::World;

/// Input of a compile. Facts and other top-scope variables come through [`crate::program::FactsAndData::global`].
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CompileStart {
    /// Files of the main manifest, in order.
    pub main: Vec<Arc<Unit>>,
    /// Node definitions of the main manifest, in order.
    pub nodes: Vec<Arc<Unit>>,
    /// Name of the node: its certname.
    pub node_name: Name,
    /// Classes assigned by an external node classifier.
    pub classes: Vec<NodeClass>,
    /// Reserved variable that the node classifier sets, if any.
    pub reserved: Option<Name>,
}

/// Variables that only Puppet may set; `$trusted` is set earlier and does not change.
pub const RESERVED_FOR_NODES: [&str; 2] = ["facts", "server_facts"];

/// Class that is assigned to the node outside of code.
#[derive(Clone, PartialEq, Debug)]
pub struct NodeClass {
    pub name: Name,
    pub parameters: HashValue,
}

/// Result of a compile.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Compilation {
    /// Complete catalog, or its state at the time of the error.
    pub catalog: Catalog,
    /// Error that ended the compile, if any.
    pub error: Option<EvaluationError>,
    /// Dependency cycle in a complete catalog: Puppet compiles it, but no agent can apply it.
    pub cycle: Option<EvaluationError>,
    /// Resources of a complete catalog that no agent accepts, so that it applies nothing.
    pub refused: Vec<RefusedResource>,
    pub logs: Vec<LogEntry>,
    /// Further findings, certain or possible.
    pub findings: Vec<Finding>,
    /// Number of steps, in units of [`crate::settings::Bounds::steps`].
    pub steps: u64,
    /// Reasons that calls of functions in Ruby gave no known value.
    pub ruby_reasons: Vec<RubyReason>,
    /// Values of undecided keys in the data of all nodes, which nodes may override.
    pub undecided_data: BTreeMap<SmolStr, Value>,
    /// Definitions that fail for some of the unknown values, by their names as written (empty for the main manifest), each
    /// with the message of its first failure.
    pub possible_failures: BTreeMap<Name, String>,
    /// Final number of resources, including virtual ones and classes.
    pub resources: usize,
}

/// Maximum number of alternations between collectors and defined types before a compile fails.
const MAX_ROUNDS: usize = 1000;

/// Compiles a catalog. With unknown inputs, some of its resources are possible only, and values may be
/// unknown.
pub fn compile(world: &World<'_>, entry: &CompileStart) -> Compilation {
    let (compilation, evaluator) = compile_with(Evaluator::new(world), entry);
    Compilation { catalog: evaluator.catalog_as_data(), ..compilation }
}

/// Compiles with a prepared evaluator and returns it. It still holds the catalog: see
/// [`Evaluator::catalog_as_data`].
pub fn compile_with<'w>(mut evaluator: Evaluator<'w>, entry: &CompileStart) -> (Compilation, Evaluator<'w>) {
    let result = evaluator.compile(entry);
    let mut error = match result {
        Ok(()) => None,
        Err(Exit::Error(error)) => Some(*error),
        Err(_) => None,
    };
    evaluator.mask_unwrapped(error.as_mut());
    let (cycle, mut refused) = match error {
        None => (evaluator.find_cycle(), evaluator.find_refusals()),
        Some(_) => (None, Vec::new()),
    };
    refused.iter_mut().for_each(|it| evaluator.diagnostics.mask_message(&mut it.error.message));
    if let Some(main) = entry.main.last() {
        evaluator.log_load_warnings(ExprPlace { unit: main.id, expr: main.body.root });
    }
    let compilation = Compilation {
        cycle,
        refused,
        catalog: Catalog::default(),
        error,
        logs: evaluator.diagnostics.take_logs(),
        findings: evaluator.diagnostics.take_findings(),
        steps: evaluator.steps(),
        ruby_reasons: std::mem::take(&mut evaluator.diagnostics.ruby_reasons),
        undecided_data: std::mem::take(&mut evaluator.data.undecided),
        possible_failures: std::mem::take(&mut evaluator.catalog.possible_failures),
        resources: evaluator.catalog.resources.len(),
    };
    (compilation, evaluator)
}

impl Evaluator<'_> {
    fn compile(&mut self, entry: &CompileStart) -> Outcome<()> {
        for unit in &entry.main {
            self.check_types_of_definitions(unit)?;
        }
        for unit in &entry.main {
            self.evaluate_main(unit)?;
        }
        // Resources that no code declares belong to a definition without a body.
        let body = Arc::new(hir::Body::missing());
        let id = crate::program::UnitId(u32::MAX);
        let nothing = Arc::new(Unit::new(id, Name::default(), hir::DefinitionKind::Main, body));
        let outside = match entry.main.last() {
            Some(unit) => unit.clone(),
            None => nothing,
        };
        let root = outside.body.root;
        let mut outside = Frame::new(outside, ScopeId::ROOT);
        outside.outer_matched = self.catalog.main_match.clone();
        let frame = self.open_frame(outside);
        if let Some(name) = &entry.reserved {
            let message = format!("node classification sets reserved variable `${name}`");
            return Err(self.error(frame.at(root), Failure::new(Code::IllegalReservedAssignment, message)));
        }
        self.evaluate_node(entry)?;
        if let Some(node) = self.catalog.node_scope {
            let matched = self.late_match(node);
            let outside = self.frame_mut(frame);
            (outside.dynamic_scope, outside.outer_matched) = (node, matched);
        }
        self.evaluate_node_classes(frame.at(root), entry)?;
        self.finish_catalog()?;
        self.check_overrides_and_collectors()?;
        self.check_references()?;
        self.check_titles_of_references()
    }

    /// Compiles the phases after a main program whose source texts were evaluated one by one: the node
    /// definition and lazy evaluation.
    ///
    /// # Errors
    /// The first error that Puppet reports.
    pub(crate) fn compile_late_parts(&mut self, entry: &CompileStart) -> Outcome<()> {
        self.evaluate_node(entry)?;
        self.finish_catalog()
    }

    fn evaluate_node(&mut self, entry: &CompileStart) -> Outcome<()> {
        if entry.nodes.is_empty() {
            return Ok(());
        }
        self.world.program.note_node();
        let found = find_node(&entry.nodes, &entry.node_name);
        let Some(FoundNode { definition: node, title, matched }) = found else {
            let message = format!("no node definition matches `{}`", entry.node_name);
            let place = ExprPlace { unit: entry.nodes[0].id, expr: entry.nodes[0].body.root };
            return Err(self.error_at(place, Failure::new(Code::MissingNodeDefinition, message)));
        };
        let kind = ResourceKind::Evaluated(Some(node.clone()));
        let title = Value::String(title);
        let root = node.body.root;
        let mut declaring = Frame::new(node.clone(), ScopeId::ROOT);
        declaring.outer_matched = self.catalog.main_match.clone();
        let declaring = self.open_frame(declaring);
        let attributes = Attributes::default();
        let id = self.new_resource(
            declaring.at(root),
            &"node".into(),
            &title,
            kind,
            attributes,
            DeclarationForm::default(),
        );
        self.catalog.add_class_tags(id);
        self.add_resource(declaring.at(root), id)?;
        self.catalog.node_match = matched;
        let result = self.evaluate_resource(declaring.at(root), id);
        self.close_frame(declaring);
        result
    }

    fn evaluate_node_classes(&mut self, caller: Site, entry: &CompileStart) -> Outcome<()> {
        if self.world.settings.is_part
            && let Some(unit) = entry.classes.first().and_then(|it| self.world.program.class(&it.name))
        {
            // The node may use private definitions of the module that defines it.
            let module = self.world.program.module_name(&unit);
            self.catalog.scope_mut(DynamicScopeId::TOP).module = module;
        }
        // The names of these classes become tags unchanged.
        if let Some(class) = entry.classes.iter().find(|class| class.name.starts_with("::")) {
            let problem = format!("invalid tag `{}`", class.name);
            let message = codes::with_help(problem, "remove the leading `::` from the name of the class");
            return Err(self.error(caller, Failure::new(Code::InvalidTag, message)));
        }
        let (given, plain): (Vec<_>, Vec<_>) =
            entry.classes.iter().partition(|class| !class.parameters.is_empty());
        // They are evaluated lazily, once all of them are in the catalog.
        for class in given {
            let attributes = self.attributes_of(caller.frame, &class.parameters);
            self.add_class(caller, &class.name, attributes)?;
        }
        for class in plain {
            self.ensure_class(caller, &class.name)?;
        }
        Ok(())
    }

    /// Evaluates everything that waits for the end of the main program: collectors, defined types, overrides,
    /// relationships.
    ///
    /// # Errors
    /// The first error that Puppet reports.
    pub(crate) fn finish_catalog(&mut self) -> Outcome<()> {
        self.evaluate_generators()?;
        self.evaluate_relationships()?;
        self.apply_overrides()?;
        for index in 0..self.catalog.resources.len() {
            self.finish_resource(ResourceId(index as u32))?;
        }
        self.catalog.inherit_metaparameters();
        Ok(())
    }

    /// Evaluates collectors and defined types alternately until a fixpoint is reached.
    fn evaluate_generators(&mut self) -> Outcome<()> {
        for _ in 0..MAX_ROUNDS {
            let found = self.evaluate_collectors()?;
            let evaluated = self.evaluate_definitions()?;
            if !found && !evaluated {
                return Ok(());
            }
        }
        let last = self.catalog.resources.iter().rev().find_map(|resource| resource.place());
        let Some(place) = last else { return Ok(()) };
        let message = "infinite recursion of collectors and defined types";
        Err(self.error_at(place, Failure::new(Code::EndlessCatalog, message)))
    }

    /// Evaluates the pending resources of defined types. Returns true if there were any.
    fn evaluate_definitions(&mut self) -> Outcome<bool> {
        let waiting: Vec<ResourceId> = (0..self.catalog.resources.len() as u32)
            .map(ResourceId)
            .filter(|id| {
                let resource = &self.catalog[*id];
                !resource.is_evaluated
                    && !resource.is_virtual
                    && !self.catalog.is_discarded(*id)
                    && matches!(resource.kind, ResourceKind::Evaluated(Some(_)))
            })
            .collect();
        for id in &waiting {
            let resource = &self.catalog[*id];
            let Some((unit, expr)) = resource.declared.clone() else { continue };
            let (is_possible, scope) = (resource.is_possible, resource.scope);
            let calls = resource.calls.clone();
            let mut outside = Frame::new(unit, ScopeId::ROOT);
            outside.dynamic_scope = scope;
            outside.outer_matched = self.late_match(scope);
            let caller = self.open_frame(outside).at(expr);
            let before = self.machine.replace_calls(&calls);
            let result = if is_possible {
                let way = |this: &mut Self, way: usize| match way {
                    0 => this.evaluate_resource(caller, *id).map(|()| Value::Undef),
                    _ => Ok(Value::Undef),
                };
                self.fork(caller, 2, Origin::Join, way).map(|_| ())
            } else {
                self.evaluate_resource(caller, *id)
            };
            self.machine.restore_calls(before);
            self.close_frame(caller.frame);
            result?;
        }
        Ok(!waiting.is_empty())
    }

    fn apply_overrides(&mut self) -> Outcome<()> {
        let waiting = std::mem::take(&mut self.catalog.overrides);
        for (key, overriding) in waiting {
            self.override_or_wait(key, overriding)?;
        }
        Ok(())
    }

    /// Adds tags, marks secrets, and checks the parameters against the resource type.
    fn finish_resource(&mut self, id: ResourceId) -> Outcome<()> {
        if self.catalog.is_discarded(id) {
            return Ok(());
        }
        if !self.catalog[id].is_evaluated {
            self.catalog.add_scope_tags(id);
            self.check_unrealized(id)?;
        }
        let resource = &mut self.catalog[id];
        let mut sensitive = Vec::new();
        for parameter in &mut resource.parameters {
            if let Value::Sensitive(inner) = &parameter.value {
                parameter.value = (**inner).clone();
                sensitive.push(parameter.name.clone());
            }
        }
        resource.sensitive.extend(sensitive);
        if self.has_external_resources() {
            return Ok(());
        }
        let resource = &self.catalog[id];
        if let (ResourceKind::BuiltIn(_), Some(place)) = (&resource.kind, resource.place()) {
            let mut wrong = resource
                .parameters
                .iter()
                .filter(|it| super::resource_types::has_attribute(resource, &it.name) == Some(false))
                .peekable();
            if wrong.peek().is_some() {
                let (mut messages, mut parts) = (Vec::new(), Vec::new());
                for parameter in wrong {
                    let known = super::resource_types::attribute_names(resource);
                    let (ty, name) = (&resource.type_name, &parameter.name);
                    let problem = format!("resource type `{ty}` has no attribute `{name}`");
                    messages.push(with_suggestion(problem, name, known));
                    parts.extend(parameter.place);
                }
                let failure = Failure::new(Code::UnknownAttribute, joined_messages(&messages));
                let mut error = self.error_at(place, failure);
                if let Exit::Error(error) = &mut error {
                    error.calls = resource.calls.clone();
                    error.parts = parts;
                }
                return Err(error);
            }
        }
        Ok(())
    }

    fn check_overrides_and_collectors(&mut self) -> Outcome<()> {
        if self.may_have_more_resources() {
            return Ok(());
        }
        if let Some(((type_name, title), overriding)) = self.catalog.overrides.first() {
            let reference = super::store::reference_text(type_name, title);
            let message = format!("resource `{reference}` not found; required by an override");
            let place = overriding.place;
            return Err(self.error_at(place, Failure::new(Code::MissingOverrideTarget, message)));
        }
        for collector in &self.catalog.collectors {
            if let super::store::CollectorKind::References(missing) = &collector.kind
                && let Some((type_name, title)) = missing.first()
                && !collector.is_possible
            {
                let reference = super::store::reference_text(type_name, title);
                let message = format!("resource `{reference}` not found; required by `realize()`");
                return Err(self.error_at(collector.place, Failure::new(Code::MissingRealizeTarget, message)));
            }
        }
        Ok(())
    }

    /// Checks that the targets of all relationship metaparameters exist.
    fn check_references(&mut self) -> Outcome<()> {
        self.limit_references()?;
        if self.may_have_more_classes() {
            return Ok(());
        }
        for resource in self.catalog.certain_resources() {
            for parameter in &resource.parameters {
                if RelationshipMetaparameter::from_name(&parameter.name).is_none() {
                    continue;
                }
                let mut references = Vec::new();
                flatten(&parameter.value, &mut references);
                for reference in references {
                    if let Some(text) = self.missing_reference(&reference)
                        && !self.may_have_more_of(text.split('[').next().unwrap_or_default())
                    {
                        let message = format!(
                            "resource `{text}` not found; required by `{}` of `{}`",
                            parameter.name,
                            resource.reference()
                        );
                        let Some(place) = parameter.place.or(resource.place()) else { continue };
                        let failure = Failure::new(Code::MissingRelationshipTarget, message);
                        let mut error = self.error_at(place, failure);
                        if let Exit::Error(error) = &mut error {
                            error.calls = resource.calls.clone();
                        }
                        return Err(error);
                    }
                }
            }
        }
        Ok(())
    }

    /// Limits the total number of relationships to a number that an agent can process.
    fn limit_references(&mut self) -> Outcome<()> {
        let mut count = 0;
        for resource in &self.catalog.resources {
            for parameter in &resource.parameters {
                if RelationshipMetaparameter::from_name(&parameter.name).is_some()
                    && let Value::Array(references) = &parameter.value
                {
                    count += references.len();
                }
            }
            if count > super::collectors::MAX_PAIRS
                && let Some(place) = resource.place()
            {
                let message = "too many relationships";
                return Err(self.error_at(place, Failure::new(Code::TooLarge, message)));
            }
        }
        Ok(())
    }

    /// Checks that the title patterns of the types match the titles of references in parameters, whether or
    /// not the resources exist.
    fn check_titles_of_references(&mut self) -> Outcome<()> {
        for resource in self.catalog.certain_resources() {
            for parameter in &resource.parameters {
                let Some(text) = self.refused_reference(&parameter.value) else { continue };
                let Some(place) = parameter.place.or(resource.place()) else { continue };
                let message = format!(
                    "title of `{text}` in `{}` of `{}` matches no title pattern of its type",
                    parameter.name,
                    resource.reference()
                );
                let calls = resource.calls.clone();
                let mut error = self.error_at(place, Failure::new(Code::IllegalTitle, message));
                if let Exit::Error(error) = &mut error {
                    error.calls = calls;
                }
                return Err(error);
            }
        }
        Ok(())
    }

    /// Returns the first reference in a value whose title its type refuses. Hashes are not searched.
    fn refused_reference(&self, value: &Value) -> Option<SmolStr> {
        match value {
            Value::Array(elements) => elements.iter().find_map(|it| self.refused_reference(it)),
            Value::Type(ty) => {
                let Type::Resource(resource) = &**ty else { return None };
                let type_name = hir::fold_name(resource.type_name.as_ref().filter(|_| resource.is_object)?);
                let title = resource.title.clone().unwrap_or_default();
                // For Puppet's core types the name is sufficient.
                let resource_type = if plugins::built_in::is_core_resource_type(&type_name) {
                    None
                } else {
                    self.world.program.resource_type(&type_name)
                };
                let kind = ResourceKind::BuiltIn(resource_type);
                super::resource_types::is_refused(&kind, &type_name, &title)
                    .then(|| super::store::reference_text(&type_name, &title).into())
            }
            _ => None,
        }
    }

    /// Returns the source form of a reference to something that is not in the catalog.
    fn missing_reference(&self, reference: &Value) -> Option<SmolStr> {
        let named = referenced(reference);
        if named
            .as_ref()
            .is_some_and(|(type_name, title)| !self.catalog.find_related(type_name, title).is_empty())
        {
            return None;
        }
        match (reference, named) {
            (Value::Undef | Value::Unknown(_), _) | (Value::Type(_), None) => None,
            (Value::String(text), _) => Some(text.clone()),
            (_, Some((type_name, title))) => Some(super::store::reference_text(&type_name, &title).into()),
            (other, None) => Some(types::text::to_notation(other, self.world).into()),
        }
    }
}

impl CatalogBuilder {
    /// Returns true if another evaluation replaced the code that declared the resource.
    pub(super) fn is_discarded(&self, id: ResourceId) -> bool {
        let mut current = id;
        loop {
            let resource = &self[current];
            if resource.is_replaced {
                return true;
            }
            let container = self.scope(resource.scope).resource;
            if container == current {
                return false;
            }
            current = container;
        }
    }

    /// Returns true if the code of a scope was evaluated again, so that its statements have no effect.
    pub(super) fn is_scope_discarded(&self, scope: DynamicScopeId) -> bool {
        self.is_discarded(self.scope(scope).resource)
    }

    /// Returns the resources that are in the catalog in all branches.
    fn certain_resources(&self) -> impl Iterator<Item = &Resource> {
        let ids = (0..self.resources.len() as u32).map(ResourceId);
        let certain = ids.filter(|id| {
            let resource = &self[*id];
            !resource.is_virtual && !resource.is_possible && !self.is_discarded(*id)
        });
        certain.map(|id| &self[id])
    }

    /// Propagates the metaparameters of a container to its contents. Specification: the section on
    /// containment.
    fn inherit_metaparameters(&mut self) {
        let mut children: rustc_hash::FxHashMap<ResourceId, Vec<ResourceId>> = Default::default();
        for (from, to) in &self.edges {
            children.entry(*from).or_default().push(*to);
        }
        let mut seen = rustc_hash::FxHashSet::default();
        let mut queue = std::collections::VecDeque::from([super::store::MAIN_CLASS]);
        while let Some(from) = queue.pop_front() {
            if !seen.insert(from) {
                continue;
            }
            let given: Vec<ResourceParameter> = self[from]
                .parameters
                .iter()
                .filter(|it| is_inherited_metaparameter(&it.name) && !it.value.is_undef())
                .cloned()
                .collect();
            for to in children.get(&from).into_iter().flatten() {
                for parameter in &given {
                    if self[*to].parameter(&parameter.name).is_none_or(Value::is_undef) {
                        self[*to].set(parameter.clone());
                    }
                }
                let tags = self[from].tags.clone();
                self[*to].tags.inherit(&tags);
                queue.push_back(*to);
            }
        }
    }
}

/// Returns true for metaparameters that a container propagates: all except relationships.
fn is_inherited_metaparameter(name: &str) -> bool {
    plugins::built_in::metaparameter(name).is_some() && RelationshipMetaparameter::from_name(name).is_none()
}

/// Node definition that matches a node.
struct FoundNode<'n> {
    definition: &'n Arc<Unit>,
    title: SmolStr,
    /// Match of its regular expression.
    matched: Option<Arc<MatchData>>,
}

/// Returns the node definition for a name, the title of its resource, and the match of its regular expression.
pub fn node_definition(nodes: &[Arc<Unit>], name: &str) -> Option<(UnitId, SmolStr, Vec<Value>)> {
    let FoundNode { definition, title, matched } = find_node(nodes, name)?;
    Some((definition.id, title, matched.map(|it| it.groups.clone()).unwrap_or_default()))
}

/// Returns the node definition for a name. Specification: the section on node definitions.
///
/// Without a match, Puppet searches for the name `default`, which a regular expression may match as well.
fn find_node<'n>(nodes: &'n [Arc<Unit>], name: &str) -> Option<FoundNode<'n>> {
    node_named(nodes, &name.to_lowercase()).or_else(|| node_named(nodes, "default"))
}

/// Returns the node definition with a name, or whose pattern matches it. `name` is in lower case.
fn node_named<'n>(nodes: &'n [Arc<Unit>], name: &str) -> Option<FoundNode<'n>> {
    let hosts = || nodes.iter().flat_map(|node| node.body.hosts.iter().map(move |host| (node, host)));
    let by_name = hosts().find_map(|(node, host)| {
        let has_name = match host {
            HostMatch::Name(host) => host.to_lowercase() == name,
            HostMatch::Default => name == "default",
            HostMatch::Regex(_) | HostMatch::Invalid => false,
        };
        has_name.then(|| FoundNode { definition: node, title: name.into(), matched: None })
    });
    let by_pattern = || {
        hosts().find_map(|(node, host)| {
            let HostMatch::Regex(source) = host else { return None };
            let captures = Regexp::new(source).ok()?.captures_at(name, 0).ok()??;
            let group = |range: Option<std::ops::Range<usize>>| match range {
                Some(range) => Value::string(&name[range]),
                None => Value::Undef,
            };
            let groups = captures.iter().map(group).collect();
            let title = source.to_lowercase();
            let title: String = title
                .chars()
                .filter(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ':' | '.'))
                .collect();
            let title = format!("__node_regexp__{}", title.trim_start_matches('.'));
            let matched = Some(Arc::new(MatchData { groups }));
            Some(FoundNode { definition: node, title: title.into(), matched })
        })
    };
    by_name.or_else(by_pattern)
}
