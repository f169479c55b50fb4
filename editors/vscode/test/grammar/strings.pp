# SYNTAX TEST "source.puppet" "strings"
$a = 'it\'s \\ plain'
#<- variable.other.puppet punctuation.definition.variable.puppet
#^ variable.other.puppet
#  ^ keyword.operator.assignment.puppet
#    ^ string.quoted.single.puppet punctuation.definition.string.begin.puppet
#     ^^ string.quoted.single.puppet
#       ^^ string.quoted.single.puppet constant.character.escape.puppet
#         ^ string.quoted.single.puppet
#           ^^ string.quoted.single.puppet constant.character.escape.puppet
#              ^^^^^ string.quoted.single.puppet
#                   ^ string.quoted.single.puppet punctuation.definition.string.end.puppet
$b = "name ${name} $other ${facts['os']} \n \u{1F600} \q end"
#<- variable.other.puppet punctuation.definition.variable.puppet
#^ variable.other.puppet
#  ^ keyword.operator.assignment.puppet
#    ^ string.quoted.double.puppet punctuation.definition.string.begin.puppet
#     ^^^^ string.quoted.double.puppet
#          ^^ string.quoted.double.puppet meta.interpolation.puppet punctuation.section.interpolation.begin.puppet
#            ^^^^ string.quoted.double.puppet meta.interpolation.puppet meta.embedded.line.puppet variable.other.puppet
#                ^ string.quoted.double.puppet meta.interpolation.puppet punctuation.section.interpolation.end.puppet
#                  ^ string.quoted.double.puppet variable.other.puppet punctuation.definition.variable.puppet
#                   ^^^^^ string.quoted.double.puppet variable.other.puppet
#                         ^^ string.quoted.double.puppet meta.interpolation.puppet punctuation.section.interpolation.begin.puppet
#                           ^^^^^ string.quoted.double.puppet meta.interpolation.puppet meta.embedded.line.puppet variable.other.puppet
#                                ^ string.quoted.double.puppet meta.interpolation.puppet meta.embedded.line.puppet punctuation.section.brackets.puppet
#                                 ^ string.quoted.double.puppet meta.interpolation.puppet meta.embedded.line.puppet string.quoted.single.puppet punctuation.definition.string.begin.puppet
#                                  ^^ string.quoted.double.puppet meta.interpolation.puppet meta.embedded.line.puppet string.quoted.single.puppet
#                                    ^ string.quoted.double.puppet meta.interpolation.puppet meta.embedded.line.puppet string.quoted.single.puppet punctuation.definition.string.end.puppet
#                                     ^ string.quoted.double.puppet meta.interpolation.puppet meta.embedded.line.puppet punctuation.section.brackets.puppet
#                                      ^ string.quoted.double.puppet meta.interpolation.puppet punctuation.section.interpolation.end.puppet
#                                        ^^ string.quoted.double.puppet constant.character.escape.puppet
#                                           ^^^^^^^^^ string.quoted.double.puppet constant.character.escape.puppet
#                                                     ^^ string.quoted.double.puppet invalid.deprecated.escape.puppet
#                                                        ^^^ string.quoted.double.puppet
#                                                           ^ string.quoted.double.puppet punctuation.definition.string.end.puppet
$c = /^(a|b)[^c-e\d]+?\.$/
#<- variable.other.puppet punctuation.definition.variable.puppet
#^ variable.other.puppet
#  ^ keyword.operator.assignment.puppet
#    ^ string.regexp.puppet punctuation.definition.string.begin.puppet
#     ^ string.regexp.puppet keyword.control.anchor.regexp
#      ^ string.regexp.puppet punctuation.definition.group.regexp
#       ^ string.regexp.puppet
#        ^ string.regexp.puppet keyword.operator.or.regexp
#         ^ string.regexp.puppet
#          ^ string.regexp.puppet punctuation.definition.group.regexp
#           ^ string.regexp.puppet constant.other.character-class.set.regexp punctuation.definition.character-class.regexp
#            ^ string.regexp.puppet constant.other.character-class.set.regexp keyword.operator.negation.regexp
#             ^^^ string.regexp.puppet constant.other.character-class.set.regexp
#                ^^ string.regexp.puppet constant.other.character-class.set.regexp constant.character.escape.regexp
#                  ^ string.regexp.puppet constant.other.character-class.set.regexp punctuation.definition.character-class.regexp
#                   ^^ string.regexp.puppet keyword.operator.quantifier.regexp
#                     ^^ string.regexp.puppet constant.character.escape.regexp
#                       ^ string.regexp.puppet keyword.control.anchor.regexp
#                        ^ string.regexp.puppet punctuation.definition.string.end.puppet
$d = bareword
#<- variable.other.puppet punctuation.definition.variable.puppet
#^ variable.other.puppet
#  ^ keyword.operator.assignment.puppet
#    ^^^^^^^^ string.unquoted.puppet
$e = "${ $h.map |$k| { $k } }"
#<- variable.other.puppet punctuation.definition.variable.puppet
#^ variable.other.puppet
#  ^ keyword.operator.assignment.puppet
#    ^ string.quoted.double.puppet punctuation.definition.string.begin.puppet
#     ^^ string.quoted.double.puppet meta.interpolation.puppet punctuation.section.interpolation.begin.puppet
#        ^ string.quoted.double.puppet meta.interpolation.puppet meta.embedded.line.puppet variable.other.puppet punctuation.definition.variable.puppet
#         ^ string.quoted.double.puppet meta.interpolation.puppet meta.embedded.line.puppet variable.other.puppet
#          ^ string.quoted.double.puppet meta.interpolation.puppet meta.embedded.line.puppet punctuation.accessor.puppet
#           ^^^ string.quoted.double.puppet meta.interpolation.puppet meta.embedded.line.puppet entity.name.function.call.puppet
#               ^ string.quoted.double.puppet meta.interpolation.puppet meta.embedded.line.puppet punctuation.section.parameters.lambda.puppet
#                ^ string.quoted.double.puppet meta.interpolation.puppet meta.embedded.line.puppet variable.other.puppet punctuation.definition.variable.puppet
#                 ^ string.quoted.double.puppet meta.interpolation.puppet meta.embedded.line.puppet variable.other.puppet
#                  ^ string.quoted.double.puppet meta.interpolation.puppet meta.embedded.line.puppet punctuation.section.parameters.lambda.puppet
#                    ^ string.quoted.double.puppet meta.interpolation.puppet meta.embedded.line.puppet punctuation.section.braces.begin.puppet
#                      ^ string.quoted.double.puppet meta.interpolation.puppet meta.embedded.line.puppet variable.other.puppet punctuation.definition.variable.puppet
#                       ^ string.quoted.double.puppet meta.interpolation.puppet meta.embedded.line.puppet variable.other.puppet
#                         ^ string.quoted.double.puppet meta.interpolation.puppet meta.embedded.line.puppet punctuation.section.braces.end.puppet
#                           ^ string.quoted.double.puppet meta.interpolation.puppet punctuation.section.interpolation.end.puppet
#                            ^ string.quoted.double.puppet punctuation.definition.string.end.puppet
$f = /[[:alpha:]]/
#<- variable.other.puppet punctuation.definition.variable.puppet
#^ variable.other.puppet
#  ^ keyword.operator.assignment.puppet
#    ^ string.regexp.puppet punctuation.definition.string.begin.puppet
#     ^ string.regexp.puppet constant.other.character-class.set.regexp punctuation.definition.character-class.regexp
#      ^^^^^^^^^ string.regexp.puppet constant.other.character-class.set.regexp support.constant.character-class.regexp
#               ^ string.regexp.puppet constant.other.character-class.set.regexp punctuation.definition.character-class.regexp
#                ^ string.regexp.puppet punctuation.definition.string.end.puppet
