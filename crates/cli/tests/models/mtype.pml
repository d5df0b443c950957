/* expect: holds, states 5, transitions 5 */
/* Symbolic names, from several declarations, and named sets of them. */
mtype = { red, green };
mtype = { blue };
mtype:fruit = { apple, pear };
mtype colour = red;
mtype:fruit dish = pear;
active proctype p() {
    colour = blue;
    dish = apple;
    assert(colour != red && dish != pear && red != green)
}
