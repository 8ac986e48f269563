//! What this machine can show.

/// Settings the web view reads when it starts. Must run before any thread is started.
pub fn prepare() {
    #[cfg(target_os = "linux")]
    {
        const DMABUF: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";
        // With NVIDIA's driver the DMA-BUF renderer leaves the window blank.
        let nvidia = std::path::Path::new("/proc/driver/nvidia/version").exists();
        if nvidia && std::env::var_os(DMABUF).is_none() {
            // SAFETY: called first thing in main, before any other thread exists.
            #[allow(unsafe_code)]
            unsafe {
                std::env::set_var(DMABUF, "1");
            }
        }
    }
}
