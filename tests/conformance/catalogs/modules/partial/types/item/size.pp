type Partial::Item::Size = Integer
