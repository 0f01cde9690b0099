/**
 * The output of the receiver: a line for each delivery, and lines about refusals, the start and the stop.
 *
 * @since 0.1.0
 */
import type { Delivery } from "@parcela/webhooks/Delivery"
import type { Received } from "@parcela/webhooks/Receiver"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Schema from "effect/Schema"
import * as Lines from "./Lines.ts"
import type { Settings } from "./Settings.ts"

/** A line could not be written, because the reading end of the pipe is closed. */
export class OutputClosed extends Schema.TaggedError<OutputClosed>()("OutputClosed", { cause: Schema.Defect() }) {
  override get message() {
    return "The line could not be written"
  }
}

/** The output streams: those of the process, or of a test. */
export interface Output {
  /** Writes a line. Returns when the operating system has the line. */
  readonly out: (line: string) => Effect.Effect<void, OutputClosed>
  readonly error: (line: string) => void
  readonly isTerminal: boolean
  /** The width of the terminal; infinite without a terminal. */
  readonly columns: () => number
}

/** Waits for the line of a delivery. The line may be written before the request has verified its sender. */
export interface ExpectedLine {
  /** Returns when the line of this sender's delivery is written. */
  readonly written: (sender: string) => Effect.Effect<void>
  readonly end: () => void
}

/** Writes the lines. */
export class Announcer extends Context.Service<
  Announcer,
  {
    /** Writes the line of a delivery from the inbox. */
    readonly handled: (delivery: Delivery) => Effect.Effect<void, OutputClosed>
    /** Must be called before the delivery is stored. The caller must then call `end`. */
    readonly expect: (webhookId: string) => ExpectedLine
    readonly repeated: (received: Received) => Effect.Effect<void>
    readonly refused: (status: number, reason: string) => Effect.Effect<void>
    /** Writes a line for people: to the standard output, or to the standard error if deliveries are JSON lines. */
    readonly note: (line: string) => Effect.Effect<void>
    /** Writes that the receiver stops. Its end is written when the layer closes, after all layers that depend on it. */
    readonly stopping: Effect.Effect<void>
  }
>()("@parcela/webhook-receiver-app/Announcer") {}

/** The layer. It also sends log messages to the standard error, apart from the lines of deliveries. */
export const layer = (settings: Settings, output: Output): Layer.Layer<Announcer> =>
  Layer.merge(
    Layer.effect(Announcer, make(settings, output)),
    Logger.layer([Logger.map(Logger.formatSimple, output.error)])
  )

const make = Effect.fnUntraced(function* (
  { mayColour, naming, output }: Settings,
  { columns, error, isTerminal, out }: Output
) {
  const isJson = output === "json"
  const colour = mayColour && isTerminal
  const expected = makeExpected()
  const note = (line: string) => (isJson ? Effect.sync(() => error(line)) : Effect.ignore(out(line)))
  let isStopping = false
  yield* Effect.addFinalizer(() => (isStopping ? note("Stopped") : Effect.void))
  return Announcer.of({
    handled: (delivery) =>
      Effect.tap(
        out(
          isJson ? Lines.jsonLine(delivery, naming) : Lines.textLine(delivery, { colour, columns: columns(), naming })
        ),
        () => Effect.sync(() => expected.written(delivery))
      ),
    expect: expected.expect,
    repeated: (received) =>
      isJson ? Effect.void : Effect.ignore(out(Lines.repeatedLine(received, { colour, columns: columns() }))),
    refused: (status, reason) => Effect.sync(() => error(`refused with ${status}: ${reason}`)),
    note,
    stopping: Effect.suspend(() => {
      isStopping = true
      return note("Stopping: running requests are finished, and stored deliveries are printed")
    })
  })
})

/** Waiting requests by `webhookId`. Two senders may use the same `webhookId`, so each request compares the sender. */
const makeExpected = () => {
  const waiting = new Map<string, Set<(sender: string) => void>>()
  return {
    written: ({ message, sender }: Delivery): void => {
      for (const write of waiting.get(String(message.webhookId)) ?? []) write(sender)
    },
    expect: (webhookId: string): ExpectedLine => {
      const senders = new Set<string>()
      let wake = (): void => {}
      const write = (sender: string): void => {
        senders.add(sender)
        wake()
      }
      const own = waiting.get(webhookId) ?? new Set()
      waiting.set(webhookId, own.add(write))
      return {
        written: (sender) =>
          Effect.callback((resume) => {
            wake = () => {
              if (senders.has(sender)) resume(Effect.void)
            }
            wake()
          }),
        end: () => {
          own.delete(write)
          if (own.size === 0) waiting.delete(webhookId)
        }
      }
    }
  }
}
