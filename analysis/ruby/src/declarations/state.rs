//! State of reading declarations.

use std::rc::Rc;
use std::sync::Arc;

use plugins::RubyFile;
use plugins::code::{MethodDefinition, ModuleDefinition};
use plugins::drafts::{DefinitionContext, TypeDraft};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use syntax::TextRange;

use crate::classes::{Method, ModuleNesting, RubyModule};
use crate::value::{Hash, Object};

/// Names with their ranges.
pub(crate) type NameRanges = Vec<(SmolStr, TextRange)>;

/// Declarations of the evaluated files.
#[derive(Default)]
pub(crate) struct Declarations<'t> {
    pub(crate) output: RubyFile,
    /// Additions to resource types from outside of them.
    pub(crate) additions: Vec<TypeDraft>,
    /// Definitions under construction, the innermost last.
    pub(crate) contexts: Vec<OpenDefinition>,
    /// Sources of the files.
    pub(crate) texts: FxHashMap<u32, &'t str>,
    /// File whose definitions are read; the others are the files that it requires.
    pub(crate) main: u32,
    /// Call site in the main file through which code of another file was entered.
    pub(crate) call_site: TextRange,
    /// First argument of the enclosing method call, if it is a name, with its range. Definitions of that name
    /// get this range.
    pub(crate) passed_name: Option<(SmolStr, TextRange)>,
    /// Number of unknown conditions around the current code.
    pub(crate) conditions: u32,
    /// Files that the sources require, relative to a module's `lib`.
    pub(crate) requires: Vec<SmolStr>,
    /// True if the code uses something that a missing file may define.
    pub(crate) has_missing_definition: bool,
    /// True if the value of the next expression is unused.
    pub(crate) is_statement: bool,
    /// True after a jump that depends on an unknown condition.
    pub(crate) has_jumped: bool,
    pub(crate) steps: usize,
    pub(crate) depth: u32,
    /// Methods that the files define.
    pub(crate) methods: Vec<DeclaredMethod>,
    /// Classes and modules that the files define.
    pub(crate) classes: Vec<DeclaredClass>,
    /// Ranges of the names in hash literals.
    pub(crate) key_ranges: Vec<(Rc<Hash>, NameRanges)>,
}

/// Definition under construction.
pub(crate) struct OpenDefinition {
    pub(crate) context: DefinitionContext,
    /// `self` in the body of the definition.
    pub(crate) this: Option<Rc<RubyModule>>,
}

pub(crate) struct DeclaredMethod {
    pub(crate) definition: Arc<MethodDefinition>,
    pub(crate) nesting: Option<Rc<ModuleNesting>>,
    pub(crate) file: u32,
    pub(crate) this: Object,
}

pub(crate) struct DeclaredClass {
    pub(crate) module: Rc<RubyModule>,
    pub(crate) definition: Arc<ModuleDefinition>,
    pub(crate) nesting: Option<Rc<ModuleNesting>>,
    pub(crate) file: u32,
}

impl Declarations<'_> {
    /// Returns the innermost definition under construction.
    pub(crate) fn context(&mut self) -> Option<&mut DefinitionContext> {
        self.contexts.last_mut().map(|it| &mut it.context)
    }

    /// Returns true if `object` is `self` of the innermost definition.
    pub(crate) fn is_this(&self, object: &Object) -> bool {
        let this = self.contexts.last().and_then(|it| it.this.as_ref());
        matches!((object, this), (Object::Module(module), Some(this)) if Rc::ptr_eq(module, this))
    }

    /// Returns the method `name` if the files define exactly one, in any module.
    pub(crate) fn only_method(&self, name: &str) -> Option<Method> {
        let mut named = self.methods.iter().filter(|it| it.definition.name == name);
        let it = named.next().filter(|it| !it.definition.body.is_empty())?;
        let (definition, nesting) = (it.definition.clone(), it.nesting.clone());
        named.next().is_none().then_some(Method::Defined { definition, nesting, file: it.file })
    }

    /// Returns a range in the main file. Ranges in other files map to the call site.
    pub(crate) fn range(&self, file: u32, range: TextRange) -> TextRange {
        if file == self.main { range } else { self.call_site }
    }

    pub(crate) fn text(&self, file: u32) -> &str {
        self.texts.get(&file).copied().unwrap_or_default()
    }

    /// Marks the innermost definition as incomplete.
    pub(crate) fn mark_incomplete(&mut self) {
        if let Some(open) = self.contexts.last_mut() {
            self.has_missing_definition |= !matches!(open.context, DefinitionContext::Module);
            open.context.open();
        }
    }

    /// Marks all definitions under construction as incomplete.
    pub(crate) fn give_up(&mut self) {
        self.has_missing_definition |= !self.contexts.is_empty();
        for open in &mut self.contexts {
            open.context.open();
        }
    }
}
