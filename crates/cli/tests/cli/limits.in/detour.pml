/* The assertion fails in the third step, but depth-first search comes to it by a detour. */
byte x;

active proctype walker() {
	if
	:: x = 1; x = 2; x = 3
	:: x = 3
	fi;
	x = 4;
	assert(x != 4)
}
