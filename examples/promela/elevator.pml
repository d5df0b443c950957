/* expect: holds, states 1466, transitions 2683 */
/* A lift and its passengers. A passenger waits on some floor, presses the button, gets in when the doors are open there,
   presses the button of another floor, and gets out when the doors are open there. The lift keeps its direction as long as there
   is a call ahead, and never moves with open doors.
   scale: PASSENGERS=2 FLOORS=5 gives 2.0 M states and 5.3 M transitions, PASSENGERS=3 FLOORS=3 14.8 M and 54 M */
#ifndef FLOORS
#define FLOORS 3
#endif
#ifndef PASSENGERS
#define PASSENGERS 1
#endif

bool call[FLOORS];
byte at;
bool doors, up = true;

active proctype lift() {
    byte floor;
    bool ahead;
    do
    ::  call[at] ->
        doors = true;
        call[at] = false;
        doors = false
    ::  !call[at] ->
        d_step {
            ahead = false;
            floor = at;
            do
            ::  up && floor < FLOORS - 1 -> floor++; ahead = ahead || call[floor]
            ::  !up && floor > 0 -> floor--; ahead = ahead || call[floor]
            ::  else -> break
            od;
            floor = 0
        };
        if
        ::  ahead ->
            assert(!doors);
            at = (up -> at + 1 : at - 1)
        ::  else ->
            up = !up
        fi
    od
}

active [PASSENGERS] proctype passenger() {
    byte here, there;
    do
    ::  select (there : 0 .. FLOORS - 1);
        if
        :: there == here
        :: else ->
            do
            ::  call[here] = true;
                if
                :: doors && at == here -> break
                :: !doors && !call[here]        /* it left without us: press again */
                fi
            od;
            do
            ::  call[there] = true;
                if
                :: doors && at == there -> break
                :: !doors && !call[there]
                fi
            od;
            here = there
        fi
    od
}
