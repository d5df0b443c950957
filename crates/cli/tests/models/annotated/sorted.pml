/* expect: holds, states 8, transitions 8 */
/* Every send to a sorted channel is a sorted one: the least message comes first. */
/*@ sorted */ chan c = [3] of { byte };
active proctype p() { byte x, y; c!3; c!1; c!2; c?x; c?y; assert(x == 1 && y == 2) }
