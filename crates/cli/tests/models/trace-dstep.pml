/* expect: violated trace-assertion, states 9, transitions 9 */
/* Messages inside a d_step, through another name, and looking at one does not count. */
chan q[2] = [2] of { byte };
trace { end: do :: q[1]!5; q[1]?5 od }
active proctype P() { byte x; chan c; c = q[1]; d_step { c!5; c?x }; q[0]!7; c!x; q[1]?<x>; q[1]?x; q[1]!4 }
