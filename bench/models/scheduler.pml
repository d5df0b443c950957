/* A scheduler with a queue sorted by urgency: TASKS tasks ask for the processor, the scheduler takes the most urgent one,
   walks its arrays in atomic sequences, and lets it run for a while. */

#ifndef TASKS
#define TASKS 4
#endif
#ifndef SLICES
#define SLICES 3
#endif

chan ready = [TASKS] of { byte, byte };  /* urgency, task */
int urgency[TASKS];
short left[TASKS];
bool asked[TASKS];
byte running = TASKS;

proctype task(byte me) {
	left[me] = SLICES;
	do
	:: atomic {
		left[me] > 0 && !asked[me] ->
		asked[me] = true;
		ready !! urgency[me], me
	   }
	:: atomic {
		running == me ->
		left[me]--;
		if
		:: urgency[me] < TASKS -> urgency[me]++
		:: else -> urgency[me] = 0
		fi;
		asked[me] = false;
		running = TASKS
	   }
	:: left[me] == 0 && running != me -> break
	od
}

proctype scheduler() {
	byte who, level, i;
	int total;
end:	do
	:: atomic {
		running == TASKS && nempty(ready) ->
		ready ? level, who;
		/* Who waits becomes more urgent. */
		i = 0;
		total = 0;
		do
		:: i < TASKS ->
			if
			:: asked[i] && i != who && urgency[i] > 0 -> urgency[i]--
			:: else
			fi;
			total = total + left[i];
			i++
		:: else -> break
		od;
		assert(total <= TASKS * SLICES);
		running = who;
		who = 0;
		level = 0;
		i = 0;
		total = 0
	   }
	od
}

init {
	atomic {
		byte k;
		for (k : 0 .. TASKS - 1) { urgency[k] = k; run task(k) };
		run scheduler()
	}
}
