/* expect: holds, states 1982, transitions 3725 */
/* Lamport's fast mutual exclusion (1987): seven accesses to memory when nobody else is there.
   Processes are numbered from 1; y is 0 when the lock is free.
   scale: N=4 gives 10.6 M states and 38 M transitions */
#ifndef N
#define N 2
#endif
#define ME (_pid + 1)

byte x, y;
bool busy[N + 1];
byte inside;

active [N] proctype process() {
    byte other;
start:
    busy[ME] = true;
    x = ME;
    if
    ::  y != 0 ->
        busy[ME] = false;
        y == 0;
        goto start
    ::  else
    fi;
    y = ME;
    if
    ::  x != ME ->
        busy[ME] = false;
        for (other : 1 .. N) {
            !busy[other]
        };
        if
        ::  y != ME ->
            y == 0;
            goto start
        ::  else
        fi
    ::  else
    fi;
    inside++;
    assert(inside == 1);
    inside--;
    y = 0;
    busy[ME] = false;
    goto start
}
