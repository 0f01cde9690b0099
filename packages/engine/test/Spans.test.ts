import { assert, describe, it } from "@effect/vitest"
import * as Spans from "@parcela/engine/Spans"
import { Context, Effect, Tracer } from "effect"

const double = Spans.fn("Numbers.double")(
  function* (value: number) {
    return yield* Effect.succeed(value * 2)
  },
  (doubled, value) => Effect.map(doubled, (two) => two + value)
)
const half = Spans.fn("Numbers.half")((value: number): Effect.Effect<number, string> =>
  value === 0 ? Effect.fail("nothing to halve") : Effect.succeed(value / 2)
)
const nested = Spans.fn("Numbers.nested")(function* () {
  return yield* half(yield* double(2))
})

/** Spans with that of their parent. */
const collecting = (seen: Array<readonly [string, string | undefined]>) =>
  Tracer.make({
    span: (options) => {
      const parent =
        options.parent._tag === "Some" && options.parent.value._tag === "Span" ? options.parent.value : undefined
      seen.push([options.name, parent?.name])
      return new Tracer.NativeSpan(options)
    }
  })

describe("a function with a span", () => {
  it.effect("returns the same result with and without a tracer", () =>
    Effect.gen(function* () {
      const run = Effect.all([nested(), Effect.flip(half(0))])
      assert.deepStrictEqual(yield* run, [3, "nothing to halve"])
      assert.deepStrictEqual(yield* Effect.provideService(run, Tracer.Tracer, collecting([])), [3, "nothing to halve"])
    })
  )

  it.effect("creates a child span of its caller's span when a tracer is composed", () =>
    Effect.gen(function* () {
      const seen: Array<readonly [string, string | undefined]> = []
      yield* Effect.provideService(nested(), Tracer.Tracer, collecting(seen))
      assert.deepStrictEqual(seen, [
        ["Numbers.nested", undefined],
        ["Numbers.double", "Numbers.nested"],
        ["Numbers.half", "Numbers.nested"]
      ])
    })
  )

  it.effect("creates no span without a tracer", () =>
    Effect.gen(function* () {
      const current = Spans.fn("Spans.current")(() => Effect.context<never>())
      assert.isTrue(Context.getOption(yield* current(), Tracer.ParentSpan)._tag === "None")
      const traced = yield* Effect.provideService(current(), Tracer.Tracer, collecting([]))
      assert.isTrue(Context.getOption(traced, Tracer.ParentSpan)._tag === "Some")
    })
  )
})
