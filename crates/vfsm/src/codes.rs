//! The diagnostics of the notation, in one table. A code keeps its meaning for ever.

mazurka_syntax::codes! {
    UNKNOWN_CHARACTER "V0001" "a character that is not part of the notation";
    UNTERMINATED_COMMENT "V0002" "a comment is never closed";
    SOURCE_TOO_LARGE "V0003" "the source is larger than can be addressed";
    UNEXPECTED_TOKEN "V0004" "something else was expected here";
    TOO_DEEP "V0005" "a condition is nested too deeply";
    BAD_NUMBER "V0006" "a number that is not possible here";
    UNREADABLE "V0007" "a file that cannot be included";

    UNDECLARED "V0010" "a name that is not declared";
    REDECLARED "V0011" "a name that is declared twice";
    NO_INITIAL_STATE "V0012" "a machine without an initial state";
    NO_NETWORK "V0013" "a model without exactly one network with a machine in it";
    TOO_MANY "V0014" "more of something than can be represented";
    CONTRADICTION "V0015" "an input that one alternative inserts and deletes";
    EVENT_WITHOUT_MAPPING "V0016" "an event that its receiver has no mapping for";
    TWO_FREE_MACHINES "V0017" "more than one free machine in a process";
    TOO_LARGE "V0018" "a machine with more configurations or ways than can be listed";

    UNREACHABLE_STATE "V0030" "a state that the machine can never be in";
    OUTPUT_NOT_MAPPED "V0031" "a virtual output without a mapping, which does nothing";
    EVENT_NEVER_RAISED "V0032" "a mapping for an event that nobody ever raises";
    NEVER_HOLDS "V0033" "a condition that can never hold";
    NEVER_USED "V0034" "a name that is declared and never used";
}
