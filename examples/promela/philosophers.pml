/* expect: violated deadlock, states 44, transitions 91 */
/* Dining philosophers. Each takes the left fork, then the right one: all may hold one fork and wait for ever.
   scale: N=11 gives 1.2 M states and 8.9 M transitions, N=12 4.2 M and 34 M (paths of 5.2 M steps) */
#ifndef N
#define N 3
#endif

bit fork[N];

active [N] proctype philosopher() {
    byte left = _pid, right = (_pid + 1) % N;
think:
    atomic { fork[left] == 0 -> fork[left] = 1 };
    atomic { fork[right] == 0 -> fork[right] = 1 };
    printf("philosopher %d eats\n", _pid);
    fork[right] = 0;
    fork[left] = 0;
    goto think
}
