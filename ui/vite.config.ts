import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

/**
 * Every file the window loads comes from the bundle itself: relative addresses, no inlined assets (the
 * content security policy allows neither data: scripts nor remote origins), workers as module files.
 */
export default defineConfig({
  base: "./",
  plugins: [react()],
  worker: { format: "es" },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    // The oldest webview we support: WebKitGTK 2.40 and WebView2 of the same age.
    target: ["es2022", "safari16.4", "chrome111"],
    sourcemap: false,
    modulePreload: { polyfill: false },
  },
  server: { host: "127.0.0.1", port: 5173, strictPort: true },
  test: { environment: "node", include: ["src/**/*.test.ts", "src/**/*.test.tsx"] },
});
