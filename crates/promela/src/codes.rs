//! The diagnostics of the syntax half, in one table. A code keeps its meaning for ever.

mazurka_syntax::codes! {
    UNKNOWN_CHARACTER "P0001" "a character that is not part of Promela";
    UNTERMINATED_COMMENT "P0002" "a comment is never closed";
    UNTERMINATED_STRING "P0003" "a string is not closed on its line";
    MALFORMED_CHARACTER "P0004" "a character constant is not one character between quotes";
    MALFORMED_NUMBER "P0005" "a number has letters in it";
    NUMBER_OUT_OF_RANGE "P0006" "a number does not fit into 32 bits";
    SOURCE_TOO_LARGE "P0007" "the source is larger than can be addressed";
    STRAY_COMMENT_END "P0008" "a comment ends that never began";

    INCLUDE_NOT_FOUND "P0010" "an included file cannot be read";
    INCLUDE_TOO_DEEP "P0011" "files include each other too deeply or too often";
    MALFORMED_DIRECTIVE "P0012" "a preprocessor directive is not of the right form";
    UNKNOWN_DIRECTIVE "P0013" "a preprocessor directive that does not exist";
    ERROR_DIRECTIVE "P0014" "an #error directive was reached";
    WARNING_DIRECTIVE "P0015" "a #warning directive was reached";
    UNBALANCED_CONDITIONAL "P0016" "#if, #else and #endif do not match";
    MALFORMED_CONDITION "P0017" "the expression of an #if is not of the right form";
    MACRO_ARGUMENTS "P0018" "a macro is called with the wrong number of arguments";
    UNTERMINATED_MACRO_CALL "P0019" "the argument list of a macro is never closed";
    MACRO_TOO_LARGE "P0020" "macros expand to too much text, or too deeply";
    MACRO_REDEFINED "P0021" "a macro is defined twice, differently";
    BAD_PASTE "P0022" "## does not make one token";

    UNEXPECTED_TOKEN "P0030" "something else was expected here";
    UNCLOSED "P0031" "an if, do or block is not closed, or closed by the wrong word";
    MISSING_OPTION "P0032" "if and do need options that start with ::";
    ASSIGNMENT_IN_EXPRESSION "P0033" "= in an expression";
    TOO_DEEP "P0034" "the model is nested too deeply";
    EMPTY_SEQUENCE "P0035" "a sequence without a statement";
    LABELLED_DECLARATION "P0036" "a label before a declaration";
    MISPLACED_PROBE "P0037" "empty, nempty, full or nfull under another operator than && and ||";
    INLINE_ARGUMENTS "P0038" "an inline is called with the wrong number of arguments";
    RECURSIVE_INLINE "P0039" "an inline calls itself";
    INLINE_TOO_LARGE "P0040" "inlines expand to too much text, or too deeply";
    RETURN_OUTSIDE_INLINE "P0041" "return without an inline whose value is used";
    INLINE_REDEFINED "P0042" "an inline is defined twice";
    UNDEFINED_CALL "P0043" "a call of something that is not an inline defined before";
    EMBEDDED_C "P0044" "embedded C code is not supported";
    MISPLACED_TEMPORAL "P0045" "a temporal operator inside arithmetic or a comparison";
    NOT_IN_SPIN "P0046" "accepted here, but not by SPIN";
    NOT_AT_TOP_LEVEL "P0047" "a declaration that must stand at the top level";
    UNKNOWN_TYPE "P0048" "a type that has not been defined";
    KEYWORD_AS_NAME "P0049" "a keyword used as a name";
    ANNOTATION "P0050" "an annotation, which SPIN takes for a comment";
}
