/* expect: holds, states 16, transitions 23 */
/* Arrays of channels. */
chan c[2] = [1] of { byte };
active [2] proctype p() { byte x; c[_pid]!_pid; c[1 - _pid]?x; assert(x == 1 - _pid) }
