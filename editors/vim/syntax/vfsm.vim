" Virtual finite state machines, written by editors/make
if exists("b:current_syntax")
  finish
endif
syntax case match
syntax keyword vfsmDeclarations end high initial inputs invariant low ltl machine network process processor queue system timer
highlight default link vfsmDeclarations Structure
syntax keyword vfsmStatements after also anywhere feedback in nothing on out raises send spontaneous start stop then to via
highlight default link vfsmStatements Statement
syntax keyword vfsmFunctions IA NS
highlight default link vfsmFunctions Function
syntax keyword vfsmConstants true
highlight default link vfsmConstants Constant
syntax keyword vfsmTemporal U V W X
highlight default link vfsmTemporal Operator
syntax match vfsmNumber /\<\d\+\>/
syntax region vfsmString start=/"/ skip=/\\./ end=/"/ oneline
syntax region vfsmComment start=/\/\*/ end=/\*\//
syntax match vfsmComment /\/\/.*$/
highlight default link vfsmNumber Number
highlight default link vfsmString String
highlight default link vfsmComment Comment
let b:current_syntax = "vfsm"
