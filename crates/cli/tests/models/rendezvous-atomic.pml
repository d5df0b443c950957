/* expect: holds, states 12, transitions 16 */
/* A handshake out of an atomic sequence hands control over to a receiver that is in one. */
chan c = [0] of { byte };
byte x;
active proctype p() {
    atomic { x = 1; c!1; assert(x == 5); x = 6 }
}
active proctype q() {
    atomic { c?_; assert(x == 1); x = 5 }
}
active proctype r() {
    x != 0 -> assert(x == 5 || x == 6)
}
