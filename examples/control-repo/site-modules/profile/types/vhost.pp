# A website in Hiera data.
type Profile::Vhost = Struct[{
  docroot           => Stdlib::Absolutepath,
  Optional[port]    => Stdlib::Port,
  Optional[aliases] => Array[Stdlib::Fqdn],
}]
