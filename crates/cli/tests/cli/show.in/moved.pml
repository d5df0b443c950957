bit left, right;
active proctype one() {
    skip;
    atomic { left == 0 -> left = 1 };
    atomic { right == 0 -> right = 1 };
    left = 0; right = 0
}
active proctype two() {
    atomic { right == 0 -> right = 1 };
    atomic { left == 0 -> left = 1 };
    left = 0; right = 0
}
