//! Answers to queries of PuppetDB from the facts and the resources of the nodes of a fleet. An answer is an error if
//! anything about it is unknown.

mod rows;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use compile::{QueriedTypes, QueryAnswer, QueryAnswers};
use eval::ExportedResource;
use fleet::query::{Entity, Field, FieldKind, Filter, PuppetDbQuery};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use types::Value;

pub(super) use self::rows::{FurtherResources, QueriedNode, Regexes};
use self::rows::{MatchingNodes, NestedRows, QueriedRow, Seen, nested_key, seen, unknown};

/// Maximum number of rows of an answer.
const MAX_ROWS: usize = 100_000;

/// Maximum number of queries for which all facts of a snapshot are read.
const MAX_PASSES: usize = 200;

/// Resources of a node that queries ask for.
#[derive(Clone, Debug)]
pub(super) struct QueriedResources {
    pub(super) resources: Vec<Arc<ExportedResource>>,
    pub(super) further: FurtherResources,
}

/// Passes the facts of all nodes to a function.
pub(super) type ForEachNode<'r> = &'r (dyn Fn(&mut dyn FnMut(&QueriedNode)) -> anyhow::Result<()> + 'r);

/// Data of all nodes.
pub(super) struct FleetData<'d> {
    pub(super) nodes: ForEachNode<'d>,
    pub(super) resources: &'d BTreeMap<SmolStr, QueriedResources>,
}

/// Answers that are known.
#[derive(Default, Debug)]
pub(super) struct KnownAnswers(pub(super) FxHashMap<SmolStr, QueryAnswer>);

impl QueryAnswers for KnownAnswers {
    fn answer(&self, query: &str) -> Option<QueryAnswer> {
        self.0.get(query).cloned()
    }
}

/// Function that answers a query.
type AnswerQuery = Box<dyn Fn(&str) -> QueryAnswer + Send + Sync>;

/// Answers that are computed once somebody asks.
pub(super) struct LazyAnswers {
    compute: AnswerQuery,
    known: Mutex<FxHashMap<SmolStr, QueryAnswer>>,
}

impl LazyAnswers {
    pub(super) fn new(compute: AnswerQuery) -> LazyAnswers {
        LazyAnswers { compute, known: Mutex::default() }
    }
}

impl std::fmt::Debug for LazyAnswers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LazyAnswers").finish_non_exhaustive()
    }
}

impl QueryAnswers for LazyAnswers {
    fn answer(&self, query: &str) -> Option<QueryAnswer> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(answer) = known.get(query) {
            return Some(answer.clone());
        }
        let answer = if known.len() >= MAX_PASSES {
            Err("there are too many different queries".into())
        } else {
            (self.compute)(query)
        };
        known.insert(query.into(), answer.clone());
        Some(answer)
    }
}

/// Queries that nodes have asked.
#[derive(Default)]
pub(super) struct AskedQueries {
    texts: BTreeSet<SmolStr>,
    /// Conditions on resources.
    selectors: Vec<Filter>,
}

impl AskedQueries {
    /// Adds queries; returns true if they ask for further resources.
    pub(super) fn add<'q>(&mut self, texts: impl Iterator<Item = &'q SmolStr>) -> bool {
        let known = self.selectors.len();
        for text in texts {
            if !self.texts.insert(text.clone()) {
                continue;
            }
            let Ok(query) = PuppetDbQuery::parse(text) else { continue };
            if query.entity == Entity::Resources {
                self.select(&query.filter);
            }
            let mut nested = Vec::new();
            nested_queries(&query.filter, &mut nested);
            for (entity, filter) in nested {
                if entity == Entity::Resources {
                    self.select(filter);
                }
            }
        }
        self.selectors.len() > known
    }

    fn select(&mut self, filter: &Filter) {
        if !self.selectors.contains(filter) {
            self.selectors.push(filter.clone());
        }
    }

    pub(super) fn len(&self) -> usize {
        self.texts.len()
    }

    /// Returns the types of the resources that the queries ask for.
    pub(super) fn types(&self) -> QueriedTypes {
        let mut names = FxHashSet::default();
        for filter in &self.selectors {
            let Some(types) = types_of(filter) else { return QueriedTypes::Any };
            names.extend(types.iter().map(|it| hir::fold_name(it)));
        }
        QueriedTypes::Named(names)
    }

    /// Returns true if a query may ask for a resource, whatever node has it.
    pub(super) fn may_select(&self, resource: &ExportedResource, regexes: &Regexes) -> bool {
        let row = QueriedRow::ResourceOfAny(resource);
        let nested = NestedRows::default();
        self.selectors.iter().any(|it| rows::holds(it, &row, &nested, regexes) != Some(false))
    }

    /// Answers all queries.
    ///
    /// # Errors
    /// Fails if the facts of the nodes cannot be read.
    pub(super) fn answers(&self, data: &FleetData<'_>) -> anyhow::Result<KnownAnswers> {
        let texts: Vec<&str> = self.texts.iter().map(SmolStr::as_str).collect();
        let answers = answers(&texts, data)?;
        Ok(KnownAnswers(self.texts.iter().cloned().zip(answers).collect()))
    }
}

