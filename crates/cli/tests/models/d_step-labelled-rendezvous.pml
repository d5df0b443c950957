/* expect: holds */
/* The same where it begins with a rendezvous. */
chan c = [0] of { byte };
byte x;
active proctype p() {
    end: d_step { c?x; x++ } unless { x == 7 };
    assert(x == 2)
}
init { c!1 }
