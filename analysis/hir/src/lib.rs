//! A definition lowered to a Body: what it says, without where it stands.
