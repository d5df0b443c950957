//! The diagnostics of the second half of the front end, in one table. A code keeps its meaning for ever.

mazurka_syntax::codes! {
    UNDECLARED "P0100" "a name that is not declared";
    REDECLARED "P0101" "a name that is declared twice";
    NOT_CONSTANT "P0102" "a constant is needed";
    BAD_BOUND "P0103" "an array length, channel size or count that is not possible";
    MISSING_INDEX "P0104" "an array without an index";
    NOT_AN_ARRAY "P0105" "an index on something that is not an array";
    NO_SUCH_FIELD "P0106" "a structure has no such field";
    WHOLE_STRUCTURE "P0107" "a whole structure where a single value is needed";
    READ_ONLY "P0108" "an assignment to something that cannot be written";
    WRITE_ONLY "P0109" "a use of the value of the write-only variable _";
    UNKNOWN_PROCTYPE "P0110" "a proctype that is not defined";
    ARGUMENT_COUNT "P0111" "a proctype is run with the wrong number of arguments";
    MISPLACED_RUN "P0112" "run inside a larger expression";
    UNKNOWN_LABEL "P0113" "a label that is not defined";
    MISPLACED_BREAK "P0114" "break outside a loop";
    MISPLACED_LABEL "P0115" "a label where none can stand";
    MISPLACED_ELSE "P0116" "else that is not the only one of its selection";
    BAD_STEP "P0117" "something that cannot be in a d_step";
    BAD_CHANNEL "P0118" "a channel is needed, or cannot be used like this";
    BAD_INITIALISER "P0119" "an initialiser that cannot stand here";
    ENABLED_WITH_RENDEZVOUS "P0120" "enabled() in a model with rendezvous channels";
    NO_PROCESS "P0121" "a model without a process that runs";
    TOO_LARGE "P0122" "the model is larger than can be represented";
    BAD_LOOP "P0123" "a for or select over something that cannot be counted";
    BAD_FORMAT "P0124" "a printf whose format and arguments do not match";
    PARAMETER_TYPE "P0125" "a parameter of a type that cannot be passed";
    GOTO_CYCLE "P0126" "a goto that leads back to itself";
    JUMP_ACROSS_STEP "P0127" "a jump into or out of a d_step";
    BAD_TRACE "P0128" "a trace assertion that is about more than messages";
    BAD_CLAIM "P0129" "a never claim that does more than look at the system";
}
