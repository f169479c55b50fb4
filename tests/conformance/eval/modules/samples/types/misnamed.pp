type Samples::Another = Integer
