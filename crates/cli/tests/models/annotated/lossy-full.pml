/* expect: holds, states 42, transitions 42 */
/* A send to a lossy channel never waits, and what finds no room is lost. */
/*@ lossy */ chan c = [1] of { byte };
active proctype sender() { byte n; do :: n < 3 -> c!n; assert(len(c) <= 1); n++ :: else -> break od }
