/* N processes alike around a counting semaphore and a barrier: nothing is atomic but the barrier's bookkeeping. */

#ifndef N
#define N 6
#endif
#ifndef PLACES
#define PLACES 2
#endif

byte places = PLACES;
byte arrived, phase;

active [N] proctype worker() {
	byte seen;
	do
	:: atomic { places > 0 -> places-- };
	   assert(places < PLACES);
	   places++;
	   atomic {
		seen = phase;
		arrived++;
		if
		:: arrived == N -> arrived = 0; phase = 1 - phase
		:: else
		fi
	   };
	   phase != seen;
	   seen = 0
	od
}
