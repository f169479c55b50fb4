//! Parts of queries.

use serde_json::Value as Json;

/// Kind of rows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Entity {
    Facts,
    Inventory,
    Nodes,
    Resources,
}

/// A query.
#[derive(Clone, PartialEq, Debug)]
pub struct PuppetDbQuery {
    pub entity: Entity,
    /// Columns; all if empty.
    pub columns: Vec<Field>,
    pub filter: Filter,
    /// True if rows that agree in all columns occur once.
    pub is_distinct: bool,
    pub order: Vec<SortKey>,
    pub limit: Option<usize>,
    pub offset: usize,
}

/// Column to sort by.
#[derive(Clone, PartialEq, Debug)]
pub struct SortKey {
    pub field: Field,
    pub is_descending: bool,
}

/// Column of an entity.
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    /// Name as in the rows, such as `facts.os.family`.
    pub name: String,
    pub kind: FieldKind,
}

#[derive(Clone, PartialEq, Debug)]
pub enum FieldKind {
    Certname,
    /// Time at which a node was deactivated or has expired, which active nodes do not have.
    Inactive,
    /// True for nodes that are not deactivated and have not expired.
    IsActive,
    /// Element at a path in the facts of a node; all facts if it is empty.
    Facts(Vec<String>),
    /// Element at a path in the trusted data of a node; all of it if it is empty.
    Trusted(Vec<String>),
    FactName,
    FactValue,
    Type,
    Title,
    IsExported,
    /// One of the tags.
    Tag,
    Tags,
    Parameters,
    Parameter(String),
    /// Column that only PuppetDB knows, such as the time of a report.
    Stored,
}

