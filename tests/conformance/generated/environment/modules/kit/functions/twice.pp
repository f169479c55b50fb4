# Takes anything that there can be twice of.
function kit::twice(Variant[Numeric, String, Collection] $value) {
  case $value {
    Numeric: { $value * 2 }
    String:  { "${value}${value}" }
    Array:   { $value + $value }
    default: { $value.map |$key, $one| { [$key, kit::twice($one)] }.convert_to(Hash) }
  }
}
