# @summary A host name with or without its domain.
type Stdlib::Fqdn = Pattern[/\A([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]*[a-z0-9])?\.?\z/]
