/* expect: holds, states 8, transitions 8 */
/* A block in braces is a place of its own. */
byte x;
active proctype p() {
    do
    :: { x < 2; x++ }
    :: { x == 2 } ; { break }
    od
}
