/* expect: holds, states 5, transitions 5 */
/* printf and printm are steps like others. */
mtype = { red, green };
mtype colour = green;
active proctype p() {
    printf("%d %c %x %u %e\n", 1, 'a', 255, 7, colour);
    printm(colour);
    printf("done\n")
}
