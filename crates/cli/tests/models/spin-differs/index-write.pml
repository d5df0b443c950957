/* expect: violated runtime-error, states 4, transitions 4 */
/* An assignment to an element that does not exist is reported. With -c0 pan goes on and changes its neighbour, here b.
   For us nothing changes. */
/* spin: 4 states, 4 transitions, assertion violated (b==9); assertion violated - invalid array index */
byte a[2], b = 9, i = 2;
active proctype p() { a[i] = 7; assert(b == 9) }
