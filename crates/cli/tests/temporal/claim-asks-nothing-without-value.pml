// never_0: holds, where z is 0 the claim does not ask for the division
byte z, g;

active proctype A() { z = 1; g = 1; g = 0; z = 0 }

never {
	do
	:: g == 0
	:: g == 1 -> break
	od;
	do
	:: 5 / z == 5 -> break
	od;
	false
}
