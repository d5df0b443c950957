/* Two clients share a printer. */
chan spool = [1] of { byte };
bool busy;
byte printing;

active [2] proctype Client() {
    byte page;
    do
    :: page < 2 ->
        !busy;
        busy = true;
        printing += 1;
        asert(printing == 1);
        spool!page;
        printing--;
        busy = flase;
        page++
    :: else -> break
    od
}

active proctype Printer() {
    byte page, printed;
    do
    :: printed < 5 -> spool?page; printed++
    :: else -> break
    od
}
