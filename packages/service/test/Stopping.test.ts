import { assert, it } from "@effect/vitest"
import * as Stopping from "@parcela/service/Stopping"
import { Effect, Layer, Logger } from "effect"

/** What is logged by a service that has so much under way when it is stopped, as it ends. */
const said = (requests: number, deliveries: number) =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const logger = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
    const log = { format: "text", colour: false, write: () => {} } as const
    yield* Effect.gen(function* () {
      const { begin, count } = yield* Stopping.Stopping
      count(Effect.succeed([0, "payment attempt"]))
      count(Effect.succeed([deliveries, "delivery"]))
      yield* begin(requests)
    }).pipe(Effect.provide(Stopping.layer({ log }).pipe(Layer.provideMerge(logger))))
    return lines
  })

it.effect("a service that stops says what is under way, and when it has ended", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* said(0, 0), ["Stopping: nothing is under way", "Stopped"])
    const [line, ...rest] = yield* said(1, 2)
    assert.match(line ?? "", /^Stopping, with 1 request, 2 deliveries under way: .* next start$/u)
    assert.deepStrictEqual(rest, ["Stopped"])
  })
)
