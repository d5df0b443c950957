/* expect: holds, states 2, transitions 3 */
/* accept and progress labels are names like others for a search for safety. */
byte x;
active proctype p() {
accept_here:
    x = 1;
progress_there:
    x = 0;
    goto accept_here
}
