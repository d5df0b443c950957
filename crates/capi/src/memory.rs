//! Memory that processes share is a way for actors to meet that nobody sees: the program is told to
//! be out of control. The functions of the C library are taken over and passed on as they are.

use std::ffi::{c_int, c_void};

use mazurka_processes::{actor, uncontrolled};

/// # Safety
///
/// As `mmap` of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mmap(
    address: *mut c_void,
    length: usize,
    protection: c_int,
    flags: c_int,
    file: c_int,
    offset: libc::off_t,
) -> *mut c_void {
    if flags & libc::MAP_SHARED != 0 && protection & libc::PROT_WRITE != 0 {
        actor::did(uncontrolled::MEMORY);
    }
    // SAFETY: the caller's promise.
    unsafe {
        libc::syscall(
            libc::SYS_mmap,
            address,
            length,
            protection,
            flags,
            file,
            offset,
        ) as *mut c_void
    }
}

/// # Safety
///
/// As `mmap64` of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mmap64(
    address: *mut c_void,
    length: usize,
    protection: c_int,
    flags: c_int,
    file: c_int,
    offset: libc::off_t,
) -> *mut c_void {
    // SAFETY: the caller's promise.
    unsafe { mmap(address, length, protection, flags, file, offset) }
}

/// # Safety
///
/// As `shmat` of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shmat(id: c_int, address: *const c_void, flags: c_int) -> *mut c_void {
    if flags & libc::SHM_RDONLY == 0 {
        actor::did(uncontrolled::MEMORY);
    }
    // SAFETY: the caller's promise.
    unsafe { libc::syscall(libc::SYS_shmat, id, address, flags) as *mut c_void }
}
