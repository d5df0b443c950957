/* expect: holds, states 2, transitions 2 */
/* An escape that begins with a selection, of which one option is a handshake without a partner and another is executable: the
   escape is taken, so the main sequence is not. pan takes both. */
/* spin: 4 states, 5 transitions, assertion violated 0 */
chan c = [0] of { bit };
byte x;
active proctype p() {
    { x = 1; assert(false) } unless { if :: c!1 :: true fi }
}
active proctype q() { end: x == 5; c?1 }
