/* expect: holds */
/* There are more ways through an endless sequence with a choice than anybody can go. */
byte x;
active proctype p() { atomic { do :: skip :: skip od } }
active proctype q() { x = 1 }
