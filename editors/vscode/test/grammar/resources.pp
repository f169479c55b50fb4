# SYNTAX TEST "source.puppet" "resources"
file { '/etc/motd':
#<---- entity.name.type.resource.puppet
#    ^ punctuation.section.braces.puppet
#      ^ string.quoted.single.puppet punctuation.definition.string.begin.puppet
#       ^^^^^^^^^ string.quoted.single.puppet
#                ^ string.quoted.single.puppet punctuation.definition.string.end.puppet
#                 ^ punctuation.separator.title.puppet
  ensure  => file,
# ^^^^^^ variable.other.property.puppet
#         ^^ keyword.operator.arrow.puppet
#            ^^^^ string.unquoted.puppet
#                ^ punctuation.separator.comma.puppet
  require => Package['motd'],
# ^^^^^^^ support.variable.metaparameter.puppet
#         ^^ keyword.operator.arrow.puppet
#            ^^^^^^^ entity.name.type.puppet
#                   ^ punctuation.section.brackets.puppet
#                    ^ string.quoted.single.puppet punctuation.definition.string.begin.puppet
#                     ^^^^ string.quoted.single.puppet
#                         ^ string.quoted.single.puppet punctuation.definition.string.end.puppet
#                          ^ punctuation.section.brackets.puppet
#                           ^ punctuation.separator.comma.puppet
  *       => $defaults,
# ^ keyword.operator.splat.puppet
#         ^^ keyword.operator.arrow.puppet
#            ^ variable.other.puppet punctuation.definition.variable.puppet
#             ^^^^^^^^ variable.other.puppet
#                     ^ punctuation.separator.comma.puppet
}
#<- punctuation.section.braces.puppet
@user { 'alice': uid => 0x1f; 'bob': uid => 017 }
#<- storage.modifier.virtual.puppet
#^^^^ entity.name.type.resource.puppet
#     ^ punctuation.section.braces.puppet
#       ^ string.quoted.single.puppet punctuation.definition.string.begin.puppet
#        ^^^^^ string.quoted.single.puppet
#             ^ string.quoted.single.puppet punctuation.definition.string.end.puppet
#              ^ punctuation.separator.title.puppet
#                ^^^ variable.other.property.puppet
#                    ^^ keyword.operator.arrow.puppet
#                       ^^^^ constant.numeric.hex.puppet
#                           ^ punctuation.separator.bodies.puppet
#                             ^ string.quoted.single.puppet punctuation.definition.string.begin.puppet
#                              ^^^ string.quoted.single.puppet
#                                 ^ string.quoted.single.puppet punctuation.definition.string.end.puppet
#                                  ^ punctuation.separator.title.puppet
#                                    ^^^ variable.other.property.puppet
#                                        ^^ keyword.operator.arrow.puppet
#                                           ^^^ constant.numeric.octal.puppet
#                                               ^ punctuation.section.braces.puppet
@@apache::vhost { default: port +> 80 }
#<-- storage.modifier.virtual.puppet
# ^^^^^^^^^^^^^ entity.name.type.resource.puppet
#               ^ punctuation.section.braces.puppet
#                 ^^^^^^^ constant.language.default.puppet
#                        ^ punctuation.separator.title.puppet
#                          ^^^^ variable.other.property.puppet
#                               ^^ keyword.operator.arrow.puppet
#                                  ^^ constant.numeric.decimal.puppet
#                                     ^ punctuation.section.braces.puppet
File <| title == 'a' and mode != '0644' |> { owner => root }
#<---- entity.name.type.puppet
#    ^^ punctuation.section.collector.puppet
#       ^^^^^ string.unquoted.puppet
#             ^^ keyword.operator.comparison.puppet
#                ^ string.quoted.single.puppet punctuation.definition.string.begin.puppet
#                 ^ string.quoted.single.puppet
#                  ^ string.quoted.single.puppet punctuation.definition.string.end.puppet
#                    ^^^ keyword.operator.word.puppet
#                        ^^^^ string.unquoted.puppet
#                             ^^ keyword.operator.comparison.puppet
#                                ^ string.quoted.single.puppet punctuation.definition.string.begin.puppet
#                                 ^^^^ string.quoted.single.puppet
#                                     ^ string.quoted.single.puppet punctuation.definition.string.end.puppet
#                                       ^^ punctuation.section.collector.puppet
#                                          ^ punctuation.section.braces.puppet
#                                            ^^^^^ variable.other.property.puppet
#                                                  ^^ keyword.operator.arrow.puppet
#                                                     ^^^^ string.unquoted.puppet
#                                                          ^ punctuation.section.braces.puppet
User <<| tag == web |>>
#<---- entity.name.type.puppet
#    ^^^ punctuation.section.collector.puppet
#        ^^^ support.function.puppet
#            ^^ keyword.operator.comparison.puppet
#               ^^^ string.unquoted.puppet
#                   ^^^ punctuation.section.collector.puppet
Package['a'] -> Service['b'] ~> Exec['c']
#<------- entity.name.type.puppet
#      ^ punctuation.section.brackets.puppet
#       ^ string.quoted.single.puppet punctuation.definition.string.begin.puppet
#        ^ string.quoted.single.puppet
#         ^ string.quoted.single.puppet punctuation.definition.string.end.puppet
#          ^ punctuation.section.brackets.puppet
#            ^^ keyword.operator.relationship.puppet
#               ^^^^^^^ entity.name.type.puppet
#                      ^ punctuation.section.brackets.puppet
#                       ^ string.quoted.single.puppet punctuation.definition.string.begin.puppet
#                        ^ string.quoted.single.puppet
#                         ^ string.quoted.single.puppet punctuation.definition.string.end.puppet
#                          ^ punctuation.section.brackets.puppet
#                            ^^ keyword.operator.relationship.puppet
#                               ^^^^ entity.name.type.puppet
#                                   ^ punctuation.section.brackets.puppet
#                                    ^ string.quoted.single.puppet punctuation.definition.string.begin.puppet
#                                     ^ string.quoted.single.puppet
#                                      ^ string.quoted.single.puppet punctuation.definition.string.end.puppet
#                                       ^ punctuation.section.brackets.puppet
include apache
#<------- keyword.other.import.puppet
#       ^^^^^^ string.unquoted.puppet
contain apache::ssl
#<------- keyword.other.import.puppet
#       ^^^^^^^^^^^ string.unquoted.puppet
realize(User['alice'])
#<------- keyword.other.import.puppet
#      ^ punctuation.section.parens.puppet
#       ^^^^ entity.name.type.puppet
#           ^ punctuation.section.brackets.puppet
#            ^ string.quoted.single.puppet punctuation.definition.string.begin.puppet
#             ^^^^^ string.quoted.single.puppet
#                  ^ string.quoted.single.puppet punctuation.definition.string.end.puppet
#                   ^ punctuation.section.brackets.puppet
#                    ^ punctuation.section.parens.puppet
