/* expect: violated assertion, states 18, transitions 27 */
/* else looks at the options of a selection inside an option too. */
byte x;
active proctype p() {
    if
    :: if
       :: x == 1 -> skip
       :: x == 2 -> skip
       fi
    :: else -> assert(false)
    fi
}
active proctype q() { x = 1; x = 2 }
