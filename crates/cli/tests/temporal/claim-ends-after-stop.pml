// never_0: violated, the claim comes to its end after the system has stopped
byte x;

active proctype P() { x = 1; end: x == 5 }

never {
T:	do
	:: x == 1 -> goto fin
	:: x == 0
	od;
fin:	skip
}
