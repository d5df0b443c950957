/* expect: holds, states 4, transitions 4 */
/* An atomic sequence within an unless is entered only if the escape is not executable. */
byte x;
active proctype p() {
    { atomic { x = 1; x = 2; x = 3 } } unless { x == 2 -> x = 4 }
}
