# Collectors of the same resources, and functions that see them.
node /^web/ {
  @@file { "/a/${trusted['certname']}": mode => '0600' }
}
node /^lb/ {
  File <<| title == '/a/web1.example.com' |>> { owner => 'first' }
  File <<| |>> { group => 'second' }
  File <| title == '/a/web2.example.com' |> { owner => 'third' }
}
node /^db/ {
  realize(File['/a/web1.example.com'])
  File <<| |>>
  File['/a/web2.example.com'] -> notify { 'after': }
}
node default { }
