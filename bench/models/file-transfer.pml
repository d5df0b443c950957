/* A file goes from a client to a server over a channel that loses packets: one channel for control, one for data, one for
   answers. Packets that are lost are sent again after a timer that may go off at any time, a few times:
   a transfer may get stuck. */

#ifndef BLOCKS
#define BLOCKS 4
#endif
#ifndef LENGTH
#define LENGTH 2
#endif
#ifndef TRIES
#define TRIES 3
#endif

mtype = { open, close, opened, closed, ack, refuse };
chan control = [LENGTH] of { mtype, byte };
chan data = [LENGTH] of { byte, int };
chan answers = [LENGTH] of { mtype, byte };
bool written[BLOCKS];
byte closes;

proctype client() {
	byte block, tries, number;
	mtype what;
	control ! open(BLOCKS);
waiting:
	if
	:: answers ? opened(_)
	:: answers ? refuse(_) -> goto done
	:: tries < TRIES -> tries++; control ! open(BLOCKS); goto waiting
	fi;
	tries = 0;
	do
	:: block < BLOCKS ->
		data ! block, block * 1000 + 7;
again:		do
		:: answers ? ack(number) ->
			if
			:: number == block -> break
			:: else
			fi
		:: answers ? opened(_)
		:: tries < TRIES -> tries++; data ! block, block * 1000 + 7
		od;
		block++; number = 0
	:: else -> break
	od;
	control ! close(block);
	do
	:: answers ? closed(_) -> break
	:: answers ? what, number
	od;
	what = 0; number = 0;
done:	skip
}

proctype server() {
	byte expected, size, number;
	int contents;
end:	do
	:: control ? open(size) ->
		if
		:: answers ! opened(size)
		:: expected == 0 -> answers ! refuse(0); size = 0
		fi
	:: data ? number, contents ->
		if
		:: number == expected && size > 0 ->
			assert(contents == number * 1000 + 7);
			written[number] = true;
			expected++;
			answers ! ack(number)
		:: number < expected -> answers ! ack(number)
		:: else
		fi;
		number = 0; contents = 0
	:: control ? close(size) -> closes++; assert(closes == 1); answers ! closed(size)
	od
}

proctype line() {
	byte lost, number;
	int contents;
	mtype what;
end:	do
	:: atomic { lost < TRIES && nempty(data) -> data ? number, contents; lost++; number = 0; contents = 0 }
	:: atomic { lost < TRIES && answers ? [ack(number)] -> answers ? ack(number); lost++; number = 0 }
	od
}

init { atomic { run client(); run server(); run line() } }
