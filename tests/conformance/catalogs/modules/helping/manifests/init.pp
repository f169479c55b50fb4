# Definitions that begin with the name of the module.
function helping_text() { 'helping' }
function helping::inner() { 'inner' }
type Helping_kind = Enum['helping', 'other']
define helping_thing() { notify { "thing ${title}": } }
class helping_other { notify { 'other': } }
class helping { notify { "${helping_text()} ${helping::inner()}": } }
