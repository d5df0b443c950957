/* expect: holds, states 12, transitions 18 */
/* b[0]@here where process 0 is no b. pan compares numbers of states and is satisfied when the a is at a state of the same
   number. A process of another type is at none of the labels of b. */
/* spin: 43 states, 81 transitions, assertion violated 0 */
active proctype a() { skip; skip; skip }
active proctype b() {
    skip;
here:
    skip
}
active proctype w() { end: b[0]@here -> assert(false) }
