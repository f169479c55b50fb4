# A web site as the data describes it.
type Profile::Vhost = Struct[{
  docroot           => Stdlib::Absolutepath,
  Optional[port]    => Stdlib::Port,
  Optional[aliases] => Array[Stdlib::Fqdn],
}]
