byte mutex = 1, slots = 1, items;
active [2] proctype producer() {
    do
    :: atomic { mutex > 0 -> mutex-- };
       atomic { slots > 0 -> slots-- };
       mutex++;
       items++
    od
}
active proctype consumer() {
    do
    :: atomic { items > 0 -> items-- };
       atomic { mutex > 0 -> mutex-- };
       mutex++;
       slots++
    od
}
