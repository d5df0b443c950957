/* expect: holds, states 21, transitions 30 */
/* run starts a process with arguments and gives its number. */
byte sum;
proctype p(byte x; short y) { atomic { sum = sum + x; sum = sum + y } }
init {
    pid first;
    first = run p(1, 2);
    assert(first == 1);
    run p(3, 4);
    sum == 10
}
