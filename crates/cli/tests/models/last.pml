/* expect: holds, states 39, transitions 59 */
/* _last is the process that made the last step. */
byte x;
active proctype p() { do :: x < 3 -> x++ :: else -> break od }
active proctype q() { assert(_last == 0 || _last == 1) }
