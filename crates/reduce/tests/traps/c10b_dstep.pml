chan q = [2] of { byte }; byte go;
active proctype Q() { q!0; go = 1; q?_ }
active proctype P() { go == 1; d_step { q!1; q!2 } }
