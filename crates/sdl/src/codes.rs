//! The diagnostics of this front end, in one table. A code keeps its meaning for ever.

mazurka_syntax::codes! {
    UNKNOWN_CHARACTER "S0001" "a character that is not part of the notation";
    UNTERMINATED_COMMENT "S0002" "a comment is never closed";
    MALFORMED_NUMBER "S0003" "a number has letters in it, or does not fit into 32 bits";
    SOURCE_TOO_LARGE "S0004" "the source is larger than can be addressed";

    UNEXPECTED_TOKEN "S0010" "something else was expected here";
    TOO_DEEP "S0011" "the model is nested too deeply";
    NOT_TAKEN "S0012" "a construct of SDL that is not supported";
    WRONG_END "S0013" "another name at the end of something than at its beginning";

    DUPLICATE "S0020" "a name is declared twice";
    UNKNOWN_NAME "S0021" "a name that is not declared";
    WRONG_TYPE "S0022" "a value of another type than is needed here";
    NOT_CONSTANT "S0023" "a value that must be known before the system runs";
    OUT_OF_RANGE "S0024" "a number out of its range";
    WRONG_COUNT "S0025" "another number of parameters than declared";
    NO_START "S0026" "a process must have one start transition";
    NO_PROCESS "S0027" "a system needs a process";
    TOO_LARGE "S0028" "more processes, states or signals than can be";
    NO_WAY "S0029" "a signal that cannot get to anybody from here";
    OPEN_SYSTEM "S0030" "signals come from outside the system";
    UNFINISHED "S0031" "a transition does not end in a nextstate, a stop or a join";
    AMBIGUOUS "S0032" "two transitions for the same signal in one state";
    UNKNOWN_CONSTANT "S0033" "a value is given for something that the model does not have";
    MISPLACED_TEMPORAL "S0034" "a temporal operator inside a value";
    REPEATED_ANSWER "S0035" "answers of a decision that do not fit together";

    INFORMAL "S0040" "informal text: nothing happens, or anything may be chosen";
}
