byte go;
int i;
active proctype P() { d_step { go == 0 -> do :: i < 20000000 -> i++ :: else -> break od }; go = 1; assert(i == 20000000) }
