/* expect: holds, states 161, transitions 305 */
/* Readers and writers with two semaphores: the first reader locks the writers out, the last one lets them in again.
   scale: READERS=8 WRITERS=3 gives 4.1 M states and 23 M transitions */
#ifndef READERS
#define READERS 2
#endif
#ifndef WRITERS
#define WRITERS 2
#endif

#define down(s) atomic { s > 0 -> s-- }
#define up(s)   s++

byte mutex = 1, resource = 1;
byte readers;           /* who share the resource; guarded by mutex */
byte reading, writing;  /* for the assertions */

active [READERS] proctype reader() {
    do
    ::  down(mutex);
        readers++;
        if
        :: readers == 1 -> down(resource)
        :: else
        fi;
        up(mutex);

        reading++;
        assert(writing == 0);
        reading--;

        down(mutex);
        readers--;
        if
        :: readers == 0 -> up(resource)
        :: else
        fi;
        up(mutex)
    od
}

active [WRITERS] proctype writer() {
    do
    ::  down(resource);
        writing++;
        assert(writing == 1 && reading == 0);
        writing--;
        up(resource)
    od
}
