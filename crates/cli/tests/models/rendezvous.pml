/* expect: holds, states 8, transitions 10 */
/* A handshake is one step of two processes. */
chan c = [0] of { byte, byte };
byte x, y;
active proctype p() { c!3,4; assert(x == 3) }
active proctype q() { c?x,y; assert(y == 4) }
