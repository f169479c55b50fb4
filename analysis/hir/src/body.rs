//! The arena of expressions that a definition is lowered to.

use std::hash::{Hash, Hasher};
use std::ops::Index;

use syntax::ast::{AssignmentOperator, BinaryOperator, RelationshipOperator, ResourceForm, UnaryOperator};

use crate::{DefinitionKey, DefinitionSummary, Name, ParameterSummary};

/// An expression of one [`ExprArena`]. Dense: ids count up from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ExprId(pub(crate) u32);

impl ExprId {
    /// For tables with an entry per expression.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A variable of one scope of one [`Body`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SlotId(pub(crate) u32);

impl SlotId {
    /// The slot at an index of [`Body::slots`].
    pub fn from_index(index: usize) -> SlotId {
        SlotId(index as u32)
    }

    /// For tables with an entry per slot.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A scope of one [`Body`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ScopeId(pub(crate) u32);

impl ScopeId {
    /// The scope of the definition itself.
    pub const ROOT: ScopeId = ScopeId(0);

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Expressions by id; an expression's operands have lower ids than it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct ExprArena {
    pub(crate) exprs: Vec<Expr>,
}

impl ExprArena {
    pub fn len(&self) -> usize {
        self.exprs.len()
    }

    pub fn is_empty(&self) -> bool {
        self.exprs.is_empty()
    }

    pub fn ids(&self) -> impl Iterator<Item = ExprId> + use<> {
        (0..self.exprs.len() as u32).map(ExprId)
    }

    pub fn iter(&self) -> impl Iterator<Item = (ExprId, &Expr)> {
        self.ids().zip(&self.exprs)
    }
}

impl Index<ExprId> for ExprArena {
    type Output = Expr;

    fn index(&self, id: ExprId) -> &Expr {
        &self.exprs[id.index()]
    }
}

/// A definition without its place in the text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Body {
    pub exprs: ExprArena,
    /// Scopes by [`ScopeId`]: that of the definition, then one for each lambda and `apply`.
    pub scopes: Box<[Scope]>,
    /// Variables by [`SlotId`].
    pub slots: Box<[Slot]>,
    pub parameters: Box<[Parameter]>,
    /// Has a template a list of parameters, even an empty one?
    pub lists_parameters: bool,
    pub return_type: Option<ExprId>,
    /// What a class inherits, as it is written.
    pub inherits: Option<Name>,
    /// The hosts of a node definition.
    pub hosts: Box<[HostMatch]>,
    /// The statements; for a type alias what it stands for, for a type mapping both sides.
    pub root: ExprId,
}

impl Body {
    /// The body of a definition that is not there.
    pub fn missing() -> Body {
        Body::of(Expr::Missing)
    }

    /// The body of a class that does nothing.
    pub fn of_nothing(inherits: Option<Name>) -> Body {
        Body { inherits, ..Body::of(Expr::Undef) }
    }

    /// A body with nothing but the parameters of a definition and their types, to evaluate those; `None` where a type is made of more
    /// than literals and types.
    pub fn of_parameter_types(signature: &DefinitionSummary) -> Option<Body> {
        let is_plain = |expr: &Expr| {
            let is_of_constants =
                matches!(expr, Expr::TypeReference(_) | Expr::Array(_) | Expr::Hash(_) | Expr::Access { .. });
            is_of_constants || expr.is_constant()
        };
        let parameter = |it: &ParameterSummary| Parameter {
            name: it.name.clone(),
            slot: SlotId(0),
            type_expr: it.type_expr,
            default: None,
            captures_rest: it.captures_rest,
        };
        let parameters = signature.parameters.iter().map(parameter).collect();
        let is_closed = signature.types.iter().all(|(_, expr)| is_plain(expr));
        is_closed.then(|| Body { exprs: signature.types.clone(), parameters, ..Body::of(Expr::Undef) })
    }

