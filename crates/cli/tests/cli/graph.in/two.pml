bit x;
active proctype flip() {
end: do
    :: x == 0 -> x = 1
    :: x == 1 -> atomic { x = 0; x = 1; x = 0 }
    od
}
