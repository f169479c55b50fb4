# Nodes that export what they collect.
define site($level = 0) {
  @@file { "/level/${title}/${trusted['certname']}": content => "${level}" }
}
node /^web/ { @@site { $trusted['certname']: level => 1 } }
node /^lb/ { Site <<| |>> }
node /^db/ { File <<| |>> }
node default { }
