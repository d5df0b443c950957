/* expect: holds, states 3402, transitions 6552 */
/* Lamport's bakery with tickets up to MAX: who would draw a higher one goes away and tries again.
   scale: N=3 MAX=5 gives 1.0 M states and 2.8 M transitions, N=3 MAX=20 8.4 M and 24 M */
#ifndef N
#define N 2
#endif
#ifndef MAX
#define MAX 3
#endif

bool choosing[N];
byte ticket[N];
byte inside;

active [N] proctype customer() {
    byte other, highest;
    do
    ::  choosing[_pid] = true;
        highest = 0;
        for (other : 0 .. N - 1) {
            if
            :: ticket[other] > highest -> highest = ticket[other]
            :: else
            fi
        };
        if
        ::  highest < MAX ->
            ticket[_pid] = highest + 1;
            choosing[_pid] = false;
            for (other : 0 .. N - 1) {
                !choosing[other];
                ticket[other] == 0 || ticket[other] > ticket[_pid] || (ticket[other] == ticket[_pid] && other >= _pid)
            };
            inside++;
            assert(inside == 1);
            inside--;
            ticket[_pid] = 0
        ::  else ->
            choosing[_pid] = false
        fi
    od
}
