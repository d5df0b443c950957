string s;
active proctype P() {
    boolean seen;
    byte x := 1;
    x = x > 0 ? 1 : 2
}
