/* expect: violated deadlock, states 226, transitions 332 */
/* Loops over a channel that stand in one scope share their counter, a loop inside a loop has its own. */
typedef Packet { byte number };
Packet packet, other; byte seen;
chan line = [1] of { Packet };
active proctype Reader() {
	for (packet in line) { for (other in line) { skip } };
	if
	:: for (packet in line) { seen = 2 }
	:: skip
	fi;
	{ for (packet in line) { seen = 3 } };
	atomic { for (packet in line) { seen = 4 } };
	for (packet in line) { seen = 1 }
}
active proctype Writer() { do :: packet.number = 3; line!packet od }
