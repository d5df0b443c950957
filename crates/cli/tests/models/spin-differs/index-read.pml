/* expect: violated runtime-error, states 4, transitions 4 */
/* An index out of range is reported. With -c0 pan goes on, with whatever lies behind the array: here b. For us such an
   element reads as 0. */
/* spin: 4 states, 4 transitions, assertion violated (x==0); assertion violated - invalid array index */
byte a[2], b = 9, i = 2, x;
active proctype p() { x = a[i]; assert(x == 0) }
