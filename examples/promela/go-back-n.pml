/* expect: holds, states 76950, transitions 257884 */
/* Sliding window, go-back-n: up to WINDOW frames on the way, numbered modulo MODULUS, over channels that lose frames. The text of a
   frame is a counter, so the receiver knows what it should get. With -D MODULUS=WINDOW one number is missing: old frames pass for
   new ones, and the assertion fails.
   scale: WINDOW=3 SIZE=3 gives 1.3 M states and 4.9 M transitions, WINDOW=4 SIZE=4 15 M and 58 M */
#ifndef WINDOW
#define WINDOW 2
#endif
#ifndef MODULUS
#define MODULUS (WINDOW + 1)
#endif
#ifndef SIZE
#define SIZE 2
#endif
#define TEXTS (2 * MODULUS)

chan data = [SIZE] of { byte, byte };   /* number, text */
chan acks = [SIZE] of { byte };         /* the next number expected */

active proctype sender() {
    byte first;         /* number of the oldest frame without acknowledgement */
    byte text;          /* its text */
    byte out;           /* frames on the way */
    byte sent;          /* of those, sent since the last time everything was sent again */
    byte number;
    do
    ::  sent < out ->
        data!(first + sent) % MODULUS, (text + sent) % TEXTS;
        sent++
    ::  out < WINDOW ->
        out++
    ::  sent == out && out > 0 ->       /* a timer runs out: send all again */
        sent = 0
    ::  acks?number ->
        number = (number + MODULUS - first) % MODULUS;     /* how many frames this acknowledges */
        if
        ::  number <= out ->
            d_step {
                first = (first + number) % MODULUS;
                text = (text + number) % TEXTS;
                out = out - number;
                sent = (sent > number -> sent - number : 0);
                number = 0
            }
        ::  else -> number = 0
        fi
    od
}

active proctype receiver() {
    byte wanted, expected, number, text;
    do
    ::  data?number,text ->
        if
        ::  number == wanted ->
            assert(text == expected);
            wanted = (wanted + 1) % MODULUS;
            expected = (expected + 1) % TEXTS
        ::  else
        fi;
        acks!wanted
    od
}

active proctype loss() {
    do
    :: data?_,_
    :: acks?_
    od
}
