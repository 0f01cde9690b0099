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
 * Effect's server without what takes another protocol on a connection, `ws` and TLS: no server here does, and Effect would use
 * it only when a client asked for one.
 */
export const withoutUpgrades: Plugin = {
  name: "without-upgrades",
  resolveId: (id) => (Object.hasOwn(ofUpgrades, id) ? { id: `\0${id}`, external: false } : null),
  load: (id) => ofUpgrades[id.slice(1)] ?? null,
  // Where Effect names them otherwise, they are in it again, and nobody would see it.
  generateBundle: (_, bundle) => {
    const chunks = Object.values(bundle).filter((one) => one.type === "chunk")
    const found = chunks.flatMap(({ moduleIds }) => moduleIds).find((id) => isOfUpgrades(id))
    if (found === undefined) return
    throw new Error(`${found} is in the bundle: look into what NodeHttpServer.js of Effect imports`)
  }
}

/** Code of `ws`, which brings TLS, or of what Effect does with an upgraded connection. */
const isOfUpgrades = (id: string): boolean => /[/\\]node_modules[/\\]ws[/\\]|[/\\]platform-node[/\\].*upgrade/i.test(id)

const refuse = 'const refuse = () => { throw new Error("This program takes no other protocol") }'

/** What Effect's server has of modules for upgrades. */
const ofUpgrades: { readonly [id: string]: string } = {
  ws: `${refuse}
export class WebSocketServer { constructor() { refuse() } }
export class WebSocket extends WebSocketServer {}`,
  "./internal/upgrade.js": `${refuse}
export const toSocket = refuse
export const frameBody = refuse
export const drainBody = refuse`
}

/**
 * Node's HTTPS module where the first request by HTTPS is made: Effect's server would load it, and TLS with it, at its start,
 * as it is one module with Effect's client.
 */
export const httpsWhenUsed: Plugin = {
  name: "https-when-used",
  transform: {
    filter: { id: /platform-node[/\\]dist[/\\]internal[/\\]http\.js$/ },
    handler: (code) => {
      const wanted = 'export const https = /*#__PURE__*/require("node:https")'
      if (!code.includes(wanted)) throw new Error("Effect loads node:https elsewhere: look into internal/http.js")
      return { code: code.replace(wanted, lateHttps), map: null }
    }
  }
}

/** What Effect's client uses of it. */
const lateHttps = `export const https = {
  get Agent() { return require("node:https").Agent },
  get request() { return require("node:https").request }
}`

/** Imports of built-in modules of which nothing is used do nothing but take time. */
export const onlyWhatIsUsed: Plugin = {
  name: "only-what-is-used",
  generateBundle: (_, bundle) => {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== "chunk") continue
      // As long as it was, so that the source map fits.
      chunk.code = chunk.code.replaceAll(/import ?"node:[\w/]+";/g, (found) => " ".repeat(found.length))
    }
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
  plugins: [httpWithoutFetch, httpsWhenUsed, withoutUpgrades, onlyWhatIsUsed, pdfFonts],
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
