# Picks one.
# @param all All of them
# @param rest
#   The rest
# @return [Integer] One
# @raise [ArgumentError] if there is none
# @raise ArgumentError if there are many
function depot::pick(Array $all, Integer *$rest) >> String {
  ''
}
