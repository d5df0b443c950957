/* Arrays walked by loops: two sorters, one from each end, exchange neighbours step by step, while an auditor adds up what is
   there in one sequence of its own. */

#ifndef N
#define N 5	/* odd */
#endif

int value[N];
short moved[2];
byte busy = 2;

proctype sorter(bool down) {
	byte i;
	int held;
	bool again = true;
	do
	:: again ->
		again = false;
		i = 0;
		do
		:: i < N - 1 ->
			atomic {
				if
				:: down && value[N - 2 - i] > value[N - 1 - i] ->
					held = value[N - 2 - i];
					value[N - 2 - i] = value[N - 1 - i];
					value[N - 1 - i] = held;
					moved[1]++;
					again = true
				:: !down && value[i] > value[i + 1] ->
					held = value[i];
					value[i] = value[i + 1];
					value[i + 1] = held;
					moved[0]++;
					again = true
				:: else
				fi;
				held = 0
			};
			i++
		:: else -> break
		od
	:: else -> break
	od;
	busy--
}

proctype auditor() {
	byte i;
	int sum, least;
end:	do
	:: d_step {
		busy > 0 ->
		i = 0;
		sum = 0;
		do
		:: i < N -> sum = sum + value[i]; i++
		:: else -> break
		od;
		assert(sum == N * (N - 1) / 2 * 100);
		i = 0;
		sum = 0
	   }
	:: atomic {
		busy == 0 ->
		i = 0;
		least = -1;
		do
		:: i < N -> assert(value[i] >= least); least = value[i]; i++
		:: else -> break
		od;
		break
	   }
	od
}

init {
	atomic {
		byte k, j;
		/* Some orders of the values. */
		do
		:: j < N - 1 -> j++
		:: break
		od;
		if
		:: skip;
		   do
		   :: k < N -> value[k] = (2 * k + j) % N * 100; k++
		   :: else -> break
		   od
		:: skip;
		   do
		   :: k < N -> value[N - 1 - k] = (k + j) % N * 100; k++
		   :: else -> break
		   od
		fi;
		j = 0;
		k = 0;
		run sorter(false); run sorter(true); run auditor()
	}
}
