/* expect: violated runtime-error */
/* What cannot be printed is an error, also while nobody reads. */
byte z;
active proctype p() { printf("%d\n", 2 / z) }
