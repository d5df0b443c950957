/* expect: holds, states 38, transitions 65 */
/* Peterson's mutual exclusion for two processes. */
bool wants[2];
bit turn;
byte inside;

active [2] proctype process() {
    do
    ::  wants[_pid] = true;
        turn = 1 - _pid;
        !wants[1 - _pid] || turn == _pid;
        inside++;
        assert(inside == 1);
        inside--;
        wants[_pid] = false
    od
}
