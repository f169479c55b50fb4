# SYNTAX TEST "source.puppet" "expressions"
$answer = 42 + 1.5e3 - 2 * 3 / 4 % 5
#<- variable.other.puppet punctuation.definition.variable.puppet
#^^^^^^ variable.other.puppet
#       ^ keyword.operator.assignment.puppet
#         ^^ constant.numeric.decimal.puppet
#            ^ keyword.operator.arithmetic.puppet
#              ^^^^^ constant.numeric.float.puppet
#                    ^ keyword.operator.arithmetic.puppet
#                      ^ constant.numeric.decimal.puppet
#                        ^ keyword.operator.arithmetic.puppet
#                          ^ constant.numeric.decimal.puppet
#                            ^ keyword.operator.arithmetic.puppet
#                              ^ constant.numeric.decimal.puppet
#                                ^ keyword.operator.arithmetic.puppet
#                                  ^ constant.numeric.decimal.puppet
$shifted = 1 << 2 >> 3
#<- variable.other.puppet punctuation.definition.variable.puppet
#^^^^^^^ variable.other.puppet
#        ^ keyword.operator.assignment.puppet
#          ^ constant.numeric.decimal.puppet
#            ^^ keyword.operator.shift.puppet
#               ^ constant.numeric.decimal.puppet
#                 ^^ keyword.operator.shift.puppet
#                    ^ constant.numeric.decimal.puppet
$is_large = $answer >= 3 and !($answer == 4) or $a =~ /x/
#<- variable.other.puppet punctuation.definition.variable.puppet
#^^^^^^^^ variable.other.puppet
#         ^ keyword.operator.assignment.puppet
#           ^ variable.other.puppet punctuation.definition.variable.puppet
#            ^^^^^^ variable.other.puppet
#                   ^^ keyword.operator.comparison.puppet
#                      ^ constant.numeric.decimal.puppet
#                        ^^^ keyword.operator.word.puppet
#                            ^ keyword.operator.logical.puppet
#                             ^ punctuation.section.parens.puppet
#                              ^ variable.other.puppet punctuation.definition.variable.puppet
#                               ^^^^^^ variable.other.puppet
#                                      ^^ keyword.operator.comparison.puppet
#                                         ^ constant.numeric.decimal.puppet
#                                          ^ punctuation.section.parens.puppet
#                                            ^^ keyword.operator.word.puppet
#                                               ^ variable.other.puppet punctuation.definition.variable.puppet
#                                                ^ variable.other.puppet
#                                                  ^^ keyword.operator.comparison.puppet
#                                                     ^ string.regexp.puppet punctuation.definition.string.begin.puppet
#                                                      ^ string.regexp.puppet
#                                                       ^ string.regexp.puppet punctuation.definition.string.end.puppet
$found = 'a' in ['b', 'c']
#<- variable.other.puppet punctuation.definition.variable.puppet
#^^^^^ variable.other.puppet
#      ^ keyword.operator.assignment.puppet
#        ^ string.quoted.single.puppet punctuation.definition.string.begin.puppet
#         ^ string.quoted.single.puppet
#          ^ string.quoted.single.puppet punctuation.definition.string.end.puppet
#            ^^ keyword.operator.word.puppet
#               ^ punctuation.section.brackets.puppet
#                ^ string.quoted.single.puppet punctuation.definition.string.begin.puppet
#                 ^ string.quoted.single.puppet
#                  ^ string.quoted.single.puppet punctuation.definition.string.end.puppet
#                   ^ punctuation.separator.comma.puppet
#                     ^ string.quoted.single.puppet punctuation.definition.string.begin.puppet
#                      ^ string.quoted.single.puppet
#                       ^ string.quoted.single.puppet punctuation.definition.string.end.puppet
#                        ^ punctuation.section.brackets.puppet
$choice = $facts['os']['family'] ? { 'Debian' => 1, default => undef }
#<- variable.other.puppet punctuation.definition.variable.puppet
#^^^^^^ variable.other.puppet
#       ^ keyword.operator.assignment.puppet
#         ^ variable.language.puppet punctuation.definition.variable.puppet
#          ^^^^^ variable.language.puppet
#               ^ punctuation.section.brackets.puppet
#                ^ string.quoted.single.puppet punctuation.definition.string.begin.puppet
#                 ^^ string.quoted.single.puppet
#                   ^ string.quoted.single.puppet punctuation.definition.string.end.puppet
#                    ^ punctuation.section.brackets.puppet
#                     ^ punctuation.section.brackets.puppet
#                      ^ string.quoted.single.puppet punctuation.definition.string.begin.puppet
#                       ^^^^^^ string.quoted.single.puppet
#                             ^ string.quoted.single.puppet punctuation.definition.string.end.puppet
#                              ^ punctuation.section.brackets.puppet
#                                ^ keyword.operator.selector.puppet
#                                  ^ punctuation.section.braces.puppet
#                                    ^ string.quoted.single.puppet punctuation.definition.string.begin.puppet
#                                     ^^^^^^ string.quoted.single.puppet
#                                           ^ string.quoted.single.puppet punctuation.definition.string.end.puppet
#                                             ^^ keyword.operator.arrow.puppet
#                                                ^ constant.numeric.decimal.puppet
#                                                 ^ punctuation.separator.comma.puppet
#                                                   ^^^^^^^ constant.language.default.puppet
#                                                           ^^ keyword.operator.arrow.puppet
#                                                              ^^^^^ constant.language.undef.puppet
#                                                                    ^ punctuation.section.braces.puppet
$list += [true, false]
#<- variable.other.puppet punctuation.definition.variable.puppet
#^^^^ variable.other.puppet
#     ^^ keyword.operator.assignment.puppet
#        ^ punctuation.section.brackets.puppet
#         ^^^^ constant.language.boolean.puppet
#             ^ punctuation.separator.comma.puppet
#               ^^^^^ constant.language.boolean.puppet
#                    ^ punctuation.section.brackets.puppet
$items.each |Integer $index, $value| { notice($index) }
#<- variable.other.puppet punctuation.definition.variable.puppet
#^^^^^ variable.other.puppet
#     ^ punctuation.accessor.puppet
#      ^^^^ entity.name.function.call.puppet
#           ^ punctuation.section.parameters.lambda.puppet
#            ^^^^^^^ support.type.puppet
#                    ^ variable.other.puppet punctuation.definition.variable.puppet
#                     ^^^^^ variable.other.puppet
#                          ^ punctuation.separator.comma.puppet
#                            ^ variable.other.puppet punctuation.definition.variable.puppet
#                             ^^^^^ variable.other.puppet
#                                  ^ punctuation.section.parameters.lambda.puppet
#                                    ^ punctuation.section.braces.puppet
#                                      ^^^^^^ entity.name.function.call.puppet
#                                            ^ punctuation.section.parens.puppet
#                                             ^ variable.other.puppet punctuation.definition.variable.puppet
#                                              ^^^^^ variable.other.puppet
#                                                   ^ punctuation.section.parens.puppet
#                                                     ^ punctuation.section.braces.puppet
$joined = join($list, ',').upcase
#<- variable.other.puppet punctuation.definition.variable.puppet
#^^^^^^ variable.other.puppet
#       ^ keyword.operator.assignment.puppet
#         ^^^^ entity.name.function.call.puppet
#             ^ punctuation.section.parens.puppet
#              ^ variable.other.puppet punctuation.definition.variable.puppet
#               ^^^^ variable.other.puppet
#                   ^ punctuation.separator.comma.puppet
#                     ^ string.quoted.single.puppet punctuation.definition.string.begin.puppet
#                      ^ string.quoted.single.puppet
#                       ^ string.quoted.single.puppet punctuation.definition.string.end.puppet
#                        ^ punctuation.section.parens.puppet
#                         ^ punctuation.accessor.puppet
#                          ^^^^^^ entity.name.function.call.puppet
f(*$arguments)
#<- entity.name.function.call.puppet
#^ punctuation.section.parens.puppet
# ^ keyword.operator.arithmetic.puppet
#  ^ variable.other.puppet punctuation.definition.variable.puppet
#   ^^^^^^^^^ variable.other.puppet
#            ^ punctuation.section.parens.puppet
$::top_scope
#<- variable.other.puppet punctuation.definition.variable.puppet
#^^^^^^^^^^^ variable.other.puppet
$apache::params::port
#<- variable.other.puppet punctuation.definition.variable.puppet
#^^^^^^^^^^^^^^^^^^^^ variable.other.puppet
