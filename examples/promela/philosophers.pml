/* Each philosopher takes the left fork, then the right one: all may wait for ever. */
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
