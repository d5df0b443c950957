/* expect: holds, states 6, transitions 6 */
/* _ takes a value and forgets it. */
chan c = [2] of { byte, byte };
byte x;
active proctype p() { _ = 5; c!1,2; c?_,x; assert(x == 2) }
