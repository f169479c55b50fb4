# Defaults and roles of all nodes.

File {
  owner => 'root',
  group => 'root',
  mode  => '0644',
}

node 'bastion.example.com' {
  include profile::base
}

node 'db1.example.com', 'db2.example.com' {
  include role::database
}

node 'www1.example.com', 'www2.example.com' {
  include role::webserver
}
