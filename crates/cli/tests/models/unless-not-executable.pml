/* expect: holds, states 5, transitions 5 */
/* An unless whose escape is never executable does nothing. */
byte x;
active proctype p() {
    { x = 1; x = 2; assert(x == 2) } unless { x == 9 -> assert(false) }
}
