# @summary Manages the depot
#
# Longer text with *Markdown*.
#   An indented line.
#
# @example Minimal
#   include depot
#
# @example
#   class { 'depot':
#     shelves => 3,
#   }
#
# @param shelves
#   Number of shelves.
#
#   A second paragraph.
# @param modes Modes by name
# @option modes [String] :fast Moves quickly
# @option modes :slow Moves slowly
# @enum kind plain Nothing special
# @enum kind cold Cooled
# @param kind [String] Kind of the depot
# @param gone Does not exist
# @see https://example.test/depot The manual
# @see depot::unit
# @note Needs space.
# @todo Add doors.
# @since 1.2.0
# @deprecated Use `store`.
# @unknown tag
# @author Somebody
class depot (
  Integer[1] $shelves = 2,
  Hash[
    String,
    Any
  ] $modes = {
    'fast' => true,
  },
  Enum['plain', 'cold'] $kind = 'plain',
  $untyped = undef,
  Optional[String] $undocumented = "a ${kind}",
) inherits depot::params {
}
