/* expect: holds */
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), __VERIFIER_assume(int), reach_error(void);
extern int __VERIFIER_nondet_int(void), __VERIFIER_nondet_bool(void);
#include <stdlib.h>

void assume_abort_if_not(int condition) {
    if (!condition)
        abort();
}

int main(void) {
    _Bool value = __VERIFIER_nondet_bool();
    assume_abort_if_not(value);
    if (!value)
        reach_error();
    return 0;
}
