# Defaults and roles of all nodes.

File {
  owner => 'root',
  group => 'root',
  mode  => '0644',
}

node default {
  include profile::base
}

node 'db1.example.com', 'db2.example.com' {
  include role::database
}

node /^www\d+\.example\.com$/ {
  include role::webserver
}
