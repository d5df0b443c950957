// progress fair: violated
/* Q waits for what never comes again, so it is not ignored where P goes round inside its sequence. */
byte x;
active proctype P() { x = 1; atomic { do :: true od } }
active proctype Q() { do :: x == 0 od }
