/* expect: holds, states 450, transitions 1180 */
/* The alternating bit protocol over channels that lose messages. The text is a counter modulo MAX, so the receiver knows
   what it should get: nothing is lost, doubled or out of order. -D NAIVE makes the sender take any acknowledgement for
   the right one, and a message gets lost. */
#ifndef MAX
#define MAX 4
#endif
#ifndef SIZE
#define SIZE 1
#endif

chan data = [SIZE] of { byte, bit };
chan acks = [SIZE] of { bit };

active proctype sender() {
    byte text;
    bit current, answer;
    do
    ::  data!text(current)
    ::  acks?answer ->
        if
#ifdef NAIVE
        ::  true ->
#else
        ::  answer == current ->
#endif
            current = 1 - current;
            text = (text + 1) % MAX
        ::  else
        fi
    od
}

active proctype receiver() {
    byte text, expected;
    bit wanted, got;
    do
    ::  data?text(got) ->
        if
        ::  got == wanted ->
            assert(text == expected);
            expected = (expected + 1) % MAX;
            wanted = 1 - wanted
        ::  else
        fi;
        acks!got
    od
}

active proctype loss() {
    do
    :: data?_(_)
    :: acks?_
    od
}
