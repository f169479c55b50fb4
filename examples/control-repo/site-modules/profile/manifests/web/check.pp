# @summary A check that monitoring makes from outside.
#
# @param ports The ports that must answer.
define profile::web::check (
  Array[Integer[1, 65535]] $ports,
) {
  file { "/etc/monitoring/checks.d/${title}.json":
    ensure  => file,
    content => stdlib::to_json({ 'host' => $title, 'ports' => $ports.sort }),
  }
}
