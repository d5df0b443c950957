/* expect: holds, states 11, transitions 11 */
/* Only the first try counts. */
mtype = { a, b };
chan q = [4] of { mtype };
notrace { q!a; q!b }
active proctype P() { if :: q!a :: q!b; q!a; q!b :: q!a; q!a; q!b fi }
