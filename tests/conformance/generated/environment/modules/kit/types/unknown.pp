type Kit::Unknown = Kit::Nowhere
