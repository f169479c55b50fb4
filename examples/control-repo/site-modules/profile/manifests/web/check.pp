# @summary Check of a web server by the monitoring server.
#
# @param ports Ports that must respond.
define profile::web::check (
  Array[Integer[1, 65535]] $ports,
) {
  file { "/etc/monitoring/checks.d/${title}.json":
    ensure  => file,
    content => stdlib::to_json({ 'host' => $title, 'ports' => $ports.sort }),
  }
}
