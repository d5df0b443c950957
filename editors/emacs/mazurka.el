;;; mazurka.el --- Modes for models of Mazurka  -*- lexical-binding: t; -*-

;; Written by editors/make.  Put it into `load-path' and say (require 'mazurka).

;;; Code:

(defvar mazurka-promela-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23" table)
    (modify-syntax-entry ?\n "> b" table)
    (modify-syntax-entry ?_ "w" table)
    table))

(defvar mazurka-promela-mode-font-lock
  (list
   (cons (regexp-opt '("bit" "bool" "byte" "chan" "int" "mtype" "pid" "short" "unsigned") 'words) 'font-lock-type-face)
   (cons (regexp-opt '("D_proctype" "active" "hidden" "init" "inline" "local" "ltl" "never" "notrace" "of" "priority" "proctype" "provided" "show" "trace" "typedef" "xr" "xs") 'words) 'font-lock-keyword-face)
   (cons (regexp-opt '("assert" "atomic" "break" "d_step" "do" "else" "fi" "for" "goto" "if" "in" "od" "printf" "printm" "return" "run" "select" "set_priority" "skip" "timeout" "unless") 'words) 'font-lock-keyword-face)
   (cons (regexp-opt '("c_code" "c_decl" "c_expr" "c_state" "c_track" "empty" "enabled" "eval" "full" "get_priority" "len" "nempty" "nfull" "np_" "pc_value") 'words) 'font-lock-builtin-face)
   (cons (regexp-opt '("_" "_last" "_nr_pr" "_pid" "_priority" "false" "true") 'words) 'font-lock-constant-face)
   (cons (regexp-opt '("U" "V" "W" "X" "always" "equivalent" "eventually" "implies" "next" "release" "stronguntil" "until" "weakuntil") 'words) 'font-lock-builtin-face)
   (cons "^\\s-*#.*$" 'font-lock-preprocessor-face)))

;;;###autoload
(define-derived-mode mazurka-promela-mode prog-mode "Promela"
  :syntax-table mazurka-promela-mode-syntax-table
  (setq-local comment-start "/* ")
  (setq-local comment-end " */")
  (setq-local font-lock-defaults '(mazurka-promela-mode-font-lock nil nil)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.\\(pml\\|prom\\|promela\\|spin\\|pr\\|prm\\)\\'" . mazurka-promela-mode))

(defvar mazurka-efsm-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23" table)
    (modify-syntax-entry ?\n "> b" table)
    (modify-syntax-entry ?_ "w" table)
    table))

(defvar mazurka-efsm-mode-font-lock
  (list
   (cons (regexp-opt '("bool" "byte" "int" "short") 'words) 'font-lock-type-face)
   (cons (regexp-opt '("accept" "barrier" "const" "counter" "duplicates" "enum" "final" "loses" "ltl" "machine" "mutex" "object" "port" "progress" "reorders" "semaphore" "shared" "sorted" "start" "state" "system" "var" "waits") 'words) 'font-lock-keyword-face)
   (cons (regexp-opt '("assert" "do" "else" "for" "if" "in" "when" "while") 'words) 'font-lock-keyword-face)
   (cons (regexp-opt '("at" "len") 'words) 'font-lock-builtin-face)
   (cons (regexp-opt '("false" "true") 'words) 'font-lock-constant-face)
   (cons (regexp-opt '("U" "V" "W" "X" "always" "eventually" "implies" "next" "release" "until") 'words) 'font-lock-builtin-face)))

;;;###autoload
(define-derived-mode mazurka-efsm-mode prog-mode "Multi-port machines"
  :syntax-table mazurka-efsm-mode-syntax-table
  (setq-local comment-start "/* ")
  (setq-local comment-end " */")
  (setq-local font-lock-defaults '(mazurka-efsm-mode-font-lock nil nil)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.\\(efsm\\)\\'" . mazurka-efsm-mode))

(defvar mazurka-vfsm-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23" table)
    (modify-syntax-entry ?\n "> b" table)
    (modify-syntax-entry ?_ "w" table)
    table))

(defvar mazurka-vfsm-mode-font-lock
  (list
   (cons (regexp-opt '("end" "high" "initial" "inputs" "invariant" "low" "ltl" "machine" "network" "process" "processor" "queue" "system" "timer") 'words) 'font-lock-keyword-face)
   (cons (regexp-opt '("after" "also" "anywhere" "feedback" "in" "nothing" "on" "out" "raises" "send" "spontaneous" "start" "stop" "then" "to" "via") 'words) 'font-lock-keyword-face)
   (cons (regexp-opt '("IA" "NS") 'words) 'font-lock-builtin-face)
   (cons (regexp-opt '("true") 'words) 'font-lock-constant-face)
   (cons (regexp-opt '("U" "V" "W" "X") 'words) 'font-lock-builtin-face)))

;;;###autoload
(define-derived-mode mazurka-vfsm-mode prog-mode "Virtual finite state machines"
  :syntax-table mazurka-vfsm-mode-syntax-table
  (setq-local comment-start "/* ")
  (setq-local comment-end " */")
  (setq-local font-lock-defaults '(mazurka-vfsm-mode-font-lock nil nil)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.\\(vfsm\\)\\'" . mazurka-vfsm-mode))

(defvar mazurka-sdl-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 14" table)
    (modify-syntax-entry ?* ". 23" table)
    (modify-syntax-entry ?\' "\"" table)
    (modify-syntax-entry ?_ "w" table)
    table))

(defvar mazurka-sdl-mode-font-lock
  (list
   (cons (regexp-opt '("boolean" "character" "charstring" "duration" "integer" "natural" "pid" "real" "time") 'words) 'font-lock-type-face)
   (cons (regexp-opt '("active" "adding" "all" "alternative" "and" "as" "atleast" "axioms" "block" "call" "channel" "comment" "connect" "connection" "constant" "constants" "create" "dcl" "default" "else" "endalternative" "endblock" "endchannel" "endconnection" "endgenerator" "endmacro" "endnewtype" "endoperator" "endpackage" "endprocedure" "endprocess" "endrefinement" "endselect" "endservice" "endsubstructure" "endsyntype" "endsystem" "env" "error" "export" "exported" "external" "fi" "finalized" "for" "fpar" "from" "gate" "generator" "if" "import" "imported" "in" "inherits" "interface" "literal" "literals" "macro" "macrodefinition" "macroid" "map" "mod" "nameclass" "newtype" "nodelay" "noequality" "none" "not" "null" "operator" "operators" "or" "ordering" "out" "package" "priority" "procedure" "process" "redefined" "referenced" "refinement" "rem" "remote" "return" "returns" "revealed" "reverse" "select" "service" "signal" "signallist" "signalroute" "signalset" "spelling" "struct" "substructure" "synonym" "syntype" "system" "then" "this" "timer" "to" "type" "use" "via" "view" "viewed" "virtual" "with" "xor") 'words) 'font-lock-keyword-face)
   (cons (regexp-opt '("decision" "enddecision" "endstate" "input" "join" "nextstate" "output" "provided" "reset" "save" "set" "start" "state" "stop" "task") 'words) 'font-lock-keyword-face)
   (cons (regexp-opt '("any" "now" "offspring" "parent" "self" "sender") 'words) 'font-lock-builtin-face)
   (cons (regexp-opt '("false" "true") 'words) 'font-lock-constant-face)))

;;;###autoload
(define-derived-mode mazurka-sdl-mode prog-mode "SDL/PR"
  :syntax-table mazurka-sdl-mode-syntax-table
  (setq-local comment-start "/* ")
  (setq-local comment-end " */")
  (setq-local font-lock-defaults '(mazurka-sdl-mode-font-lock nil t)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.\\(sdl\\)\\'" . mazurka-sdl-mode))

(provide 'mazurka)
;;; mazurka.el ends here
