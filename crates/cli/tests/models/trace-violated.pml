/* expect: violated trace-assertion, states 55, transitions 95 */
/* Two messages on q1 in a row. */
mtype = { a, b };
chan q1 = [2] of { mtype };
chan q2 = [2] of { mtype, byte };
trace { do :: q1!a; q2?b,_ od }
active proctype P() { end: do :: q1!a; if :: q1!a :: skip fi; q2?b,_ od }
active proctype Q() { mtype m; end: do :: q1?m -> q2!b,3 od }
