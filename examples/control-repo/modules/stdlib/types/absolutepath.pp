# @summary An absolute path on Unix.
type Stdlib::Absolutepath = Pattern[/\A\/[^\n\0]*\z/]
