/* expect: violated assertion */
/* An escape behind a d_step with a label stands inside it, where SPIN ignores it. */
chan c = [1] of { byte };
byte x;
active proctype p() {
    L: d_step { c?x; x++ } unless { x == 7 };
    assert(x != 2)
}
init { c!1 }
