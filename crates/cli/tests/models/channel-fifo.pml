/* expect: holds, states 17, transitions 22 */
/* A channel keeps the order and blocks when full. */
chan c = [2] of { byte };
active proctype p() { c!1; c!2; c!3 }
active proctype q() { byte x; c?x; assert(x == 1); c?x; assert(x == 2); c?x; assert(x == 3) }
