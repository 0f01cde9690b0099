#!/usr/bin/env node
/**
 * The receiver as a program: `npm run receiver`.
 *
 * @since 0.1.0
 */
import { enableCompileCache } from "node:module"

// Compiled code is kept between runs.
enableCompileCache()
const { main } = await import("./Run.ts")
main()
