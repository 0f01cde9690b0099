/**
 * What importing `@parcela/core/subscriptions/Subscription` costs beyond the Effect modules that it needs anyway. The goal is 30 ms.
 */
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { median, printedBy } from "./Children.ts"

const runs = 21
const goal = 30

const pathOf = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))
const core = pathOf("../../../packages/core/")
const built = pathOf("../dist/")

/** The Effect modules that a source file of core imports, itself or through others. */
const effectModulesOf = (file: string, seen = new Set<string>()): ReadonlySet<string> => {
  const found = new Set<string>()
  if (seen.has(file)) return found
  seen.add(file)
  for (const [, specifier = ""] of readFileSync(file, "utf8").matchAll(/^import (?!type )[^"]*"([^"]+)"$/gm)) {
    if (specifier.startsWith("effect/")) found.add(specifier)
    if (!specifier.startsWith(".")) continue
    for (const name of effectModulesOf(join(dirname(file), specifier), seen)) found.add(name)
  }
  return found
}

/** Milliseconds to import the modules in a new process, without the process's own start and without `before`. */
const load = (before: ReadonlyArray<string>, modules: ReadonlyArray<string>): number =>
  printedBy([
    "--input-type=module",
    "--eval",
    `for (const name of ${JSON.stringify(before)}) await import(name)
     const start = performance.now()
     for (const name of ${JSON.stringify(modules)}) await import(name)
     console.log(performance.now() - start)`
  ]) as number

const spread = (values: ReadonlyArray<number>): string =>
  `${median(values).toFixed(1)} (${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)})`

const compare = (title: string, before: ReadonlyArray<string>, entry: string): void => {
  const alone: Array<number> = []
  const together: Array<number> = []
  load(before, [entry])
  for (let run = 0; run < runs; run += 1) {
    alone.push(load(before, effect))
    together.push(load(before, [entry]))
  }
  // Neighbours in time meet the same machine, so each pair is compared before the median is taken.
  const difference = median(together.map((millis, run) => millis - alone[run]!))
  console.log(
    `${title}: ${difference.toFixed(1)} ms more, ${difference <= goal ? "within" : "above"} the goal of ${goal}; ` +
      `Effect alone ${spread(alone)}, with core ${spread(together)}`
  )
}

const effect = [...effectModulesOf(join(core, "src/subscriptions/Subscription.ts"))].sort()
console.log(`Effect modules: ${effect.join(", ")}; medians of ${runs} alternating runs (smallest to largest)`)

const anySource = pathOf("codecs/Contender.ts")
const compiler = pathOf("../../../node_modules/typescript/bin/tsc")
const entry = join(built, "subscriptions/Subscription.js")
try {
  execFileSync(process.execPath, [compiler, "-p", join(core, "tsconfig.build.json"), "--outDir", built])
} catch {
  console.log("Core does not compile without errors; what was emitted is measured")
}
if (existsSync(entry)) compare("Built, as published", [], entry)
compare("From source, with Node's type stripper loaded before", [anySource], "@parcela/core/subscriptions/Subscription")
