/** One bundle for `import` and one for `require`, each with the program of a sandbox in a process of its own beside it. */
import { defineConfig } from "rolldown"
import { httpsWhenUsed, onlyWhatIsUsed, pdfFonts, withoutUpgrades } from "../../tooling/packaging/src/ProgramBundle.ts"

const bundle = (format: "esm" | "cjs", extension: "js" | "cjs") => ({
  input: { index: "src/index.ts", child: "src/internal/child.ts" },
  platform: "node" as const,
  plugins: [httpsWhenUsed, withoutUpgrades, onlyWhatIsUsed, pdfFonts],
  // Effect asks for `import.meta.env`, which Node does not have either.
  checks: { emptyImportMeta: false },
  output: {
    dir: "dist",
    format,
    minify: true,
    entryFileNames: `[name].${extension}`,
    // Beside the program that they start.
    chunkFileNames: `[name].${extension}`
  }
})

export default defineConfig([bundle("esm", "js"), bundle("cjs", "cjs")])
