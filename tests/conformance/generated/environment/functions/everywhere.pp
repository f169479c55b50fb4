# A function of the environment, without a namespace.
function everywhere(Variant[Scalar, Undef, Collection] $value = $facts['count']) >> String {
  "everywhere ${value}"
}
