/* expect: holds, states 19, transitions 29 */
/* active starts processes before all others, numbered in order. */
byte sum;
active [3] proctype p() { sum = sum + _pid }
active proctype q() { sum == 3; assert(_pid == 3) }
