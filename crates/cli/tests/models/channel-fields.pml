/* expect: holds, states 11, transitions 13 */
/* Several fields, constants as patterns, the notation m(x, y). */
mtype = { data, ack };
chan c = [2] of { mtype, byte, short };
active proctype p() { c!data(1, -2); c!ack,3,4 }
active proctype q() {
    byte x; short y;
    if
    :: c?ack(x, y) -> assert(false)
    :: c?data(x, y) -> assert(x == 1 && y == -2)
    fi;
    c?ack,x,4;
    assert(x == 3)
}
