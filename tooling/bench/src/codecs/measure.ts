/** Measures one contender in a process of its own and prints `{ decode, encode }` in nanoseconds per subscription. */
import { deepStrictEqual, throws } from "node:assert/strict"
import type { Contender } from "./Contender.ts"
import { sample, wrong } from "./Sample.ts"

const load = async (name: string): Promise<Contender> => {
  switch (name) {
    case "interpreted":
      return (await import("./Parcela.ts")).parcela
    case "compiled":
      // Before the first schema is built, as Effect asks.
      await import("effect/schema/SchemaJITCompiler/enable")
      return (await import("./Parcela.ts")).parcela
    case "lenient":
      return (await import("./Parcela.ts")).lenient
    case "zod":
      return (await import("./Zod.ts")).zod
    case "valibot":
      return (await import("./Valibot.ts")).valibot
    default:
      throw new Error(`There is no contender ${name}`)
  }
}

/** Nanoseconds per call: the fastest of a few spans, because what disturbs a span only makes it slower. */
const nanosecondsOf = (work: () => unknown): number => {
  let kept: unknown
  const span = (millis: number): number => {
    const start = process.hrtime.bigint()
    const end = start + BigInt(millis) * 1_000_000n
    let calls = 0
    let now = start
    while (now < end) {
      for (let call = 0; call < 20; call += 1) kept = work()
      calls += 20
      now = process.hrtime.bigint()
    }
    return Number(now - start) / calls
  }
  span(300)
  const fastest = Math.min(...Array.from({ length: 5 }, () => span(60)))
  if (kept === undefined) throw new Error("Nothing came back")
  return fastest
}

const name = process.argv[2] ?? ""
const { decode, encode } = await load(name)

// A race between things that do not do the same is worth nothing.
const decoded = decode(sample)
deepStrictEqual(decoded, sample)
deepStrictEqual(encode(decoded as never), sample)
if (name !== "lenient") {
  for (const fault of wrong) {
    throws(() => decode(fault))
    throws(() => encode(fault as never))
  }
}

console.log(
  JSON.stringify({
    decode: nanosecondsOf(() => decode(sample)),
    encode: nanosecondsOf(() => encode(decoded as never))
  })
)
