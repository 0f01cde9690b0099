/**
 * What the receiver writes: a line for each delivery, and lines about what was refused.
 *
 * @since 0.1.0
 */
import type { Delivery } from "@parcela/webhooks/Delivery"
import type { Received } from "@parcela/webhooks/Receiver"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { Settings } from "./Settings.ts"
import * as Lines from "./Lines.ts"

/** A line could not be written: their reader is gone. */
export class OutputClosed extends Schema.TaggedError<OutputClosed>()("OutputClosed", { cause: Schema.Defect() }) {
  override get message() {
    return "The line could not be written"
  }
}

/** What is written to: the process's streams, or a test's. */
export interface Output {
  /** Returns once the line is out of this process. */
  readonly out: (line: string) => Effect.Effect<void, OutputClosed>
  readonly error: (line: string) => void
  readonly isTerminal: boolean
  /** How wide the terminal is; endless without one. */
  readonly columns: () => number
}

/** Writes what came and what was refused. */
export class Announcer extends Context.Service<
  Announcer,
  {
    /** The line of a delivery out of the inbox; once it returns, the line is written. */
    readonly handled: (delivery: Delivery) => Effect.Effect<void, OutputClosed>
    readonly repeated: (received: Received) => Effect.Effect<void>
    readonly refused: (status: number, reason: string) => Effect.Effect<void>
    /** A line for people: beside the deliveries, or out of their way when they are JSON. */
    readonly note: (line: string) => Effect.Effect<void>
  }
>()("@parcela/webhook-receiver-app/Announcer") {}

export const layer = (
  { mayColour, naming, output }: Settings,
  { columns, error, isTerminal, out }: Output
): Layer.Layer<Announcer> =>
  Layer.sync(Announcer, () => {
    const isJson = output === "json"
    const isColoured = mayColour && isTerminal
    return Announcer.of({
      handled: (delivery) =>
        out(
          isJson
            ? Lines.jsonLine(delivery, naming)
            : Lines.textLine(delivery, { colour: isColoured, columns: columns(), naming })
        ),
      repeated: (received) =>
        isJson
          ? Effect.void
          : Effect.ignore(out(Lines.repeatedLine(received, { colour: isColoured, columns: columns() }))),
      refused: (status, reason) => Effect.sync(() => error(`refused with ${status}: ${reason}`)),
      note: (line) => (isJson ? Effect.sync(() => error(line)) : Effect.ignore(out(line)))
    })
  })
