# SYNTAX TEST "source.puppet" "control"
if $a { return() } elsif $b { next(1) } else { break() }
#<-- keyword.control.puppet
#  ^ variable.other.puppet punctuation.definition.variable.puppet
#   ^ variable.other.puppet
#     ^ punctuation.section.braces.puppet
#       ^^^^^^ keyword.control.flow.puppet
#             ^ punctuation.section.parens.puppet
#              ^ punctuation.section.parens.puppet
#                ^ punctuation.section.braces.puppet
#                  ^^^^^ keyword.control.puppet
#                        ^ variable.other.puppet punctuation.definition.variable.puppet
#                         ^ variable.other.puppet
#                           ^ punctuation.section.braces.puppet
#                             ^^^^ keyword.control.flow.puppet
#                                 ^ punctuation.section.parens.puppet
#                                  ^ constant.numeric.decimal.puppet
#                                   ^ punctuation.section.parens.puppet
#                                     ^ punctuation.section.braces.puppet
#                                       ^^^^ keyword.control.puppet
#                                            ^ punctuation.section.braces.puppet
#                                              ^^^^^ keyword.control.flow.puppet
#                                                   ^ punctuation.section.parens.puppet
#                                                    ^ punctuation.section.parens.puppet
#                                                      ^ punctuation.section.braces.puppet
unless $c { fail('no') }
#<------ keyword.control.puppet
#      ^ variable.other.puppet punctuation.definition.variable.puppet
#       ^ variable.other.puppet
#         ^ punctuation.section.braces.puppet
#           ^^^^ keyword.control.flow.puppet
#               ^ punctuation.section.parens.puppet
#                ^ string.quoted.single.puppet punctuation.definition.string.begin.puppet
#                 ^^ string.quoted.single.puppet
#                   ^ string.quoted.single.puppet punctuation.definition.string.end.puppet
#                    ^ punctuation.section.parens.puppet
#                      ^ punctuation.section.braces.puppet
case $d {
#<---- keyword.control.puppet
#    ^ variable.other.puppet punctuation.definition.variable.puppet
#     ^ variable.other.puppet
#       ^ punctuation.section.braces.puppet
  'x', /y/: { notice('z') }
# ^ string.quoted.single.puppet punctuation.definition.string.begin.puppet
#  ^ string.quoted.single.puppet
#   ^ string.quoted.single.puppet punctuation.definition.string.end.puppet
#    ^ punctuation.separator.comma.puppet
#      ^ string.regexp.puppet punctuation.definition.string.begin.puppet
#       ^ string.regexp.puppet
#        ^ string.regexp.puppet punctuation.definition.string.end.puppet
#         ^ punctuation.separator.title.puppet
#           ^ punctuation.section.braces.puppet
#             ^^^^^^ entity.name.function.call.puppet
#                   ^ punctuation.section.parens.puppet
#                    ^ string.quoted.single.puppet punctuation.definition.string.begin.puppet
#                     ^ string.quoted.single.puppet
#                      ^ string.quoted.single.puppet punctuation.definition.string.end.puppet
#                       ^ punctuation.section.parens.puppet
#                         ^ punctuation.section.braces.puppet
  default: { }
# ^^^^^^^ constant.language.default.puppet
#        ^ punctuation.separator.title.puppet
#          ^ punctuation.section.braces.puppet
#            ^ punctuation.section.braces.puppet
}
#<- punctuation.section.braces.puppet
import 'old.pp'
#<------ string.unquoted.puppet
#      ^ string.quoted.single.puppet punctuation.definition.string.begin.puppet
#       ^^^^^^ string.quoted.single.puppet
#             ^ string.quoted.single.puppet punctuation.definition.string.end.puppet
apply($targets) { }
#<----- keyword.other.apply.puppet
#    ^ punctuation.section.parens.puppet
#     ^ variable.other.puppet punctuation.definition.variable.puppet
#      ^^^^^^^ variable.other.puppet
#             ^ punctuation.section.parens.puppet
#               ^ punctuation.section.braces.puppet
#                 ^ punctuation.section.braces.puppet
private
#<------- keyword.other.puppet
