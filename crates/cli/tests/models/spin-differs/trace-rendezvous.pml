/* expect: holds, states 1, transitions 2 */
/* Every handshake is a send of 1 and a receive of 1. In pan the system is stuck after the first one. */
/* spin: 2 states, 2 transitions, invalid end state */
chan q = [0] of { byte };
trace { end: do :: q!1; q?1 od }
active proctype P() { end: do :: q!1; od }
active proctype Q() { end: do :: q?_ od }
