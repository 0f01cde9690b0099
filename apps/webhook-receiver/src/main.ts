#!/usr/bin/env node
/**
 * The receiver as a program: `npm run receiver`.
 *
 * @since 0.1.0
 */
import * as nodeModule from "node:module"

// An older Node would fail with a missing name or module, without advice.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
if (major < 24 || (major === 24 && minor < 9)) {
  process.stderr.write(`The receiver needs Node 24.9 or newer. This is ${process.version}\n`)
  process.exit(1)
}

const [argument] = process.argv.slice(2)
if (argument !== undefined && argument !== "--help" && argument !== "-h") {
  const settings = "its settings are environment variables, such as PARCELA_RECEIVER_PORT=8031: --help lists them"
  process.stderr.write(`The receiver takes no arguments: ${settings}\n`)
  process.exit(1)
}

// Node stores compiled modules on disk, so that later starts are faster.
nodeModule.enableCompileCache()
const { main } = await import("./Run.ts")
main()
