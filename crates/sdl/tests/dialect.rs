//! Systems in several files, and the dialect of OpenGEODE: data types in ASN.1, a process in a file of its own.

#[allow(dead_code)]
mod support;

use mazurka_promela::MemoryLoader;
use mazurka_span::{RenderOptions, Snippets, SourceMap, render};
use support::{coarse, judge};

const TYPES: &str = "Datamodel DEFINITIONS ::= BEGIN
    -- Boilerplate that nobody uses is not refused.
    T-Double ::= REAL (-1E10 .. 1E10)
    T-UInt32 ::= INTEGER (0 .. 4294967295)
    limit INTEGER ::= 2
    My-Int ::= INTEGER (0 .. limit)
    Light ::= ENUMERATED { off, on-hold(3), on }
    T-Boolean ::= BOOLEAN
    Row ::= SEQUENCE (SIZE(2)) OF My-Int
    Frame ::= SEQUENCE { number My-Int, flag T-Boolean, body Row }
END";

const STRUCTURE: &str = "-- A comment of the tool
    /* CIF Keep Specific Geode ASNFilename 'types.asn' */
    use Datamodel;
    system Lamp;
       /* CIF Keep Specific Geode PARAMNAMES p */
       signal press (T_Boolean);
       signal shine (Light);
       ;
       procedure measure; fpar in/out value My_Int; external;
       channel c
          from env to Lamp with press;
          from Lamp to env with shine;
       endchannel;
       block Lamp;
          signalroute r
             from env to Lamp with press;
             from Lamp to env with shine;
          connect c and r;
          process Lamp referenced;
       endblock;
    endsystem;";

fn process(answer: &str) -> String {
    format!(
        "/* CIF PROCESS (1, 2), (3, 4) */
    process Lamp;
    /* CIF TEXT (1, 2), (3, 4) */
    -- Variables
    dcl hold T_Boolean := false;
    dcl f Frame := {{ number 1, flag true, body {{ 1, 2 }} }};
    dcl v My_Int;
    timer later;
    /* CIF ENDTEXT */
    START;
        NEXTSTATE Off_State;
    STATE Off_State;
        INPUT press(hold);
            CALL writeln('pressed');
            TASK f.body(0) := f.number + 1, f.flag := hold;
            DECISION f.body(0) = 2 and f.body(1) = 2;
                (TRUE): CALL set_timer(1000, later); CALL measure(v); OUTPUT shine(on);
                (FALSE): {answer}
            ENDDECISION;
            NEXTSTATE On_State;
    ENDSTATE;
    STATE On_State;
        INPUT later;
            DECISION v; (limit): {answer} ELSE: ENDDECISION;
            OUTPUT shine(off);
            NEXTSTATE Off_State;
        INPUT press(hold);
            CALL reset_timer(later);
            NEXTSTATE -;
    ENDSTATE;
    STATE wrong;
    ENDSTATE;
    ENDPROCESS Lamp;"
    )
}

fn check(main: &str, process: &str) -> Result<&'static str, String> {
    let files = [
        ("m/types.asn", TYPES),
        ("m/system_structure.pr", STRUCTURE),
        ("m/lamp.pr", process),
    ];
    let mut loader = MemoryLoader::default();
    for (name, text) in files {
        loader.files.insert(name.into(), text.into());
    }
    let defines = ["ENVIRONMENT=1".to_string()];
    let source = files.iter().find(|(name, _)| *name == main).unwrap().1;
    let mut map = SourceMap::new();
    let compiled = mazurka_sdl::compile_with(
        &mut map,
        main,
        source.as_bytes(),
        &defines,
        &Snippets::default(),
        &loader,
    );
    let compiled = compiled.map_err(|told| render(&map, &told, RenderOptions::default()))?;
    let ours = coarse(&judge(compiled.program).unwrap());
    let mut map = SourceMap::new();
    let promela =
        mazurka_sdl::promela_with(&mut map, main, source.as_bytes(), &defines, &loader).unwrap();
    let mut map = SourceMap::new();
    let compiled =
        mazurka_promela::compile(&mut map, "m.pml", promela.as_bytes(), &[], &loader).unwrap();
    assert_eq!(coarse(&judge(compiled.program).unwrap()), ours);
    Ok(ours)
}

#[test]
fn a_process_of_opengeode_is_read_with_its_system_and_its_types() {
    for main in ["m/system_structure.pr", "m/lamp.pr"] {
        let told = check(main, &process("CALL writeln('never');"));
        assert_eq!(told.as_deref(), Ok("holds"));
        // What is measured may be anything; a frame of three does not fit.
        let told = check(main, &process("TASK f.number := 3;"));
        assert_eq!(told.as_deref(), Ok("error"));
    }
}

#[test]
fn what_the_dialect_has_and_is_not_taken_is_refused_by_name() {
    for (from, to, what) in [
        ("dcl v My_Int;", "dcl v My_Int, u T_Double;", "REAL"),
        ("dcl v My_Int;", "dcl v My_Int, u T_UInt32;", "32 bits"),
        (
            "CALL writeln('pressed');",
            "TASK FOR x in range(3): v := x ENDFOR;",
            "`for`",
        ),
        (
            "STATE wrong;",
            "STATE wrong; SUBSTRUCTURE",
            "`substructure`",
        ),
        ("CALL writeln('pressed');", "CALL nobody(1);", "`nobody`"),
    ] {
        let text = process("CALL writeln('never');").replace(from, to);
        let told = check("m/system_structure.pr", &text).unwrap_err();
        assert!(
            told.contains(what) && told.contains("m/lamp.pr"),
            "{what}: {told}"
        );
    }
    let text = process("")
        .replace("process Lamp;", "process Other;")
        .replace("ENDPROCESS Lamp", "ENDPROCESS Other");
    let told = check("m/system_structure.pr", &text).unwrap_err();
    assert!(told.contains("is referenced"), "{told}");
}