/// Condition on a row.
#[derive(Clone, PartialEq, Debug)]
pub enum Filter {
    All(Vec<Filter>),
    Any(Vec<Filter>),
    Not(Box<Filter>),
    Equal(Field, Json),
    Matches(Field, String),
    Compare(Field, NumberOperator, f64),
    IsNull(Field),
    /// There is a row of another entity for the same node.
    OfNode(Entity, Box<Filter>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NumberOperator {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl PuppetDbQuery {
    pub(super) fn new(entity: Entity) -> PuppetDbQuery {
        PuppetDbQuery {
            entity,
            columns: Vec::new(),
            filter: Filter::All(Vec::new()),
            is_distinct: false,
            order: Vec::new(),
            limit: None,
            offset: 0,
        }
    }

    /// Sets the fields to group by, which have to be the columns: there are no functions on groups.
    pub(super) fn group_by(&mut self, fields: &[Field]) -> Result<(), String> {
        let is_column = |field: &Field| self.columns.contains(field);
        if self.columns.is_empty() || fields.len() != self.columns.len() || !fields.iter().all(is_column) {
            return Err("`group by` of other fields than the columns is not supported".to_owned());
        }
        self.is_distinct = true;
        Ok(())
    }
}

impl Entity {
    pub(super) fn named(name: &str) -> Result<Entity, String> {
        match name {
            "facts" => Ok(Entity::Facts),
            "inventory" => Ok(Entity::Inventory),
            "nodes" => Ok(Entity::Nodes),
            "resources" => Ok(Entity::Resources),
            _ => Err(format!("the entity `{name}` is not supported")),
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Entity::Facts => "facts",
            Entity::Inventory => "inventory",
            Entity::Nodes => "nodes",
            Entity::Resources => "resources",
        }
    }

    /// Returns all columns.
    pub fn columns(self) -> Vec<Field> {
        let names: &[&str] = match self {
            Entity::Facts => &["certname", "environment", "name", "value"],
            Entity::Inventory => &["certname", "environment", "facts", "timestamp", "trusted"],
            Entity::Nodes => NODE_COLUMNS,
            Entity::Resources => RESOURCE_COLUMNS,
        };
        names.iter().filter_map(|name| self.field(&[(*name).to_owned()]).ok()).collect()
    }

    /// Returns the field with a name, whose parts are separated by dots.
    pub(super) fn field(self, path: &[String]) -> Result<Field, String> {
        let name = path.join(".");
        let unknown = || format!("the field `{name}` of `{}` is not supported", self.name());
        let (first, rest) = path.split_first().ok_or_else(unknown)?;
        let kind = match (self, first.as_str(), rest) {
            (_, "certname", []) => FieldKind::Certname,
            (Entity::Nodes, "deactivated" | "expired", []) => FieldKind::Inactive,
            (Entity::Nodes, known, []) if NODE_COLUMNS.contains(&known) => FieldKind::Stored,
            (Entity::Inventory, "facts", rest) => FieldKind::Facts(rest.to_vec()),
            (Entity::Inventory, "trusted", rest) => FieldKind::Trusted(rest.to_vec()),
            (Entity::Inventory, "environment" | "timestamp", []) => FieldKind::Stored,
            (Entity::Facts, "name", []) => FieldKind::FactName,
            (Entity::Facts, "value", []) => FieldKind::FactValue,
            (Entity::Facts, "environment", []) => FieldKind::Stored,
            (Entity::Resources, "type", []) => FieldKind::Type,
            (Entity::Resources, "title", []) => FieldKind::Title,
            (Entity::Resources, "exported", []) => FieldKind::IsExported,
            (Entity::Resources, "tag", []) => FieldKind::Tag,
            (Entity::Resources, "tags", []) => FieldKind::Tags,
            (Entity::Resources, "parameters", []) => FieldKind::Parameters,
            (Entity::Resources, "parameters", [parameter]) => FieldKind::Parameter(parameter.clone()),
            (Entity::Resources, known, []) if RESOURCE_COLUMNS.contains(&known) => FieldKind::Stored,
            _ => return Err(unknown()),
        };
        Ok(Field { name, kind })
    }
}

const NODE_COLUMNS: &[&str] = &[
    "cached_catalog_status",
    "catalog_environment",
    "catalog_timestamp",
    "certname",
    "deactivated",
    "expired",
    "facts_environment",
    "facts_timestamp",
    "latest_report_corrective_change",
    "latest_report_hash",
    "latest_report_job_id",
    "latest_report_noop",
    "latest_report_noop_pending",
    "latest_report_status",
    "report_environment",
    "report_timestamp",
];

const RESOURCE_COLUMNS: &[&str] = &[
    "certname",
    "environment",
    "exported",
    "file",
    "line",
    "parameters",
    "resource",
    "tags",
    "title",
    "type",
];

impl Filter {
    /// Combines a field with an operator.
    pub(super) fn of_operator(field: Field, operator: &str, value: Json) -> Result<Filter, String> {
        let comparison = match operator {
            "=" => return Filter::equal(field, value),
            "!=" => return Ok(Filter::Not(Box::new(Filter::equal(field, value)?))),
            "~" => return Filter::matches(field, &value),
            "!~" => return Ok(Filter::Not(Box::new(Filter::matches(field, &value)?))),
            "<" => NumberOperator::Less,
            "<=" => NumberOperator::LessOrEqual,
            ">" => NumberOperator::Greater,
            ">=" => NumberOperator::GreaterOrEqual,
            _ => return Err(format!("the operator `{operator}` is not supported")),
        };
        match (&field.kind, value.as_f64()) {
            (FieldKind::Facts(_) | FieldKind::Trusted(_) | FieldKind::FactValue, Some(number)) => {
                Ok(Filter::Compare(field, comparison, number))
            }
            _ => Err(format!("`{}` can only be compared with `=` and `~`", field.name)),
        }
    }

    fn equal(field: Field, value: Json) -> Result<Filter, String> {
        match value {
            Json::String(_) | Json::Bool(_) | Json::Number(_) => Ok(Filter::Equal(field, value)),
            _ => Err(format!("`{}` can only be compared with strings, numbers, and booleans", field.name)),
        }
    }

    /// Returns a filter for a regular expression, if all engines agree on its meaning.
    fn matches(field: Field, value: &Json) -> Result<Filter, String> {
        let text = value.as_str().ok_or("a regular expression must be a string")?;
        let mut rest = text;
        while let Some((_, after)) = rest.split_once('\\') {
            let escaped = after.chars().next();
            if !escaped.is_some_and(|it| it.is_ascii_punctuation() || it == 'd') {
                return Err(format!("the regular expression `{text}` is not supported"));
            }
            rest = &after[1..];
        }
        let is_plain = |it: char| it.is_ascii_alphanumeric() || " _-./:^$|()?*+[]{},@\\".contains(it);
        let is_special = text.contains("(?") || text.contains("[[") || text.starts_with("***");
        if is_special || !text.chars().all(is_plain) {
            return Err(format!("the regular expression `{text}` is not supported"));
        }
        Ok(Filter::Matches(field, text.to_owned()))
    }

    /// Returns a filter for one of several values.
    pub(super) fn one_of(field: &Field, values: Vec<Json>) -> Result<Filter, String> {
        let filters = values.into_iter().map(|value| Filter::equal(field.clone(), value));
        Ok(Filter::Any(filters.collect::<Result<_, _>>()?))
    }

    /// Returns a filter for nodes in the result of another query.
    pub(super) fn in_query(field: &Field, query: PuppetDbQuery) -> Result<Filter, String> {
        let is_of_node = field.kind == FieldKind::Certname
            && matches!(query.columns.as_slice(), [column] if column.kind == FieldKind::Certname);
        if !is_of_node || query.limit.is_some() || query.offset > 0 {
            return Err("a query in a query is only supported for `certname`".to_owned());
        }
        Ok(Filter::OfNode(query.entity, Box::new(query.filter)))
    }
}