    fn of(root: Expr) -> Body {
        Body {
            exprs: ExprArena { exprs: vec![root] },
            scopes: Box::new([Scope { parent: None, slot_count: 0 }]),
            slots: Box::default(),
            parameters: Box::default(),
            lists_parameters: false,
            return_type: None,
            inherits: None,
            hosts: Box::default(),
            root: ExprId(0),
        }
    }
}

impl Body {
    /// The assignments that set a variable, alone or with others, in the order of the arena.
    pub fn assignments_to(&self, slot: SlotId) -> impl Iterator<Item = ExprId> {
        let is_it =
            move |it: ExprId| matches!(self[it], Expr::Variable(VariableRef::Slot(other)) if other == slot);
        self.exprs.iter().filter_map(move |(id, expr)| {
            let Expr::Assignment { lhs, .. } = expr else { return None };
            let sets = match &self[*lhs] {
                Expr::Array(targets) => targets.iter().any(|it| is_it(*it)),
                _ => is_it(*lhs),
            };
            sets.then_some(id)
        })
    }
}

impl Index<ExprId> for Body {
    type Output = Expr;

    fn index(&self, id: ExprId) -> &Expr {
        &self.exprs[id]
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Scope {
    /// The scope around a lambda; `None` for the definition's own.
    pub parent: Option<ScopeId>,
    /// How many slots are its own.
    pub slot_count: u32,
}

/// A variable that its scope sets: a parameter, or the left side of an assignment.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Slot {
    pub name: Name,
    pub scope: ScopeId,
    /// Counts the slots of its scope.
    pub index_in_scope: u32,
    /// The variable of the same name in the nearest scope around: it is read as long as this one is not set.
    pub outer: Option<SlotId>,
}

/// A parameter of a definition, template or lambda.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Parameter {
    /// Empty where only a `$` stands.
    pub name: Name,
    pub slot: SlotId,
    pub type_expr: Option<ExprId>,
    pub default: Option<ExprId>,
    /// Is it `*$rest`?
    pub captures_rest: bool,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum HostMatch {
    /// A literal host name, quoted or not.
    Name(Name),
    Regex(Name),
    Default,
    /// Anything else; the static rules refuse it.
    Invalid,
}

impl HostMatch {
    /// What Puppet keeps a node definition under: it refuses a second one with the same, and a class that is called so. Of a
    /// regular expression that are its letters, digits and some signs. `None` for what is refused anyway.
    pub fn key(&self) -> Option<Name> {
        match self {
            HostMatch::Name(name) => Some(name.to_lowercase().into()),
            HostMatch::Regex(source) => {
                let is_kept = |c: &char| c.is_ascii_alphanumeric() || "-_:.".contains(*c);
                let kept: String = source.chars().filter(is_kept).collect();
                let kept = kept.trim_start_matches('.').to_lowercase();
                // Versions differ in what they make of what is looked for around.
                let kept = if source.contains("(?") { source.as_str() } else { &kept };
                Some(format!("__node_regexp__{kept}").into())
            }
            HostMatch::Default => Some("default".into()),
            HostMatch::Invalid => None,
        }
    }
}

/// A floating-point literal; equal when its bits are.
#[derive(Clone, Copy, Debug)]
pub struct FloatLiteral(pub f64);

impl PartialEq for FloatLiteral {
    fn eq(&self, other: &FloatLiteral) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}

impl Eq for FloatLiteral {}

impl Hash for FloatLiteral {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

/// A piece of a string with interpolation.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum StringPart {
    Text(Name),
    Expr(ExprId),
}

/// What a variable expression names.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum VariableRef {
    /// A variable that a scope of the body sets somewhere. It may not be set yet when it is read: see [`Slot::outer`];
    /// behind the last slot follows what a free name means.
    Slot(SlotId),
    /// A plain name that no scope of the body sets: an implicit variable, a fact, or one of an outer scope.
    Free(Name),
    /// `$scope::name`; the scope is empty for the top scope (`$::name`), and never begins with `::`.
    Qualified { scope: Name, name: Name },
    /// `$0`, `$1`, ...: the last match in this scope.
    Match(u32),
    /// A lone `$`.
    Missing,
}

/// An expression. Parentheses and the `@` around resources have none of their own.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    /// What a syntax error left out.
    Missing,
    Undef,
    Default,
    Boolean(bool),
    Integer(i64),
    Float(FloatLiteral),
    /// A number that is none: out of range, or malformed. An error of its own, reported by the static rules.
    InvalidNumber,
    String(Name),
    /// At least one part is an expression.
    Interpolated(Box<[StringPart]>),
    /// A heredoc with a syntax tag; `text` is a string or an interpolated one.
    Heredoc {
        syntax: Name,
        text: ExprId,
    },
    /// The pattern between the slashes.
    Regex(Name),
    /// A bare name: a string, or what is called or declared.
    Name(Name),
    /// `Foo::Bar`, as it is written.
    TypeReference(Name),
    ReservedWord(Name),
    Variable(VariableRef),
    Array(Box<[ExprId]>),
    Hash(Box<[(ExprId, ExprId)]>),
    Unary {
        operator: UnaryOperator,
        operand: ExprId,
    },
    Binary {
        operator: BinaryOperator,
        lhs: ExprId,
        rhs: ExprId,
    },
    Assignment {
        operator: AssignmentOperator,
        lhs: ExprId,
        rhs: ExprId,
    },
    Relationship {
        operator: RelationshipOperator,
        lhs: ExprId,
        rhs: ExprId,
    },
    Access {
        lhs: ExprId,
        keys: Box<[ExprId]>,
    },
    /// `x ? { matching => value }`
    Selector {
        lhs: ExprId,
        entries: Box<[(ExprId, ExprId)]>,
    },
    /// `f(x)`, `include x`, `Type(x)`; the functor is a [`Expr::Name`], [`Expr::TypeReference`] or access to one.
    Call {
        functor: ExprId,
        arguments: Box<[ExprId]>,
        lambda: Option<ExprId>,
    },
    /// `receiver.name(arguments)`
    MethodCall {
        receiver: ExprId,
        name: Name,
        arguments: Box<[ExprId]>,
        lambda: Option<ExprId>,
    },
    /// Only as the `lambda` of a call.
    Lambda {
        scope: ScopeId,
        parameters: Box<[Parameter]>,
        return_type: Option<ExprId>,
        body: ExprId,
    },
    Block(Box<[ExprId]>),
    /// An `elsif` is an `if` in `otherwise`.
    If {
        condition: ExprId,
        then: ExprId,
        otherwise: Option<ExprId>,
    },
    Unless {
        condition: ExprId,
        then: ExprId,
        otherwise: Option<ExprId>,
    },
    Case {
        test: ExprId,
        options: Box<[CaseOption]>,
    },
    Resource {
        form: ResourceForm,
        type_expr: ExprId,
        bodies: Box<[ResourceBody]>,
    },
    ResourceDefaults {
        form: ResourceForm,
        type_expr: ExprId,
        operations: Box<[AttributeOperation]>,
    },
    ResourceOverride {
        form: ResourceForm,
        reference: ExprId,
        operations: Box<[AttributeOperation]>,
    },
    /// `name { attributes }`: an error unless the name is a function that takes a hash.
    UntitledResource {
        name: Name,
        operations: Box<[AttributeOperation]>,
    },
    Collect {
        type_expr: ExprId,
        query: Query,
        operations: Box<[AttributeOperation]>,
    },
    /// A definition that stands here; its contents are a body of their own.
    Definition(DefinitionKey),
    /// `apply(targets) { ... }`
    Apply {
        scope: ScopeId,
        arguments: Box<[ExprId]>,
        body: ExprId,
    },
    /// Text that a template copies.
    RenderString(Name),
    /// `<%= ... %>`
    Render(ExprId),
}

impl Expr {
    /// Does it stand for one value, without any other expression?
    pub fn is_constant(&self) -> bool {
        matches!(
            self,
            Expr::Undef
                | Expr::Default
                | Expr::Boolean(_)
                | Expr::Integer(_)
                | Expr::Float(_)
                | Expr::String(_)
                | Expr::Name(_)
                | Expr::Regex(_)
        )
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CaseOption {
    pub values: Box<[ExprId]>,
    pub block: ExprId,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ResourceBody {
    pub title: ExprId,
    pub operations: Box<[AttributeOperation]>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum AttributeOperation {
    /// `name => value`, or `name +> value` when `append`. The name is empty where it is missing.
    Set { name: Name, value: ExprId, append: bool },
    /// `* => value`
    Splat(ExprId),
}

/// What stands between `<|` and `|>`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Query {
    /// Is it `<<| |>>`?
    pub exported: bool,
    pub expr: Option<ExprId>,
}
