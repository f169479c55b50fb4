-- Runs inside Neovim: nvim --headless --clean -l test.lua SERVER REPOSITORY

local server, repository = _G.arg[1], _G.arg[2]
local passed, failed = 0, 0

local function say(text)
  io.stdout:write(text, '\n')
end

local function check(name, condition, detail)
  if condition then
    passed = passed + 1
    say('ok      ' .. name)
  else
    failed = failed + 1
    say('FAILED  ' .. name .. (detail and ': ' .. vim.inspect(detail) or ''))
  end
end

-- Time limit in milliseconds, far above any response time on a busy machine.
local BOUND = 120000

-- Waits until condition() is true; a timeout is a failure.
local function wait_for(name, condition, detail)
  local happened = vim.wait(BOUND, condition, 20)
  check(name, happened, detail and detail())
  return happened
end

-- Configuration of a user, as in README.md.
vim.filetype.add({ extension = { pp = 'puppet', epp = 'epuppet' } })
vim.lsp.config('puppet_analyzer', {
  cmd = { server, 'lsp' },
  filetypes = { 'puppet', 'epuppet' },
  root_markers = { 'environment.conf', 'metadata.json', '.git' },
})
vim.lsp.enable('puppet_analyzer')

local function open(path)
  vim.cmd.edit(vim.fn.fnameescape(repository .. '/' .. path))
  vim.cmd('doautocmd FileType')
  return vim.api.nvim_get_current_buf()
end

local function codes(buffer)
  return vim.tbl_map(function(it) return it.code end, vim.diagnostic.get(buffer))
end

-- Returns errors and warnings. Nodes use none of the broken files, which hints say.
local function found(buffer)
  return vim.diagnostic.get(buffer, { severity = { min = vim.diagnostic.severity.WARN } })
end

local function request(client, method, params, buffer)
  local answer, problem = client:request_sync(method, params, BOUND, buffer)
  check(method .. ' answers', answer and not answer.err, answer and answer.err or problem)
  return answer and answer.result or {}
end

