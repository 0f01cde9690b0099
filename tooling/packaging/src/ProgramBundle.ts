/** How a published program is bundled: one folder that needs nothing installed but Node. */
import { defineConfig, type Plugin } from "rolldown"

const http = "node:http"

/** What Node's HTTP module has from its `fetch`. */
const ofFetch = new Set(["CloseEvent", "MessageEvent", "WebSocket"])

/**
 * Node's HTTP module without what it takes from `fetch`. An `import` asks for every name of a built-in module at once, and for
 * these Node would load the whole of `fetch`, which no server here needs to start.
 */
const httpWithoutFetch: Plugin = {
  name: "http-without-fetch",
  resolveId: (id) => (id === http || id === "http" ? { id: `\0${http}`, external: false } : null),
  load(id) {
    if (id !== `\0${http}`) return null
    const names = Object.keys(process.getBuiltinModule(http)).filter((name) => !ofFetch.has(name))
    return `const http = process.getBuiltinModule("${http}")
export default http
export const { ${names.join(", ")} } = http`
  }
}

/**
 * The fonts that every reader of PDFs has, whose sizes pdfkit takes from files of its package when one is used: they come into
 * the bundle with it.
 */
export const pdfFonts: Plugin = {
  name: "pdf-fonts",
  transform: {
    filter: { id: /pdfkit\.node\.mjs$/ },
    handler: (code) => {
      const bundled = code.replaceAll("require$1('#standard-fonts/", "require('#standard-fonts/")
      if (bundled === code) throw new Error("pdfkit takes its fonts from elsewhere: look into pdfkit.node.mjs")
      return { code: bundled, map: null }
    }
  }
}

/** The bundle of `src/main.ts`, in the folder of its package. */
export const programBundle = defineConfig({
  input: { main: "src/main.ts" },
  platform: "node",
  plugins: [httpWithoutFetch, pdfFonts],
  output: {
    dir: "dist",
    format: "esm",
    // Less to read at the start. Names stay: traces of the stack have them, and the maps the places.
    minify: { compress: { target: "esnext" }, mangle: false, codegen: { removeWhitespace: true } },
    sourcemap: true,
    // The sources are public; where they were is enough.
    sourcemapExcludeSources: true,
    cleanDir: true,
    entryFileNames: "[name].js",
    chunkFileNames: "[name].js"
  }
})
