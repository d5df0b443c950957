//! What the grammar takes, and how it is understood.

mod support;

use mazurka_promela::ast::{ExprKind, SelectForm, StatementKind, Unit};
use support::{body, diagnose, parse_text, statements};

/// Parses the text as the body of `init` and gives it back, printed.
fn check(text: &str, expected: &str) {
    assert_eq!(statements(&format!("init {{\n{text}\n}}")), expected);
}

/// How an expression is bracketed.
fn check_shape(text: &str, expected: &str) {
    let (_, model, diagnostics) = parse_text(format!("init {{ x = {text} }}").as_bytes());
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let StatementKind::Assign { value, .. } = &body(&model.units[0]).unwrap().statements[0].kind
    else {
        panic!("not an assignment")
    };
    assert_eq!(shape(value), expected);
}

fn shape(expr: &mazurka_promela::ast::Expr) -> String {
    match &expr.kind {
        ExprKind::Binary {
            operator,
            left,
            right,
        } => {
            format!("({} {} {})", shape(left), operator.text(), shape(right))
        }
        ExprKind::Unary { operator, operand } => format!("({}{})", operator.text(), shape(operand)),
        _ => expr.to_string(),
    }
}

#[test]
fn precedence_is_that_of_spin() {
    check_shape("a || b && c", "(a || (b && c))");
    check_shape("a | b ^ c & d", "(a | (b ^ (c & d)))");
    check_shape("a & b == c", "(a & (b == c))");
    check_shape("a == b < c", "(a == (b < c))");
    check_shape("a < b << c", "(a < (b << c))");
    check_shape("a << b + c", "(a << (b + c))");
    check_shape("a + b * c", "(a + (b * c))");
    check_shape("a - b - c", "((a - b) - c)");
    check_shape("!a == b", "((!a) == b)");
    check_shape("-a * b", "((-a) * b)");
    check_shape("~a & b", "((~a) & b)");
    check_shape("!q?[m]", "(!q?[m])");
    check_shape("a - -b", "(a - (-b))");
    check_shape("a % b / c", "((a % b) / c)");
}

#[test]
fn lines_end_statements() {
    check("x = 1\ny = 2", "x = 1\ny = 2");
    check("x++\ny--\nbreak", "x++\ny--\nbreak");
    check("x = (1\n+ 2)", "x = 1+2");
    check("x\n-> y", "x\ny");
    check("if\n:: a\nfi\nb", "if :: a fi\nb");
    check("{ a }\nunless { b }", "{ a } unless { b }");
    check("{ a } b", "{ a }\nb");
    check("do :: else break od", "do :: else; break od");
    check("x = 1 /* several\nlines */ y = 2", "x = 1\ny = 2");
    check("for (i : 1 .. 3)\n{ skip }", "for (i : 1 .. 3) { skip }");
    check("timeout\nx = 1", "timeout\nx = 1");
    check("x-->y", "x\ny");
}

#[test]
fn messages() {
    check("q!1", "q!1");
    check("q!m(1,x)", "q!m(1,x)");
    check("q!m,1,x", "q!m,1,x");
    check("q[2].r!!m(1)", "q[2].r!!m(1)");
    check("q?m(x,_)", "q?m(x,_)");
    check("q?(a,b)", "q?a,b");
    check("q??eval(x+1),-3,y", "q??eval(x+1),-3,y");
    check("q?<a,b>", "q?<a,b>");
    check("q??<m(b)>", "q??<m(b)>");
    check("q?[m(b)] && q??[c]", "q?[m,b] && q??[c]");
    check("len(q) == 2 && nempty(q)", "len(q) == 2 && nempty(q)");
}

#[test]
fn control() {
    check("L: M: x = 1; N:", "L: M: x = 1\nN: skip");
    check("L: x unless { M: y }", "L: x unless { M: y }");
    check("atomic { a; d_step { b } }", "atomic { a; d_step { b } }");
    check("for (x in a) { x++ }", "for (x in a) { x++ }");
    check("in = 1", "in = 1");
    check("select (i : a .. b+1)", "select (i : a .. b+1)");
    check("goto L; L: skip", "goto L\nL: skip");
    check("assert x > 0", "assert(x > 0)");
    check(
        "printf(\"%d\\n\", x); printm(x)",
        "printf(\"%d\\n\",x)\nprintm(x)",
    );
    check("x = (a -> b : c)", "x = (a -> b : c)");
    check("x = run P(1, a) priority 3", "x = run P(1,a) priority 3");
    check(
        "set_priority(_pid, 4); get_priority(0) == 4",
        "set_priority(_pid,4)\nget_priority(0) == 4",
    );
    check(
        "enabled(1) && pc_value(_pid) > 2 && np_",
        "enabled(1) && pc_value(_pid) > 2 && np_",
    );
    check("xr q, r; xs s", "xr q,r\nxs s");
    check("x = 'a' + '\\n'", "x = 'a'+'\\n'");
}

