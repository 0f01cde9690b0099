import { assert, it } from "@effect/vitest"
import * as ListeningServer from "@parcela/service/ListeningServer"
import { Effect, Layer, Logger } from "effect"

/** Returns the log lines of a stopping service. */
const linesOf = (use: (stopping: ListeningServer.Stopping["Service"]) => Effect.Effect<void>) =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const logger = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
    const log = { format: "text", colour: false, write: () => {} } as const
    yield* ListeningServer.Stopping.use(use).pipe(
      Effect.provide(ListeningServer.layerStopping({ log }).pipe(Layer.provideMerge(logger)))
    )
    return lines
  })

/** Returns the log lines of a service with these running operations. */
const stopped = (requests: number, deliveries: number) =>
  linesOf(({ begin, count }) => {
    count(Effect.succeed([0, "payment attempt"]))
    count(Effect.succeed([deliveries, "delivery"]))
    return begin(requests)
  })

it.effect("a stopping service logs its running operations and its end", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* stopped(0, 0), ["Stopping: nothing is under way", "Stopped"])
    const [line, ...others] = yield* stopped(1, 2)
    assert.match(line ?? "", /^Stopping, with 1 request, 2 deliveries under way: .* next start$/u)
    assert.deepStrictEqual(others, ["Stopped"])
  })
)

it.effect("a service that failed to start does not log a stop", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* linesOf(({ begin }) => begin(0)), [])
  })
)
