# @summary A size
type Depot::Size = Enum[
  'small',
  # not so small
  'large',
]
