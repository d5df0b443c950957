/* Reliable multicast: N members hand every message on to all others before they deliver it, over one queue each, and count
   what they have in sets of bits. Any member may stop, in the middle of sending as well. */

#ifndef N
#define N 3
#endif
#ifndef SENDERS
#define SENDERS 2
#endif

mtype = { data, relayed };
chan queue[N] = [N * SENDERS] of { mtype, byte, byte };	/* kind, from whom, whose message */
byte delivered[N];	/* sets of messages */
bool stopped[N];
byte stops;

proctype member(byte me) {
	byte to, from, whose;
	mtype kind;
	bool hold;
	if
	:: atomic {
		me < SENDERS ->
		to = 0;
		do
		:: to < N ->
			if
			:: to != me && nfull(queue[to]) -> queue[to] ! data(me, me)
			:: to != me && stops == 0 -> stops++; stopped[me] = true; break
			:: to == me
			fi;
			to++
		:: else -> break
		od;
		if
		:: !stopped[me] -> delivered[me] = delivered[me] | (1 << me)
		:: else
		fi;
		to = 0
	   }
	:: skip
	fi;
end:	do
	:: atomic {
		!stopped[me] && nempty(queue[me]) ->
		queue[me] ? kind, from, whose;
		hold = (delivered[me] >> whose) & 1;
		if
		:: !hold ->
			to = 0;
			do
			:: to < N ->
				if
				:: to != me && to != from && to != whose && nfull(queue[to]) -> queue[to] ! relayed(me, whose)
				:: else
				fi;
				to++
			:: else -> break
			od;
			delivered[me] = delivered[me] | (1 << whose)
		:: else
		fi;
		assert(whose < SENDERS);
		kind = 0; from = 0; whose = 0; to = 0; hold = false
	   }
	:: atomic { stops == 0 && !stopped[me] -> stops++; stopped[me] = true }
	od
}

init {
	atomic {
		byte k;
		for (k : 0 .. N - 1) { run member(k) }
	}
}
