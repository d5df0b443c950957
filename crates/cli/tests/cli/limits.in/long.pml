int x;
active proctype p() { do :: x < 1000000 -> x++ od }
active proctype q() { do :: x > 0 -> x-- od }
