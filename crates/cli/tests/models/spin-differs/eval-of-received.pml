/* expect: holds, states 4, transitions 4 */
/* eval() of a variable that the same receive assigns. pan takes the receive by p back with the value x has after it, so the
   channel holds (1,1), a message nobody sent, and q receives it. */
/* spin: 6 states, 6 transitions, assertion violated 0 */
chan c = [1] of { byte, byte };
byte x;
active proctype q() { end: c?1,1 -> assert(false) }
active proctype p() { c!1,0; end: c?x,eval(x) }
