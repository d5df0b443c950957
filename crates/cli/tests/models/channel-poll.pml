/* expect: holds, states 8, transitions 8 */
/* c?[m] and c??[m] look without receiving. */
mtype = { a, b };
chan c = [2] of { mtype };
active proctype p() {
    assert(!(c?[a]));
    c!a; c!b;
    assert(c?[a]);
    assert(!(c?[b]));
    assert(c??[b])
}
