/* expect: holds, states 4, transitions 4 */
/* eval() of the length of the channel received from: 1 before the receive and 0 after it, when pan takes the step back. The
   channel then holds 0, a message nobody sent. */
/* spin: 6 states, 6 transitions, assertion violated 0 */
chan c = [1] of { byte };
active proctype q() { end: c?0 -> assert(false) }
active proctype p() { c!1; end: c?eval(len(c)) }
