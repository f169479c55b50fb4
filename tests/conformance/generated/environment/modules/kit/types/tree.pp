type Kit::Tree = Variant[String, Kit::Port, Array[Kit::Tree], Hash[String, Kit::Tree]]
