type Environment::Named = Struct[{name => String, Optional[value] => Kit::Tree}]
