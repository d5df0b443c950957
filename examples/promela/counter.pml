/* expect: violated assertion, states 58, transitions 88 */
/* Two processes increment a shared counter without a lock, so one increment may be lost. */
byte counter;
byte finished;

proctype worker(byte id) {
    byte seen;
    seen = counter;
    counter = seen + 1;
    finished++
}

init {
    atomic {
        run worker(1);
        run worker(2)
    };
    finished == 2;
    assert(counter == 2)
}