/// Returns the types that a filter is limited to; `None` for any types.
fn types_of(filter: &Filter) -> Option<Vec<String>> {
    match filter {
        Filter::Equal(Field { kind: FieldKind::Type, .. }, value) => {
            Some(value.as_str().map(str::to_owned).into_iter().collect())
        }
        Filter::All(filters) => filters.iter().find_map(types_of),
        Filter::Any(filters) => Some(filters.iter().map(types_of).collect::<Option<Vec<_>>>()?.concat()),
        _ => None,
    }
}

/// Collects the queries in a filter, inner ones first.
fn nested_queries<'f>(filter: &'f Filter, found: &mut Vec<(Entity, &'f Filter)>) {
    match filter {
        Filter::All(filters) | Filter::Any(filters) => {
            filters.iter().for_each(|it| nested_queries(it, found))
        }
        Filter::Not(filter) => nested_queries(filter, found),
        Filter::OfNode(entity, filter) => {
            nested_queries(filter, found);
            found.push((*entity, filter));
        }
        _ => {}
    }
}

/// Answers queries.
///
/// # Errors
/// Fails if the facts of the nodes cannot be read.
pub(super) fn answers(texts: &[&str], data: &FleetData<'_>) -> anyhow::Result<Vec<QueryAnswer>> {
    let parsed: Vec<Result<PuppetDbQuery, String>> =
        texts.iter().map(|text| PuppetDbQuery::parse(text)).collect();
    let regexes = Regexes::default();
    let nested = nested_rows(parsed.iter().flatten(), data, &regexes)?;
    let mut results: Vec<QueryRows<'_>> =
        parsed.iter().flatten().map(|query| QueryRows { query, rows: Vec::new(), failure: None }).collect();
    let mut of_resources: Vec<&mut QueryRows<'_>> = Vec::new();
    let mut of_facts: Vec<&mut QueryRows<'_>> = Vec::new();
    for result in &mut results {
        let is_about_resources = result.query.entity == Entity::Resources;
        if is_about_resources { of_resources.push(result) } else { of_facts.push(result) }
    }
    for_each_resource(data, |row| {
        of_resources.iter_mut().for_each(|it| it.add(row, &nested, &regexes));
    });
    if !of_facts.is_empty() {
        (data.nodes)(&mut |node| {
            for result in &mut of_facts {
                rows::for_each_row(node, result.query.entity, |row| result.add(row, &nested, &regexes));
            }
        })?;
    }
    let mut results = results.into_iter();
    let answer = |query: &Result<PuppetDbQuery, String>| match query {
        Ok(_) => results.next().map_or(Err(SmolStr::default()), QueryRows::finish),
        Err(reason) => Err(reason.into()),
    };
    Ok(parsed.iter().map(answer).collect())
}

/// Evaluates the nested queries, inner ones first.
fn nested_rows<'q>(
    queries: impl Iterator<Item = &'q PuppetDbQuery>,
    data: &FleetData<'_>,
    regexes: &Regexes,
) -> anyhow::Result<NestedRows> {
    let mut all = Vec::new();
    queries.for_each(|query| nested_queries(&query.filter, &mut all));
    let mut known = NestedRows::default();
    for (entity, filter) in all {
        let key = nested_key(entity, filter);
        if known.0.contains_key(&key) {
            continue;
        }
        let mut nodes = MatchingNodes::default();
        let mut add = |row: &QueriedRow<'_>| match rows::holds(filter, row, &known, regexes) {
            Some(false) => {}
            Some(true) if row.is_certain(entity) => drop(nodes.certain.insert(row.certname().into())),
            _ => drop(nodes.possible.insert(row.certname().into())),
        };
        if entity == Entity::Resources {
            for_each_resource(data, add);
        } else {
            (data.nodes)(&mut |node| rows::for_each_row(node, entity, &mut add))?;
        }
        known.0.insert(key, nodes);
    }
    Ok(known)
}

