/* expect: holds, states 17, transitions 26 */
/* A poll inside arithmetic, in a model that has rendezvous channels too. pan's text for the poll lacks parentheses: the sum
   becomes the right side of an &&. */
/* spin: 17 states, 26 transitions, assertion violated (x==2) */
chan c = [1] of { byte };
chan r = [0] of { byte };
byte x;
active proctype p() { c!1; x = c?[1] + 1; assert(x == 2) }
active proctype q() { r!1 }
active proctype s() { r?1 }
