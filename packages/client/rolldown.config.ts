/** One file without dependencies. */
import { defineConfig } from "rolldown"

export default defineConfig({
  input: "src/index.ts",
  platform: "browser",
  output: {
    format: "esm",
    file: "dist/index.js",
    // Lines stay short: of an error that nobody catches Node prints the line that it was thrown in.
    minify: { compress: true, mangle: true, codegen: { removeWhitespace: false } }
  }
})
