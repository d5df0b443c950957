/* expect: holds, states 6, transitions 6 */
/* Structures, nested and in arrays. */
typedef point { byte x; byte y = 5 };
typedef line { point ends[2]; bit used };
line lines[2];
active proctype p() {
    point here;
    lines[1].ends[0].x = 3;
    lines[1].used = 1;
    here.x = lines[1].ends[0].x;
    assert(here.x == 3 && here.y == 5 && lines[0].ends[1].y == 5)
}
