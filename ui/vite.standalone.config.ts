import { defineConfig } from "vite";

/** The script of a picture that is a page by itself: one file without imports, for `crates/gm-picture`. */
export default defineConfig({
  publicDir: false,
  build: {
    outDir: "dist-standalone",
    emptyOutDir: true,
    target: ["es2022", "safari16.4", "chrome111"],
    sourcemap: false,
    lib: { entry: "src/standalone/main.ts", formats: ["iife"], name: "graphMemPicture", fileName: () => "picture.js" },
  },
});
