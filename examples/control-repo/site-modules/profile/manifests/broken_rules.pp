# Deliberate mistakes: valid syntax that Puppet rejects.
class profile::broken_rules (
  String $title,
  Integer $retries = 3,
  Integer $retries = 5,
) {
  $profile::web::port = 8080

  $ports = {
    'http'  => 80,
    'https' => 443,
    'http'  => 8080,
  }

  file { '/etc/app.conf':
    ensure  => file,
    content => @(JSON:json),
      { "port": 8080, }
      | JSON
  }

  'this value is unused'

  if $retries > 3 {
    class profile::broken_rules::patient {
    }
  }
}
