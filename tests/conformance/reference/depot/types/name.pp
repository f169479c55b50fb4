# Name of a shelf.
# @example Valid
#   shelf
type Depot::Name = String
