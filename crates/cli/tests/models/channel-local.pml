/* expect: holds, states 10, transitions 10 */
/* A channel made by a process lives as long as the process. */
chan post = [1] of { chan };
byte got;
proctype client() {
    chan mine = [1] of { byte };
    post!mine;
    mine?got
}
init {
    chan c;
    run client();
    post?c;
    c!9;
    _nr_pr == 1;
    assert(got == 9)
}
