type Everywhere = Variant[Integer, String[1], Environment::Named]
