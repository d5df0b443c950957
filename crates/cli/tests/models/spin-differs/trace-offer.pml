/* expect: holds, states 1, transitions 2 */
/* 2 is never sent, since nobody takes it. pan counts the offer. */
/* spin: 1 states, 3 transitions, event_trace error (no matching event) */
chan q = [0] of { byte };
trace { end: do :: q!1 od }
active proctype P() { end: do :: q!1 :: q!2 od }
active proctype Q() { end: do :: q?1 od }
