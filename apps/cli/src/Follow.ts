/**
 * Follows a list of a sandbox: prints existing items after a position, then new items, until the user interrupts the
 * command.
 *
 * @since 0.1.0
 */
import type { WriteWithoutKeyError } from "@parcela/transport/client/ClientError"
import { Console, Effect, Schedule } from "effect"
import { Flag } from "effect/cli"
import { type Client, controlling } from "./Control.ts"
import { Json } from "./GlobalFlags.ts"
import { paint } from "./Paint.ts"
import { type Columns, laidOut, neededOf } from "./Table.ts"

export const followFlag = Flag.Boolean("follow").pipe(
  Flag.withDescription(
    "Go on until Ctrl+C, a line for each as it comes (with --json its JSON); a sandbox that restarts is waited for"
  ),
  Flag.withDefault(false)
)

type Requested<A> = Effect.Effect<A, WriteWithoutKeyError>

export interface Followed<Item, Position> {
  /** The key of the items in a page. */
  readonly key: string
  readonly start: Position
  /** The subject of the message, such as `events from now on`. */
  readonly what: string
  /** Returns the page after a position, and the position of its end. */
  readonly ask: (
    client: Client,
    company: string,
    after: Position
  ) => Requested<{ readonly items: ReadonlyArray<Item>; readonly next: Position }>
  readonly columns: Columns<Item>
  /**
   * Returns the position at which to continue after the sandbox was unreachable, because a new process may count from
   * the start. The same position by default. `last` is the last printed item.
   */
  readonly resume?: (client: Client, company: string, at: Position, last: Item | undefined) => Requested<Position>
}

/** Pause between two polls, and between two attempts to reach the sandbox. */
const pause = "500 millis"

/** Returns true if the sandbox is restarting or overloaded. Other refusals end the command. */
const isAway = (error: WriteWithoutKeyError): boolean =>
  error._tag === "Unreachable" || (error._tag === "ApiFailure" && error.status === 503)

/** Follows a list without end. An unreachable sandbox at the start is a failure. */
export const follow = <Item, Position>({ ask, columns, key, resume, start, what }: Followed<Item, Position>) =>
  controlling(
    ({ body, client, company }) =>
      Effect.gen(function* () {
        const asJson = yield* Json
        const painted = yield* paint
        let after = start
        let last: Item | undefined
        /** The column widths of the printed rows, and the headings above them. */
        let needed: ReadonlyArray<number> = []
        let head = ""
        let state: "starting" | "there" | "away" = "starting"

        const print = Effect.fnUntraced(function* (items: ReadonlyArray<Item>) {
          // Prints the raw items, because decoded items have other time formats.
          if (asJson) {
            for (const item of Object(yield* body)[key]) yield* Console.log(JSON.stringify(item))
            return
          }
          if (items.length === 0) return
          needed = neededOf(columns, items, needed)
          const { cells, headings, narrow } = columns
          const laid = laidOut(painted, headings, items.map(cells), { ...narrow, least: needed })
          // Prints the headings once, and again if later rows need other widths.
          const isHeaded = laid.head.join("\n") === head
          head = laid.head.join("\n")
          yield* Console.log([...(isHeaded ? [] : [...laid.note, ...laid.head]), ...laid.rows].join("\n"))
        })

        const look = Effect.gen(function* () {
          if (state === "away" && resume !== undefined) {
            after = yield* resume(client, company, after, last)
          }
          const { items, next } = yield* ask(client, company, after)
          if (state === "away") yield* Console.error("The sandbox is there again.")
          if (state === "starting" && !asJson) yield* Console.error(`Following ${what}; Ctrl+C ends it.`)
          state = "there"
          yield* print(items)
          const isFurther = next !== after
          after = next
          last = items.at(-1) ?? last
          return isFurther && items.length > 0
        })

        const patient = Effect.catch(look, (error) => {
          if (state === "starting" || !isAway(error)) return Effect.fail(error)
          const isNews = state === "there"
          state = "away"
          return Effect.as(isNews ? Console.error("The sandbox is away: waiting for it ..") : Effect.void, false)
        })

        // Existing pages are read without pauses.
        return yield* Effect.repeat(Effect.repeat(patient, { while: (hasMore) => hasMore }), Schedule.spaced(pause))
      }),
    0
  )
