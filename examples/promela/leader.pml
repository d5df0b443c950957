/* expect: holds, states 1817, transitions 3955 */
/* Election of a leader in a ring that sends one way (Dolev, Klawe and Rodeh 1982; Peterson 1982). In each round an active
   node learns the values of the two active nodes before it; it stays active if the nearer one has the greatest of the
   three, whose value it takes over. The values are dealt out at random (-D FIXED: node i has value i + 1).
   scale: N=5 gives 1.3 M states and 4.8 M transitions */
#ifndef N
#define N 3
#endif

mtype = { first, second, elected };

chan link[N] = [N] of { mtype, byte };      /* link[i] leads to node i */

bool given[N + 1];
byte leaders;

proctype node(byte me, value) {
    byte greatest = value, nearer, got;
    bool candidate = true;

    link[(me + 1) % N]!first(value);
    do
    ::  link[me]?first(got) ->
        if
        ::  candidate && got == greatest ->       /* it went all the way round: nobody else is active */
            assert(got == N);
            link[(me + 1) % N]!elected(got)
        ::  candidate && got != greatest ->
            nearer = got;
            link[(me + 1) % N]!second(got)
        ::  else ->
            link[(me + 1) % N]!first(got)
        fi
    ::  link[me]?second(got) ->
        if
        ::  candidate && nearer > got && nearer > greatest ->
            greatest = nearer;
            link[(me + 1) % N]!first(greatest)
        ::  candidate && !(nearer > got && nearer > greatest) ->
            candidate = false
        ::  else ->
            link[(me + 1) % N]!second(got)
        fi
    ::  link[me]?elected(got) ->
        if
        ::  got == value ->
            leaders++;
            assert(leaders == 1)
        ::  else
        fi;
        if
        ::  candidate                             /* the announcement is back */
        ::  else -> link[(me + 1) % N]!elected(got)
        fi;
        break
    od
}

init {
    byte i, value;
    atomic {
        for (i : 0 .. N - 1) {
#ifdef FIXED
            value = i + 1;
#else
            select (value : 1 .. N);
            do
            :: given[value] -> value = value % N + 1
            :: else -> break
            od;
#endif
            given[value] = true;
            run node(i, value)
        };
        i = 0;
        value = 0
    };
    _nr_pr == 1;
    assert(leaders == 1)
}
