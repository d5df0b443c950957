//! What the compilers' instrumentation leaves out is announced, and nothing else is announced twice.

use mazurka_threads::announce;

/// The functions that are called for what was left out, one after the other.
fn left_out(body: &str) -> Vec<String> {
    let text = format!(
        "f:\n\tpushq\t%rbp\n\tmovq\t%rsp, %rbp\n\tcall\t__tsan_func_entry@PLT\n{body}\tret\n\t.size\tf, .-f\n"
    );
    let announced = announce(&text);
    let calls = announced
        .lines()
        .filter_map(|line| line.trim().strip_prefix("call\tmazurka_"));
    calls
        .map(|name| name.replace("left_out_", "").replace("@PLT", ""))
        .collect()
}

#[test]
fn an_access_that_was_announced_is_not_announced_again() {
    let body = "\tleaq\tx(%rip), %rax\n\tmovq\t%rax, %rdi\n\tcall\t__tsan_read4@PLT\n\tmovl\tx(%rip), %eax\n";
    assert!(left_out(body).is_empty());
    // The address is worked out once more, from variables of the function.
    let body = "\tmovl\t-4(%rbp), %eax\n\tcltq\n\tleaq\t0(,%rax,8), %rdx\n\tleaq\tx(%rip), %rax\n\taddq\t%rdx, %rax\n\tmovq\t%rax, %rdi\n\tcall\t__tsan_write8@PLT\n\tmovl\t-4(%rbp), %eax\n\tcltq\n\tleaq\t0(,%rax,8), %rcx\n\tleaq\tx(%rip), %rdx\n\tmovq\t$1, (%rcx,%rdx)\n";
    assert!(left_out(body).is_empty());
}

#[test]
fn each_announcement_is_for_one_access() {
    let once = "\tleaq\tx(%rip), %rdi\n\tcall\t__tsan_read8@PLT\n\tmovq\tx(%rip), %rax\n";
    assert!(left_out(once).is_empty());
    let twice = format!("{once}\tmovq\tx(%rip), %rdi\n\tcall\tg@PLT\n");
    assert_eq!(left_out(&twice), ["copy"]);
    // A read was announced, not a write; another place; another size.
    for other in [
        "movq\t%rax, x(%rip)",
        "movzbl\ty(%rip), %eax",
        "movaps\tx(%rip), %xmm0",
    ] {
        let body = format!("\tleaq\tx(%rip), %rdi\n\tcall\t__tsan_read8@PLT\n\t{other}\n");
        assert_eq!(left_out(&body).len(), 1, "{other}");
    }
    // Something was called meanwhile.
    let late =
        "\tleaq\tx(%rip), %rdi\n\tcall\t__tsan_write4@PLT\n\tcall\tg@PLT\n\tmovl\t%eax, x(%rip)\n";
    assert_eq!(left_out(late), ["write"]);
}

#[test]
fn structures_that_are_passed_and_returned_are_announced() {
    let passed = "\tmovq\ts(%rip), %rdx\n\tmovq\t8+s(%rip), %rax\n\tmovq\t%rdx, %rdi\n\tmovq\t%rax, %rsi\n\tcall\tg@PLT\n";
    assert_eq!(left_out(passed), ["copy", "copy"]);
    // What is put into memory next is meant in full; the end of the stack is nobody else's.
    let copied = "\tmovq\t%rsp, %rcx\n\tmovq\ts(%rip), %rax\n\tmovq\t%rax, (%rcx)\n\tcall\tg@PLT\n";
    assert_eq!(left_out(copied), ["read"]);
    let returned = "\tcall\tg@PLT\n\tmovq\t%rax, s(%rip)\n\tmovq\t%rdx, 8+s(%rip)\n";
    assert_eq!(left_out(returned), ["write", "write"]);
    let large = "\tmovq\t%rsp, %rdi\n\tleaq\ts(%rip), %rsi\n\tmovl\t$37, %ecx\n\trep movsq\n\tcall\tg@PLT\n";
    assert_eq!(left_out(large), ["read"]);
    let called = "\tleaq\ts(%rip), %rsi\n\tcallq\tmemcpy@PLT\n";
    assert!(announce(&format!("\tcall\t__tsan_init\n{called}")).contains("mazurka_memcpy@PLT"));
}

/// Clang keeps an address on the stack for the next load, and leaves the load itself in place.
#[test]
fn what_is_kept_of_an_address_outlives_an_atomic_store() {
    let loads = |slot: i64| {
        format!(
            "\tleaq\tx(%rip), %rdi\n\tmovq\t%rdi, {slot}(%rbp)\n\tleaq\ty(%rip), %rdi\n\tcallq\t__tsan_atomic64_store@PLT\n\tmovq\t{slot}(%rbp), %rdi\n\tcallq\t__tsan_atomic64_load@PLT\n\tmovq\tx(%rip), %rcx\n"
        )
    };
    assert!(left_out(&loads(-72)).is_empty());
    // What has an address may be changed meanwhile: nobody knows then what is loaded.
    let known = format!("\tleaq\t-80(%rbp), %rsi\n{}", loads(-72));
    assert!(left_out(&known).contains(&"copy".to_string()));
}

#[test]
fn own_variables_are_announced_once_their_address_is_known() {
    let own = "\tmovq\t%rax, -16(%rbp)\n\tmovq\t-8(%rbp), %rdi\n";
    assert!(left_out(own).is_empty());
    let known = format!("\tleaq\t-16(%rbp), %rdi\n\tcall\tg@PLT\n{own}\tmovq\t-24(%rbp), %rax\n");
    assert_eq!(left_out(&known), ["write", "copy"]);
}

#[test]
fn assembly_of_the_program_is_noticed_if_it_may_touch_memory() {
    for harmless in ["", "\tpause\n", "\trep; nop\n", "# 3 \"x.c\" 1\n\tmfence\n"] {
        assert!(left_out(&format!("#APP\n{harmless}#NO_APP\n")).is_empty());
    }
    assert_eq!(
        left_out("#APP\n\tlock; incl x(%rip)\n#NO_APP\n"),
        ["unknown"]
    );
    // What no compiler has instrumented stays as it is.
    let text = "f:\n\tmovl\tx(%rip), %eax\n\tret\n";
    assert_eq!(announce(text), text);
}

#[test]
fn jumps_and_constants_are_no_accesses() {
    let body = "\tcmpl\t$1, %eax\n\tjne\t.L3\n\tjmp\t*%rax\n.L3:\n\tmovsd\t.LC0(%rip), %xmm0\n\tmovq\tx@GOTPCREL(%rip), %rax\n\tmovq\t%fs:40, %rax\n\tleaq\tx(%rip), %rax\n";
    assert!(left_out(body).is_empty());
}
