/* Long channels of structures: producers number what they send and add up its parts, a router sorts it by kind into two
   channels, consumers check numbers and sums. */

#ifndef ITEMS
#define ITEMS 4
#endif
#ifndef LENGTH
#define LENGTH 4
#endif

typedef Header { byte kind; short number; byte flags };
typedef Item { Header head; int sum; byte parts };

chan items = [LENGTH] of { Item };
chan out[2] = [LENGTH] of { Item };
int total[2];

proctype producer(byte kind) {
	Item item;
	short n = 1;
	do
	:: n <= ITEMS ->
		item.head.kind = kind;
		item.head.number = n;
		item.head.flags = n * 3;
		item.parts = n + kind;
		item.sum = item.sum + item.parts * 1000;
		items ! item;
		n++
	:: else -> break
	od
}

proctype router() {
	Item item;
end:	do
	:: items ? item ->
		if
		:: item.head.kind == 0 -> out[0] ! item
		:: else -> out[1] ! item
		fi
	od
}

proctype consumer(byte kind) {
	Item item;
	short last;
end:	do
	:: out[kind] ? item ->
		assert(item.head.number == last + 1 && item.head.kind == kind);
		last = item.head.number;
		total[kind] = total[kind] + item.parts * 1000;
		assert(total[kind] == item.sum)
	od
}

init {
	atomic {
		run producer(0); run producer(1);
		run router();
		run consumer(0); run consumer(1)
	}
}
