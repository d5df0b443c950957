// safety: violated, once
// sent: holds
mtype = { a, b };
chan q = [1] of { mtype };
byte n;
active proctype P() { q!b; n = 1; q?b }
trace { end: do :: q!a od }
ltl sent { <> (n == 1) }
