/* expect: holds, states 9, transitions 11 */
/* run is 0 when there are too many processes; here there are not. */
proctype p() { skip }
init { (run p()) -> skip; _nr_pr == 1 }
