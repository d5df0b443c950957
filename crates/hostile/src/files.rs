//! Any bytes as a model and the files beside it: what it includes, packages, data types in ASN.1.
//!
//! Names and texts stand in turn, with zero bytes between them. The first is the model, and how its name ends says in which notation it
//! is written.

use mazurka_promela::MemoryLoader;
use mazurka_span::{Snippets, SourceMap};

use crate::models::{Fate, judge, seed, show};

/// Compiles a model with its files, and runs it at random. Panics if something is wrong with Mazurka.
pub fn files(bytes: &[u8]) -> Fate {
    let mut parts = bytes.split(|byte| *byte == 0);
    let mut next = || Some((std::str::from_utf8(parts.next()?).ok()?, parts.next()?));
    let Some((name, source)) = next() else {
        return Fate::Refused;
    };
    let mut loader = MemoryLoader::default();
    // It may name itself.
    loader.files.insert(name.into(), source.into());
    while let Some((name, text)) = next() {
        loader.files.insert(name.into(), text.into());
    }
    let mut map = SourceMap::new();
    let compiled = if name.ends_with(".pml") {
        let compiled = mazurka_promela::compile(&mut map, name, source, &[], &loader);
        compiled.map(|compiled| (compiled.program, compiled.warnings))
    } else if name.ends_with(".vfsm") {
        let extras = mazurka_vfsm::Extras {
            loader: Some(&loader),
            ..mazurka_vfsm::Extras::default()
        };
        let compiled = mazurka_vfsm::compile_with(&mut map, name, source, &extras);
        compiled.map(|compiled| (compiled.program, compiled.warnings))
    } else {
        let (nothing, open) = (Snippets::default(), ["ENVIRONMENT=1".to_string()]);
        let compiled = mazurka_sdl::compile_with(&mut map, name, source, &open, &nothing, &loader);
        if compiled.is_ok() {
            let mut map = SourceMap::new();
            let exported = mazurka_sdl::promela_with(&mut map, name, source, &open, &loader);
            if let Err(reasons) = exported {
                show(&map, &reasons);
            }
        }
        compiled.map(|compiled| (compiled.program, compiled.warnings))
    };
    judge(&map, compiled, seed(bytes))
}

/// Valid models with their files.
pub fn valid() -> Vec<Vec<u8>> {
    let models: [&[&str]; 4] = [
        &[
            "m/any.pml",
            "#include \"a.h\"\n#include \"b/c.h\"\nactive proctype P() { TWICE(x++); run Q(1) }\n",
            "m/a.h",
            "#ifndef A\n#define A\nbyte x;\n#define TWICE(s) s; s\n#endif\n",
            "m/b/c.h",
            "#include \"d.h\"\nproctype Q(byte y) { assert(y < D && x <= D) }\n",
            "m/b/d.h",
            "#define D 2\n",
        ],
        &[
            "any.vfsm",
            "const LINES = 2;\ninclude \"lib/common.vfsm\";\n\
             machine LINE { use SIGNALS; initial S_[0]; end S_[0], S_[1];\n\
             for i in 0..1 { S_[i] { E: O_CLEAR; NS: I_GO > S_[(i + 1) % 2]; } } out O_CLEAR: clear I_GO; }\n\
             machine CALLER { inputs I_GO; initial S; S { IA: I_GO ? O_CALL; } spontaneous in S: *I_GO;\n\
             out O_CALL: send GO to line[1] | send GO to line[LINES]; }\n\
             network { queue LINES; processor A { process C { caller: CALLER; } }\n\
             for i in 1..LINES { processor L[i] { process P[i] { low LINES; line[i]: LINE; } } } }\n",
            "lib/common.vfsm",
            "table INPUTS { inputs I_GO; }\ntable SIGNALS { use INPUTS; on GO: +I_GO; }\n",
        ],
        &[
            "m/lamp.pr",
            "process Lamp; dcl f Frame := { number 1, flag true, body { 1, 2 } }, l List := { 1 }, s Some := { a true },\n\
             c Which := number: 3, o Octets := 'abc'; timer later; start; nextstate off;\n\
             state off; input press(f.flag); task l := l // { 2 }, f.body(0) := length(l), s.w := hello;\n\
             decision exist(s.a) and c = number: 3; (true): set(now + 1, later); (false): output shine(on); enddecision;\n\
             nextstate waiting; endstate; state waiting; input later; nextstate off; endstate; endprocess;\n",
            "m/system_structure.pr",
            "/* CIF Keep Specific Geode ASNFilename 'types.asn' */ use Datamodel; system Lamp;\n\
             signal press (T_Boolean); signal shine (Light);\n\
             channel c from env to Lamp with press; from Lamp to env with shine; endchannel;\n\
             block Lamp; signalroute r from env to Lamp with press; from Lamp to env with shine; connect c and r;\n\
             process Lamp referenced; endblock; endsystem;\n",
            "m/types.asn",
            "Datamodel DEFINITIONS ::= BEGIN limit INTEGER ::= 2 N ::= INTEGER (0..limit) T-Boolean ::= BOOLEAN\n\
             Light ::= ENUMERATED { off, on-hold(3), on } Row ::= SEQUENCE (SIZE(2)) OF N\n\
             Frame ::= SEQUENCE { number N, flag T-Boolean, body Row } List ::= SEQUENCE (SIZE (0..3)) OF N\n\
             Word ::= ENUMERATED { hello(12), world(13) } Octets ::= OCTET STRING (SIZE (0..8))\n\
             Some ::= SEQUENCE { a BOOLEAN OPTIONAL, c N DEFAULT 2, w Word DEFAULT world }\n\
             Which ::= CHOICE { nix NULL, number INTEGER (0..3), rest Some } Text ::= IA5String (SIZE (0..8))\n\
             a-list List ::= { 1, 2 } some Octets ::= 'DEAD'H Named ::= INTEGER { one(1), two(2) } (0..3) END\n",
        ],
        &[
            "both.sdl",
            "use data; system both; signal a(small); block b referenced; endsystem;\n",
            "data.sdl",
            "package data; newtype small struct x Integer; endnewtype; endpackage;\n",
            "b.sdl",
            "block b; process p referenced; process q; start; output a((. 1 .)) to p; stop; endprocess;\n\
             signalroute r from q to p with a; endblock;\n",
            "p.sdl",
            "process p; dcl s small; start; nextstate idle; state idle; input a(s); nextstate -; endstate; endprocess;\n",
        ],
    ];
    let joined = models.map(|parts| parts.join("\0").into_bytes());
    joined.to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_are_read() {
        for model in valid() {
            let fate = files(&model);
            assert!(
                matches!(fate, Fate::Ran(steps) if steps > 0),
                "{fate:?}: {}",
                String::from_utf8_lossy(&model)
            );
        }
    }
}
