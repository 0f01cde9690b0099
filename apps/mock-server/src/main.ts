#!/usr/bin/env node
/**
 * The sandbox as a program: `npm start`.
 *
 * @since 0.1.0
 */
import { enableCompileCache } from "node:module"

// Compiled code is kept between runs: a second start takes half the time of the first.
enableCompileCache()
// The reader of the lines may be gone (`npm start | head`: EPIPE; a closed terminal: EIO): that is no reason to end a server.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {})
const { main } = await import("./Program.ts")
main()
