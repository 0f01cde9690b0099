/** Bundles a published program: one folder that needs nothing but Node. */
import { defineConfig, type Plugin } from "rolldown"

/** Bundles pdfkit's standard fonts, which pdfkit otherwise reads from files of its package. */
export const pdfFonts: Plugin = {
  name: "pdf-fonts",
  transform: {
    filter: { id: /pdfkit\.node\.mjs$/ },
    handler: (code) => {
      const bundled = code.replaceAll("require$1('#standard-fonts/", "require('#standard-fonts/")
      if (bundled === code) throw new Error("pdfkit.node.mjs loads its fonts in another way: adapt this plugin")
      return { code: bundled, map: null }
    }
  }
}

/** The bundle of `src/main.ts`, for rolldown in the folder of its package. */
export const programBundle = defineConfig({
  input: "src/main.ts",
  platform: "node",
  plugins: [pdfFonts],
  // Effect reads `import.meta.env`, which Node does not have.
  checks: { emptyImportMeta: false },
  output: {
    dir: "dist",
    format: "esm",
    // Names stay for stack traces; the source maps give the lines.
    minify: { compress: { target: "esnext" }, mangle: false, codegen: { removeWhitespace: true } },
    sourcemap: true,
    sourcemapExcludeSources: true,
    cleanDir: true,
    entryFileNames: "[name].js",
    chunkFileNames: "[name].js"
  }
})
