/* expect: holds, states 2923, transitions 8725 */
/* Two-phase commit: a coordinator asks N participants for their vote and commits only if all say yes. Nobody commits when
   another aborts. With -D CRASH the coordinator may die before it has told everybody, and those who voted yes wait for
   ever: a deadlock, the known weakness of the protocol.
   scale: N=7 gives 1.6 M states and 10 M transitions */
#ifndef N
#define N 3
#endif

mtype = { prepare, yes, no, commit, abort };

chan to[N] = [1] of { mtype };
chan back = [N] of { mtype };

byte committed, aborted;

proctype coordinator() {
    byte i;
    mtype vote, decision = commit;
    for (i : 0 .. N - 1) {
        to[i]!prepare
    };
    for (i : 0 .. N - 1) {
        back?vote;
        if
        :: vote == no -> decision = abort
        :: else
        fi
    };
    for (i : 0 .. N - 1) {
#ifdef CRASH
        if
        :: goto dead
        :: skip
        fi;
#endif
        to[i]!decision
    };
#ifdef CRASH
dead:
#endif
    skip
}

proctype participant(byte me) {
    mtype decision;
    to[me]?prepare;
    if
    ::  back!yes
    ::  back!no
    fi;
    to[me]?decision;
    if
    ::  decision == commit -> committed++
    ::  decision == abort -> aborted++
    fi;
    assert(committed == 0 || aborted == 0)
}

init {
    byte i;
    atomic {
        run coordinator();
        for (i : 0 .. N - 1) {
            run participant(i)
        }
    }
}
