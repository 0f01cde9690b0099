/** Bundles the client into one file without dependencies. */
import { defineConfig } from "rolldown"

export default defineConfig({
  input: "src/index.ts",
  platform: "browser",
  output: {
    format: "esm",
    file: "dist/index.js",
    // Short lines, because Node prints the whole line that throws an uncaught error.
    minify: { compress: true, mangle: true, codegen: { removeWhitespace: false } }
  }
})
