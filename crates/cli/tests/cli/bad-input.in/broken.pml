active proctype p() {
    byte x
    x = ;
    y = 1
}
