/* expect: holds */
/* Bits in an array are bytes in a variable, and bits in a message. */
typedef T { byte z; bit f[2]; bool g[2] };
chan q = [1] of { T };
active proctype P() {
  T t, u;
  t.f[0] = 104; t.g[1] = 3;
  q!t; q?u;
  assert(t.f[0] == 104 && u.f[0] == 0 && u.g[1] == 1)
}
