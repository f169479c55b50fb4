#[derive(Clone, PartialEq, Eq, Hash, Debug)] pub struct Uri;
