chan c = [1] of { byte };
active proctype sender() { byte n; do :: n < 3 -> c!n; n++ :: n == 3 -> break od }
active proctype receiver() {
    byte n;
end: do
    :: c?n -> assert(n < 3)
    :: n > 5 -> n = 0; c!n
    od
}
