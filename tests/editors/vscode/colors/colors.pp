# @summary Shows the colors of the language.
#
# @param content Text of the page.
# @param [Boolean] secure Whether to use TLS.
# @example
#   include profile::colors
class profile::colors (
  String[1] $content,
  Boolean $secure = true,
) inherits profile::base {
  $certname = $trusted['certname']
  $limit = $facts['memory']['system']['total_bytes'] * 0x10 + 1.5
  $service = $facts['os']['family'] ? {
    /^(?<os>Red)Hat\d+/ => 'httpd',
    default             => undef,
  }

  if $secure and $service =~ NotUndef {
    include profile::web
  } elsif !$secure {
    fail("No TLS\ton ${certname}: ${content.upcase}")
  }

  file { "/etc/${service}/page.json":
    ensure  => file,
    content => @("JSON":json/L),
      { "name": "${service}", "size": ${limit}, "on": true }
      | JSON
    notify  => Service['httpd'],
    *       => { mode => '0644' },
  }

  # lint:ignore:140chars
  @@profile::web::check { $certname: ports => [80, 443] }
  Package <| tag == 'web' |> -> File["/etc/${service}/page.json"]
  [1, 2].each |Integer $each| { notice($each) }
  return(false)
}
