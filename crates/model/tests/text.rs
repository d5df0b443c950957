//! The text form of a program.

mod support;

use support::program;

#[test]
fn the_text_form_shows_every_part_of_a_program() {
    let source = "mtype = { request, reply };
typedef pair { byte left; short right[2] };

chan wire = [2] of { mtype, byte };
int table[3];
pair both;
hidden bool seen;

proctype client(byte id; chan out) provided (table[0] >= 0) {
    atomic {
        out!request(id);
        both.right[id % 2] = both.left - 1
    }
    if
    :: wire??reply(eval(id)) -> seen = true
    :: else -> skip
    fi
}

init {
    mtype kind;
    byte from;
    run client(1, wire);
end:
    {
        wire?kind,from -> table[from] = from
    } unless {
        timeout -> assert(table[1] == 1)
    }
}
";
    let text = program(source).to_string();
    insta::assert_snapshot!(text);
}
