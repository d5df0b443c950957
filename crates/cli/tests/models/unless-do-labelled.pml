/* expect: violated deadlock, states 49, transitions 70 */
/* A loop may have a label before an unless; who jumps there is inside the unless again. q may come too late. */
byte x, round;
active proctype p() {
again:
    do
    :: x < 3 -> x++
    :: x == 3 -> x = 0
    od unless x == 2;
    if
    :: round == 0 -> round++; x = 3; goto again
    :: else
    fi;
    assert(x == 2)
}
active proctype q() { (round == 1) && p[0]@again -> round = 2 }
