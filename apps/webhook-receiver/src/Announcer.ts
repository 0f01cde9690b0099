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

/** Waits for the line of a delivery, which may be written before its sender is verified. */
export interface ExpectedLine {
  /** Returns once the line of this sender's delivery is written. */
  readonly written: (sender: string) => Effect.Effect<void>
  readonly end: () => void
}

/** Writes what came and what was refused. */
export class Announcer extends Context.Service<
  Announcer,
  {
    /** The line of a delivery out of the inbox; once it returns, the line is written. */
    readonly handled: (delivery: Delivery) => Effect.Effect<void, OutputClosed>
    /** Called before the delivery is stored; `end` has to be called. */
    readonly expect: (webhookId: string) => ExpectedLine
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
    const expected = makeExpected()
    return Announcer.of({
      handled: (delivery) =>
        Effect.tap(
          out(
            isJson
              ? Lines.jsonLine(delivery, naming)
              : Lines.textLine(delivery, { colour: isColoured, columns: columns(), naming })
          ),
          () => Effect.sync(() => expected.written(delivery))
        ),
      expect: expected.expect,
      repeated: (received) =>
        isJson
          ? Effect.void
          : Effect.ignore(out(Lines.repeatedLine(received, { colour: isColoured, columns: columns() }))),
      refused: (status, reason) => Effect.sync(() => error(`refused with ${status}: ${reason}`)),
      note: (line) => (isJson ? Effect.sync(() => error(line)) : Effect.ignore(out(line)))
    })
  })

/** By `webhookId`, as two senders may use the same: each waiting request compares the sender. */
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
