/* expect: holds, states 8, transitions 8 */
/* A receive that assigns what chooses its channel. pan takes it back with the new value, so the message goes into c[1], where nobody
   sent it. */
/* spin: 8 states, 8 transitions, assertion violated (q_len(c[1])==0) */
chan c[2] = [1] of { byte };
active proctype P() {
    byte l;
    c[0]!1;
    if
    :: c[l % 2]?l
    :: true
    fi;
    assert(len(c[1]) == 0)
}
