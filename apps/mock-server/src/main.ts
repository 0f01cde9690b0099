#!/usr/bin/env node
/**
 * The sandbox as a program: `npm start`.
 *
 * @since 0.1.0
 */
import * as nodeModule from "node:module"

// An older Node would say which name or module it lacks, and not what to do.
if (Number.parseInt(process.versions.node, 10) < 24) {
  process.stderr.write(`The sandbox needs Node 24 or newer, and this is ${process.version}\n`)
  process.exit(1)
}

const [argument] = process.argv.slice(2)
if (argument !== undefined && argument !== "--help" && argument !== "-h") {
  const settings = "its settings are environment variables, such as PARCELA_PORT=8030: --help lists them"
  process.stderr.write(`The sandbox takes no arguments: ${settings}\n`)
  process.exit(1)
}

// Node stores compiled modules on disk, so that later starts are faster.
nodeModule.enableCompileCache()
// The reader of the lines may be gone (`npm start | head`: EPIPE; a closed terminal: EIO): that is no reason to end a server.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {})
const { main } = await import("./Program.ts")
main()
