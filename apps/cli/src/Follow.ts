/**
 * Following a list of a sandbox: what is there after a place, then what comes, a row each, until it is interrupted.
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

type Asked<A> = Effect.Effect<A, WriteWithoutKeyError>

export interface Followed<Item, Place> {
  /** The key of the items in a page. */
  readonly key: string
  readonly start: Place
  /** What is followed and from where, such as `events from now on`. */
  readonly what: string
  /** The page after a place, and the place that it ends at. */
  readonly ask: (
    client: Client,
    company: string,
    after: Place
  ) => Asked<{ readonly items: ReadonlyArray<Item>; readonly next: Place }>
  readonly columns: Columns<Item>
  /**
   * Where to go on once the sandbox was away, as another process may count anew; at the same place when absent. `last` is
   * what was shown last.
   */
  readonly resume?: (client: Client, company: string, at: Place, last: Item | undefined) => Asked<Place>
}

/** Between two looks at what is new, and between two tries of a sandbox that is away. */
const pause = "500 millis"

/** The sandbox is restarted, or has no time. What it refuses ends the following. */
const isAway = (error: WriteWithoutKeyError): boolean =>
  error._tag === "Unreachable" || (error._tag === "ApiFailure" && error.status === 503)

/** Follows for good. A sandbox that is not there at the start is a failure. */
export const follow = <Item, Place>({ ask, columns, key, resume, start, what }: Followed<Item, Place>) =>
  controlling(
    ({ body, client, company }) =>
      Effect.gen(function* () {
        const asJson = yield* Json
        const painted = yield* paint
        let after = start
        let last: Item | undefined
        /** What the rows so far needed of each column, and the headings above them. */
        let needed: ReadonlyArray<number> = []
        let head = ""
        let state: "starting" | "there" | "away" = "starting"

        const print = Effect.fnUntraced(function* (items: ReadonlyArray<Item>) {
          // As they came: what was decoded has other times.
          if (asJson) {
            for (const item of Object(yield* body)[key]) yield* Console.log(JSON.stringify(item))
            return
          }
          if (items.length === 0) return
          needed = neededOf(columns, items, needed)
          const { cells, headings, narrow } = columns
          const laid = laidOut(painted, headings, items.map(cells), { ...narrow, least: needed })
          // Once, and again where the rows from here on need other columns.
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

        // What is there already comes without pauses.
        return yield* Effect.repeat(Effect.repeat(patient, { while: (hasMore) => hasMore }), Schedule.spaced(pause))
      }),
    0
  )
