# SYNTAX TEST "source.puppet" "heredocs"
$plain = @(END)
#<- variable.other.puppet punctuation.definition.variable.puppet
#^^^^^ variable.other.puppet
#      ^ keyword.operator.assignment.puppet
#        ^^ meta.heredoc.puppet punctuation.definition.string.begin.heredoc.puppet
#          ^^^ meta.heredoc.puppet keyword.other.heredoc.tag.puppet
#             ^ meta.heredoc.puppet punctuation.definition.string.begin.heredoc.puppet
  as it is ${not}
# ^^^^^^^^^^^^^^^ meta.heredoc.puppet string.unquoted.heredoc.puppet
  | END
# ^ meta.heredoc.puppet punctuation.definition.string.end.heredoc.margin.puppet
#   ^^^ meta.heredoc.puppet keyword.other.heredoc.tag.puppet
$text = @("END"/nt$L)
#<- variable.other.puppet punctuation.definition.variable.puppet
#^^^^ variable.other.puppet
#     ^ keyword.operator.assignment.puppet
#       ^^ meta.heredoc.puppet punctuation.definition.string.begin.heredoc.puppet
#         ^ meta.heredoc.puppet punctuation.definition.string.begin.heredoc.puppet
#          ^^^ meta.heredoc.puppet keyword.other.heredoc.tag.puppet
#             ^ meta.heredoc.puppet punctuation.definition.string.end.heredoc.puppet
#              ^ meta.heredoc.puppet punctuation.separator.heredoc.puppet
#               ^^^^ meta.heredoc.puppet constant.character.escape.heredoc.flags.puppet
#                   ^ meta.heredoc.puppet punctuation.definition.string.begin.heredoc.puppet
  with ${name} and \n escape \
# ^^^^ meta.heredoc.puppet string.unquoted.heredoc.puppet
#      ^^ meta.heredoc.puppet string.unquoted.heredoc.puppet meta.interpolation.puppet punctuation.section.interpolation.begin.puppet
#        ^^^^ meta.heredoc.puppet string.unquoted.heredoc.puppet meta.interpolation.puppet meta.embedded.line.puppet variable.other.puppet
#            ^ meta.heredoc.puppet string.unquoted.heredoc.puppet meta.interpolation.puppet punctuation.section.interpolation.end.puppet
#              ^^^ meta.heredoc.puppet string.unquoted.heredoc.puppet
#                  ^^ meta.heredoc.puppet string.unquoted.heredoc.puppet constant.character.escape.puppet
#                     ^^^^^^ meta.heredoc.puppet string.unquoted.heredoc.puppet
#                            ^ meta.heredoc.puppet string.unquoted.heredoc.puppet constant.character.escape.line-continuation.puppet
  |- END
# ^ meta.heredoc.puppet punctuation.definition.string.end.heredoc.margin.puppet
#  ^ meta.heredoc.puppet punctuation.definition.string.end.heredoc.trim.puppet
#    ^^^ meta.heredoc.puppet keyword.other.heredoc.tag.puppet
$json = @("DATA":json)
#<- variable.other.puppet punctuation.definition.variable.puppet
#^^^^ variable.other.puppet
#     ^ keyword.operator.assignment.puppet
#       ^^ meta.heredoc.puppet punctuation.definition.string.begin.heredoc.puppet
#         ^ meta.heredoc.puppet punctuation.definition.string.begin.heredoc.puppet
#          ^^^^ meta.heredoc.puppet keyword.other.heredoc.tag.puppet
#              ^ meta.heredoc.puppet punctuation.definition.string.end.heredoc.puppet
#               ^ meta.heredoc.puppet punctuation.separator.heredoc.puppet
#                ^^^^ meta.heredoc.puppet entity.name.type.heredoc.syntax.puppet
#                    ^ meta.heredoc.puppet punctuation.definition.string.begin.heredoc.puppet
  { "a": 1 }
# ^^^^^^^^^^ meta.heredoc.puppet meta.embedded.block.puppet source.json
  | DATA
# ^ meta.heredoc.puppet punctuation.definition.string.end.heredoc.margin.puppet
#   ^^^^ meta.heredoc.puppet keyword.other.heredoc.tag.puppet
$ini = @(INI:ini)
#<- variable.other.puppet punctuation.definition.variable.puppet
#^^^ variable.other.puppet
#    ^ keyword.operator.assignment.puppet
#      ^^ meta.heredoc.puppet punctuation.definition.string.begin.heredoc.puppet
#        ^^^ meta.heredoc.puppet keyword.other.heredoc.tag.puppet
#           ^ meta.heredoc.puppet punctuation.separator.heredoc.puppet
#            ^^^ meta.heredoc.puppet entity.name.type.heredoc.syntax.puppet
#               ^ meta.heredoc.puppet punctuation.definition.string.begin.heredoc.puppet
  [a]
# ^^^ meta.heredoc.puppet meta.embedded.block.puppet source.ini
  | INI
