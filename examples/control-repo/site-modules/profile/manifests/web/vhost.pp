# @summary Virtual host.
#
# @param docroot Document root.
# @param port Port to listen on.
# @param aliases Alternative names of the site.
define profile::web::vhost (
  Stdlib::Absolutepath $docroot,
  Stdlib::Port $port = 443,
  Array[Stdlib::Fqdn] $aliases = [],
) {
  $config_file = "/etc/httpd/conf.d/${port}-${title}.conf"
  $server_aliases = $aliases.join(' ')

  file { $docroot:
    ensure => directory,
    mode   => '0755',
  }

  file { $config_file:
    ensure  => file,
    content => @("CONFIG"),
      <VirtualHost *:${port}>
        ServerName ${title}
        ServerAlias ${server_aliases}
        DocumentRoot "${docroot}"
      </VirtualHost>
      | CONFIG
    require => [Package['httpd'], File[$docroot]],
    notify  => Service['httpd'],
  }
}
