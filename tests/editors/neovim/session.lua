-- User session in any Neovim from 0.7 on, with the configuration of editors/neovim.
--   nvim --headless --clean -c 'luafile session.lua'   with SERVER, REPOSITORY, CONFIGURATION in the environment.

local repository = os.getenv('REPOSITORY')
local puppet_analyzer = dofile(os.getenv('CONFIGURATION'))
puppet_analyzer.command = { os.getenv('SERVER'), 'lsp' }
puppet_analyzer.setup({ ['puppet-version'] = 8 })

local failed = 0

local function step(what, action)
  local fine, answer = pcall(action)
  if fine and answer then
    io.stdout:write('ok: ' .. what .. (type(answer) == 'string' and ': ' .. answer or '') .. '\n')
  else
    failed = failed + 1
    io.stdout:write('FAILED: ' .. what .. (answer and ': ' .. tostring(answer) or '') .. '\n')
  end
end

-- Time limit in milliseconds, far above any response time on a busy machine.
local BOUND = 120000

local function wait(condition)
  return vim.wait(BOUND, condition, 20)
end

-- Retries until the answer is right: the server may still be reading the other files.
local function eventually(question)
  local answer
  wait(function()
    answer = question()
    return answer
  end)
  return answer
end

local function open(path)
  vim.cmd('edit ' .. vim.fn.fnameescape(repository .. '/' .. path))
  vim.bo.filetype = path:match('%.epp$') and 'epuppet' or 'puppet'
  local buffer = vim.api.nvim_get_current_buf()
  wait(function()
    local clients = vim.lsp.get_clients and vim.lsp.get_clients({ bufnr = buffer }) or vim.lsp.buf_get_clients(buffer)
    return next(clients) ~= nil
  end)
  return buffer
end

-- Returns the response of the single server.
local function ask(method, line, column, more)
  local parameters = {
    textDocument = vim.lsp.util.make_text_document_params(),
    position = { line = line - 1, character = column },
  }
  parameters = vim.tbl_extend('force', parameters, more or {})
  local answers = vim.lsp.buf_request_sync(0, method, parameters, BOUND) or {}
  for _, answer in pairs(answers) do
    if answer.err or answer.error then
      error(vim.inspect(answer.err or answer.error))
    end
    return answer.result
  end
end

local function says(text, pattern)
  return vim.inspect(text):match(pattern)
end

-- Returns errors and warnings. Nodes use none of the broken files, which hints say.
local function found(buffer)
  return vim.diagnostic.get(buffer, { severity = { min = vim.diagnostic.severity.WARN } })
end

local broken
step('a broken file has diagnostics', function()
  broken = open('site-modules/profile/manifests/broken_syntax.pp')
  return wait(function()
    return #found(broken) == 3
  end)
end)
step('an edit removes one', function()
  vim.api.nvim_buf_set_lines(broken, 2, 3, true, { "  String $owner = 'app'," })
  return wait(function()
    return #found(broken) == 2
  end)
end)
step('hover shows a type', function()
  open('site-modules/profile/manifests/base.pp')
  return eventually(function()
    return says(ask('textDocument/hover', 17, 5), "Optional%[Enum%[.-%]%]")
  end)
end)
step('the definition is in another file', function()
  return eventually(function()
    return says(ask('textDocument/definition', 38, 15), 'motd/manifests/init%.pp')
  end)
end)
step('references are found in other files', function()
  return eventually(function()
    return says(ask('textDocument/references', 6, 8, { context = { includeDeclaration = true } }), 'site%.pp')
  end)
end)
step('rename changes the declaration, its uses and its documentation', function()
  local edit = ask('textDocument/rename', 8, 33, { newName = 'ntp_servers' })
  local edits = {}
  for uri, list in pairs(edit.changes or {}) do
    vim.list_extend(edits, list)
  end
  for _, change in ipairs(edit.documentChanges or {}) do
    vim.list_extend(edits, change.edits or {})
  end
  return #edits >= 3 and #edits .. ' edits'
end)
step('completion knows the functions of an array', function()
  vim.api.nvim_buf_set_lines(0, 10, 10, true, { '  $joined = $packages.joi' })
  return eventually(function()
    return says(ask('textDocument/completion', 11, 25), '"join"')
  end)
end)
step('a misspelled name has a correction', function()
  vim.api.nvim_buf_set_lines(0, 10, 11, true, { '  include motdd' })
  local range = { start = { line = 10, character = 10 }, ['end'] = { line = 10, character = 15 } }
  local context = { diagnostics = {} }
  return wait(function()
    return says(ask('textDocument/codeAction', 11, 10, { range = range, context = context }), "motd[^d]") ~= nil
  end)
end)
local function text_of_buffer(name)
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_get_name(buffer):find(name, 1, true) then
      return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n')
    end
  end
end
step('the root of a file in a module is the environment', function()
  open('modules/motd/manifests/init.pp')
  local clients = vim.lsp.get_clients and vim.lsp.get_clients({ bufnr = 0 }) or vim.lsp.buf_get_clients(0)
  local _, client = next(clients)
  return vim.fn.resolve(client.config.root_dir) == vim.fn.resolve(repository) and client.config.root_dir
end)
step('a command shows the catalog of the class at the cursor', function()
  open('modules/motd/manifests/init.pp')
  vim.fn.search('^class motd')
  vim.cmd('PuppetCatalog')
  return wait(function()
    return says(text_of_buffer('puppet-catalog://motd on '), 'File%[/etc/motd%]')
  end)
end)
step('a command shows the graph of a class', function()
  open('modules/motd/manifests/init.pp')
  vim.cmd('PuppetGraph motd')
  local is_shown = wait(function()
    return says(text_of_buffer('.text'), 'Class%[Motd%]')
  end)
  open('modules/motd/manifests/init.pp')
  vim.cmd('PuppetGraph! motd')
  return is_shown and wait(function()
    return says(text_of_buffer('.dot'), 'digraph catalog')
  end)
end)
step('a command evaluates the expression at the cursor', function()
  open('site-modules/profile/manifests/base.pp')
  vim.api.nvim_buf_set_lines(0, 10, 11, true, { "  $joined = ['a', 'b'].join('-')" })
  vim.fn.cursor(11, 26)
  local shown
  puppet_analyzer.evaluate(nil, nil, function(text)
    shown = text
  end)
  return wait(function()
    return shown
  end) and says(shown, 'a%-b')
end)
step('semantic tokens are sent', function()
  local tokens = ask('textDocument/semanticTokens/full', 1, 0)
  return tokens and #tokens.data > 100 and #tokens.data / 5 .. ' tokens'
end)

io.stdout:write(failed == 0 and 'all passed\n' or failed .. ' failed\n')
vim.cmd(failed == 0 and 'qall!' or 'cquit!')
