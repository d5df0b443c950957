/* expect: holds, states 2353, transitions 4498 */
/* Szymanski's mutual exclusion: a waiting room with two doors, five values of a flag per process. The flags of the
   others are read one at a time; with -D COARSE one of the scans is a single step.
   scale: N=4 with COARSE gives 8.4 M states and 32 M transitions, without it 35 M and 133 M */
#ifndef N
#define N 2
#endif

#define OUTSIDE 0
#define ASKING  1
#define WAITING 2
#define ENTERED 3
#define CLOSED  4   /* in the room, and the door behind is shut */

#ifdef COARSE
#define LOOK d_step
#else
#define LOOK
#endif

byte flag[N];
byte inside;

active [N] proctype process() {
    byte other;
    bool open;
    do
    ::  flag[_pid] = ASKING;
        for (other : 0 .. N - 1) {
            flag[other] < ENTERED
        };
        flag[_pid] = ENTERED;
        LOOK {
            open = false;
            for (other : 0 .. N - 1) {
                if
                :: flag[other] == ASKING -> open = true
                :: else
                fi
            }
        };
        if
        ::  open ->
            flag[_pid] = WAITING;
            other = 0;
            do
            :: flag[other] == CLOSED -> break
            :: else -> other = (other + 1) % N
            od
        ::  else
        fi;
        flag[_pid] = CLOSED;
        other = 0;
        do
        :: other < _pid -> flag[other] < WAITING; other++
        :: else -> break
        od;
        inside++;
        assert(inside == 1);
        inside--;
        other = _pid + 1;
        do
        :: other < N -> flag[other] < WAITING || flag[other] > ENTERED; other++
        :: else -> break
        od;
        flag[_pid] = OUTSIDE
    od
}
