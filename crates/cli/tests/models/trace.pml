/* expect: holds, states 6, transitions 7 */
/* What is sent on q1 and received from q2 takes turns; sends on q2 and receives from q1 are not named and do not count. */
mtype = { a, b };
chan q1 = [2] of { mtype };
chan q2 = [2] of { mtype, byte };
trace { do :: q1!a; q2?b,_ od }
active proctype P() { end: do :: q1!a; q2?b,_ od }
active proctype Q() { mtype m; end: do :: q1?m -> q2!b,3 od }
