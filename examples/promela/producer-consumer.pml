/* expect: violated assertion, states 64096, transitions 96505 */
/* A ring buffer with producers and consumers, and a planted mistake: a consumer that was woken does not look again whether there is
   something to take (`if` where a `do` is needed), so two of them may take the same item.
   (Behind the failed assertion the count goes below zero, which makes the full graph large.)
   -D CORRECT mends it. */
#ifndef PRODUCERS
#define PRODUCERS 1
#endif
#ifndef CONSUMERS
#define CONSUMERS 2
#endif
#ifndef SIZE
#define SIZE 2
#endif

bool locked;
#define lock()   atomic { !locked -> locked = true }
#define unlock() locked = false

byte count, in, out;

active [PRODUCERS] proctype producer() {
    do
    ::  lock();
        do
        :: count == SIZE -> unlock(); count < SIZE; lock()
        :: else -> break
        od;
        in = (in + 1) % SIZE;
        count++;
        unlock()
    od
}

active [CONSUMERS] proctype consumer() {
    do
    ::  lock();
#ifdef CORRECT
        do
        :: count == 0 -> unlock(); count > 0; lock()
        :: else -> break
        od;
#else
        if
        :: count == 0 -> unlock(); count > 0; lock()
        :: else
        fi;
#endif
        assert(count > 0);
        out = (out + 1) % SIZE;
        count--;
        unlock()
    od
}
