typedef S { byte a; byte b[2] }; byte g;
active proctype P() { S s; byte i; s.a = 3; s.b[1] = 4; i = 1; g = s.b[i]; g = s.a; assert(g == 3); s.b[0] = g; i = s.b[0]; assert(i == 3) }
