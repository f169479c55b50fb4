# A class with data of its own and of the environment.
class kit (
  String $p,
  Optional[Kit::Port] $q = undef,
  Array[String] $list = [],
  $from_default = "${kit::params::base} ${module_name}",
) inherits kit::params {
  $set = "${title} ${name} ${p}"
  notify { "kit ${set}": message => $from_default }
  if $q { kit::item { "q${q}": value => $q } }
  contain kit::deep::level
}