-- Broken file: its diagnostics are shown, an edit removes them, and undo brings them back.
local buffer = open('site-modules/profile/manifests/broken_syntax.pp')
wait_for('the server attaches', function() return #vim.lsp.get_clients({ bufnr = buffer }) == 1 end)
local client = vim.lsp.get_clients({ bufnr = buffer })[1]
if not client then
  os.exit(1)
end
check('the root is the repository', client.root_dir == vim.fs.normalize(repository), client.root_dir)
wait_for('the diagnostics are there', function() return #found(buffer) == 3 end, function()
  return vim.diagnostic.get(buffer)
end)
local first = found(buffer)[1] or {}
check('the first is at the missing comma', first.lnum == 3 and first.col == 2, first)
check('it has a code, a severity and a source', first.code == 'syntax-error' and first.source ~= nil
  and first.severity == vim.diagnostic.severity.ERROR, first)

local function replace(line, with)
  vim.api.nvim_buf_set_lines(buffer, line - 1, line, true, { with })
end
replace(3, "  String $owner = 'app',")
wait_for('an edit removes one', function() return #found(buffer) == 2 end, function()
  return codes(buffer)
end)
replace(8, '    owner  => $owner,')
replace(12, "  cron { 'clean-up':")
wait_for('two more edits remove the others', function() return #found(buffer) == 0 end, function()
  return codes(buffer)
end)
replace(12, "  cron { 'clean-ü😀', }")
wait_for('a new mistake is found', function() return #found(buffer) > 0 end)
replace(12, "  cron { 'clean-ü😀':")
wait_for('and goes away', function() return #found(buffer) == 0 end, function() return codes(buffer) end)

-- Outline.
local document = { textDocument = vim.lsp.util.make_text_document_params(buffer) }
local symbols = request(client, 'textDocument/documentSymbol', document, buffer)
local names = {}
local function collect(list)
  for _, symbol in ipairs(list) do
    table.insert(names, symbol.name)
    collect(symbol.children or {})
  end
end
collect(symbols)
local function has(part)
  return vim.iter(names):any(function(name) return name:find(part, 1, true) ~= nil end)
end
check('the outline has the class', has('profile::broken_syntax'), names)
check('the outline has the parameters', has('owner') and has('keep'), names)
check('the outline has the resources', has('/srv/app') and has('clean-ü😀'), names)

-- Folding, as the editor itself uses it.
local folds = request(client, 'textDocument/foldingRange', document, buffer)
check('the class folds', vim.iter(folds):any(function(fold)
  return fold.startLine <= 4 and fold.endLine >= 14
end), folds)
vim.wo.foldmethod = 'expr'
vim.wo.foldexpr = 'v:lua.vim.lsp.foldexpr()'
wait_for('the editor sees the folds', function()
  vim.cmd('normal! zx')
  return vim.fn.foldlevel(8) > 0
end)

-- Selection and semantic tokens.
local selection = vim.tbl_extend('force', document, { positions = { { line = 6, character = 6 } } })
local ranges = request(client, 'textDocument/selectionRange', selection, buffer)
check('a selection range has a parent', ranges[1] and ranges[1].parent ~= nil, ranges)
local tokens = request(client, 'textDocument/semanticTokens/full', document, buffer)
check('semantic tokens are sent', tokens.data and #tokens.data > 50 and #tokens.data % 5 == 0)

-- Template: has its mistakes and none of the first file's.
local template = open('site-modules/profile/templates/broken_page.epp')
wait_for('a template has diagnostics too', function() return #found(template) == 1 end, function()
  return vim.diagnostic.get(template)
end)
vim.api.nvim_buf_set_lines(template, -1, -1, true, { '<% } -%>' })
wait_for('and an edit removes them', function() return #found(template) == 0 end, function()
  return codes(template)
end)

-- Valid file: no diagnostics.
local good = open('site-modules/profile/manifests/base.pp')
wait_for('the same server serves it', function()
  return #vim.lsp.get_clients({ bufnr = good }) == 1 and #vim.lsp.get_clients() == 1
end)
local good_document = { textDocument = vim.lsp.util.make_text_document_params(good) }
local report
for _ = 1, 20 do
  -- The editor cancels pending requests of this kind when it sends one for the same file; then there is no result.
  local answer = client:request_sync('textDocument/diagnostic', good_document, BOUND / 24, good)
  report = answer and answer.result
  if report then break end
end
-- A hint may report a missing module.
local worse = vim.tbl_filter(function(it) return it.severity < 4 end, report and report.items or {})
check('a valid file has only hints', report and report.kind == 'full' and #worse == 0, report)

-- Results of evaluation, typed as a user would.
local typed = open('site-modules/profile/manifests/typed.pp')
wait_for('it serves a new file', function() return #vim.lsp.get_clients({ bufnr = typed }) == 1 end)
vim.api.nvim_buf_set_lines(typed, 0, -1, true, { 'class profile::typed {', "  $x = 1 + 'a'", '  $y = [1, 2].fil', '}' })
wait_for('a sum that cannot succeed is found', function()
  return vim.iter(vim.diagnostic.get(typed)):any(function(it) return it.code == 'not-numeric' and it.lnum == 1 end)
end, function() return vim.diagnostic.get(typed) end)

local function at(line, character)
  return {
    textDocument = vim.lsp.util.make_text_document_params(typed),
    position = { line = line, character = character },
  }
end
local completion = request(client, 'textDocument/completion', at(2, 17), typed)
-- Returns an item with what the list says for all items.
local function labelled(label)
  local item = vim.iter(completion.items or {}):find(function(it) return it.label == label end)
  return item and vim.tbl_extend('keep', item, completion.itemDefaults or {})
end
check('a method is completed', labelled('filter') ~= nil and labelled('filter').insertTextFormat == 2, completion.items)
check('a function without parameters is not', labelled('break') == nil)
local resolved = request(client, 'completionItem/resolve', labelled('filter') or {}, typed)
check('its documentation is resolved on demand', resolved.documentation ~= nil and resolved.detail ~= nil, resolved)

vim.api.nvim_win_set_cursor(0, { 3, 16 })
vim.api.nvim_buf_set_lines(typed, 2, 3, true, { "  $y = [1, 2].map |$i| { $i * 2 }", "  $z = split('a', " })
local hover = request(client, 'textDocument/hover', at(2, 3), typed)
check('a variable has a value', hover.contents and hover.contents.value:find('[2, 4]', 1, true) ~= nil, hover)
local help = request(client, 'textDocument/signatureHelp', at(3, 18), typed)
check('an unclosed call has signatures', help.activeParameter == 1 and #help.signatures > 1, help)
vim.api.nvim_win_set_cursor(0, { 3, 3 })
local function shows_a_hover()
  return vim.iter(vim.api.nvim_list_wins()):any(function(window)
    return vim.api.nvim_win_get_config(window).relative ~= ''
  end)
end
-- The editor drops a response if something has changed in the meantime; a user would retry.
for _ = 1, 10 do
  vim.lsp.buf.hover()
  if vim.wait(BOUND / 10, shows_a_hover, 20) then break end
end
check('the editor shows a hover', shows_a_hover())

client:stop()
wait_for('the server stops when asked', function() return client:is_stopped() end)

say(('%d passed, %d failed'):format(passed, failed))
os.exit(failed == 0 and 0 or 1)
