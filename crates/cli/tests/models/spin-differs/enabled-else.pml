/* expect: violated assertion, states 16, transitions 21 */
/* enabled(i) of a process at an else. p is at an if with an else, so it can always do a step. pan asks whether the process that
   asks has had another option: q has (true), so pan never lets it take the second one. */
/* spin: 7 states, 9 transitions, no errors */
byte x;
active proctype p() {
    if
    :: x == 1
    :: else
    fi
}
active proctype q() {
    if
    :: true
    :: enabled(0) -> x = 3; assert(false)
    fi
}
