/* expect: holds, states 5, transitions 5 */
/* A receive into fewer variables than fields ignores the rest. */
chan c = [1] of { byte, byte };
active proctype p() { byte x; c!1,2; c?x,_; assert(x == 1) }