# ^ meta.heredoc.puppet punctuation.definition.string.end.heredoc.margin.puppet
#   ^^^ meta.heredoc.puppet keyword.other.heredoc.tag.puppet
$epp = @(T:epp)
#<- variable.other.puppet punctuation.definition.variable.puppet
#^^^ variable.other.puppet
#    ^ keyword.operator.assignment.puppet
#      ^^ meta.heredoc.puppet punctuation.definition.string.begin.heredoc.puppet
#        ^ meta.heredoc.puppet keyword.other.heredoc.tag.puppet
#         ^ meta.heredoc.puppet punctuation.separator.heredoc.puppet
#          ^^^ meta.heredoc.puppet entity.name.type.heredoc.syntax.puppet
#             ^ meta.heredoc.puppet punctuation.definition.string.begin.heredoc.puppet
  <%= $x %>
# ^^^ meta.heredoc.puppet meta.embedded.block.puppet text.epp meta.embedded.line.epp punctuation.section.embedded.begin.epp
#     ^ meta.heredoc.puppet meta.embedded.block.puppet text.epp meta.embedded.line.epp source.puppet variable.other.puppet punctuation.definition.variable.puppet
#      ^ meta.heredoc.puppet meta.embedded.block.puppet text.epp meta.embedded.line.epp source.puppet variable.other.puppet
#        ^^ meta.heredoc.puppet meta.embedded.block.puppet text.epp meta.embedded.line.epp punctuation.section.embedded.end.epp
  | T
# ^ meta.heredoc.puppet punctuation.definition.string.end.heredoc.margin.puppet
#   ^ meta.heredoc.puppet keyword.other.heredoc.tag.puppet
$last = 1
#<- variable.other.puppet punctuation.definition.variable.puppet
#^^^^ variable.other.puppet
#     ^ keyword.operator.assignment.puppet
#       ^ constant.numeric.decimal.puppet
$yaml = @(YAML:yaml)
#<- variable.other.puppet punctuation.definition.variable.puppet
#^^^^ variable.other.puppet
#     ^ keyword.operator.assignment.puppet
#       ^^ meta.heredoc.puppet punctuation.definition.string.begin.heredoc.puppet
#         ^^^^ meta.heredoc.puppet keyword.other.heredoc.tag.puppet
#             ^ meta.heredoc.puppet punctuation.separator.heredoc.puppet
#              ^^^^ meta.heredoc.puppet entity.name.type.heredoc.syntax.puppet
#                  ^ meta.heredoc.puppet punctuation.definition.string.begin.heredoc.puppet
  text
# ^^^^ meta.heredoc.puppet meta.embedded.block.puppet source.yaml
  | YAML
# ^ meta.heredoc.puppet punctuation.definition.string.end.heredoc.margin.puppet
#   ^^^^ meta.heredoc.puppet keyword.other.heredoc.tag.puppet
$sh = @(SH:sh)
#<- variable.other.puppet punctuation.definition.variable.puppet
#^^ variable.other.puppet
#   ^ keyword.operator.assignment.puppet
#     ^^ meta.heredoc.puppet punctuation.definition.string.begin.heredoc.puppet
#       ^^ meta.heredoc.puppet keyword.other.heredoc.tag.puppet
#         ^ meta.heredoc.puppet punctuation.separator.heredoc.puppet
#          ^^ meta.heredoc.puppet entity.name.type.heredoc.syntax.puppet
#            ^ meta.heredoc.puppet punctuation.definition.string.begin.heredoc.puppet
  text
# ^^^^ meta.heredoc.puppet meta.embedded.block.puppet source.shell
  | SH
# ^ meta.heredoc.puppet punctuation.definition.string.end.heredoc.margin.puppet
#   ^^ meta.heredoc.puppet keyword.other.heredoc.tag.puppet
$ruby = @(RB:ruby)
#<- variable.other.puppet punctuation.definition.variable.puppet
#^^^^ variable.other.puppet
#     ^ keyword.operator.assignment.puppet
#       ^^ meta.heredoc.puppet punctuation.definition.string.begin.heredoc.puppet
#         ^^ meta.heredoc.puppet keyword.other.heredoc.tag.puppet
#           ^ meta.heredoc.puppet punctuation.separator.heredoc.puppet
#            ^^^^ meta.heredoc.puppet entity.name.type.heredoc.syntax.puppet
#                ^ meta.heredoc.puppet punctuation.definition.string.begin.heredoc.puppet
  text
# ^^^^ meta.heredoc.puppet meta.embedded.block.puppet source.ruby
  | RB
# ^ meta.heredoc.puppet punctuation.definition.string.end.heredoc.margin.puppet
#   ^^ meta.heredoc.puppet keyword.other.heredoc.tag.puppet
$python = @(PY:python)
#<- variable.other.puppet punctuation.definition.variable.puppet
#^^^^^^ variable.other.puppet
#       ^ keyword.operator.assignment.puppet
#         ^^ meta.heredoc.puppet punctuation.definition.string.begin.heredoc.puppet
#           ^^ meta.heredoc.puppet keyword.other.heredoc.tag.puppet
#             ^ meta.heredoc.puppet punctuation.separator.heredoc.puppet
#              ^^^^^^ meta.heredoc.puppet entity.name.type.heredoc.syntax.puppet
#                    ^ meta.heredoc.puppet punctuation.definition.string.begin.heredoc.puppet
  text
