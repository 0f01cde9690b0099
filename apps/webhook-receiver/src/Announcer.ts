/**
 * The work that follows a delivery, here one line of output, done in order by one fiber while answers go out.
 *
 * @since 0.1.0
 */
import type { Received } from "@parcela/webhooks/Receiver"
import type * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import type { Settings } from "./Settings.ts"
import * as Lines from "./Lines.ts"

/** What is written to: the process's streams, or a test's. */
export interface Output {
  readonly out: (line: string) => void
  readonly error: (line: string) => void
  readonly isTerminal: boolean
}

/** Takes note of what came and of what was refused. */
export class Announcer extends Context.Service<
  Announcer,
  {
    /** Returns at once; the line follows. */
    readonly received: (received: Received) => Effect.Effect<void>
    readonly refused: (status: number, reason: string) => Effect.Effect<void>
    /** A line for people: beside the deliveries, or out of their way when they are JSON. */
    readonly note: (line: string) => Effect.Effect<void>
  }
>()("@parcela/webhook-receiver-app/Announcer") {}

/** When its scope closes, what is waiting is still written. */
export const layer = ({ mayColour, output }: Settings, { error, isTerminal, out }: Output): Layer.Layer<Announcer> =>
  Layer.effect(
    Announcer,
    Effect.gen(function* () {
      const isJson = output === "json"
      const print = (received: Received): void => {
        if (!isJson) out(Lines.textLine(received, mayColour && isTerminal))
        else if (received._tag === "New") out(Lines.jsonLine(received))
      }
      const queue = yield* Effect.acquireRelease(Queue.make<Received, Cause.Done>(), Queue.end)
      const printing = yield* Queue.take(queue).pipe(
        Effect.map(print),
        Effect.forever,
        Effect.ignore,
        Effect.forkDetach
      )
      yield* Effect.addFinalizer(() => Effect.andThen(Queue.end(queue), Fiber.join(printing)))
      return Announcer.of({
        received: (received) => Effect.asVoid(Queue.offer(queue, received)),
        refused: (status, reason) => Effect.sync(() => error(`refused with ${status}: ${reason}`)),
        note: (line) => Effect.sync(() => (isJson ? error : out)(line))
      })
    })
  )
