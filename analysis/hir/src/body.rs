//! Expression arena of a lowered definition.

use std::hash::{Hash, Hasher};
use std::ops::Index;

use syntax::ast::{AssignmentOperator, BinaryOperator, RelationshipOperator, ResourceForm, UnaryOperator};

use crate::{DefinitionKey, DefinitionSummary, Name, ParameterSummary};

/// Expression of an [`ExprArena`]. Ids are dense and start at 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ExprId(pub(crate) u32);

impl ExprId {
    /// Returns the index for tables with one entry per expression.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Variable in a scope of a [`Body`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SlotId(pub(crate) u32);

impl SlotId {
    /// Returns the slot at an index of [`Body::slots`].
    pub fn from_index(index: usize) -> SlotId {
        SlotId(index as u32)
    }

    /// Returns the index for tables with one entry per slot.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Scope of a [`Body`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ScopeId(pub(crate) u32);

impl ScopeId {
    /// Scope of the definition itself.
    pub const ROOT: ScopeId = ScopeId(0);

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Expressions by id. The operands of an expression have lower ids than the expression.
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

/// Definition without its location in the text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Body {
    pub exprs: ExprArena,
    /// Scopes by [`ScopeId`]: that of the definition, then one per lambda and `apply`.
    pub scopes: Box<[Scope]>,
    /// Variables by [`SlotId`].
    pub slots: Box<[Slot]>,
    pub parameters: Box<[Parameter]>,
    /// True if a template has a parameter list, even an empty one.
    pub has_parameter_list: bool,
    pub return_type: Option<ExprId>,
    /// Parent class of a class, as written.
    pub inherits: Option<Name>,
    /// Hosts of a node definition.
    pub hosts: Box<[HostMatch]>,
    /// Statements; the aliased type for a type alias, and both sides for a type mapping.
    pub root: ExprId,
}

impl Body {
    /// Returns the body of a missing definition.
    pub fn missing() -> Body {
        Body::of(Expr::Missing)
    }

    /// Returns the body of an empty class.
    pub fn of_nothing(inherits: Option<Name>) -> Body {
        Body { inherits, ..Body::of(Expr::Undef) }
    }

    /// Returns a body with only the parameters of a definition and their types, for evaluating those. Returns
    /// `None` if a type consists of more than literals and types.
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
            has_parameter_list: false,
            return_type: None,
            inherits: None,
            hosts: Box::default(),
            root: ExprId(0),
        }
    }
}

impl Body {
    /// Returns the assignments that set a variable, alone or with others, in arena order.
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
    /// Enclosing scope of a lambda; `None` for the scope of the definition.
    pub parent: Option<ScopeId>,
    /// Number of slots in this scope.
    pub slot_count: u32,
}

/// Variable set by its scope: a parameter, or the left side of an assignment.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Slot {
    pub name: Name,
    pub scope: ScopeId,
    /// Index among the slots of its scope.
    pub index_in_scope: u32,
    /// Variable of the same name in the nearest enclosing scope, which is read as long as this one is not
    /// set.
    pub outer: Option<SlotId>,
}

/// Parameter of a definition, template or lambda.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Parameter {
    /// Name; empty for a lone `$`.
    pub name: Name,
    pub slot: SlotId,
    pub type_expr: Option<ExprId>,
    pub default: Option<ExprId>,
    /// True for `*$rest`.
    pub captures_rest: bool,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum HostMatch {
    /// Literal host name, quoted or not.
    Name(Name),
    Regex(Name),
    Default,
    /// Any other expression, which validation rejects.
    Invalid,
}

impl HostMatch {
    /// Returns the key under which Puppet stores a node definition. Puppet rejects a second node with the
    /// same key, and a class of that name.
    ///
    /// For a regular expression the key consists of its letters, digits and some punctuation. Returns `None`
    /// for invalid hosts.
    pub fn key(&self) -> Option<Name> {
        match self {
            HostMatch::Name(name) => Some(name.to_lowercase().into()),
            HostMatch::Regex(source) => {
                let is_kept = |c: &char| c.is_ascii_alphanumeric() || "-_:.".contains(*c);
                let kept: String = source.chars().filter(is_kept).collect();
                let kept = kept.trim_start_matches('.').to_lowercase();
                // Puppet versions differ in their treatment of lookaround groups.
                let kept = if source.contains("(?") { source.as_str() } else { &kept };
                Some(format!("__node_regexp__{kept}").into())
            }
            HostMatch::Default => Some("default".into()),
            HostMatch::Invalid => None,
        }
    }
}

/// Floating-point literal, compared by its bits.
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

/// Part of a string with interpolation.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum StringPart {
    Text(Name),
    Expr(ExprId),
}

/// Target of a variable expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum VariableRef {
    /// Variable that a scope of the body sets somewhere. It may be unset when it is read: see
    /// [`Slot::outer`]; after the outermost slot, it resolves like a free name.
    Slot(SlotId),
    /// Plain name that no scope of the body sets: an implicit variable, a fact, or a variable of an outer
    /// scope.
    Free(Name),
    /// `$scope::name`. The scope is empty for the top scope (`$::name`) and never begins with `::`.
    Qualified { scope: Name, name: Name },
    /// `$0`, `$1`, ...: group of the last match in this scope.
    Match(u32),
    /// Lone `$`.
    Missing,
}

/// Expression. Parentheses and the `@` of virtual resources have no separate expressions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    /// Expression missing because of a syntax error.
    Missing,
    Undef,
    Default,
    Boolean(bool),
    Integer(i64),
    Float(FloatLiteral),
    /// Number that is out of range or malformed, which validation reports.
    InvalidNumber,
    String(Name),
    /// String with at least one interpolated expression.
    Interpolated(Box<[StringPart]>),
    /// Heredoc with a syntax tag; `text` is a plain or interpolated string.
    Heredoc {
        syntax: Name,
        text: ExprId,
    },
    /// Pattern between the slashes.
    Regex(Name),
    /// Bare name: a string, or the name of a function or resource type.
    Name(Name),
    /// `Foo::Bar`, as written.
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
    /// `f(x)`, `include x`, `Type(x)`. The functor is an [`Expr::Name`], an [`Expr::TypeReference`] or an
    /// access to one.
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
    /// Lambda; occurs only as the `lambda` of a call.
    Lambda {
        scope: ScopeId,
        parameters: Box<[Parameter]>,
        return_type: Option<ExprId>,
        body: ExprId,
    },
    Block(Box<[ExprId]>),
    /// `if`; an `elsif` is a nested `if` in `otherwise`.
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
    /// `name { attributes }`: an error, unless the name is a function that takes a hash.
    UntitledResource {
        name: Name,
        operations: Box<[AttributeOperation]>,
    },
    Collect {
        type_expr: ExprId,
        query: Query,
        operations: Box<[AttributeOperation]>,
    },
    /// Nested definition, which has a separate body.
    Definition(DefinitionKey),
    /// `apply(targets) { ... }`
    Apply {
        scope: ScopeId,
        arguments: Box<[ExprId]>,
        body: ExprId,
    },
    /// Text that a template copies to its output.
    RenderString(Name),
    /// `<%= ... %>`
    Render(ExprId),
}

impl Expr {
    /// Returns true if the expression denotes a single value without any subexpression.
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
    /// `name => value`, or `name +> value` if `append`. The name is empty if it is missing.
    Set { name: Name, value: ExprId, append: bool },
    /// `* => value`
    Splat(ExprId),
}

/// Query between `<|` and `|>`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Query {
    /// True for `<<| |>>`.
    pub exported: bool,
    pub expr: Option<ExprId>,
}
