/* Consensus in rounds among N processes of which any minority may stop (flood set): in each round everybody says what he has
   seen, in one d_step, and takes over what the others said. */

#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
#define ALL ((1 << N) - 1)

byte said[N * ROUNDS];      /* what each process said in each round: a set of values */
bool stopped[N];
byte decided[N];
byte stops;

proctype participant(byte me) {
	byte known = 1 << me;
	byte round, i;
	do
	:: round < ROUNDS ->
		if
		:: atomic { stops < N - 1 -> stops++; stopped[me] = true; goto out }
		:: skip
		fi;
		d_step { said[round * N + me] = known; i = 0 };
		do
		:: atomic {
			i < N && (said[round * N + i] != 0 || stopped[i]) ->
			known = known | said[round * N + i];
			i++
		   }
		:: i == N -> break
		od;
		round++
	:: else -> break
	od;
	atomic {
		i = 0;
		do
		:: i < N && (known & (1 << i)) == 0 -> i++
		:: else -> break
		od;
		decided[me] = i + 1;
		i = 0;
		do
		:: i < N -> assert(decided[i] == 0 || decided[i] <= N); i++
		:: else -> break
		od;
		i = 0
	};
out:	skip
}

init {
	atomic {
		byte k;
		for (k : 0 .. N - 1) { run participant(k) }
	}
}
