/* expect: inconclusive */
/* Of all integers a few are tried, and that is told. */
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), __VERIFIER_assume(int), reach_error(void);
extern int __VERIFIER_nondet_int(void), __VERIFIER_nondet_bool(void);

int main(void) {
    int value = __VERIFIER_nondet_int();
    if (value == 77)
        reach_error();
    return 0;
}
