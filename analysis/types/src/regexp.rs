use std::sync::Arc;
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Regexp(Arc<str>);
