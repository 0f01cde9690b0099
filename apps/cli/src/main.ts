#!/usr/bin/env node
/**
 * The command `parcela`.
 *
 * @since 0.1.0
 */
import { enableCompileCache } from "node:module"

// Node caches compiled code between runs, so the next run starts in half the time.
enableCompileCache()
const { program } = await import("./Cli.ts")
program()
