## A unit, whose comment has two marks
# @param name Name of the unit
define depot::unit (
  String $size, # trailing
) {
}
