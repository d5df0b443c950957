byte g;
active proctype P() { byte x = 7, y; if :: y = 1 :: y = 2 fi; { do :: y == 1 -> g = x; x = 3; y = 3 :: y == 2 -> break :: y == 3 -> g = x; assert(g == 3); break od } unless { g == 9 -> assert(x == 7) }; assert(x != 0) }
active proctype Q() { if :: g = 9 :: skip fi }
