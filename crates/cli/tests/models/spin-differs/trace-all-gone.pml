/* expect: violated deadlock, states 3, transitions 3 */
/* The trace waits for a second message when the system ends. pan notices only if a process is left. */
/* spin: 3 states, 3 transitions, no errors */
chan q = [2] of { byte };
trace { q!1; q!2 }
active proctype P() { q!1 }