fn for_each_resource(data: &FleetData<'_>, mut receive: impl FnMut(&QueriedRow<'_>)) {
    for (certname, QueriedResources { resources, further }) in data.resources {
        resources.iter().for_each(|it| receive(&QueriedRow::Resource(certname, it)));
        if *further != FurtherResources::None {
            receive(&QueriedRow::Further(certname, *further));
        }
    }
}

/// Rows of a query so far.
struct QueryRows<'q> {
    query: &'q PuppetDbQuery,
    /// Rows with what they are sorted by.
    rows: Vec<(Vec<SortValue>, Value)>,
    failure: Option<SmolStr>,
}

/// Value to sort by.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum SortValue {
    Number(i64),
    Text(String),
}

impl QueryRows<'_> {
    /// Adds a row if the query returns it.
    fn add(&mut self, row: &QueriedRow<'_>, nested: &NestedRows, regexes: &Regexes) {
        if self.failure.is_some() {
            return;
        }
        let added = match rows::holds(&self.query.filter, row, nested, regexes) {
            Some(false) => return,
            Some(true) if row.is_certain(self.query.entity) => self.added(row),
            _ => Err(row.doubt()),
        };
        match added {
            Ok(_) if self.rows.len() >= MAX_ROWS => self.failure = Some("it has too many rows".into()),
            Ok(row) => self.rows.push(row),
            Err(reason) => self.failure = Some(reason),
        }
        if self.failure.is_some() {
            self.rows = Vec::new();
        }
    }

    fn added(&self, row: &QueriedRow<'_>) -> Result<(Vec<SortValue>, Value), SmolStr> {
        let all;
        let columns = if self.query.columns.is_empty() {
            all = self.query.entity.columns();
            &all
        } else {
            &self.query.columns
        };
        let value = |field: &Field| match seen(&field.kind, row) {
            Seen::Known(value) => value,
            Seen::Absent => Value::Undef,
            Seen::Unknown => unknown(),
        };
        let values = Value::hash(columns.iter().map(|it| (Value::string(&it.name), value(it))));
        if self.query.is_distinct && !values.is_known() {
            return Err(row.doubt());
        }
        let mut keys = Vec::new();
        for key in &self.query.order {
            keys.push(match value(&key.field) {
                Value::Integer(number) => SortValue::Number(number),
                Value::String(text) => SortValue::Text(text.to_string()),
                value if value.is_known() => SortValue::Text(format!("{value:?}")),
                _ => return Err(row.doubt()),
            });
        }
        keys.extend(row.place().into_iter().map(SortValue::Text));
        Ok((keys, values))
    }

    fn finish(self) -> QueryAnswer {
        let QueryRows { query, mut rows, failure } = self;
        if let Some(reason) = failure {
            return Err(reason);
        }
        let descending: Vec<bool> = query.order.iter().map(|it| it.is_descending).collect();
        rows.sort_by(|(one, _), (other, _)| {
            let orders = one.iter().zip(other).enumerate().map(|(index, (one, other))| {
                let order = one.cmp(other);
                if descending.get(index) == Some(&true) { order.reverse() } else { order }
            });
            orders.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
        });
        let mut rows: Vec<Value> = rows.into_iter().map(|(_, row)| row).collect();
        if query.is_distinct {
            let mut known = FxHashSet::default();
            rows.retain(|row| known.insert(format!("{row:?}")));
        }
        let is_part = query.offset > 0 || query.limit.is_some_and(|limit| limit < rows.len());
        if is_part && query.order.is_empty() {
            return Err("`limit` without `order by` returns any rows".into());
        }
        let rows = rows.into_iter().skip(query.offset).take(query.limit.unwrap_or(usize::MAX));
        Ok(Value::array(rows.collect::<Vec<_>>()))
    }
}
