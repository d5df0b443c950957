/* expect: holds, states 51596, transitions 146377 */
/* Peterson's algorithm for N processes, also called the filter lock: N-1 levels, at each of which the last one to arrive waits as
   long as somebody else is as far or further. The others are looked at one by one, not all at once.
   scale: N=4 gives 8.8 M states and 33 M transitions */
#ifndef N
#define N 3
#endif

byte level[N];
byte waiting[N];    /* waiting[k]: who came to level k last */
byte inside;

active [N] proctype process() {
    byte k, other;
    do
    ::  for (k : 1 .. N - 1) {
            level[_pid] = k;
            waiting[k] = _pid;
            for (other : 0 .. N - 1) {
                other == _pid || level[other] < k || waiting[k] != _pid
            }
        };
        inside++;
        assert(inside == 1);
        inside--;
        level[_pid] = 0
    od
}
