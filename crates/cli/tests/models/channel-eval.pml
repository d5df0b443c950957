/* expect: holds, states 9, transitions 10 */
/* eval(x) is the value of x as a pattern. */
chan c = [2] of { byte };
byte x = 2;
active proctype p() { c!1; c!2 }
active proctype q() { c?1; c?eval(x); assert(x == 2) }
