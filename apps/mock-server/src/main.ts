#!/usr/bin/env node
/**
 * The sandbox as a program: `npm start`.
 *
 * @since 0.1.0
 */
import * as nodeModule from "node:module"

// An older Node would fail with a missing name or module, without a remedy.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
if (major < 24 || (major === 24 && minor < 9)) {
  process.stderr.write(`The sandbox needs Node 24.9 or newer, and this is ${process.version}\n`)
  process.exit(1)
}

const [argument] = process.argv.slice(2)
if (argument !== undefined && argument !== "--help" && argument !== "-h") {
  const settings = "its settings are environment variables, such as PARCELA_PORT=8030: --help lists them"
  process.stderr.write(`The sandbox takes no arguments: ${settings}\n`)
  process.exit(1)
}

// Node caches compiled modules on disk, which makes later starts faster.
nodeModule.enableCompileCache()
// The reader of the output may be gone (`npm start | head`: EPIPE; a closed terminal: EIO). The server must continue to
// run.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {})
const { main } = await import("./Program.ts")
main()