# ^^^^ meta.heredoc.puppet meta.embedded.block.puppet source.python
  | PY
# ^ meta.heredoc.puppet punctuation.definition.string.end.heredoc.margin.puppet
#   ^^ meta.heredoc.puppet keyword.other.heredoc.tag.puppet
$pp = @(PP:pp)
#<- variable.other.puppet punctuation.definition.variable.puppet
#^^ variable.other.puppet
#   ^ keyword.operator.assignment.puppet
#     ^^ meta.heredoc.puppet punctuation.definition.string.begin.heredoc.puppet
#       ^^ meta.heredoc.puppet keyword.other.heredoc.tag.puppet
#         ^ meta.heredoc.puppet punctuation.separator.heredoc.puppet
#          ^^ meta.heredoc.puppet entity.name.type.heredoc.syntax.puppet
#            ^ meta.heredoc.puppet punctuation.definition.string.begin.heredoc.puppet
  text
# ^^^^ meta.heredoc.puppet meta.embedded.block.puppet source.puppet string.unquoted.puppet
  | PP
# ^ meta.heredoc.puppet punctuation.definition.string.end.heredoc.margin.puppet
#   ^^ meta.heredoc.puppet keyword.other.heredoc.tag.puppet
$xml = @(XML:xml)
#<- variable.other.puppet punctuation.definition.variable.puppet
#^^^ variable.other.puppet
#    ^ keyword.operator.assignment.puppet
#      ^^ meta.heredoc.puppet punctuation.definition.string.begin.heredoc.puppet
#        ^^^ meta.heredoc.puppet keyword.other.heredoc.tag.puppet
#           ^ meta.heredoc.puppet punctuation.separator.heredoc.puppet
#            ^^^ meta.heredoc.puppet entity.name.type.heredoc.syntax.puppet
#               ^ meta.heredoc.puppet punctuation.definition.string.begin.heredoc.puppet
  text
# ^^^^ meta.heredoc.puppet meta.embedded.block.puppet text.xml
  | XML
# ^ meta.heredoc.puppet punctuation.definition.string.end.heredoc.margin.puppet
#   ^^^ meta.heredoc.puppet keyword.other.heredoc.tag.puppet
$html = @(HTML:html)
#<- variable.other.puppet punctuation.definition.variable.puppet
#^^^^ variable.other.puppet
#     ^ keyword.operator.assignment.puppet
#       ^^ meta.heredoc.puppet punctuation.definition.string.begin.heredoc.puppet
#         ^^^^ meta.heredoc.puppet keyword.other.heredoc.tag.puppet
#             ^ meta.heredoc.puppet punctuation.separator.heredoc.puppet
#              ^^^^ meta.heredoc.puppet entity.name.type.heredoc.syntax.puppet
#                  ^ meta.heredoc.puppet punctuation.definition.string.begin.heredoc.puppet
  text
# ^^^^ meta.heredoc.puppet meta.embedded.block.puppet text.html.basic
  | HTML
# ^ meta.heredoc.puppet punctuation.definition.string.end.heredoc.margin.puppet
#   ^^^^ meta.heredoc.puppet keyword.other.heredoc.tag.puppet
$sql = @(SQL:sql)
#<- variable.other.puppet punctuation.definition.variable.puppet
#^^^ variable.other.puppet
#    ^ keyword.operator.assignment.puppet
#      ^^ meta.heredoc.puppet punctuation.definition.string.begin.heredoc.puppet
#        ^^^ meta.heredoc.puppet keyword.other.heredoc.tag.puppet
#           ^ meta.heredoc.puppet punctuation.separator.heredoc.puppet
#            ^^^ meta.heredoc.puppet entity.name.type.heredoc.syntax.puppet
#               ^ meta.heredoc.puppet punctuation.definition.string.begin.heredoc.puppet
  text
# ^^^^ meta.heredoc.puppet meta.embedded.block.puppet source.sql
  | SQL
# ^ meta.heredoc.puppet punctuation.definition.string.end.heredoc.margin.puppet
#   ^^^ meta.heredoc.puppet keyword.other.heredoc.tag.puppet
$powershell = @(PS:powershell)
#<- variable.other.puppet punctuation.definition.variable.puppet
#^^^^^^^^^^ variable.other.puppet
#           ^ keyword.operator.assignment.puppet
#             ^^ meta.heredoc.puppet punctuation.definition.string.begin.heredoc.puppet
#               ^^ meta.heredoc.puppet keyword.other.heredoc.tag.puppet
#                 ^ meta.heredoc.puppet punctuation.separator.heredoc.puppet
#                  ^^^^^^^^^^ meta.heredoc.puppet entity.name.type.heredoc.syntax.puppet
#                            ^ meta.heredoc.puppet punctuation.definition.string.begin.heredoc.puppet
  text
# ^^^^ meta.heredoc.puppet meta.embedded.block.puppet source.powershell
  | PS
# ^ meta.heredoc.puppet punctuation.definition.string.end.heredoc.margin.puppet
#   ^^ meta.heredoc.puppet keyword.other.heredoc.tag.puppet
