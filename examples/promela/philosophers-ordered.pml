/* expect: holds, states 51, transitions 92 */
/* Dining philosophers who take the fork with the lower number first: the waiting cannot go round, so there is no deadlock.
   scale: N=11 gives 3.4 M states and 23 M transitions (paths of 3.3 M steps) */
#ifndef N
#define N 3
#endif
#define RIGHT ((_pid + 1) % N)

bit fork[N];
byte eating;

active [N] proctype philosopher() {
    byte first = (_pid < RIGHT -> _pid : RIGHT), second = (_pid < RIGHT -> RIGHT : _pid);
    do
    ::  atomic { fork[first] == 0 -> fork[first] = 1 };
        atomic { fork[second] == 0 -> fork[second] = 1 };
        eating++;
        assert(2 * eating <= N);
        eating--;
        fork[second] = 0;
        fork[first] = 0
    od
}
