/**
 * What importing `@parcela/core/Subscription` costs beyond the Effect modules that it needs anyway. The goal is 30 ms.
 */
import { existsSync, globSync, readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { median, printedBy } from "./Children.ts"

const runs = 21
const goal = 30

const core = fileURLToPath(new URL("../../../packages/core/", import.meta.url))

/** The Effect modules that a source file of core imports, itself or through others. */
const effectModulesOf = (file: string, seen = new Set<string>()): ReadonlySet<string> => {
  const found = new Set<string>()
  if (seen.has(file)) return found
  seen.add(file)
  for (const [, specifier = ""] of readFileSync(file, "utf8").matchAll(
    /^(?:import|export) (?!type ).*?"([^"]+)"$/gms
  )) {
    if (specifier.startsWith("effect/")) found.add(specifier)
    if (specifier.startsWith("."))
      effectModulesOf(join(dirname(file), specifier), seen).forEach((name) => found.add(name))
  }
  return found
}

/** Milliseconds to import the modules in a new process, without the process's own start. */
const load = (modules: ReadonlyArray<string>): number =>
  printedBy([
    "--input-type=module",
    "--eval",
    `const start = performance.now()
     for (const name of ${JSON.stringify(modules)}) await import(name)
     console.log(performance.now() - start)`
  ]) as number

const compare = (title: string, effect: ReadonlyArray<string>, entry: string): number => {
  const without: Array<number> = []
  const with_: Array<number> = []
  load([entry])
  for (let run = 0; run < runs; run += 1) {
    without.push(load(effect))
    with_.push(load([entry]))
  }
  const difference = median(with_) - median(without)
  const spread = (values: ReadonlyArray<number>) =>
    `${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)}`
  console.log(
    `${title}: ${difference.toFixed(1)} ms more (Effect alone ${median(without).toFixed(1)}, ${spread(without)}; ` +
      `with core ${median(with_).toFixed(1)}, ${spread(with_)}; medians of ${runs} alternating runs)`
  )
  return difference
}

const effect = [...effectModulesOf(join(core, "src/Subscription.ts"))].sort()
console.log(`Effect modules: ${effect.join(", ")}`)

const fromSource = compare("From source (Node strips the types)", effect, "@parcela/core/Subscription")

const built = join(core, "dist/Subscription.js")
const newest = Math.max(...globSync(join(core, "src/**/*.ts")).map((file) => statSync(file).mtimeMs))
if (existsSync(built) && statSync(built).mtimeMs > newest) {
  compare("Built (what is published)", effect, pathToFileURL(built).href)
} else {
  console.log("Built: run `npm run build` first; packages/core/dist is missing or older than its source")
}

console.log(fromSource <= goal ? `Within the goal of ${goal} ms` : `Above the goal of ${goal} ms`)
