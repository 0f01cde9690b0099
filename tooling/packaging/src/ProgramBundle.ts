/** How a published program is bundled: one folder that needs nothing installed but Node. */
import { join } from "node:path"
import { defineConfig, type Plugin } from "rolldown"
import { parseAst } from "rolldown/parseAst"

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

/** A statement of its own, as a bundler writes it for a module or for `require`. */
const bare = /(?<=^|[;\n])(?:import ?"node:[\w/]+"|require\("node:[\w/]+"\));/g

/** All names of a module, as a bundler has them where `require` is. */
const named = /let (\w+)=require\("node:[\w/]+"\);\1=\w+\.\w+\(\1,1\);/g

/** Imports of built-in modules of which nothing is used do nothing but take time. */
export const onlyWhatIsUsed: Plugin = {
  name: "only-what-is-used",
  generateBundle: (_, bundle) => {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== "chunk") continue
      const { code } = chunk
      const isUnused = (found: string, name: string) => code.split(name).length === found.split(name).length
      // As long as it was, so that the source map fits.
      chunk.code = code
        .replaceAll(bare, (found) => " ".repeat(found.length))
        .replaceAll(named, (found, name: string) => (isUnused(found, name) ? " ".repeat(found.length) : found))
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

const loader = join(import.meta.dirname, "ProgramLoader.ts")

/** `src/main.ts` loads the program as `ProgramLoader` does, where its source imports it. */
const withBytecode = (program: string): Plugin => ({
  name: "with-bytecode",
  transform: {
    filter: { id: /[/\\]src[/\\]main\.ts$/ },
    handler: (code) => {
      const wanted = `await import("./${program}.ts")`
      if (!code.includes(wanted)) throw new Error(`src/main.ts has no ${wanted}`)
      const loaded = `load(join(import.meta.dirname, "${program}.js"))`
      const imports = `import { load } from ${JSON.stringify(loader)}\nimport { join } from "node:path"`
      return { code: `${code.replace(wanted, loaded)}\n${imports}`, map: null }
    }
  }
})

/** The exported names of what a chunk declares once and for all. */
const constantsOf = (code: string): ReadonlySet<string> => {
  const declared = new Set(
    parseAst(code).body.flatMap((statement) => {
      if (statement.type === "FunctionDeclaration") return [statement.id?.name]
      if (statement.type !== "VariableDeclaration") return []
      return statement.declarations.flatMap(({ id, init }) =>
        // Classes come as variables.
        id.type === "Identifier" && (statement.kind === "const" || init?.type === "ClassExpression") ? [id.name] : []
      )
    })
  )
  const exported = code.matchAll(/\(exports,"([\w$]+)",\{enumerable:!0,get:function\(\)\{return ([\w$]+)\}/g)
  return new Set([...exported].flatMap(([, name, local]) => (name !== undefined && declared.has(local) ? [name] : [])))
}

/**
 * What a chunk takes of the first one is looked up once, when it is loaded, and not at each use: among hundreds of names that takes
 * longer than what most of these functions do.
 */
const namesOfStart: Plugin = {
  name: "names-of-start",
  generateBundle: (_, bundle) => {
    const chunks = Object.values(bundle).filter((one) => one.type === "chunk")
    const start = chunks.find(({ name }) => name === "start")
    if (start === undefined) throw new Error("There is no chunk start")
    const constants = constantsOf(start.code)
    for (const chunk of chunks) {
      const used = new Set<string>()
      // As long as it was, so that the source map fits.
      const code = chunk.code.replaceAll(/\brequire_start\.([\w$]+)/g, (found, name: string) => {
        if (!constants.has(name)) return found
        used.add(name)
        return `require_start$${name}`
      })
      if (used.size === 0) continue
      // Its names would be looked up before they have values, and stay undefined.
      if (start.imports.includes(chunk.fileName)) {
        throw new Error(`${chunk.fileName} is loaded while start.js is, and takes names of it`)
      }
      const names = Array.from(used, (name) => `${name}:require_start$${name}`)
      chunk.code = `"use strict";const{${names.join(",")}}=require("./start.js");\n${code}`
      // One that has nothing of a source has no map.
      const map = bundle[`${chunk.fileName}.map`]
      if (map?.type === "asset") map.source = map.source.toString().replace('"mappings":"', '"mappings":";')
    }
  }
}

/** The bundle is CommonJS, which Node starts sooner, in a package of modules. */
const commonJs: Plugin = {
  name: "commonjs-package",
  generateBundle() {
    this.emitFile({ type: "asset", fileName: "package.json", source: '{ "type": "commonjs" }\n' })
  }
}

/** The bundle of `src/main.ts`, in the folder of its package, and of the program that it imports once Node is new enough. */
export const programBundle = (program: string) =>
  defineConfig({
    input: { main: "src/main.ts", [program]: `src/${program}.ts` },
    platform: "node",
    plugins: [withBytecode(program), commonJs, httpsWhenUsed, withoutUpgrades, onlyWhatIsUsed, namesOfStart, pdfFonts],
    // Effect asks for `import.meta.env`, which Node does not have either.
    checks: { emptyImportMeta: false },
    output: {
      dir: "dist",
      format: "cjs",
      strict: true,
      // One letter beyond Latin-1 would make V8 hold two bytes for each.
      charset: "ascii",
      // What is needed at the start is one chunk: among chunks each name is looked up.
      codeSplitting: {
        groups: [
          { name: "start", tags: ["$initial"], test: (id) => id !== loader && !/[/\\]src[/\\]main\.ts$/.test(id) }
        ]
      },
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
