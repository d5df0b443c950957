/* Reliable broadcast among N processes, T of which may be faulty and send what they like
   (after Srikanth and Toueg, 1987). Everything a process does is one atomic sequence with loops and branches
   inside: it takes over what may have arrived, counts, and decides whether to send. */

#ifndef N
#define N 4
#endif
#ifndef T
#define T 1
#endif
#ifndef F
#define F 1
#endif

bool sent[N];       /* who has sent to everybody */
byte received[N];   /* how many messages each process has taken so far */
bool accepted[N];

proctype correct(byte me; bool starts) {
	byte i, arrived, limit;
	do
	:: atomic {
		/* What was sent by now, and what the faulty ones may have sent. */
		i = 0;
		arrived = 0;
		do
		:: i < N -> 
			if
			:: sent[i] -> arrived++
			:: else
			fi;
			i++
		:: else -> break
		od;
		limit = arrived + F;
		/* Some of it arrives. */
		if
		:: limit > received[me] -> received[me]++
		:: limit > received[me] + 1 -> received[me] = received[me] + 2
		:: else
		fi;
		if
		:: !sent[me] && (starts || received[me] >= T + 1) -> sent[me] = true
		:: else
		fi;
		if
		:: !accepted[me] && received[me] >= N - T -> accepted[me] = true
		:: else
		fi;
		assert(received[me] <= N);
		i = 0;
		arrived = 0;
		limit = 0
	   }
	od
}

init {
	atomic {
		byte k = 0;
		do
		:: k < N - F ->
			if
			:: run correct(k, true)
			:: run correct(k, false)
			fi;
			k++
		:: else -> break
		od
	}
}
