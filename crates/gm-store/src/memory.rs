//! Memory that is no longer used goes back to the system.

/// Gives free pages of the C allocator back. After many requests at once glibc keeps what SQLite had
/// freed, tens of megabytes of it, in the heaps of threads; other allocators return it by themselves.
pub fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[allow(unsafe_code)]
    // SAFETY: `malloc_trim` takes no pointer and locks each heap while it looks through it.
    unsafe {
        libc::malloc_trim(0);
    }
}
