//! Queries as JSON.

use serde_json::Value as Json;

use super::model::{Entity, Field, FieldKind, Filter, PuppetDbQuery, SortKey};

/// Maximum nesting of conditions.
const MAX_DEPTH: usize = 64;

pub(super) fn query(json: &Json) -> Result<PuppetDbQuery, String> {
    from(parts(json)?, 0)
}

/// Parses `["from", ENTITY, QUERY, MODIFIER...]`.
fn from(parts: &[Json], depth: usize) -> Result<PuppetDbQuery, String> {
    let [head, entity, rest @ ..] = parts else { return Err(malformed(&Json::from(parts))) };
    if head != "from" {
        return Err("a query must begin with `from`".to_owned());
    }
    let mut query = PuppetDbQuery::new(Entity::named(text(entity)?)?);
    for part in rest {
        let parts = self::parts(part)?;
        match (parts.first().and_then(Json::as_str), parts) {
            (Some("extract"), [_, columns, conditions @ ..]) => {
                extract(&mut query, columns, conditions, depth)?;
            }
            (Some("order_by"), [_, keys]) => query.order = order(query.entity, keys)?,
            (Some("limit"), [_, count]) => query.limit = Some(number(count)?),
            (Some("offset"), [_, count]) => query.offset = number(count)?,
            (Some("group_by" | "order_by" | "limit" | "offset"), _) => return Err(malformed(part)),
            _ => query.filter = and(query.filter, filter(query.entity, part, depth)?),
        }
    }
    Ok(query)
}

fn extract(
    query: &mut PuppetDbQuery,
    columns: &Json,
    conditions: &[Json],
    depth: usize,
) -> Result<(), String> {
    query.columns = fields(query.entity, columns)?;
    for condition in conditions {
        match parts(condition)? {
            [head, grouped @ ..] if head == "group_by" => {
                let grouped: Result<Vec<Field>, String> =
                    grouped.iter().map(|it| field(query.entity, it)).collect();
                query.group_by(&grouped?)?;
            }
            _ => query.filter = and(query.filter.clone(), filter(query.entity, condition, depth)?),
        }
    }
    Ok(())
}

fn and(one: Filter, other: Filter) -> Filter {
    match one {
        Filter::All(mut all) => {
            all.push(other);
            Filter::All(all)
        }
        one => Filter::All(vec![one, other]),
    }
}

fn order(entity: Entity, keys: &Json) -> Result<Vec<SortKey>, String> {
    let key = |key: &Json| match key {
        Json::Array(parts) => match parts.as_slice() {
            [name] => Ok(SortKey { field: field(entity, name)?, is_descending: false }),
            [name, direction] => {
                let is_descending = match text(direction)? {
                    "asc" => false,
                    "desc" => true,
                    _ => return Err(malformed(key)),
                };
                Ok(SortKey { field: field(entity, name)?, is_descending })
            }
            _ => Err(malformed(key)),
        },
        name => Ok(SortKey { field: field(entity, name)?, is_descending: false }),
    };
    parts(keys)?.iter().map(key).collect()
}

fn filter(entity: Entity, json: &Json, depth: usize) -> Result<Filter, String> {
    if depth > MAX_DEPTH {
        return Err("the query is nested too deeply".to_owned());
    }
    let parts = parts(json)?;
    let (head, rest) = parts.split_first().ok_or_else(|| malformed(json))?;
    let nested = |it: &Json| filter(entity, it, depth + 1);
    match (text(head)?, rest) {
        ("and", filters @ [_, ..]) => Ok(Filter::All(filters.iter().map(nested).collect::<Result<_, _>>()?)),
        ("or", filters @ [_, ..]) => Ok(Filter::Any(filters.iter().map(nested).collect::<Result<_, _>>()?)),
        ("not", [it]) => Ok(Filter::Not(Box::new(nested(it)?))),
        ("null?", [name, Json::Bool(is_null)]) => {
            let filter = Filter::IsNull(field(entity, name)?);
            Ok(if *is_null { filter } else { Filter::Not(Box::new(filter)) })
        }
        ("in", [name, values]) => {
            let [field] = fields(entity, name)?.try_into().map_err(|_| malformed(json))?;
            one_of(&field, values, depth)
        }
        ("subquery", [name, condition]) => {
            let other = Entity::named(text(name)?)?;
            Ok(Filter::OfNode(other, Box::new(filter(other, condition, depth + 1)?)))
        }
        (operator @ ("=" | "~" | "<" | "<=" | ">" | ">="), [name, value]) => {
            Filter::of_operator(field(entity, name)?, operator, value.clone())
        }
        (operator, _) => Err(format!("`{operator}` in a query is not supported")),
    }
}

/// Parses what follows the field of `in`.
fn one_of(field: &Field, values: &Json, depth: usize) -> Result<Filter, String> {
    let parts = parts(values)?;
    match parts {
        [head, Json::Array(values)] if head == "array" => Filter::one_of(field, values.clone()),
        [head, ..] if head == "from" => Filter::in_query(field, from(parts, depth + 1)?),
        [head, columns, Json::Array(select)] if head == "extract" => {
            let name = select.first().and_then(Json::as_str).and_then(|it| it.strip_prefix("select_"));
            let mut query = PuppetDbQuery::new(Entity::named(name.ok_or_else(|| malformed(values))?)?);
            extract(&mut query, columns, &select[1..], depth + 1)?;
            Filter::in_query(field, query)
        }
        _ => Err(malformed(values)),
    }
}

/// Parses a field or a list of fields.
fn fields(entity: Entity, json: &Json) -> Result<Vec<Field>, String> {
    match json {
        Json::Array(names) if !is_pair(names) => names.iter().map(|it| field(entity, it)).collect(),
        name => Ok(vec![field(entity, name)?]),
    }
}

/// Returns true for a field such as `["parameter", "ensure"]`.
fn is_pair(names: &[Json]) -> bool {
    matches!(names, [head, _] if ["parameter", "fact", "node", "function"].iter().any(|it| head == it))
}

fn field(entity: Entity, json: &Json) -> Result<Field, String> {
    match json {
        Json::String(name) => {
            let path: Vec<String> = name.split('.').map(str::to_owned).collect();
            if name.contains(['"', '[', '(']) || path.iter().any(String::is_empty) {
                return Err(malformed(json));
            }
            entity.field(&path)
        }
        Json::Array(parts) => match (parts.as_slice(), entity) {
            ([head, name], Entity::Resources) if head == "parameter" => {
                let name = text(name)?.to_owned();
                Ok(Field { name: format!("parameters.{name}"), kind: FieldKind::Parameter(name) })
            }
            ([head, name], Entity::Nodes | Entity::Inventory) if head == "fact" => {
                let name = text(name)?.to_owned();
                Ok(Field { name: format!("facts.{name}"), kind: FieldKind::Facts(vec![name]) })
            }
            ([head, name], _) if head == "node" && name == "active" => {
                Ok(Field { name: "active".to_owned(), kind: FieldKind::IsActive })
            }
            _ => Err(malformed(json)),
        },
        _ => Err(malformed(json)),
    }
}

fn parts(json: &Json) -> Result<&[Json], String> {
    json.as_array().map(Vec::as_slice).ok_or_else(|| malformed(json))
}

fn text(json: &Json) -> Result<&str, String> {
    json.as_str().ok_or_else(|| malformed(json))
}

fn number(json: &Json) -> Result<usize, String> {
    json.as_u64().and_then(|it| usize::try_from(it).ok()).ok_or_else(|| malformed(json))
}

fn malformed(json: &Json) -> String {
    format!("`{json}` is not supported")
}
