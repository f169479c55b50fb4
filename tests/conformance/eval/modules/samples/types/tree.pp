type Samples::Tree = Variant[Samples::Port, Array[Samples::Tree]]
