/* expect: holds, states 8, transitions 8 */
/* A priority can be read and changed while running. */
byte x;
active proctype low() priority 2 { x = 2 }
active proctype high() priority 5 {
    assert(get_priority(_pid) == 5 && _priority == 5);
    x = 1;
    set_priority(_pid, 1);
    assert(x == 2)
}
