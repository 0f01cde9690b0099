/**
 * Finds what is due and nobody is at: attempts that a crash or a lost answer left behind, payments whose day has
 * come, tokens that expired. Rows know what is due; this only looks, so any number of sweepers may run.
 *
 * @since 0.1.0
 */
import { EpochMillis } from "@parcela/core/EpochMillis"
import { dateAt } from "@parcela/core/WallClock"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { attended } from "./Attended.ts"
import { Attempts } from "./Attempts.ts"
import { AttemptRunner } from "./AttemptRunner.ts"
import { Payments } from "./Payments.ts"
import { Settings } from "./Settings.ts"
import type { StoreError } from "./StoreError.ts"
import { Tokens } from "./Tokens.ts"
import { Transactions } from "./Transactions.ts"

/** How many rows of each kind one sweep takes on. */
const batch = 100

const eightAtOnce = { concurrency: 8, discard: true } as const

/**
 * @category services
 * @since 0.1.0
 */
export class Sweeper extends Context.Service<
  Sweeper,
  {
    /** One look at everything; answers how many rows it took on. */
    readonly sweep: Effect.Effect<number, StoreError>
    /**
     * Resolves what the last run of this service left behind, without waiting for its claims to run out. Only for a
     * service that has its store to itself, before it takes requests.
     */
    readonly recover: Effect.Effect<number, StoreError>
  }
>()("@parcela/engine/Sweeper") {
  static readonly layer: Layer.Layer<Sweeper, never, Attempts | AttemptRunner | Payments | Tokens | Transactions> =
    Layer.effect(
      Sweeper,
      Effect.gen(function* () {
        const attempts = yield* Attempts
        const payments = yield* Payments
        const runner = yield* AttemptRunner
        const tokens = yield* Tokens
        const transactions = yield* Transactions
        const { claim, zone } = yield* Settings

        const resolveUnfinished = Effect.fnUntraced(function* (before: number, until: number) {
          const unfinished = yield* attempts.claimUnfinished(EpochMillis.make(before), EpochMillis.make(until), batch)
          yield* Effect.forEach(unfinished, (attempt) => attended(runner.resolve(attempt)), eightAtOnce)
          return unfinished.length
        })

        const sendDue = Effect.fnUntraced(function* (now: number) {
          const due = yield* transactions.listWantingAttempt(dateAt(now, zone), batch)
          yield* Effect.forEach(due, (transaction) => attended(payments.sendDue(transaction)), eightAtOnce)
          return due.length
        })

        const sweep = Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          // Each part has its turn, whatever becomes of the others.
          const resolved = yield* Effect.exit(resolveUnfinished(now, now + Duration.toMillis(claim)))
          const sent = yield* Effect.exit(sendDue(now))
          yield* tokens.forgetExpired
          return (yield* resolved) + (yield* sent)
        })

        const recover = Effect.gen(function* () {
          // Every claim was made before now, so none runs longer than one claim from now.
          const longest = (yield* Clock.currentTimeMillis) + Duration.toMillis(claim)
          let recovered = 0
          let found = batch
          while (found === batch) {
            // Past `longest`, so that the next look passes over them; and no further, so that a recovery that is killed
            // leaves them to the next one.
            found = yield* resolveUnfinished(longest, longest + 1)
            recovered += found
          }
          return recovered
        })

        return Sweeper.of({ sweep, recover })
      })
    )
}
