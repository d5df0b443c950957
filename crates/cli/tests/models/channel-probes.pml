/* expect: holds, states 9, transitions 9 */
/* len, empty, nempty, full and nfull. */
chan c = [2] of { byte };
active proctype p() {
    if :: empty(c) :: nempty(c) -> assert(false) fi;
    c!1;
    if :: nfull(c) :: full(c) -> assert(false) fi;
    if :: nempty(c) :: empty(c) -> assert(false) fi;
    c!2;
    full(c);
    assert(len(c) == 2)
}
