/* expect: holds, states 11, transitions 13 */
/* A channel is a value: in variables, in messages, as an argument. */
chan a = [1] of { byte };
chan b = [1] of { chan };
proctype p(chan out) { out!7 }
init {
    chan x;
    byte n;
    b!a;
    b?x;
    run p(x);
    a?n;
    assert(n == 7 && x == a)
}
