# @summary A TCP or UDP port.
type Stdlib::Port = Integer[0, 65535]
