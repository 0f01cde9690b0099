import { assert, it } from "@effect/vitest"
import * as Stopping from "@parcela/service/ListeningServer"
import { Effect, Layer, Logger } from "effect"

/** What is logged when a service is stopped, as it ends. */
const said = (use: (stopping: Stopping.Stopping["Service"]) => Effect.Effect<void>) =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const logger = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
    const log = { format: "text", colour: false, write: () => {} } as const
    yield* Stopping.Stopping.use(use).pipe(
      Effect.provide(Stopping.layerStopping({ log }).pipe(Layer.provideMerge(logger)))
    )
    return lines
  })

/** A service that has so much under way. */
const stopped = (requests: number, deliveries: number) =>
  said(({ begin, count }) => {
    count(Effect.succeed([0, "payment attempt"]))
    count(Effect.succeed([deliveries, "delivery"]))
    return begin(requests)
  })

it.effect("a stopping service logs its running operations and its end", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* stopped(0, 0), ["Stopping: nothing is under way", "Stopped"])
    const [line, ...rest] = yield* stopped(1, 2)
    assert.match(line ?? "", /^Stopping, with 1 request, 2 deliveries under way: .* next start$/u)
    assert.deepStrictEqual(rest, ["Stopped"])
  })
)

it.effect("a service that failed to start does not log a stop", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* said(({ begin }) => begin(0)), [])
  })
)
