/* expect: holds, states 49, transitions 85 */
/* Processes die in the reverse order of their birth; until then they count. */
byte x;
proctype p(byte n) { x = n }
init {
    run p(1);
    run p(2);
    x > 0;
    do
    :: _nr_pr == 1 -> break
    :: _nr_pr > 1 -> skip
    od;
    run p(3);
    assert(_nr_pr <= 2)
}
