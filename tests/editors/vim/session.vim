" User session in Vim with ALE; writes its results to $SAID.

set nocompatible hidden noswapfile
filetype plugin on
set runtimepath^=/usr/share/vim-ale
let g:ale_linters_explicit = 1
let g:ale_linters = {'puppet': ['puppet-analyzer']}
let g:ale_lint_delay = 10
let g:ale_hover_cursor = 0
let g:ale_hover_to_preview = 1
let g:puppet_analyzer_command = $PUPPET_ANALYZER
runtime plugin/ale.vim
source $CONFIGURATION

let s:said = []
let s:failed = 0

function! s:step(what, answer) abort
  call add(s:said, (a:answer ? 'ok: ' : 'FAILED: ') . a:what)
  let s:failed += !a:answer
endfunction

" Waits for at most two minutes; runs a command at the start and again every five seconds.
function! s:until(question, command = '') abort
  for l:round in range(2400)
    if l:round % 100 == 0
      execute a:command
    endif
    if eval(a:question)
      return 1
    endif
    sleep 50m
  endfor
  return 0
endfunction

function! s:open(path) abort
  execute 'edit' fnameescape($REPOSITORY . '/' . a:path)
  setfiletype puppet
  ALELint
endfunction

" Returns errors. Nodes use none of the broken files, which hints say; ALE lists them as warnings.
function! Found() abort
  return map(filter(copy(getloclist(0)), 'v:val.type ==# "E"'), 'v:val.text')
endfunction

function! Preview() abort
  for l:window in range(1, winnr('$'))
    if getwinvar(l:window, '&previewwindow')
      return join(getbufline(winbufnr(l:window), 1, '$'))
    endif
  endfor
  return ''
endfunction

function! s:session() abort
  call s:open('site-modules/profile/manifests/broken_syntax.pp')
  call s:step('a broken file has diagnostics', s:until('len(Found()) == 3'))
  call setline(3, "  String $owner = 'app',")
  call s:step('an edit removes one', s:until('len(Found()) == 2', 'doautocmd TextChanged'))
  edit!
  call s:open('site-modules/profile/manifests/base.pp')
  call s:step('a good file has no errors', s:until('empty(filter(getloclist(0), "v:val.type ==# ''E''"))'))
  call cursor(17, 6)
  call s:step('hover shows a type', s:until('Preview() =~# "chronyd"', 'ALEHover'))
  call cursor(38, 15)
  call s:step('the definition is in another file', s:until('expand("%:p") =~# "motd/manifests/init.pp"', 'ALEGoToDefinition'))
endfunction

try
  call s:session()
catch
  call s:step(v:exception . ' at ' . v:throwpoint, 0)
endtry
call add(s:said, s:failed ? s:failed . ' failed' : 'all passed')
call writefile(s:said, $SAID)
execute s:failed ? 'cquit!' : 'qall!'