#[test]
fn declarations() {
    check(
        "byte a, b[3] = 1; unsigned u : 5 = 2",
        "byte a,b[3] = 1\nunsigned u:5 = 2",
    );
    check(
        "chan q = [2] of { byte, mtype:m, chan }",
        "chan q = [2] of {byte,mtype:m,chan}",
    );
    check("int a[2] = {1, 2}", "int a[2] = {1,2}");
    check(
        "hidden bool b; show pid p; local short s",
        "hidden bool b\nshow pid p\nlocal short s",
    );
    let model = "typedef T { byte a\n bit b[2] }\nT\nx;\ninit { T y; y.b[1] = x.a }";
    assert_eq!(statements(model), "T y\ny.b[1] = x.a");
    let (_, model, diagnostics) = parse_text(b"mtype = { a b, c }; mtype:s = { d }; mtype { e };");
    assert!(diagnostics.is_empty());
    let names: Vec<usize> = model
        .units
        .iter()
        .map(|unit| match unit {
            Unit::Mtype(constants) => constants.names.len(),
            _ => 0,
        })
        .collect();
    assert_eq!(names, [3, 1, 1]);
}

#[test]
fn units() {
    let source = "
        active [2] proctype P(byte a, b; chan c) priority 2 provided (x > 0 && nempty(q)) { skip }
        D_proctype Q() { P[1]@L && P:a[2] > 1 && P@L }
        init priority 3 { skip };
        never claim { do :: true od }
        never { true }
        trace { q!a }
        notrace { q?a }
        inline f(a, b) { a = b }
        ltl { [] true }";
    let (_, model, diagnostics) = parse_text(source.as_bytes());
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    assert_eq!(model.units.len(), 9);
}

#[test]
fn remote_references_need_a_known_proctype() {
    // Before the proctype is known, `P : a` is a label.
    assert_eq!(statements("init { P: a }"), "P: a");
    assert_eq!(statements("proctype P() { skip } init { P: a }"), "P:a");
    assert_eq!(
        statements("proctype P() { skip } init { (c -> P : a : b) }"),
        "(c -> P:a : b)"
    );
    assert_eq!(statements("init { (c -> a[1] : b) }"), "(c -> a[1] : b)");
}

#[test]
fn inlines_are_expanded() {
    let source = "
        #define TWICE(x) x + x
        inline add(target, value) { target = TWICE(value) }
        inline both(a) { add(a, 1); add(a, a) }
        init { both(y[2]); z = get(3) }";
    let with_return = source.replace("init", "inline get(v) { return v }\ninit");
    let (_, model, diagnostics) = parse_text(with_return.as_bytes());
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let body = model.units.iter().find_map(body).unwrap();
    let inner = |index: usize| match &body.statements[index].kind {
        StatementKind::Inline(call) => &call.body,
        other => panic!("{other}"),
    };
    assert_eq!(body.to_string(), "both(y[2]); z = get(3)");
    assert_eq!(inner(0).to_string(), "add(y[2],1); add(y[2],y[2])");
    assert_eq!(inner(1).to_string(), "z = 3");
    let StatementKind::Inline(call) = &inner(0).statements[1].kind else {
        panic!()
    };
    assert_eq!(call.body.to_string(), "y[2] = y[2]+y[2]");
}

#[test]
fn select_forms() {
    let form = |text: &str| {
        let (_, model, _) = parse_text(format!("init {{ select ({text}) }}").as_bytes());
        match &body(&model.units[0]).unwrap().statements[0].kind {
            StatementKind::Select { form, .. } => *form,
            other => panic!("{other}"),
        }
    };
    assert_eq!(form("i : 0 .. 32"), SelectForm::Options);
    assert_eq!(form("i : 0 .. 33"), SelectForm::Loop);
    assert_eq!(form("i : 0 .. N"), SelectForm::General);
    assert_eq!(form("my_i : 0 .. 3"), SelectForm::General);
}

#[test]
fn formulas() {
    let check = |text: &str, expected: &str| {
        let (_, model, diagnostics) = parse_text(format!("ltl p {{ {text} }}").as_bytes());
        assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
        let Unit::Ltl(ltl) = &model.units[0] else {
            panic!()
        };
        assert_eq!(ltl.formula.to_string(), expected);
        assert_eq!(ltl.text, text);
    };
    check("[]<>p", "[]<>p");
    check("[] (p -> <> q)", "[](p -> <>q)");
    check("p -> q -> r", "(p -> q) -> r");
    check("p U q U r", "(p U q) U r");
    check("p && q U r || s", "(p && (q U r)) || s");
    check("!p W x == 1", "(!p) W (x == 1)");
    check("p <-> q V r", "p <-> (q V r)");
    check("always p implies next q", "[]p -> X q");
    check("p until (q weakuntil r) release s", "(p U (q W r)) V s");
    check(
        "eventually (p equivalent q stronguntil r)",
        "<>(p <-> (q U r))",
    );
    check("len(q) > a[i] + 1", "len(q) > a[i]+1");
    check("(a && b) == c", "(a && b) == c");
    check("x < -1 && a<b", "(x < -1) && (a < b)");
    check("<>p && <> q", "<>p && <>q");
}

#[test]
fn formulas_know_names_defined_later() {
    assert_eq!(
        diagnose("ltl p { [] !P:x } proctype P() { byte x; skip }"),
        ""
    );
}

#[test]
fn spans_are_source_text() {
    let source = "#define Q(x) q!x\ninit { L: a[1] = b + (c); Q(3); q ? m(x) unless { y++ } }";
    let (map, model, _) = parse_text(source.as_bytes());
    let texts: Vec<&str> = body(&model.units[0])
        .unwrap()
        .statements
        .iter()
        .map(|statement| map.text(map.outermost(statement.span)))
        .collect();
    assert_eq!(texts, ["a[1] = b + (c)", "Q(3)", "q ? m(x) unless { y++ }"]);
}
