# Resources that the collecting node declares itself.
node /^web[12]/ {
  @@file { '/shared': content => $trusted['certname'] }
  if $trusted['certname'] == 'web1.example.com' { File <<| |>> }
}
node 'web3.example.com' { @@file { '/single': } }
node /^lb/ {
  file { '/single': ensure => file }
  File <<| title == '/single' |>>
}
node /^db/ {
  @file { '/single': ensure => file }
  File <<| title == '/single' |>>
}
node default { }
