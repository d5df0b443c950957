/* expect: violated assertion, states 6145, transitions 7170 */
/* A till asks a bank for a payment and asks again when no answer comes. Requests and answers may get lost, so the bank may
   book a payment twice. -D NUMBERED mends it: a retry carries the number of its payment. */
#ifndef PAYMENTS
#define PAYMENTS 2
#endif

chan requests = [1] of { byte };    /* number of the payment */
chan answers = [1] of { byte };

byte booked;                        /* by the bank */
byte paid;                          /* as far as the till knows */

active proctype till() {
    byte number;
    do
    ::  paid < PAYMENTS ->
again:
        requests!paid;
        if
        ::  answers?number ->
            paid++;
            assert(booked == paid)
        ::  timeout -> goto again
        fi
    ::  else -> break
    od
}

active proctype bank() {
    byte number;
end:
    do
    ::  requests?number ->
        if
#ifdef NUMBERED
        ::  number < booked             /* seen before: only answer */
        ::  else -> booked++
#else
        ::  true -> booked++
#endif
        fi;
        answers!number
    od
}

active proctype network() {
end:
    do
    :: requests?_
    :: answers?_
    od
}
