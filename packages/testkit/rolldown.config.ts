/** One bundle for `import` and one for `require`, each next to the program of a sandbox in a separate process. */
import { resolve } from "node:path"
import { defineConfig, type Plugin } from "rolldown"
import { pdfFonts } from "../../tooling/packaging/src/ProgramBundle.ts"

/** The version check that runs first: an older Node would report a missing module without a remedy. */
const check = `{
  const [major, minor] = process.versions.node.split(".").map(Number)
  if (major < 24 || (major === 24 && minor < 9)) {
    throw new Error("@parcela/testkit needs Node 24.9 or newer, and this is " + process.version)
  }
}`

const entry = "the entry"

/** Static imports are loaded before any code runs, so the entry for `import` has none. */
const checkedEntry: Plugin = {
  name: "checked-entry",
  resolveId: (id) => (id === entry ? `\0${id}` : null),
  load: (id) =>
    id === `\0${entry}`
      ? `${check}
export const { connectSandbox, SandboxError, startSandbox } = await import(${JSON.stringify(resolve("src/index.ts"))})`
      : null
}

const child = "src/internal/child.ts"

const inputs = {
  esm: { index: entry, kit: "src/index.ts", child },
  cjs: { index: "src/index.ts", child }
}

const bundle = (format: "esm" | "cjs", extension: "js" | "cjs") => ({
  input: inputs[format],
  platform: "node" as const,
  plugins: [checkedEntry, pdfFonts],
  // Effect reads `import.meta.env`, which Node does not have.
  checks: { emptyImportMeta: false },
  output: {
    dir: "dist",
    format,
    minify: true,
    // `require` loads in order.
    banner: ({ name }: { readonly name: string }) => (format === "cjs" && name === "index" ? check : ""),
    entryFileNames: `[name].${extension}`,
    // In the folder of the program that they start.
    chunkFileNames: `[name].${extension}`
  }
})

export default defineConfig([bundle("esm", "js"), bundle("cjs", "cjs")])
