// never_0: violated, the second loop asks for the division where z is 0
byte z, g;

active proctype A() { z = 1; g = 1; z = 0 }

never {
	do
	:: z == 0 && g == 0
	:: g == 1 -> break
	:: z == 1 && g == 0
	od;
	do
	:: 5 / z != 5
	:: true
	od
}
