# A function of the environment, in its namespace.
function environment::named(Everywhere $value, *$rest) {
  if $value =~ Integer { return [$value, *$rest] }
  kit::twice($value)
}
