/* expect: violated trace-assertion, states 12, transitions 18 */
/* The forbidden order, sends and receives together. */
mtype = { a, b };
chan q = [4] of { mtype };
notrace { do :: q!a :: q!b -> break od; q?a }
active proctype P() { q!a; if :: q!a :: skip fi; q!b }
active proctype Q() { mtype m; end: do :: q?m od }
