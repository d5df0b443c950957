//! The reserved words.

macro_rules! keywords {
    ($($name:ident $text:literal)*) => {
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub(crate) enum Keyword { $($name),* }

        impl Keyword {
            pub const ALL: &[Keyword] = &[$(Keyword::$name),*];

            pub fn from_text(text: &str) -> Option<Keyword> {
                match text { $($text => Some(Keyword::$name),)* _ => None }
            }

            pub fn text(self) -> &'static str {
                match self { $(Keyword::$name => $text),* }
            }
        }
    };
}

// `in` is not here: it is a word only between the brackets of a `for`.
keywords! {
    Active "active" Assert "assert" Atomic "atomic" Bit "bit" Bool "bool" Break "break" Byte "byte" CCode "c_code"
    CDecl "c_decl" CExpr "c_expr" CState "c_state" CTrack "c_track" DProctype "D_proctype" Do "do" Chan "chan"
    Else "else" Empty "empty" Enabled "enabled" Eval "eval" False "false" Fi "fi" For "for" Full "full"
    GetPriority "get_priority" Goto "goto" Hidden "hidden" If "if" Init "init" Inline "inline" Int "int" Len "len"
    Local "local" Ltl "ltl" Mtype "mtype" Nempty "nempty" Never "never" Nfull "nfull" Notrace "notrace" Np "np_"
    Od "od" Of "of" PcValue "pc_value" Pid "pid" Printf "printf" Printm "printm" Priority "priority"
    Proctype "proctype" Provided "provided" Return "return" Run "run" DStep "d_step" Select "select"
    SetPriority "set_priority" Short "short" Skip "skip" Timeout "timeout" Trace "trace" True "true" Show "show"
    Typedef "typedef" Unless "unless" Unsigned "unsigned" Xr "xr" Xs "xs"
}

impl Keyword {
    /// Whether the word can only start something at the top level.
    pub fn starts_unit(self) -> bool {
        use Keyword::*;
        matches!(
            self,
            Active | Proctype | DProctype | Init | Never | Trace | Notrace | Ltl | Typedef | Inline
        )
    }

    /// Whether the word can start a declaration of variables.
    pub fn starts_declaration(self) -> bool {
        use Keyword::*;
        matches!(
            self,
            Bit | Bool | Byte | Pid | Short | Int | Unsigned | Mtype | Chan | Hidden | Show | Local
        )
    }

    /// Whether the word starts a statement and can do nothing else, so that a parser lost in the text can go on there.
    pub fn starts_statement(self) -> bool {
        use Keyword::*;
        matches!(
            self,
            If | Do | For | Select | Atomic | DStep | Goto | Break | Printf | Printm | Assert
        )
    }
}
