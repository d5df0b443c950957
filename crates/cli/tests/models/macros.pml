/* expect: holds, states 4, transitions 4 */
/* Macros with and without arguments, conditional text. */
#define TWICE(x) ((x) + (x))
#define LIMIT 6
#if LIMIT > 5 && !defined(OTHER)
#define START 3
#else
#define START 4
#endif
#undef LIMIT
#define LIMIT TWICE(START)
byte x = START;
active proctype p() {
    x = TWICE(x);
    assert(x == LIMIT)
}
