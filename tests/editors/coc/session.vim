" User session in Vim or Neovim with coc.nvim; writes its results to $SAID.

set nocompatible hidden noswapfile nobackup nowritebackup
filetype plugin on
set runtimepath^=$COC
let g:coc_config_home = $CONFIGURATION
let g:coc_data_home = $HOME . '/coc'
inoremap <expr> <Tab> coc#pum#select_confirm()
runtime plugin/coc.vim

let s:said = []
let s:failed = 0
let s:server = 'languageserver.puppet-analyzer'

function! s:step(what, answer) abort
  call add(s:said, (a:answer ? 'ok: ' : 'FAILED: ') . a:what)
  let s:failed += !a:answer
endfunction

" Retries until the condition holds, for at most two minutes.
function! s:until(question) abort
  let l:start = reltime()
  while reltimefloat(reltime(l:start)) < 120
    if eval(a:question)
      return 1
    endif
    sleep 50m
  endwhile
  return 0
endfunction

function! s:open(path) abort
  execute 'edit' fnameescape($REPOSITORY . '/' . a:path)
endfunction

function! Errors() abort
  return len(filter(CocAction('diagnosticList'), {_, it -> it.file ==# expand('%:p') && it.severity ==# 'Error'}))
endfunction

function! Renamed() abort
  let l:manifest = join(getline(1, '$'))
  let l:data = join(getbufline(bufnr('data/common.yaml'), 1, '$'))
  return l:manifest =~# '@param ntp_servers.* \$ntp_servers,.* \$ntp_servers ' && l:data =~# 'profile::base::ntp_servers'
endfunction

" Types into a new line below and accepts the completion.
function! s:type(text, until) abort
  let l:end = localtime() + 120
  let l:Look = {-> getline('.') =~# a:until || localtime() > l:end ? feedkeys("\<Esc>") : coc#pum#visible() ? feedkeys("\<Tab>") : 0}
  let l:timer = timer_start(50, l:Look, {'repeat': -1})
  call feedkeys('o' . a:text, 'tx!')
  call timer_stop(l:timer)
  return getline('.') =~# a:until
endfunction

function! s:session() abort
  call s:step('coc.nvim has started', s:until('get(g:, "coc_service_initialized", 0)'))
  call s:open('site-modules/profile/manifests/broken_syntax.pp')
  call s:step('a broken file has diagnostics', s:until('Errors() == 3'))
  call s:step('the root is the repository', g:WorkspaceFolders ==# [$REPOSITORY])
  call setline(3, "  String $owner = 'app',")
  call s:step('an edit removes one', s:until('Errors() == 2'))
  edit!
  call s:open('site-modules/profile/templates/broken_page.epp')
  call s:step('a broken template has one', s:until('Errors() == 1'))

  call s:open('site-modules/profile/manifests/base.pp')
  call s:step('a good file has no errors', s:until('Errors() == 0'))
  call cursor(17, 6)
  call s:step('hover shows a type', s:until('join(CocAction("getHover")) =~# "Optional\\[Enum\\["'))
  call cursor(38, 15)
  call s:step('the definition is in another file', s:until('CocAction("jumpDefinition") && expand("%:p") =~# "motd/manifests/init.pp"'))
  call s:open('site-modules/profile/manifests/base.pp')
  call cursor(6, 9)
  call s:step('references are found in other files', s:until('string(CocAction("references")) =~# "site.pp"'))
  call cursor(8, 34)
  call CocAction('rename', 'ntp_servers')
  call s:step('rename changes the declaration, its uses, its documentation and data', s:until('Renamed()'))
  call cursor(10, 1)
  call s:step('completion knows the functions of an array', s:type('  $all = $packages.joi', '\.join'))
  call setline(11, '  include motdd')
  call cursor(11, 11)
  call s:step('a misspelled name has a correction', s:until('string(CocAction("codeActions", "cursor")) =~# "''newText'': ''motd''"'))
  let s:file = {'textDocument': {'uri': 'file://' . expand('%:p')}}
  call s:step('semantic tokens are sent', s:until('len(CocRequest(s:server, "textDocument/semanticTokens/full", s:file).data) > 100'))
  call coc#config(s:server . '.settings', {'puppet-analyzer': {'large-file-limit': 10}})
  call s:step('settings reach the server', s:until('string(CocAction("diagnosticList")) =~# "large-file"'))
endfunction

function! s:main() abort
  try
    call s:session()
  catch
    call s:step(v:exception . ' at ' . v:throwpoint, 0)
  endtry
  call add(s:said, s:failed ? s:failed . ' failed' : 'all passed')
  call writefile(s:said, $SAID)
  execute s:failed ? 'cquit!' : 'qall!'
endfunction

autocmd VimEnter * ++nested call s:main()
