# @summary A host name or an IP address.
type Stdlib::Host = Variant[Stdlib::Fqdn, Pattern[/\A[0-9a-f]*:[0-9a-f:.]*\z/]]
