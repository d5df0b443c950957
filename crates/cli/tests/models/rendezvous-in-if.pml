/* expect: holds, states 11, transitions 13 */
/* Handshakes as guards, and else beside them. */
chan c = [0] of { byte };
byte x;
active proctype p() {
    if
    :: c!1
    :: x == 1 -> skip
    fi
}
active proctype q() {
    if
    :: c?_
    :: x = 1
    fi
}
