" Multi-port machines, written by editors/make
if exists("b:current_syntax")
  finish
endif
syntax case match
syntax keyword efsmTypes bool byte int short
highlight default link efsmTypes Type
syntax keyword efsmDeclarations accept barrier const counter duplicates enum final loses ltl machine mutex object port progress reorders semaphore shared sorted start state system var waits
highlight default link efsmDeclarations Structure
syntax keyword efsmStatements assert do else for if in when while
highlight default link efsmStatements Statement
syntax keyword efsmFunctions at len
highlight default link efsmFunctions Function
syntax keyword efsmConstants false true
highlight default link efsmConstants Constant
syntax keyword efsmTemporal U V W X always eventually implies next release until
highlight default link efsmTemporal Operator
syntax match efsmNumber /\<\d\+\>/
syntax region efsmString start=/"/ skip=/\\./ end=/"/ oneline
syntax region efsmComment start=/\/\*/ end=/\*\//
syntax match efsmComment /\/\/.*$/
highlight default link efsmNumber Number
highlight default link efsmString String
highlight default link efsmComment Comment
let b:current_syntax = "efsm"
