# Evaluation at work: `puppet-analyzer eval examples/values.pp`.
function shout(String $text) >> String {
  "${text.upcase}!"
}

type Port = Integer[1, 65535]

$services = {
  'web'      => { 'port' => 8080, 'hosts' => ['www1', 'www2'] },
  'database' => { 'port' => 5432, 'hosts' => ['db1'] },
}

# All addresses, sorted: lambdas, interpolation, access.
$addresses = $services.map |$name, $service| {
  $service['hosts'].map |$host| { "${host}.example.com:${service['port']}" }
}.flatten.sort

# Regular expressions and their match variables, case, types as conditions.
$kinds = $addresses.map |$address| {
  case $address {
    /\A([a-z]+)\d+\./: { $1 }
    default:           { 'other' }
  }
}.unique

notice("${addresses.size} addresses of ${kinds.join(' and ')}")

$all = {
  'addresses' => $addresses,
  'loud'      => $kinds.map |$kind| { shout($kind) },
  'ports'     => $services.map |$_, $service| { $service['port'] =~ Port },
  'formatted' => sprintf('%05.1f|%-6s|%#x', 3.14159, 'left', 255),
  'versions'  => versioncmp('7.23.0', '8.0.0'),
  'type'      => type($services['web']),
}
