# SYNTAX TEST "source.puppet" "definitions"
class apache::vhost (
#<----- meta.definition.class.puppet storage.type.class.puppet
#     ^^^^^^^^^^^^^ meta.definition.class.puppet entity.name.type.class.puppet
#                   ^ punctuation.section.parens.puppet
  Optional[String[1]] $owner = undef,
# ^^^^^^^^ support.type.puppet
#         ^ punctuation.section.brackets.puppet
#          ^^^^^^ support.type.puppet
#                ^ punctuation.section.brackets.puppet
#                 ^ constant.numeric.decimal.puppet
#                  ^ punctuation.section.brackets.puppet
#                   ^ punctuation.section.brackets.puppet
#                     ^ variable.other.puppet punctuation.definition.variable.puppet
#                      ^^^^^ variable.other.puppet
#                            ^ keyword.operator.assignment.puppet
#                              ^^^^^ constant.language.undef.puppet
#                                   ^ punctuation.separator.comma.puppet
) inherits apache::params {
#<- punctuation.section.parens.puppet
# ^^^^^^^^ storage.modifier.inherits.puppet
#          ^^^^^^^^^^^^^^ entity.other.inherited-class.puppet
#                         ^ punctuation.section.braces.puppet
}
#<- punctuation.section.braces.puppet
define apache::mod(Integer $port = 8080) {
#<------ storage.type.define.puppet
#      ^^^^^^^^^^^ entity.name.type.define.puppet
#                 ^ punctuation.section.parens.puppet
#                  ^^^^^^^ support.type.puppet
#                          ^ variable.other.puppet punctuation.definition.variable.puppet
#                           ^^^^ variable.other.puppet
#                                ^ keyword.operator.assignment.puppet
#                                  ^^^^ constant.numeric.decimal.puppet
#                                      ^ punctuation.section.parens.puppet
#                                        ^ punctuation.section.braces.puppet
}
#<- punctuation.section.braces.puppet
function apache::port_of(String $name) >> Integer {
#<-------- storage.type.function.puppet
#        ^^^^^^^^^^^^^^^ entity.name.function.puppet
#                       ^ punctuation.section.parens.puppet
#                        ^^^^^^ support.type.puppet
#                               ^ variable.other.puppet punctuation.definition.variable.puppet
#                                ^^^^ variable.other.puppet
#                                    ^ punctuation.section.parens.puppet
#                                      ^^ keyword.operator.shift.puppet
#                                         ^^^^^^^ support.type.puppet
#                                                 ^ punctuation.section.braces.puppet
}
#<- punctuation.section.braces.puppet
type Apache::Port = Integer[1, 65535]
#<---- storage.type.alias.puppet
#    ^^^^^^^^^^^^ entity.name.type.alias.puppet
#                 ^ keyword.operator.assignment.puppet
#                   ^^^^^^^ support.type.puppet
#                          ^ punctuation.section.brackets.puppet
#                           ^ constant.numeric.decimal.puppet
#                            ^ punctuation.separator.comma.puppet
#                              ^^^^^ constant.numeric.decimal.puppet
#                                   ^ punctuation.section.brackets.puppet
node 'www1.example.com', /^db\d+/ {
#<---- storage.type.node.puppet
#    ^ string.quoted.single.puppet punctuation.definition.string.begin.puppet
#     ^^^^^^^^^^^^^^^^ string.quoted.single.puppet
#                     ^ string.quoted.single.puppet punctuation.definition.string.end.puppet
#                      ^ punctuation.separator.comma.puppet
#                        ^ string.regexp.puppet punctuation.definition.string.begin.puppet
#                         ^ string.regexp.puppet keyword.control.anchor.regexp
#                          ^^ string.regexp.puppet
#                            ^^ string.regexp.puppet constant.character.escape.regexp
#                              ^ string.regexp.puppet keyword.operator.quantifier.regexp
#                               ^ string.regexp.puppet punctuation.definition.string.end.puppet
#                                 ^ punctuation.section.braces.puppet
}
#<- punctuation.section.braces.puppet
node default {
#<---- storage.type.node.puppet
#    ^^^^^^^ entity.name.type.resource.puppet
#            ^ punctuation.section.braces.puppet
}
#<- punctuation.section.braces.puppet
plan apache::deploy(TargetSpec $targets) {
#<---- storage.type.plan.puppet
#    ^^^^^^^^^^^^^^ entity.name.function.plan.puppet
#                  ^ punctuation.section.parens.puppet
#                   ^^^^^^^^^^ entity.name.type.puppet
#                              ^ variable.other.puppet punctuation.definition.variable.puppet
#                               ^^^^^^^ variable.other.puppet
#                                      ^ punctuation.section.parens.puppet
#                                        ^ punctuation.section.braces.puppet
}
#<- punctuation.section.braces.puppet
class {
#<----- storage.type.class.puppet
#     ^ punctuation.section.braces.puppet
class
#<----- storage.type.puppet
site
#<---- storage.type.puppet
