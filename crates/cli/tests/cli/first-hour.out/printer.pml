/* Two clients share a printer. */
chan spool = [1] of { byte };
bool busy;
byte printing;

active [2] proctype Client() {
    byte page;
    do
    :: page < 2 ->
        atomic { !busy; busy = true };
        printing++;
        assert(printing == 1);
        spool!page;
        printing--;
        busy = false;
        page++
    :: else -> break
    od
}

active proctype Printer() {
    byte page, printed;
    do
    :: printed < 4 -> spool?page; printed++
    :: else -> break
    od
}
