# Nodes that export the same resource.
node /^web/ {
  @@file { '/shared': content => $trusted['certname'] }
  @@file { "/own/${trusted['certname']}": }
}
node /^lb/ { File <<| title == '/shared' |>> }
node /^db/ { File <<| title != '/shared' |>> }
node default { }
