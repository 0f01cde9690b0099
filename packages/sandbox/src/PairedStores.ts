/**
 * The service's database and the store of the simulated providers belong together: each has what the other one rests on.
 * Here they are compared before anything is asked of either.
 *
 * **Details**
 *
 * Both have the identity of the database. A database that is younger than the store beside it would give numbers out
 * again that the providers know, ask again for what they did, or have a company that they restored since: it is refused too. A store that is older than
 * its database is what the order of a backup leaves (the providers first), and is used: it is brought to the number of
 * restores that the database has, without which the providers would do nothing for the company any more.
 *
 * @since 0.1.0
 */
import * as ServedDatabase from "@parcela/provider-simulator/ServedDatabase"
import type { SimulatorStore } from "@parcela/provider-simulator/SimulatorStore"
import * as DatabaseIdentity from "@parcela/store-sql/DatabaseIdentity"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"

const reasons = {
  DatabaseReplaced: "the providers worked for another database: this one is new, or was put back without them",
  StoreReplaced: "the database had another one beside it: this one is new, or was put back without the database",
  DatabaseOlder: "the database is an older copy: the providers know payments or restores that it does not have"
} as const

/**
 * The database and the store beside it do not belong together. Nothing was changed.
 *
 * @category errors
 * @since 0.1.0
 */
export class StoresNotPaired extends Schema.TaggedError<StoresNotPaired>()("StoresNotPaired", {
  reason: Schema.Literals(["DatabaseReplaced", "StoreReplaced", "DatabaseOlder"]),
  /** The service's database, as it may be shown. */
  database: Schema.String,
  /** The store of the simulated providers. */
  simulators: Schema.String
}) {
  override get message() {
    return (
      `${this.simulators} (the store of the simulated providers) does not belong to ${this.database}: ` +
      `${reasons[this.reason]}. Put both back from the same backup, remove both, or let the providers begin anew with ` +
      `PARCELA_SIMULATORS=anew (the option "simulators" in a program): they keep the cards of their vault and forget all else. Nothing was changed.`
    )
  }
}

/** Where the two are, as it may be shown. */
export interface Places {
  readonly database: string
  readonly simulators: string
}

/**
 * Compares the two, and makes them a pair where both are new. With `isAnew` the providers begin anew where they are
 * refused otherwise.
 *
 * @category running
 * @since 0.1.0
 */
export const pair = Effect.fn("PairedStores.pair")(function* (
  store: SimulatorStore["Service"],
  places: Places,
  isAnew: boolean
) {
  const served = ServedDatabase.of(store)
  const { identity, isShared } = yield* DatabaseIdentity.ensure
  const reason = yield* reasonOf(served, identity, isShared)
  if (reason !== undefined && !isAnew) return yield* new StoresNotPaired({ reason, ...places })
  if (reason !== undefined) {
    yield* served.startAnew(identity)
    yield* Effect.logWarning(`${places.simulators}: the simulated providers began anew, as ${reasons[reason]}`)
  }
  if (!isShared) {
    yield* served.record(identity)
    yield* DatabaseIdentity.share
  }
  yield* catchUp(served, places)
})

type Served = ServedDatabase.ServedDatabase

/** Why the two are no pair. What the providers have is read first: another process may be at work in both. */
const reasonOf = Effect.fnUntraced(function* (served: Served, identity: string, isShared: boolean) {
  const recorded = yield* served.identity
  if (recorded === undefined && isShared) return "StoreReplaced"
  if (recorded !== undefined && recorded !== identity) return "DatabaseReplaced"
  const theirs = yield* served.reached
  const asked = yield* served.lastAttempts
  const own = yield* DatabaseIdentity.reached
  if (theirs.companyId > own.companyId || theirs.transactionId > own.transactionId) return "DatabaseOlder"
  if (yield* lacksOne(asked)) return "DatabaseOlder"
  const restores = yield* served.restores
  const ownRestores = yield* DatabaseIdentity.restores
  for (const [companyId, times] of restores) {
    if (times > (ownRestores.get(companyId) ?? 0) && (yield* isAhead(served, companyId))) return "DatabaseOlder"
  }
  return undefined
})

/**
 * Whether the database lacks the last attempt that the providers were asked about: an attempt is committed before. Without it
 * the database is a copy that is older by less than a block of numbers, and would ask for a payment again.
 */
const lacksOne = Effect.fnUntraced(function* (
  asked: ReadonlyArray<{ readonly companyId: number; readonly id: string }>
) {
  for (const { companyId, id } of asked) {
    const isThere = yield* DatabaseIdentity.hasAttempt(companyId, id)
    if (isThere !== undefined) return !isThere
  }
  return false
})

/** Whether the providers have restored a company oftener than the database, which may have begun one more. */
const isAhead = Effect.fnUntraced(function* (served: Served, companyId: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      const { atMost } = yield* DatabaseIdentity.holdRestores(companyId)
      return (yield* served.restoresOf(companyId)) > atMost
    })
  )
})

/** Companies that were restored after the copy that the store is: the providers have their rows of before, and go on. */
const catchUp = Effect.fnUntraced(function* (served: Served, { simulators }: Places) {
  const sql = yield* SqlClient.SqlClient
  const restores = yield* served.restores
  for (const [companyId, times] of yield* DatabaseIdentity.restores) {
    if ((restores.get(companyId) ?? 0) >= times) continue
    const isBehind = yield* sql.withTransaction(
      Effect.gen(function* () {
        const { done } = yield* DatabaseIdentity.holdRestores(companyId)
        if ((yield* served.restoresOf(companyId)) >= done) return false
        yield* served.setRestores(companyId, done)
        return true
      })
    )
    if (isBehind) {
      yield* Effect.logWarning(
        `${simulators} is older than a restore of company ${companyId}: what the simulated providers did for it since is not there`
      )
    }
  }
})
