/* Read-copy-update with two counters of readers: a reader counts itself in the current one and reads through the pointer, a
   writer publishes a new version, flips the counters twice and waits for each to become zero before it frees the old version. */

#ifndef READERS
#define READERS 2
#endif
#ifndef WRITES
#define WRITES 2
#endif
#ifndef VERSIONS
#define VERSIONS 3
#endif

byte count[2];
bit current;
byte published;
bool is_freed[VERSIONS];

proctype reader() {
	bit mine;
	byte version;
	do
	:: mine = current;
	   count[mine]++;
	   version = published;
	   assert(!is_freed[version]);
	   if
	   :: skip
	   :: assert(!is_freed[version])
	   fi;
	   version = 0;
	   count[mine]--;
	   mine = 0
	od
}

proctype writer() {
	byte old, next, writes, i;
end:	do
	:: writes < WRITES ->
		atomic {
			old = published;
			i = 0;
			next = (old + 1) % VERSIONS;
			do
			:: i < VERSIONS && i != old -> is_freed[i] = false; i++
			:: i < VERSIONS && i == old -> i++
			:: else -> break
			od;
			i = 0
		};
		published = next;
		do
		:: i < 2 ->
			current = 1 - current;
			count[1 - current] == 0;
			i++
		:: else -> break
		od;
		is_freed[old] = true;
		atomic { writes++; old = 0; next = 0; i = 0 }
	:: else -> writes = 0
	od
}

init {
	atomic {
		byte k;
		for (k : 1 .. READERS) { run reader() }
		run writer()
	}
}
