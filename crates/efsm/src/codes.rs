//! The diagnostics of this front end, in one table. A code keeps its meaning for ever.

mazurka_syntax::codes! {
    UNKNOWN_CHARACTER "E0001" "a character that is not part of the notation";
    UNTERMINATED_COMMENT "E0002" "a comment is never closed";
    MALFORMED_NUMBER "E0003" "a number has letters in it, or does not fit into 32 bits";
    SOURCE_TOO_LARGE "E0004" "the source is larger than can be addressed";

    UNEXPECTED_TOKEN "E0010" "something else was expected here";
    TOO_DEEP "E0011" "the model is nested too deeply";
    REPEATED_CLAUSE "E0012" "a transition has two predicates, receives or blocks, or they are out of order";
    MISPLACED_TEMPORAL "E0013" "a temporal operator outside a formula";

    DUPLICATE "E0020" "a name is declared twice";
    UNKNOWN_NAME "E0021" "a name that is not declared";
    WRONG_KIND "E0022" "a name of another kind than is needed here";
    WRONG_TYPE "E0023" "a value of another type than is needed here";
    NOT_CONSTANT "E0024" "a value that must be known before the system runs";
    OUT_OF_RANGE "E0025" "a number out of its range";
    NOT_AN_ARRAY "E0026" "an index on something that is not an array, or an array without one";
    READ_ONLY "E0027" "a parameter, constant or loop variable cannot be assigned";
    WRONG_COUNT "E0028" "another number of arguments, fields or values than declared";
    NO_START "E0029" "a machine must have exactly one start state";
    NO_SYSTEM "E0030" "a model needs a system with at least one instance";
    TOO_LARGE "E0031" "more instances, ports or states than can be";
    UNKNOWN_CONSTANT "E0032" "a value is defined for a constant that the model does not have";
    DIVISION_BY_ZERO "E0033" "a constant is divided by zero";

    UNREACHABLE_STATE "E0040" "no transitions lead to a state";
    UNUSED_MACHINE "E0041" "a machine without an instance";
    NEVER_SENT "E0042" "a message that nobody sends";
}
