//! Accesses that the compiler's instrumentation leaves out. Calls for them were put into the assembly (`assembly`), between any two
//! instructions: so all registers, and the conditions, are as they were when a call returns.

use mazurka_processes::uncontrolled;
use mazurka_runtime::accesses::PERHAPS;

use super::beyond::did;
use super::outside::others_run;
use super::racing::step;
use super::state::{access, does_unseen, is_active};

/// A function that keeps all registers and calls another with its two arguments, and where it was called from. The registers are noted
/// with all that is on the stack, for the program may be in a loop that waits.
macro_rules! keeping {
    ($($name:literal, $to:literal;)*) => {$(
        std::arch::global_asm!(
            ".text",
            concat!(".globl ", $name),
            concat!(".type ", $name, ",@function"),
            concat!($name, ":"),
            "pushfq",
            "cmp byte ptr [rip + mazurka_active], 0",
            "jne 2f",
            "popfq",
            "ret",
            "2:",
            "cld",
            "push rax",
            "push rcx",
            "push rdx",
            "push r8",
            "push r9",
            "push r10",
            "push r11",
            "mov [rip + MAZURKA_REGISTERS], rsp",
            "mov [rip + MAZURKA_REGISTERS + 8], rbx",
            "mov [rip + MAZURKA_REGISTERS + 16], rbp",
            "mov [rip + MAZURKA_REGISTERS + 24], r12",
            "mov [rip + MAZURKA_REGISTERS + 32], r13",
            "mov [rip + MAZURKA_REGISTERS + 40], r14",
            "mov [rip + MAZURKA_REGISTERS + 48], r15",
            "push rbp",
            "mov rbp, rsp",
            "mov rdx, [rbp + 72]",
            "sub rsp, 256",
            "and rsp, -16",
            "movaps [rsp], xmm0",
            "movaps [rsp + 16], xmm1",
            "movaps [rsp + 32], xmm2",
            "movaps [rsp + 48], xmm3",
            "movaps [rsp + 64], xmm4",
            "movaps [rsp + 80], xmm5",
            "movaps [rsp + 96], xmm6",
            "movaps [rsp + 112], xmm7",
            "movaps [rsp + 128], xmm8",
            "movaps [rsp + 144], xmm9",
            "movaps [rsp + 160], xmm10",
            "movaps [rsp + 176], xmm11",
            "movaps [rsp + 192], xmm12",
            "movaps [rsp + 208], xmm13",
            "movaps [rsp + 224], xmm14",
            "movaps [rsp + 240], xmm15",
            concat!("call ", $to),
            "movaps xmm0, [rsp]",
            "movaps xmm1, [rsp + 16]",
            "movaps xmm2, [rsp + 32]",
            "movaps xmm3, [rsp + 48]",
            "movaps xmm4, [rsp + 64]",
            "movaps xmm5, [rsp + 80]",
            "movaps xmm6, [rsp + 96]",
            "movaps xmm7, [rsp + 112]",
            "movaps xmm8, [rsp + 128]",
            "movaps xmm9, [rsp + 144]",
            "movaps xmm10, [rsp + 160]",
            "movaps xmm11, [rsp + 176]",
            "movaps xmm12, [rsp + 192]",
            "movaps xmm13, [rsp + 208]",
            "movaps xmm14, [rsp + 224]",
            "movaps xmm15, [rsp + 240]",
            "mov rsp, rbp",
            "pop rbp",
            "pop r11",
            "pop r10",
            "pop r9",
            "pop r8",
            "pop rdx",
            "pop rcx",
            "pop rax",
            "popfq",
            "ret",
            concat!(".size ", $name, ",.-", $name),
        );
    )*};
}

keeping! {
    "mazurka_left_out_read", "mazurka_read_range";
    "mazurka_left_out_write", "mazurka_write_range";
    "mazurka_left_out_copy", "mazurka_copied";
    "mazurka_left_out_unknown", "mazurka_unknown";
}

/// A register is loaded, perhaps with a part of a structure that is shorter than the register: all but the first bytes may be too much.
#[unsafe(no_mangle)]
extern "C" fn mazurka_copied(address: usize, size: usize, from: usize) {
    if !is_active() {
        return;
    }
    // A structure that half the register has room for would not be loaded so.
    let certain = size / 2 + 1;
    if access(address, certain, 0, from) {
        return;
    }
    let (rest, length) = (address + certain, size - certain);
    let is_apart = (address + certain - 1) >> 3 != (address + size - 1) >> 3;
    if is_apart {
        // Where races are steps, it may be one about memory that the first bytes are not about.
        step(rest, length, 0, from);
    }
    access(rest, length, PERHAPS, from);
}

/// Instructions come that nobody understands.
#[unsafe(no_mangle)]
extern "C" fn mazurka_unknown() {
    if !is_active() {
        return;
    }
    if others_run() {
        did(uncontrolled::ASSEMBLY);
    }
    does_unseen(uncontrolled::ASSEMBLY);
}
