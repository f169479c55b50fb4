# Loads it.
# @param nodes The nodes
plan depot::load(TargetSpec $nodes, Boolean $wait = true) {
}
