/* N workers in a ring who hand tokens on by rendezvous, inside atomic sequences, and count them. */

#ifndef N
#define N 4
#endif
#ifndef TOKENS
#define TOKENS 2
#endif
#ifndef MAX
#define MAX 3
#endif

mtype = { work, done };
chan link[N] = [0] of { mtype, byte };
byte seen[N];

proctype worker(byte me; byte tokens) {
	byte value;
	mtype kind;
	do
	:: tokens > 0 -> atomic { link[(me + 1) % N] ! work(seen[me]); tokens-- }
	:: atomic {
		link[me] ? kind, value ->
		tokens++;
		if
		:: value < MAX -> seen[me] = value + 1
		:: else -> seen[me] = 0
		fi;
		value = 0;
		kind = 0
	   }
	:: atomic { tokens > 0 && seen[me] == MAX -> seen[me] = 0 }
	od
}

init {
	atomic {
		byte k;
		for (k : 0 .. N - 1) {
			if
			:: k < TOKENS -> run worker(k, 1)
			:: else -> run worker(k, 0)
			fi
		}
	}
}
