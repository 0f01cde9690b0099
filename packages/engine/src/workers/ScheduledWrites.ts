/**
 * The ports `Transactions` and `Attempts` with the due work that follows from what is written, in the transaction that is
 * open: use cases write in a unit of work.
 *
 * @since 0.1.0
 */
import { transactionDue } from "@parcela/core/TransactionDue"
import type { TransactionState } from "@parcela/core/TransactionState"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { EpochMillis, latest } from "@parcela/core/EpochMillis"
import { startOfDay } from "@parcela/core/WallClock"
import { Attempts } from "../Attempts.ts"
import { DueWork, type NewWork } from "../ports/DueWork.ts"
import { Settings, type SettingsShape } from "../Settings.ts"
import { Transactions } from "../Transactions.ts"
import { LeaseOwner } from "./LeaseOwner.ts"

/**
 * The work that sends a transaction when it is due; none when it is not to be sent.
 *
 * @category constructors
 * @since 0.1.0
 */
export const sending = (
  state: TransactionState,
  now: EpochMillis,
  zone: SettingsShape["zone"]
): NewWork | undefined => {
  const due = transactionDue(state)
  const work = { kind: "send payment", companyId: state.companyId, subject: String(state.id) } as const
  switch (due._tag) {
    case "AtOnce":
      return { ...work, dueAt: now, waitsSince: now }
    case "OnDay":
      // The last day of the calendar begins after the last instant that every zone can write.
      return { ...work, dueAt: EpochMillis.make(Math.min(startOfDay(due.day, zone), latest)) }
    default:
      return undefined
  }
}

const transactions: Layer.Layer<Transactions, never, DueWork | Transactions> = Layer.effect(
  Transactions,
  Effect.gen(function* () {
    const dueWork = yield* DueWork
    const port = yield* Transactions
    const { zone } = yield* Settings

    const workOf = (state: TransactionState) =>
      Effect.map(Clock.currentTimeMillis, (now) => sending(state, EpochMillis.make(now), zone))

    return Transactions.of({
      ...port,
      insert: Effect.fnUntraced(function* (state: TransactionState) {
        const work = yield* workOf(state)
        yield* work === undefined ? port.insert(state) : Effect.andThen(port.insert(state), dueWork.schedule([work]))
      }),
      update: Effect.fnUntraced(function* (state: TransactionState) {
        const work = yield* workOf(state)
        const follow =
          work === undefined ? dueWork.cancel("send payment", [String(state.id)]) : dueWork.schedule([work])
        yield* Effect.andThen(port.update(state), follow)
      })
    })
  })
)

const attempts: Layer.Layer<Attempts, never, Attempts | DueWork | LeaseOwner> = Layer.effect(
  Attempts,
  Effect.gen(function* () {
    const dueWork = yield* DueWork
    const owner = yield* LeaseOwner
    const port = yield* Attempts
    return Attempts.of({
      ...port,
      insert: (attempt) =>
        Effect.andThen(
          port.insert(attempt),
          dueWork.schedule([
            {
              kind: "resolve attempt",
              companyId: attempt.companyId,
              subject: attempt.id,
              dueAt: attempt.claimedUntil,
              waitsSince: attempt.startedAt,
              leasedBy: owner
            }
          ])
        ),
      settle: (id, result) =>
        Effect.tap(port.settle(id, result), (isFirst) =>
          isFirst ? dueWork.cancel("resolve attempt", [id]) : Effect.void
        )
    })
  })
)

/**
 * @category layers
 * @since 0.1.0
 */
export const layer = Layer.mergeAll(transactions, attempts)
