/* expect: holds, states 8, transitions 8 */
/* A process cannot die before those it started. */
proctype child() { skip }
proctype parent() { run child() }
init { run parent(); _nr_pr == 1 }
