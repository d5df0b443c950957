/* expect: violated deadlock trace-assertion, states 100, transitions 122 */
/* Any control flow. */
chan q = [2] of { byte };
trace { again: if :: q!1 -> goto again :: q!2 fi; do :: q!3; goto again :: q!4; break od }
active proctype P() { byte n; do :: n < 4 -> q!1; n++; q?_ :: n < 4 -> q!2; q?_; if :: q!3 :: q!4 :: q!2 fi; q?_; n++ :: else -> break od; end: false }
