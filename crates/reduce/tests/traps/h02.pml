byte z;
active proctype P() { byte v; z = 1; v = 3; lab: false }
active proctype Q() { z == 1; if :: P@lab :: else -> assert(false) fi }
