/* expect: violated deadlock trace-assertion, states 8, transitions 8 */
/* A trace must be at its end when the system is, and nothing may come behind it. */
mtype = { a, b };
chan q = [4] of { mtype };
trace { q!a; q!b }
active proctype P() { if :: skip :: q!a :: q!a; q!b :: q!a; q!b; q!b fi; end: false }
