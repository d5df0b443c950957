/* expect: violated runtime-error, states 4, transitions 5 */
/* b[0]:y where process 0 is no b, so there is no such variable. pan reads what lies at that place in the a. */
/* spin: 15 states, 25 transitions, no errors */
active proctype a() { byte x = 7; skip }
active proctype b() { byte y = 5; skip }
active proctype w() { assert(b[0]:y == 7) }
