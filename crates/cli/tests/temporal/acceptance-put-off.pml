// acceptance: violated
/* C alone can go round for ever; B must not be put off around that cycle. */
byte y;
active proctype C() { byte l; do :: l = 1 - l od }
active proctype B() { do :: y = 1 - y; accept: y = 1 - y od }
